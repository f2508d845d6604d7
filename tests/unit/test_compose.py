from __future__ import annotations

import pytest

from apps import opened
from youju.compose import make_llm, make_reranker
from youju.errors import ConfigError
from youju.providers.llm_openai import OpenAILLM
from youju.providers.rerank_http import JinaReranker
from youju.settings import Settings

LLM = {"base_url": "http://127.0.0.1:1/v1", "model": "qwen"}
RERANKER = {"provider": "jina", "base_url": "http://127.0.0.1:1", "model": "bge"}


def test_without_an_address_there_is_neither_model_nor_reranker():
    assert make_llm(Settings()) is None
    assert make_reranker(Settings()) is None


async def test_an_address_and_a_model_are_all_that_a_language_model_needs():
    made = make_llm(Settings.model_validate({"llm": LLM}))
    assert isinstance(made, OpenAILLM)
    assert repr(made) == "qwen@127.0.0.1:1"
    await made.aclose()


def test_a_language_model_can_be_switched_off_without_forgetting_it():
    assert make_llm(Settings.model_validate({"llm": {**LLM, "provider": "none"}})) is None


def test_an_address_without_a_model_says_which_setting_is_missing():
    with pytest.raises(ConfigError, match=r"llm\.model"):
        make_llm(Settings.model_validate({"llm": {"base_url": "http://127.0.0.1:1"}}))


async def test_the_app_answers_with_the_models_the_settings_name(tmp_path):
    async with opened(tmp_path, llm=LLM, reranker=RERANKER) as app:
        assert isinstance(app.chat.parts.llm, OpenAILLM)
        assert isinstance(app.chat.parts.reranker, JinaReranker)


@pytest.mark.parametrize("persona, said", [("tutor", "需要语言模型"), ("nobody", "没有名为")])
async def test_a_persona_that_cannot_speak_is_refused_when_the_app_opens(tmp_path, persona, said):
    with pytest.raises(ConfigError, match=f"answering.persona 有误：.*{said}"):
        async with opened(tmp_path, answering={"persona": persona}):
            pass
