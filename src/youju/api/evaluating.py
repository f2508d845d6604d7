"""From requests about evaluations to the desk, and its answers as bodies."""

from __future__ import annotations

import asyncio
from dataclasses import asdict, replace
from pathlib import PurePosixPath

from fastapi import Request
from fastapi.responses import Response

from youju.api.bodies import JsonBody
from youju.api.deps import Service
from youju.api.problems import Json, answered
from youju.api.schemas.evals import CaseBody, RunAsked, StartedBody
from youju.api.uploads import received
from youju.errors import InputError
from youju.lab.dataset.importing import feedback
from youju.lab.desk import Run

SET_MAX = 32 << 20
"""Bytes of a question set: some ten thousand cases."""
FIELDS = frozenset({"name"})


async def kept(request: Request, served: Service) -> Response:
    """What is in the set that came; a problem that lists its faulty lines where there are any."""
    blobs = served.app.documents.blobs
    limit = SET_MAX if blobs.limit is None else min(SET_MAX, blobs.limit)
    with served.uploads.one():
        async with received(request, replace(blobs, limit=limit), _any, FIELDS) as one:
            name = one.fields.get("name") or PurePosixPath(one.name).stem
            try:
                found = await asyncio.to_thread(served.evals.sets.add, one.path, name)
            except InputError as error:
                faults = _faults(error)
                if not faults:
                    raise
                return answered(error, errors=faults)
    return JsonBody(asdict(found), 201)


async def collected(served: Service, trace_id: str, name: str) -> CaseBody:
    """A rated question of the log as a case of a set.

    Raises:
        NotFoundError: there is no such trace.
        InputError: nobody rated it, or its text is gone.
        ConflictError: the set has it already.
    """
    trace = await served.app.log.find(trace_id)
    case = feedback([trace]).cases[0]
    found = await asyncio.to_thread(served.evals.sets.put, name, case)
    return CaseBody(set=found.name, id=case.id, cases=found.cases)


async def begun(served: Service, asked: RunAsked) -> StartedBody:
    """A run on its way; errors as of `Desk.begin`."""
    chosen = {
        "split": asked.split or "",
        "categories": tuple(asked.categories),
        "limit": asked.limit,
        "repeats": asked.repeats,
        "measuring": asked.measures,
        "despite_audit": asked.despite_audit,
        **({"arms": tuple(asked.arms)} if asked.arms else {}),
    }
    run, work = await served.evals.begin(asked.set, chosen)
    served.evaluations.start(work, f"eval {run.name}")
    return StartedBody(run=run.name, state=run.state)


async def resumed(served: Service, name: str) -> StartedBody:
    """A run on its way again; errors as of `Desk.resume`."""
    run, work = await served.evals.resume(name)
    served.evaluations.start(work, f"eval {run.name}")
    return StartedBody(run=run.name, state=run.state)


def run_view(run: Run) -> Json:
    """A run as the contract writes it."""
    manifest = run.manifest
    return {
        "run": run.name,
        "state": run.state,
        "progress": {"doing": run.doing, "done": run.done, "total": run.total},
        "set": manifest["set"]["name"],
        "arms": [one["name"] for one in manifest["arms"]],
        "measures": manifest["plan"]["measuring"],
        "begun_at": manifest["begun_at"],
        "finished_at": manifest.get("finished_at"),
        "verdict": run.verdict,
        "error": run.error,
    }


def _any(name: str) -> None:
    """A set may have any name of a file; what is in it is checked."""


def _faults(error: InputError) -> list[Json]:
    """The lines of a message that tell of a line each."""
    found = [one.partition("：") for one in error.message.splitlines()[1:]]
    return [{"field": place, "reason": told} for place, mark, told in found if mark]
