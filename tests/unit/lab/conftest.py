from __future__ import annotations

import pytest
from sqlalchemy import update

from library import library as opened
from youju.storage import tables


@pytest.fixture
async def library(tmp_path):
    async with opened(tmp_path / "store") as one:
        await one.put(
            {
                "婚假": "员工依法登记结婚的，享受婚假十三个自然日。",
                "年假": "员工累计工作满一年不满十年的，年休假五天。",
                "差旅": "一类城市住宿限额每晚五百二十元，二类城市四百元。",
                "考勤": "上班时间为九点，迟到三十分钟以上按旷工半日处理。",
            }
        )
        engine = one.embedder.profile.fingerprint
        await one.store.write(lambda tx: tx.execute(update(tables.version).values(engine=engine)))
        yield one
