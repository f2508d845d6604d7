"""Context and question → what the model is told. The words stand in `prompts/`, one file a version."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources

from youju.errors import InputError
from youju.text.injection import is_instruction
from youju.types import Chunk, ContextItem

TEMPLATE = "answer@1"
PERSONAS: Mapping[str, str] = {"assistant": "assistant@1", "tutor": "tutor@1"}
"""Who may answer, and the newest version of what each of them is told."""
DEFAULT = "assistant"
TITLE_MAX, WITHHELD = 80, "（略去的标题）"
_FENCE = re.compile(r"[<＜〈‹]\s*([/／]?)\s*资料\s*[>＞〉›]")
# A line that looks like the head of another item.
_ITEM = re.compile(r"^[ \t\u3000]*[\[［]\s*(\d+)\s*[\]］](?=\s*[（(])", re.MULTILINE)
_PLAIN = str.maketrans({"[": "〔", "]": "〕", "［": "〔", "］": "〕", "<": "〈", ">": "〉"})
_SLOT = re.compile(r"\{\{(\w+)\}\}")


@dataclass(frozen=True, slots=True)
class Persona:
    """`version` names the file, `text` is what the model is told; "" in `nothing_found`: the deployment's wording."""

    name: str
    version: str
    text: str
    nothing_found: str = ""


@dataclass(frozen=True, slots=True)
class Template:
    """The frame of every prompt of one persona. Its `repr` is what stages and traces know it by."""

    persona: Persona
    system: str
    user: str

    @property
    def name(self) -> str:
        """The versions it is made of and the hash of their words: `answer@1+tutor@1#1f9a03bc`."""
        words = f"{self.persona.text}\x00{self.system}\x00{self.user}"
        return f"{TEMPLATE}+{self.persona.version}#{hashlib.sha256(words.encode()).hexdigest()[:8]}"

    def __repr__(self) -> str:
        return self.name

    def messages(
        self, question: str, context: Sequence[ContextItem], *, refusal: str, marker: str
    ) -> tuple[tuple[str, str], ...]:
        """(role, text) pairs. Nothing that stands in the material or the question can fill or leave its slot."""
        slots = {
            "persona": self.persona.text,
            "refusal": refusal,
            "marker": marker,
            "material": material(context),
            "question": question,
        }
        return tuple((role, _filled(text, slots)) for role, text in (("system", self.system), ("user", self.user)))


@dataclass(frozen=True, slots=True)
class Asking:
    """A prompt of its own, from the file of this name; its `repr` is what stages and traces know it by."""

    file: str

    @property
    def name(self) -> str:
        """The version and the hash of its words: `closed_book@1#1f9a03bc`."""
        return f"{self.file}#{hashlib.sha256(_file(self.file).encode()).hexdigest()[:8]}"

    def __repr__(self) -> str:
        return self.name

    def messages(self, slots: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
        """(role, text) pairs; nothing that is filled in can fill or leave its slot."""
        system, _, user = _file(self.file).partition("\n===\n")
        return tuple((role, _filled(text.strip(), slots)) for role, text in (("system", system), ("user", user)))


def persona(name: str) -> Persona:
    """Who answers under this name.

    Raises:
        InputError: nobody does.
    """
    version = PERSONAS.get(name)
    if version is None:
        raise InputError(
            f"没有名为 {name!r} 的角色", remedy="可用的角色：" + "、".join(PERSONAS), code="unknown_persona"
        )
    head, text = _parted(_file(version))
    fields = dict(line.split(": ", 1) for line in head.splitlines() if ": " in line)
    return Persona(name, version, text, fields.get("nothing_found", ""))


def template(name: str) -> Template:
    """What a model is told when `name` answers.

    Raises:
        InputError: no such persona.
    """
    system, _, user = _file(TEMPLATE).partition("\n===\n")
    return Template(persona(name), system, user.strip())


def material(context: Sequence[ContextItem]) -> str:
    """The numbered context, `[1] (书名 - 章节, 第86-87页)` above each text; the texts cannot close their own fence."""
    return "\n\n".join(f"[{item.n}] ({_place(item)})\n<资料>\n{_fenced(item.text)}\n</资料>" for item in context)


def pages(chunk: Chunk) -> str:
    """第86-87页, as printed where pages are numbered; the locator where there are none, "" without one."""
    if chunk.page_start is None:
        return chunk.locator
    first = chunk.label_start or str(chunk.page_start)
    last = chunk.label_end or str(chunk.page_end or chunk.page_start)
    return f"第{first}页" if first == last else f"第{first}-{last}页"


def _place(item: ContextItem) -> str:
    chunk = item.hit.chunk
    name = " - ".join(_title(one) for one in (chunk.book, *chunk.section[-2:]))
    return ", ".join(part for part in (name, _title(pages(chunk))) if part)


def _title(text: str) -> str:
    """A heading as a name: it stands outside the fence, so it must not read like anything else."""
    if is_instruction(text):
        return WITHHELD
    named = " ".join(_FENCE.sub(r"〈\1资料〉", text).translate(_PLAIN).split())
    return named if len(named) <= TITLE_MAX else f"{named[:TITLE_MAX]}…"


def _fenced(text: str) -> str:
    return _ITEM.sub(r"〔\1〕", _FENCE.sub(r"〈\1资料〉", text))


def _filled(text: str, slots: Mapping[str, str]) -> str:
    """All slots at once: what is filled in is not looked at again."""
    return _SLOT.sub(lambda match: slots[match[1]], text)


def _parted(text: str) -> tuple[str, str]:
    if not text.startswith("---\n"):
        return "", text
    head, _, rest = text.removeprefix("---\n").partition("\n---\n")
    return head, rest.strip()


@lru_cache(maxsize=16)
def _file(name: str) -> str:
    return resources.files("youju.stages.prompts").joinpath(f"{name}.md").read_text(encoding="utf-8").strip()
