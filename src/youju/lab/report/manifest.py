"""What a run was made of, as a list to read."""

from __future__ import annotations

from collections.abc import Mapping

from youju.lab.results import Results


def lines(results: Results) -> str:
    """Set, corpus, index, settings, models, arms: enough to run it again."""
    manifest = results.manifest
    about, corpus = _inside(manifest, "set"), _inside(manifest, "corpus")
    documents = corpus.get("documents")
    count = len(documents) if isinstance(documents, list) else 0
    rows = [
        ("youju", manifest.get("youju")),
        ("代码版本", manifest.get("git") or "不在版本库中"),
        ("时间", f"{manifest.get('begun_at')} – {manifest.get('finished_at')}"),
        ("题目集", f"{about.get('name')}，{len(results.cases)} 题，指纹 {about.get('hash')}"),
        ("资料", f"{count} 份文档，指纹 {corpus.get('hash')}"),
        ("索引", manifest.get("index")),
        *((f"模型 {name}", value) for name, value in _inside(manifest, "models").items() if value),
        ("检索设置", "，".join(f"{name}={value}" for name, value in _inside(manifest, "settings").items())),
        ("运行选项", "，".join(f"{name}={value}" for name, value in _inside(manifest, "plan").items())),
        ("调用与费用", _spent(manifest)),
    ]
    listed = [f"- {name}：`{value}`" for name, value in rows]
    if isinstance(gone := manifest.get("blanked"), list):
        said = f"{len(gone)} 份文档已被删除，它们的文字与据此写出的回答不再显示；指标是清除之前算出的"
        listed.append(f"- 已清除：{said}")
    ran = [arm for arm in results.arms if not arm.missing]
    arms = [f"- {arm.name}（{arm.title}）：{_difference(arm.adds, arm.removes)}" for arm in ran]
    return "\n".join([*listed, "", "各方案与前一步的差别：", "", *arms])


def _difference(adds: tuple[str, ...], removes: tuple[str, ...]) -> str:
    parts = [f"加上 `{one}`" for one in adds] + [f"去掉 `{one}`" for one in removes]
    return "；".join(parts) or "—"


def _spent(manifest: Mapping[str, object]) -> str:
    spent = _inside(manifest, "spent")
    cost = spent.get("cost")
    return f"{spent.get('calls', 0)} 次调用，费用{'未知' if cost is None else f' {cost}'}"


def _inside(manifest: Mapping[str, object], name: str) -> Mapping[str, object]:
    found = manifest.get(name)
    return found if isinstance(found, Mapping) else {}
