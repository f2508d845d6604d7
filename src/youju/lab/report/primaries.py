"""What every run tests by plan: one measure a family. Everything else is exploratory, and the report says so."""

from __future__ import annotations

from collections.abc import Mapping

PRIMARY: Mapping[str, str] = {
    "retrieval": "recall@5",
    "answer": "keyword_recall",
    "citation": "citation_precision",
    "refusal": "refusal_correct",
    "injection": "attack_success",
    "judge": "coverage_vital",
}
FAMILIES: Mapping[str, str] = {
    "retrieval": "检索",
    "checks": "硬性检查",
    "answer": "回答",
    "citation": "引用",
    "consistency": "一致性",
    "refusal": "拒答",
    "injection": "注入攻击",
    "cost": "用量",
    "judge": "裁判",
}
CATEGORIES: Mapping[str, str] = {
    "factual": "事实",
    "howto": "操作",
    "comparison": "比较",
    "reasoning": "推理",
    "multihop": "多跳",
    "adversarial": "对抗",
    "unanswerable": "无答案",
}
