"""youju ask · youju retrieve."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from youju.cli import output
from youju.cli.frame import Whole, as_json, command, data_dir, run
from youju.cli.wording import LEVELS, RANKINGS, REFUSALS, degraded
from youju.documents.names import printable
from youju.errors import BrokenAnswerError, KnobError, NotFoundError
from youju.types import Turn

if TYPE_CHECKING:
    from youju.chat.service import Request
    from youju.compose import App


@dataclass(frozen=True)
class Asked:
    """A question as the command line took it."""

    question: str
    top_k: int | None
    docs: tuple[str, ...]
    collection: str | None
    knobs: tuple[str, ...]
    json_: bool
    data: Path | None
    persona: str | None = None

    def request(self) -> Request:
        from youju.chat.service import Request  # noqa: PLC0415 - see `frame`

        return Request(
            self.question,
            self.top_k,
            self.docs or None,
            self.collection,
            parsed(self.knobs),
            self.persona,
        )


def asking(answer: Callable[[Asked], int]) -> Callable[..., int]:
    """A command about a question: its argument and options, gathered into one `Asked`."""

    @wraps(answer)
    def gathered(**options: Any) -> int:  # noqa: ANN401 - what click parsed, by name
        return answer(Asked(**options))

    function: Callable[..., int] = gathered
    for option in (
        click.argument("question", metavar="问题"),
        click.option("--top-k", metavar="整数 1–50", type=Whole(1, 50), default=None, help="送入上下文的片段数。"),
        click.option(
            "--doc",
            "docs",
            metavar="文档",
            multiple=True,
            help="只在这些文档中查找（编号或其开头、标题、文件名；可重复）。",
        ),
        click.option("--collection", metavar="名称", default=None, help="只在这个资料集中查找。"),
        click.option(
            "--set", "knobs", multiple=True, metavar="名称=值", help="本次使用的检索设置，如 rrf_k=30（可重复）。"
        ),
        as_json,
        data_dir,
    ):
        function = option(function)
    return function


async def resolved(app: App, request: Request) -> Request:
    """The request with the ids of the documents it names. What is unknown is told, and stays as it is.

    Raises:
        ConflictError: a name that several documents have.
    """
    known = [one.name for one in await app.documents.collections()]
    if request.collection is not None and printable(request.collection) not in known:
        output.note(f"没有名为“{request.collection}”的资料集" + (f"；现有：{'、'.join(known)}" if known else ""))
    if request.document_ids is None:
        return request
    ids = []
    for name in request.document_ids:
        try:
            ids.append((await app.documents.find(name)).id)
        except NotFoundError:
            output.note(f"没有编号、标题或文件名为“{name}”的文档；可用 youju docs list 查看")
            ids.append(name)
    return replace(request, document_ids=tuple(ids))


def parsed(knobs: tuple[str, ...]) -> dict[str, object]:
    """`name=value` pairs.

    Raises:
        KnobError: a pair without "=".
    """
    pairs: dict[str, object] = {}
    for knob in knobs:
        name, sign, value = knob.partition("=")
        if not sign:
            raise KnobError(f"--set 的值 {knob!r} 不是 名称=值 的形式", remedy="例如 --set rrf_k=30")
        pairs[name.strip().removeprefix("retrieval.")] = value.strip()
    return pairs


@command(help="提问，得到带页码出处的回答。设置了语言模型时由它作答，否则回答摘自原文。", short_help="提问")
@click.option("--persona", metavar="角色", default=None, help="谁来回答：assistant，或 tutor（需要语言模型）。")
@asking
def ask(asked: Asked) -> int:
    from youju.chat.views import chat_view  # noqa: PLC0415 - see `frame`

    async def work(app: App) -> None:
        request = await resolved(app, asked.request())
        if asked.json_:
            output.as_json(chat_view(await app.chat.ask(request), app.wording))
        else:
            try:
                turn = await app.chat.ask(request, output.told)
            except BrokenAnswerError:
                # The error must not run on from the words that were out.
                output.say("")
                raise
            output.show_rest(turn, app.wording.style)

    run(asked.data, work)
    return 0


@command(help="只检索，不作答：列出找到的片段及其在每个通道中的名次。", short_help="只检索")
@asking
def retrieve(asked: Asked) -> int:
    from youju.chat.service import narrowed  # noqa: PLC0415 - see `frame`
    from youju.chat.views import retrieve_view  # noqa: PLC0415

    async def work(app: App) -> None:
        request = await resolved(app, asked.request())
        turn = await app.chat.retrieve(request)
        shown = narrowed(app.chat.knobs, request).context_top_k
        if asked.json_:
            output.as_json(retrieve_view(turn, shown))
        else:
            _show(turn, shown)

    run(asked.data, work)
    return 0


def _show(turn: Turn, shown: int) -> None:
    if not turn.hits:
        output.say(REFUSALS["scope_empty" if turn.refusal == "scope_empty" else "no_candidates"])
    for rank, hit in enumerate(turn.hits[:shown], start=1):
        ranks = "  ".join(f"{RANKINGS.get(name, name)}第 {place}" for name, place in hit.ranks.items())
        output.say(f"{rank}. {output.place(hit.chunk.book, hit.chunk.section, output.pages(hit.chunk))}")
        output.say(f"   {hit.score:.4f}  {ranks}")
        output.say(f"   {' '.join(hit.chunk.text.split())[:160]}")
    if turn.grade:
        output.say(f"证据评级 {turn.grade.level}（{LEVELS[turn.grade.level]}）：{'；'.join(turn.grade.reasons)}")
    for mark in dict.fromkeys(turn.degradations):
        output.say(degraded(mark))
