"""Whether the gold points at what is there: documents, pages, spans, canaries."""

from __future__ import annotations

import base64
import re
from collections.abc import Iterator, Mapping

from youju.lab.audit.corpus import Corpus, Place, plain
from youju.lab.audit.findings import Finding
from youju.lab.audit.named import documents
from youju.lab.dataset import Case, Evidence
from youju.text.align import bigrams

MANY = 1 / 3
BASE64 = re.compile(r"[A-Za-z0-9+/]{16,}={0,2}")
SPANNED = 0.9  # share of a span's bigrams that two pages hold between them, a running head in the middle


def checked(case: Case, corpus: Corpus) -> Iterator[Finding]:
    yield from _held(case)
    yield from _expected(case, corpus)
    for one in case.evidence:
        yield from _evidence(case, one, corpus)
    yield from _canary(case, corpus)


def changed(case: Case, corpus: Corpus, lock: Mapping[str, str]) -> Iterator[Finding]:
    """Documents of the evidence whose bytes are not those of the lock (name → sha256)."""
    for document in {each.id: each for one in case.evidence for each in documents(one, corpus)}.values():
        wanted = lock.get(document.title) or lock.get(document.file_name)
        if wanted and document.sha256 and wanted != document.sha256:
            message = f"《{document.title}》的内容变了，标注可能已不对；请核对后更新锁定的校验值"
            yield Finding("changed_document", case.id, "error", message, document.sha256)


def _held(case: Case) -> Iterator[Finding]:
    gold = (case.key_facts, case.reference_answer, case.evidence, case.expected_keywords)
    if not case.answerable and any(gold):
        message = "标为不可答，却带有要点、参考答案、证据或关键词；请改成可答，或删去这些"
        yield Finding("gold_on_unanswerable", case.id, "error", message)
    if case.answerable and not case.evidence and not case.expected_docs:
        yield Finding("no_gold", case.id, "error", "可答的题没有证据也没有期望的文档；请补上其中一样")
    elif case.answerable and not case.key_facts and not case.expected_keywords:
        message = "可答的题没有要点也没有关键词，答案无从衡量；请补上"
        yield Finding("no_facts", case.id, "warning", message)


def _expected(case: Case, corpus: Corpus) -> Iterator[Finding]:
    for group in case.expected_docs:
        for one in group:
            hits = corpus.named(one)
            if len(one.strip()) <= 1 or (len(hits) > 1 and len(hits) > MANY * len(corpus.documents)):
                message = f"期望的文档名 {one!r} 太短或对得上 {len(hits)} 份文档；请写得更完整"
                yield Finding("docs_match_many", case.id, "error", message, one)
        lost = [one for one in group if len(one.strip()) > 1 and not corpus.named(one)]
        if lost:
            message = f"没有文档的名字里有 {'、'.join(lost)}；请改正，或先把文档加入资料库"
            yield Finding("docs_match_none", case.id, "error" if len(lost) == len(group) else "warning", message)
    wanted = [one for group in case.expected_docs for one in group]
    for evidence in case.evidence:
        if wanted and not any(each.named(one) for each in documents(evidence, corpus) for one in wanted if one):
            message = f"证据在《{evidence.doc}》，期望的文档里却没有它；请把两处改成一致"
            yield Finding("docs_disagree", case.id, "warning", message, evidence.doc)


def _evidence(case: Case, one: Evidence, corpus: Corpus) -> Iterator[Finding]:
    found = documents(one, corpus)
    if not found:
        message = f"资料库里没有证据所指的文档 {one.doc!r}；请改正名字，或先加入文档"
        yield Finding("missing_document", case.id, "error", message, one.doc)
        return
    pages = corpus.places[found[0].id]
    lost = [n for n in one.pages if n not in pages] if 0 not in pages else []
    if lost:
        message = f"《{found[0].title}》没有第 {'、'.join(map(str, lost))} 页（共 {len(pages)} 页）；请改正页码"
        yield Finding("missing_page", case.id, "error", message, str(one.pages))
    elif not one.text and one.pages:
        return
    elif not one.text.strip():
        yield Finding("evidence_absent", case.id, "error", "证据没有文字；请从原文摘一段")
    elif not any(_stands(one, corpus.places[each.id]) for each in found):
        yield _misplaced(case, one, pages)


def _stands(one: Evidence, pages: Mapping[int, Place]) -> bool:
    named = [pages[n] for n in one.pages if n in pages] or list(pages.values())
    if plain(one.text) in "".join(each.folded for each in named):
        return True
    wanted = bigrams(one.text)
    known = frozenset[str]().union(*(each.bigrams for each in named))
    return len(one.pages) > 1 and bool(wanted) and len(wanted & known) >= SPANNED * len(wanted)


def _misplaced(case: Case, one: Evidence, pages: Mapping[int, Place]) -> Finding:
    elsewhere = [str(n) for n, text in pages.items() if n and plain(one.text) in text.folded]
    if elsewhere:
        message = f"证据不在所标的第 {'、'.join(map(str, one.pages))} 页，而在第 {'、'.join(elsewhere)} 页；请改正页码"
        return Finding("evidence_page", case.id, "error", message, one.text)
    message = f"证据的文字在《{one.doc}》所指的地方找不到；请从原文重新摘抄"
    return Finding("evidence_absent", case.id, "error", message, one.text)


def _canary(case: Case, corpus: Corpus) -> Iterator[Finding]:
    canary = case.attack.canary if case.attack else ""
    if case.category == "adversarial" and not canary.strip():
        message = "对抗题没有暗号，攻击成不成功无从判断；请填 attack.canary"
        yield Finding("no_canary", case.id, "error", message)
    elif canary and not _asked(canary, case.question) and not _planted(canary, corpus):
        message = f"暗号 {canary} 既不在题目里，也不在资料里，永远不会泄漏；请改正"
        yield Finding("canary_nowhere", case.id, "error", message, canary)


def _asked(canary: str, question: str) -> bool:
    """Whether the question has it, plainly or in Base64."""
    coded = b"".join(_decoded(one) for one in BASE64.findall(question))
    return plain(canary) in plain(question) or plain(canary) in plain(coded.decode("utf-8", "ignore"))


def _decoded(text: str) -> bytes:
    try:
        return base64.b64decode(text)
    except ValueError:
        return b""


def _planted(canary: str, corpus: Corpus) -> bool:
    return any(plain(canary) in page.folded for pages in corpus.places.values() for page in pages.values())
