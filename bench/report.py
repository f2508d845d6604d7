"""The figures of the speed benchmark as a page of tables."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

Figures = Mapping[str, Any]
GOALS = {
    ("keyword", "all"): "p95 ≤ 20 ms, ≥ 10 ×",
    ("hybrid", "all"): "p95 ≤ 35 ms",
    ("vector", "10 %"): "≤ 5 ms",
    ("vector", "1 %"): "≤ 5 ms",
}
GOALS_FROM = 100_000
"""Chunks that the goals are set for."""


def markdown(found: Figures) -> str:
    machine = found["machine"]
    versions = ", ".join(f"{name} {version}" for name, version in machine["packages"].items())
    told = f"""# Speed

{machine["processor"]}, {machine["cores"]} cores, {machine["memory_gib"]} GiB, {machine["system"]}, Python
{machine["python"]}, SQLite {machine["sqlite"]}; {versions}.
Threads: {machine["threads"]}. Load average {found["load_before"]} before, {found["load_after"]} after;
{found["seconds"]} s in all.

Text: sentences of {found["data"]}, recombined from a fixed seed into chunks of 280 to 350 characters,
{found["per_document"]} a document. Vectors: made up in clusters, 384 dimensions, from the same seed.
{found["queries"]} real questions after a warm-up; the sides take turns. The common chain: rank_bm25 on jieba's words
and Chroma, one vector a chunk; its hybrid is the sum of both, and it keeps all tokens when a document is added.

`youju --version`: {found["version_ms"]} ms.
"""
    head = [told, *_ingest(found["ingest"])]
    return "\n".join([*head, *(line for one in found["contests"] for line in _contest(one))]) + "\n"


def _ingest(found: Figures) -> list[str]:
    rows = [
        [
            name,
            found["seconds"][name],
            found["chunks_per_s"][name],
            f"jieba {found['jieba_s']} s" * (name == "tokenise"),
        ]
        for name in found["seconds"]
    ]
    title = (
        f"## Ingestion: {found['books']} sample books, {found['pages']} pages, {found['chunks']} chunks, "
        f"{found['vectors']} vectors, {found['chars']} characters"
    )
    return [title, "", *_table(["step", "s", "chunks/s", "beside"], rows), ""]


def _contest(found: Figures) -> list[str]:
    size = found["chunks"]
    title = f"## {size} chunks, {found['vectors']} vectors, {found['documents']} documents"
    return [
        title,
        "",
        f"Load average at the end: {found['load_after']}.",
        "",
        *_searches(found["search"], goals=size >= GOALS_FROM),
        "",
        "Vector recall@15 against an exact search: "
        + ", ".join(f"{label} {value:.3f}" for label, value in found["recall"].items())
        + ".",
        "",
        *_costs(found),
        "",
    ]


def _searches(found: Figures, *, goals: bool) -> list[str]:
    rows = []
    for label, channels in found.items():
        for channel, sides in channels.items():
            ours, peer = sides["ours"], sides["peer"]
            ratios = f"{peer['p50'] / ours['p50']:.1f} / {peer['p95'] / ours['p95']:.1f}"
            goal = GOALS.get((channel, label), "") if goals else ""
            ratios += f" / {peer['cpu'] / ours['cpu']:.1f}"
            figures = [side[name] for side in (ours, peer) for name in ("p50", "p95", "cpu")]
            rows.append([channel, label, *figures, ratios, goal])
    names = ["p50 ms", "p95 ms", "CPU ms", "chain p50", "chain p95", "chain CPU"]
    columns = ["search", "scope", *names, "chain ÷ ours, p50 / p95 / CPU", "goal"]
    return _table(columns, rows)


def _costs(found: Figures) -> list[str]:
    change, peer, own = found["change"], found["peer"], found["footprint"]
    disk = sum(found["disk"].values())
    # A store that was kept from an earlier run was not written in this one.
    written = found["chunks"] / found["write_s"] if found["write_s"] else math.nan
    theirs = found["chunks"] / (peer["tokenise_s"] + peer["store_s"] + peer["index_s"])
    rows = [
        ["write everything, chunks/s (embedding apart)", f"{written:.0f}", f"{theirs:.0f}", f"{written / theirs:.1f}"],
        ["add a document, ms", change["ours_add"], change["peer_add"], _ratio(change, "add")],
        ["delete a document, ms", change["ours_delete"], change["peer_delete"], _ratio(change, "delete")],
        ["hybrid search after adding, ms", change["ours_search_after_add"], "", ""],
        ["hybrid search after deleting, ms", change["ours_search_after_delete"], "", ""],
        ["sweep deleted words, ms", change["ours_scrub"], "", ""],
        ["disk, bytes a chunk", disk // found["chunks"], peer["disk"] // found["chunks"], ""],
        ["open the store, ms", own["open_ms"], "", ""],
        ["open the product, ms", own["open_app_ms"], "", ""],
        ["first keyword search, ms", own["first_keyword_ms"], "", ""],
        ["first vector search, ms", own["first_vector_ms"], "", ""],
        ["memory after the first searches, MiB resident", own["after_first_mib"], peer["memory_mib"], ""],
        ["… after 1 000 hybrid searches", own["after_half_mib"], "", ""],
        ["… after 2 000", own["after_all_mib"], "", ""],
        ["… after eight at once", own["eight_at_once_mib"], "", ""],
        ["allocated by Python and numpy, MiB", own["allocated_mib"], "", ""],
    ]
    return _table(["", "ours", "chain", "ratio"], rows)


def _ratio(change: Figures, name: str) -> str:
    return f"{change[f'peer_{name}'] / change[f'ours_{name}']:.0f}"


def _table(columns: Sequence[str], rows: Sequence[Sequence[object]]) -> list[str]:
    lines = [list(map(str, row)) for row in rows]
    return [f"| {' | '.join(columns)} |", "|" + " --- |" * len(columns), *(f"| {' | '.join(row)} |" for row in lines)]
