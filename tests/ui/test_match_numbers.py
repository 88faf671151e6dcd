"""Two servers in one file, each with matches of its own: people see and say their own numbers."""

import json
import re
import zlib
from collections.abc import AsyncIterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from bot.ids import GuildId, UserId
from bot.store.records.result_writing import Report, write
from tests.store.matches import match
from tests.ui.managing import MODERATOR, asks, presses, someone
from tests.ui.simulated import Person, SimulatedBot, buttons, simulated_bot, words
from tests.ui.test_records_flows import asked, pressed

LOG = zlib.compress(b'{"e":"start","players":2,"names":["0","1"]}\n{"e":"match"}\n')
ID = re.compile(r"\b1[0-9]{12}\b")
"""The id of a match that a group gave. Discord's own ids are longer."""


@pytest.fixture
async def sim(tmp_path: Path) -> AsyncIterator[SimulatedBot]:
    async with simulated_bot(tmp_path / "night.db") as one:
        yield one


async def two_servers(sim: SimulatedBot) -> tuple[Person, GuildId]:
    """Anna's server has three matches, and another one as many, played by turns.

    Return Anna, and the other server.
    """
    anna = someone(sim, "Anna", MODERATOR)
    home = sim.guild, sim.channel
    sim.guild = sim.env.create_guild("Away")
    sim.channel = sim.guild.create_text_channel("away")
    zoe = someone(sim, "Zoe", MODERATOR)
    for points in (10, 20, 30):
        for person, guild in ((zoe, sim.guild), (anna, home[0])):
            await played(sim, person, points, GuildId(guild.id))
    away = GuildId(sim.guild.id)
    sim.guild, sim.channel = home
    return anna, away


async def played(sim: SimulatedBot, who: Person, points: int, guild: GuildId) -> None:
    at = int(sim.env.now().timestamp() * 1000) - 60_000
    result = match({UserId(who.id): points, UserId(2): 5}, guild=guild, at=at)
    await sim.app.writer.write([partial(write, report=Report(result, LOG), group=3)])


def seen(message: Any) -> str:
    """Return everything that Discord has of a message: words, buttons with their ids, files."""
    return f"{words(message)} {json.dumps(message.components)} {message.attachments}"


async def test_each_server_sees_and_says_its_own_numbers(sim: SimulatedBot) -> None:
    anna, _ = await two_servers(sim)
    history = await asked(anna, "history")
    assert list(buttons(history)) == ["#3", "#2", "#1"]
    one = await pressed(anna, history, "#2")
    assert words(one).startswith("## Match #2")
    assert "**Anna** with 20 points" not in words(one)
    assert "+20" in words(one)
    assert words(await asked(anna, "history", match="#2")).startswith("## Match #2")
    replay = await asked(anna, "replay", match="2")
    assert "The log of match #2" in words(replay)
    assert "ligretto-match-2.jsonl" in seen(replay)
    records = await asked(anna, "records")
    assert {"#1", "#3"} <= set(buttons(records))
    assert words(await pressed(anna, records, "#3")).startswith("## Match #3")
    card = await asked(anna, "stats")
    assert "#1)" in words(card) or "#3)" in words(card)
    for message in (history, one, replay, records, card):
        assert not ID.search(seen(message))


async def test_choices_offer_the_servers_own_numbers(sim: SimulatedBot) -> None:
    anna, _ = await two_servers(sim)
    offered = await anna.actor.autocomplete(sim.channel, "history", "match", "")
    assert [one["value"] for one in offered] == ["3", "2", "1"]
    assert [one["name"].split()[0] for one in offered] == ["#3", "#2", "#1"]


async def test_moderator_voids_and_logs_the_servers_own_match(sim: SimulatedBot) -> None:
    anna, away = await two_servers(sim)
    question = await asks(anna, "moderate void", match="2")
    assert "+20" in words(question) or "20 points" in words(question)
    await presses(anna, question, "Yes, void it")
    assert "Match #2 is void" in words(anna.private[-1])
    log = await asks(anna, "moderate log")
    assert "voided match #2" in words(log)
    assert not ID.search(seen(question) + seen(log))
    standings = {
        guild: [one.standing for one in await sim.app.archive.listed(GuildId(guild), 9)]
        for guild in (sim.guild.id, away)
    }
    assert standings == {
        sim.guild.id: ["rated", "void", "rated"],
        away: ["rated"] * 3,
    }


async def test_a_closed_table_is_told_by_its_short_number(sim: SimulatedBot) -> None:
    """Its id has the group in it, and would be 13 digits long."""
    sim.app.tables.made.next_id = 2**40 + 7 * 65536 + 3
    anna = someone(sim, "Anna", MODERATOR)
    await anna.open()
    closing = await asks(anna, "moderate close")
    assert "Table 7 is closed" in words(closing)
    log = await asks(anna, "moderate log")
    assert "closed table 7" in words(log)
    assert not ID.search(words(closing) + words(log))
