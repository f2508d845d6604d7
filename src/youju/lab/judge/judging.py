"""An answer → what a judge says about it."""

from __future__ import annotations

from collections.abc import Awaitable, Sequence
from dataclasses import dataclass, field
from typing import Literal, TypeVar

from youju.errors import ProviderError
from youju.lab.dataset import Case, Fact
from youju.lab.judge import tasks
from youju.lab.judge.tasks import Grounded, Numbered, Relevant, Said, Stated, Weighed
from youju.lab.judgement import Against, Claim, FactCoverage, Judgement, YesNo
from youju.lab.seen import Seen
from youju.stages.judge import Judge
from youju.stages.verdicts import QUOTE_MAX, Part, Reply, quoted
from youju.text.markers import strip

Mode = Literal["staged", "single"]
T = TypeVar("T")
S = TypeVar("S", bound=Said)


async def judged(
    seen: Seen, judge: Judge, *, mode: Mode = "staged", claims: Sequence[Claim] | None = None
) -> Judgement:
    """What `judge` says about the answer.

    A refusal costs no call: it makes no claims, states no fact, and is relevant where the case has no answer. Without a
    context no claim can be founded, and without a reference none is right or wrong: neither is asked. Parts are asked
    on their own, so one that fails leaves the others.

    `claims` are taken as the answer's claims instead of asking for them: for judging the same ones again.
    """
    if seen.refused:
        return _of_refusal(seen, judge, mode)
    if not seen.answer.strip():
        failed = tuple((part, seen.broke or "没有回答可以核对") for part in ("claims", "facts", "relevance"))
        return Judgement(errors=failed, judge=repr(judge), mode=mode)
    asking = _Asking(seen, judge)
    return await (asking.single() if mode == "single" and claims is None else asking.staged(claims))


def calls(case: Case, *, context: bool, mode: Mode = "staged") -> int:
    """How many calls one answer to `case` costs where nothing goes wrong; a refusal costs none."""
    if mode == "single":
        return 1
    return 2 + context + bool(tasks.reference(case)) + bool(case.key_facts)


@dataclass
class _Asking:
    """One answer before one judge. `errors` gathers the parts that failed."""

    seen: Seen
    judge: Judge
    errors: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.answer = strip(self.seen.answer)
        self.context = tasks.shown(self.seen.turn.context)
        self.reference = tasks.reference(self.seen.case)

    async def staged(self, given: Sequence[Claim] | None) -> Judgement:
        claims = await self._tried("claims", self._claims(given))
        facts = await self._tried("facts", self._facts())
        relevance = await self._tried("relevance", self._relevance())
        return self._judgement("staged", claims, facts, relevance)

    async def single(self) -> Judgement:
        question = tasks.single(self.seen.case, self.answer, self.context, self.reference)
        reply = await self._tried("claims", self.judge.ask(question))
        if reply is None:
            self.errors |= dict.fromkeys(("facts", "relevance"), self.errors["claims"])
            return self._judgement("single", None, None, None)
        weighed = _numbered(reply.of(tasks.WEIGHED))
        against = [self._as_grounded(one) for one in weighed]
        held = [_reference_side(one) for one in weighed]
        claims = self._joined(weighed, against, held)
        return self._judgement("single", claims, self._coverage(reply), reply.of(tasks.RELEVANCE)[0])

    async def _claims(self, given: Sequence[Claim] | None) -> tuple[Claim, ...]:
        said = tuple(Said(id=one.id, text=one.text) for one in given or ())
        if given is None:
            reply = await self.judge.ask(tasks.claims(self.seen.case.question, self.answer))
            said = _numbered(reply.of(tasks.CLAIMS))
        if not said:
            return ()
        part = tasks.grounded(tuple(one.id for one in said))
        against: Sequence[Grounded] = [_nowhere(one) for one in said]
        if self.context:
            against = (await self.judge.ask(tasks.founded(said, self.context))).of(part)
        held = await self._held(said, part)
        return self._joined(said, against, held)

    async def _held(self, said: Sequence[Said], part: Part[Grounded]) -> Sequence[Grounded]:
        if not self.reference:
            return ()
        return (await self.judge.ask(tasks.right(said, self.reference))).of(part)

    async def _facts(self) -> tuple[FactCoverage, ...]:
        if not self.seen.case.key_facts:
            return ()
        return self._coverage(await self.judge.ask(tasks.facts(self.seen.case, self.answer, self.context)))

    async def _relevance(self) -> Relevant:
        reply = await self.judge.ask(tasks.relevance(self.seen.case.question, self.answer))
        return reply.of(tasks.RELEVANCE)[0]

    def _as_grounded(self, one: Weighed) -> Grounded:
        if not self.context:
            return _nowhere(one)
        return Grounded(id=one.id, chunks=one.chunks, quote=one.quote, verdict=one.verdict)

    def _joined(self, said: Sequence[Said], against: Sequence[Grounded], held: Sequence[Grounded]) -> tuple[Claim, ...]:
        known = held if self.reference else [None] * len(said)
        return tuple(self._claim(*three) for three in zip(said, against, known, strict=True))

    def _claim(self, said: Said, against: Grounded, held: Grounded | None) -> Claim:
        founded, kind, chunks, flags = checked(against, self.context)
        right, wrong, doubts = self._against_reference(held)
        return Claim(
            id=said.id,
            text=said.text,
            founded=founded,
            against=kind,
            chunks=chunks,
            quote=against.quote[:QUOTE_MAX],
            right=right,
            flags=(*flags, *doubts),
            wrong=wrong,
        )

    def _against_reference(self, held: Grounded | None) -> tuple[YesNo | None, Against, tuple[str, ...]]:
        if held is None:
            return None, "", ()
        right, wrong, _, flags = checked(held, self.reference)
        return right, wrong, tuple(f"reference_{flag}" for flag in flags)

    def _coverage(self, reply: Reply) -> tuple[FactCoverage, ...]:
        case = self.seen.case
        verdicts = reply.of(tasks.stated(case))
        return tuple(self._fact(*pair) for pair in zip(case.key_facts, verdicts, strict=True))

    def _fact(self, fact: Fact, one: Stated) -> FactCoverage:
        known = {n for n, _ in self.context}
        chunks = tuple(dict.fromkeys(n for n in one.chunks if n in known))
        astray = one.verdict != "not_covered" and not quoted(one.quote, [self.answer])
        flags = ("bad_quote",) if astray else ()
        return FactCoverage(fact.text, fact.weight, one.verdict, chunks, one.quote[:QUOTE_MAX], flags)

    async def _tried(self, part: str, asking: Awaitable[T]) -> T | None:
        try:
            return await asking
        except ProviderError as error:
            self.errors[part] = f"{error.code}：{error.message}"
            return None

    def _judgement(
        self,
        mode: Mode,
        claims: tuple[Claim, ...] | None,
        facts: tuple[FactCoverage, ...] | None,
        relevance: Relevant | None,
    ) -> Judgement:
        return Judgement(
            claims=claims,
            facts=facts,
            relevance=relevance.verdict if relevance else None,
            errors=tuple(self.errors.items()),
            judge=repr(self.judge),
            mode=mode,
        )


def checked(one: Grounded, texts: Numbered) -> tuple[YesNo, Against, tuple[int, ...], tuple[str, ...]]:
    """Verdict, kind of no, the numbers that entail the claim, flags: a yes without its quote in the text is unknown."""
    if one.verdict in {"contradicted", "not_found"}:
        return "no", one.verdict, (), ()
    if one.verdict == "unknown":
        return "unknown", "", (), ()
    named = {n: text for n, text in texts if n in one.chunks}
    if not quoted(one.quote, list(named.values())):
        return "unknown", "", (), ("bad_quote",)
    return "yes", "", tuple(dict.fromkeys(n for n in one.chunks if n in named)), ()


def _of_refusal(seen: Seen, judge: Judge, mode: Mode) -> Judgement:
    facts = tuple(FactCoverage(fact.text, fact.weight, "not_covered") for fact in seen.case.key_facts)
    return Judgement((), facts, "not_relevant" if seen.case.answerable else "relevant", (), repr(judge), mode)


def _numbered(said: Sequence[S]) -> tuple[S, ...]:
    """The claims with ids of ours: what a model calls them is its own affair."""
    return tuple(one.model_copy(update={"id": f"c{n}"}) for n, one in enumerate(said, start=1))


def _nowhere(said: Said) -> Grounded:
    """Where there is no text, no claim stands in it."""
    return Grounded(id=said.id, chunks=(), quote="", verdict="not_found")


def _reference_side(one: Weighed) -> Grounded:
    return Grounded(id=one.id, chunks=one.reference_chunks, quote=one.reference_quote, verdict=one.right)
