"""What programs call by a code, in our users' language; a code without a word here is shown as it is."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from youju.types import Degradation

PHASES: Mapping[str, str] = MappingProxyType(
    {
        "UPLOADED": "等待",
        "PARSING": "解析",
        "CHUNKING": "切分",
        "EMBEDDING": "嵌入",
        "INDEXING": "入库",
        "READY": "就绪",
        "FAILED": "失败",
        "DELETING": "清除中",
    }
)
DOING: Mapping[str, str] = MappingProxyType({"asking": "提问", "timing": "计时", "judging": "裁判"})
STRATEGIES: Mapping[str, str] = MappingProxyType(
    {
        "textbook": "教材",
        "law": "法规制度",
        "manual": "手册",
        "qa": "问答",
        "table": "表格",
        "slides": "幻灯片",
        "plain": "普通文本",
        "auto": "自动",
    }
)
WAYS = "切分方式：" + "、".join(f"{name}（{label}）" for name, label in STRATEGIES.items()) + "。"
EVENTS: Mapping[str, str] = MappingProxyType(
    {
        "accepted": "收下",
        "rechunk": "要求重新切分",
        "UPLOADED": "排队等待",
        "PARSING": "开始解析",
        "CHUNKING": "开始切分",
        "EMBEDDING": "开始嵌入",
        "READY": "就绪",
        "FAILED": "失败",
        "reason": "失败的原因",
    }
)
REFUSALS: Mapping[str, str] = MappingProxyType(
    {
        "scope_empty": "所选范围内没有可用的文档",
        "no_candidates": "没有检索到任何片段",
        "low_evidence": "找到的片段不足以回答",
        "model_refused": "模型认为资料不足",
    }
)
DOUBTS: Mapping[str, str] = MappingProxyType(
    {"contradicted": "这句话与资料不一致", "unsupported": "这句话没有得到资料支持"}
)
LEVELS: Mapping[str, str] = MappingProxyType({"HIGH": "充分", "AMBIGUOUS": "不够充分", "LOW": "不足"})
RANKINGS: Mapping[str, str] = MappingProxyType({"vector": "向量", "keyword": "关键词", "rrf": "融合", "rerank": "重排"})
FIGURES: Mapping[str, str] = MappingProxyType(
    {
        "characters": "字符数",
        "garbage_ratio": "乱码比例",
        "coverage": "正文覆盖率",
        "coverage_worst": "覆盖率最低的一页",
        "coverage_worst_page": "覆盖率最低的页码",
        "chunks_reused": "沿用向量的片段数",
        "language": "语言",
        "language_pages": "各页的语言",
        "pages": "页数",
        "pages_without_text": "没有文字的页数",
        "pages_labelled": "印有页码的页数",
        "toc_pages": "目录页数",
        "toc_lines": "目录行数",
    }
)
LANGUAGES: Mapping[str, str] = MappingProxyType({"zh": "中文", "en": "英文", "mixed": "中英混排", "other": "其他"})
KINDS: Mapping[str, str] = MappingProxyType({"ask": "提问", "retrieve": "只检索"})
STAGES: Mapping[str, str] = MappingProxyType(
    {
        "chat": "问答",
        "retrieve": "检索",
        "Condense": "整理问题",
        "Beside": "并行检索",
        "ByVector": "向量通道",
        "ByWords": "关键词通道",
        "Fuse": "融合",
        "Rerank": "重排",
        "GradeEvidence": "证据评级",
        "Gate": "把关",
        "When": "视情况作答",
        "Expand": "扩展片段",
        "Budget": "装入上下文",
        "Generate": "生成回答",
        "Extract": "抽取回答",
        "Cite": "标注来源",
        "Verify": "逐句核对",
        "Reflect": "可信度",
    }
)
SUPPORT: Mapping[str, str] = MappingProxyType(
    {
        "supported": "有依据",
        "partly": "部分有依据",
        "unsupported": "没有依据",
        "contradicted": "与依据矛盾",
        "not_checkable": "无法核对",
    }
)
EXCLUDED: Mapping[str, str] = MappingProxyType(
    {
        "UNKNOWN": "没有这份文档",
        "OUT_OF_COLLECTION": "不在所选的资料集里",
        "DISABLED": "已停用",
        **PHASES,
    }
)
CUTTERS: Mapping[str, str] = MappingProxyType(
    {
        "retrieve": "这次只检索，不作答",
        "fuse": "融合后没有保留（rrf_top_k）",
        "rerank": "重排后没有保留（rerank_top_n）",
        "grade": "证据评级为 LOW，没有作答",
        "budget": "上下文已满（context_top_k、max_context_chars）",
        "error": "这次提问没有走到那一步",
    }
)
"""What kept a recalled chunk out of the context."""
NOT_RECALLED: Mapping[str, str] = MappingProxyType(
    {
        "nowhere": "资料库里没有这段文字，也没有召回含有它的片段",
        "out_of_scope": "没有召回：含有它的文档不在当时的范围内",
        "not_recalled": "没有召回：含有它的文档在范围内，但没有一个通道找到那个片段",
        "threshold": "没有召回：含有它的片段低于向量通道的相似度阈值，关键词通道也没有找到它",
    }
)
_PARTS: Mapping[str, str] = MappingProxyType(
    {
        "embedder": "嵌入模型",
        "vector": "向量检索",
        "keyword": "关键词检索",
        "reranker": "重排",
        "grader": "证据评级",
        "judge": "核对",
        "log": "问答记录",
    }
)


_MARKS: Mapping[Degradation, str] = MappingProxyType(
    {
        Degradation(
            "embedder", "reembed_pending"
        ): "部分文档还没有当前嵌入模型的向量，只用关键词检索；请运行 youju docs reembed --all",
        Degradation(
            "vector", "vector_bad_dim"
        ): "嵌入模型给出的向量与资料库中的不一样长，只用关键词检索；请运行 youju docs reembed --all",
        Degradation("reranker", "rerank_failed"): "重排没有成功，沿用融合后的次序",
        Degradation("scope", "document_gone"): "回答所依据的文档在作答时被删除或停用，不再出示",
        Degradation("llm", "answer_truncated"): "回答写到长度上限就断了；可调大 llm.max_tokens",
        Degradation("llm", "answer_filtered"): "回答被语言模型服务的内容过滤中断",
    }
)


_LLM: Mapping[str, str] = MappingProxyType(
    {
        "llm_auth": "密钥无效或没有权限，请检查 llm.api_key",
        "llm_connect_timeout": "连接超时",
        "llm_context_overflow": "片段超过模型的长度，可调小 max_context_chars",
        "llm_cut_off": "写到一半连接断开",
        "llm_empty_answer": "没有写出内容",
        "llm_first_token_timeout": "迟迟没有开始，可调大 llm.first_token_timeout_s",
        "llm_not_found": "没有这个模型或地址，请检查 llm.model 与 llm.base_url",
        "llm_quota": "额度用完",
        "llm_rate_limited": "请求过于频繁",
        "llm_server": "服务出错",
        "llm_stalled": "写到一半停住",
        "llm_timeout": "超过总时限",
        "llm_unreachable": "连不上，请检查 llm.base_url",
    }
)


def degraded(mark: Degradation) -> str:
    """One line about a part of the chain that did not do its work."""
    if mark in _MARKS:
        return f"注意：{_MARKS[mark]}"
    if mark.part == "llm":
        return f"注意：语言模型没有作答（{_LLM.get(mark.reason, mark.reason)}），以上回答摘自原文"
    return f"注意：{_PARTS.get(mark.part, mark.part)}已降级（{mark.reason}）"


def figure(value: float | str) -> str:
    """A figure of a version's quality: at most three digits behind the point; languages by their names."""
    if isinstance(value, str):
        return " ".join(LANGUAGES.get(word, word) for word in value.split(" "))
    return f"{value:.3f}".rstrip("0").rstrip(".")
