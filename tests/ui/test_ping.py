"""`/ping` tells how quickly Discord and the database answer, in the words of who asks."""

import re
from pathlib import Path

from bot.ui.commands.ping import VERSION, _ms
from tests.ui.managing import asks
from tests.ui.simulated import simulated_bot, words

TOLD = re.compile(r"Discord answers in (\S+) ms, the database in (\d+) ms\. Version (\S+),")


async def test_anybody_may_ask_and_nobody_else_sees_it(tmp_path: Path) -> None:
    async with simulated_bot(tmp_path / "night.sqlite3") as sim:
        said = words(await asks(sim.person("Ben"), "ping"))
        told = TOLD.search(said)
        assert told is not None, said
        assert told[3] == VERSION
        assert re.search(r"started <t:\d+:R>", said)
        assert not sim.messages(private=False)


def test_before_the_first_heartbeat_there_is_no_number() -> None:
    assert [_ms(one) for one in (0.0412, float("nan"), float("inf"))] == ["41", "–", "–"]


def test_time_between_two_heartbeats_is_no_latency() -> None:
    assert [_ms(one) for one in (41.251, 9.9)] == ["–", "9900"]
