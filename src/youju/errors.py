"""Every error Youju raises on purpose.

YoujuError                      code, message, remedy, HTTP status, who can mend it
├── InputError          400     the caller: a question, a path, a parameter
│   ├── KnobError       422     the caller: a setting that may not be changed per request, or a bad value
│   ├── TooLargeError   413     the caller: over a limit
│   ├── ForbiddenError  403     the caller: a request that came by way of another site or name
│   ├── MediaTypeError  415     the caller: a body of another kind than the address takes
│   └── SlowError       408     the caller: nothing of a body came for too long
├── NotFoundError       404     the caller: no such document, collection, trace
├── ConflictError       409     the caller: the thing is in a state that forbids this
├── NothingFoundError   404     nobody: the search found nothing at all
├── DocumentError       422     the caller: this file cannot be read well; becomes the FAILED of a version
├── BusyError           503     nobody: as much is being done as may be; later
├── ConfigError         500     the operator: settings, extras, machine
├── StoreError          503     the operator: the data folder
└── ProviderError       503     the operator: a model or server failed; stages with a fallback degrade instead
    └── BrokenAnswerError 503   the operator: part of an answer was out already; there is no way back
"""

from __future__ import annotations

from typing import ClassVar, Literal

Mender = Literal["caller", "operator", "nobody"]


class YoujuError(Exception):
    """Something went wrong in a way we can explain.

    Args:
        message: what happened, in the user's language, with the value that caused it.
        remedy: what the person who can mend it should do; may be empty.
        code: snake_case, stable, for programs; the class's own code unless given.
    """

    status: ClassVar[int] = 500
    mender: ClassVar[Mender] = "operator"
    default_code: ClassVar[str] = "error"

    def __init__(self, message: str, *, remedy: str = "", code: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.remedy = remedy
        self.code = code or self.default_code
        self.trace_id = ""
        """Of the question in the log that ended with this error; "" where there is none."""

    def __str__(self) -> str:
        return f"{self.message}（{self.remedy}）" if self.remedy else self.message


class InputError(YoujuError):
    status = 400
    mender = "caller"
    default_code = "bad_input"


class KnobError(InputError):
    status = 422
    default_code = "bad_setting"


class TooLargeError(InputError):
    status = 413
    default_code = "too_large"


class ForbiddenError(InputError):
    status = 403
    default_code = "forbidden"


class MediaTypeError(InputError):
    status = 415
    default_code = "media_type"


class SlowError(InputError):
    status = 408
    default_code = "too_slow"


class NotFoundError(YoujuError):
    status = 404
    mender = "caller"
    default_code = "not_found"


class ConflictError(YoujuError):
    status = 409
    mender = "caller"
    default_code = "conflict"


class NothingFoundError(YoujuError):
    """`trace_id`: of the question as it was logged."""

    status = 404
    mender = "nobody"
    default_code = "no_candidates"

    def __init__(self, message: str, *, trace_id: str, remedy: str = "", code: str = "") -> None:
        super().__init__(message, remedy=remedy, code=code)
        self.trace_id = trace_id


class DocumentError(YoujuError):
    status = 422
    mender = "caller"
    default_code = "unreadable"


class BusyError(YoujuError):
    """`retry_after_s`: seconds after which it is worth another try."""

    status = 503
    mender = "nobody"
    default_code = "busy"
    retry_after_s = 2


class ConfigError(YoujuError):
    default_code = "config"


class StoreError(YoujuError):
    status = 503
    default_code = "store"


class ProviderError(YoujuError):
    """A model, index or server failed.

    Args:
        part: the word that appears in `degradations[].part`: embedder, keyword, vector, reranker, grader, judge, llm.
    """

    status = 503
    default_code = "provider"

    def __init__(self, message: str, *, part: str, remedy: str = "", code: str = "") -> None:
        super().__init__(message, remedy=remedy, code=code)
        self.part = part


class BrokenAnswerError(ProviderError):
    """What its cause says, after the reader has seen the beginning of an answer."""

    default_code = "broken_answer"

    def __init__(self, cause: ProviderError) -> None:
        super().__init__(cause.message, part=cause.part, remedy=cause.remedy, code=cause.code)
