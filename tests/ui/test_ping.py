"""`/ping` tells how quickly Discord and the database answer, in the words of who asks."""

import re
from pathlib import Path

from bot.ui.ping import VERSION, _ms
from tests.ui.evening import evening, words
from tests.ui.managing import asks

TOLD = re.compile(r"Discord answers in (\S+) ms, the database in (\d+) ms\. Version (\S+),")


async def test_anybody_may_ask_and_nobody_else_sees_it(tmp_path: Path) -> None:
    async with evening(tmp_path / "night.sqlite3") as night:
        said = words(await asks(night.person("Ben"), "ping"))
        told = TOLD.search(said)
        assert told is not None, said
        assert told[3] == VERSION
        assert re.search(r"started <t:\d+:R>", said)
        assert not night.messages(private=False)


def test_before_the_first_heartbeat_there_is_no_number() -> None:
    assert [_ms(one) for one in (0.0412, float("nan"), float("inf"))] == ["41", "–", "–"]


def test_time_between_two_heartbeats_is_no_latency() -> None:
    assert [_ms(one) for one in (41.251, 9.9)] == ["–", "9900"]
