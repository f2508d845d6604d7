"""The sample books with their question sets: what the other scripts here work on."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from youju import samples
from youju.compose import App, open_app
from youju.lab.dataset import Case, read
from youju.settings import Settings


def cases(split: str | None = None) -> list[Case]:
    """All cases of the sample sets, or those of a split."""
    found = [
        case for one in samples.question_sets() for case in read(one.read_text(encoding="utf-8").splitlines(), one.name)
    ]
    return [case for case in found if split is None or case.split == split]


@asynccontextmanager
async def opened(folder: Path, **settings: object) -> AsyncIterator[App]:
    """The product over a store in `folder` that holds the sample books; they are ingested if they are not there."""
    async with open_app(Settings(data=folder, **settings)) as app:  # type: ignore[arg-type]  # sections by name
        for book in samples.books():
            accepted = await app.documents.accept(Path(str(book)))
            if accepted.status != "READY":
                status = await app.documents.process(accepted)
                print(book.name, status, file=sys.stderr)
        yield app


if __name__ == "__main__":

    async def main() -> None:
        async with opened(Path(sys.argv[1])) as app:
            print(await app.documents.listed())

    asyncio.run(main())
