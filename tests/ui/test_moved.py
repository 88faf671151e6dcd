"""A database is split while matches are played: each part resumes the tables of its servers."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.groups.layout import shard_of
from bot.ids import GuildId
from bot.ops.moving.merge import merge
from bot.ops.moving.split import Part, split
from bot.store.database.backup import back_up
from bot.tables.state.session import Session
from tests.ui.simulated import COUNT, Person, SimulatedBot, buttons, simulated_bot, words


@pytest.fixture
async def sim(tmp_path: Path) -> AsyncIterator[SimulatedBot]:
    async with simulated_bot(tmp_path / "whole.db") as one:
        yield one


async def move(sim: SimulatedBot) -> None:
    """Go to a server that is another group's when the bot's two shards are two groups.

    A server's shard follows from the millisecond in which it was made.
    """
    here = shard_of(GuildId(sim.guild.id), 2)
    while shard_of(GuildId(sim.guild.id), 2) == here:
        await sim.later(0.001)
        sim.guild = sim.env.create_guild("Away")
    sim.channel = sim.guild.create_text_channel("away")


def parts_of(sim: SimulatedBot) -> list[Part]:
    """The bot is killed, and its database split into two."""
    stopped = sim.database.with_name("stopped.db")
    _ = back_up(sim.database, stopped)
    return split(stopped, 2, 2)


async def begun(sim: SimulatedBot, *names: str) -> list[Person]:
    """A round in play, with a few moves."""
    people = sim.people(*names)
    await people[0].open()
    await people[1].on_board("Join")
    await people[0].on_board("Start")
    await sim.later(3)
    for person in people:
        await person.on_panel("Ready")
    await sim.later(COUNT)
    for person in people * 3:
        await person.play()
    return people


async def goes_on(sim: SimulatedBot, people: list[Person], before: Session) -> None:
    """The table is where it was, and its round is played to its end."""
    assert "The bot restarted" in words(sim.public)
    assert sim.session.state == before.state
    for person in people:
        assert "Ready" in buttons(person.panel), "a live panel is pushed again without a press"
        await person.on_panel("Ready")
    await sim.later(COUNT)
    await sim.play_out(people)
    assert sim.session.round == 1


async def test_each_part_resumes_the_tables_of_its_own_servers(sim: SimulatedBot) -> None:
    home, home_people = (sim.guild, sim.channel), await begun(sim, "Anna", "Ben")
    home_session = sim.session
    await move(sim)
    away, away_people = (sim.guild, sim.channel), await begun(sim, "Zoe", "Yan")
    away_session = sim.session
    parts = parts_of(sim)
    for (sim.guild, sim.channel), people, session in (
        (home, home_people, home_session),
        (away, away_people, away_session),
    ):
        (sim.database,) = (one.path for one in parts if one.has(GuildId(sim.guild.id)))
        await sim.restart()
        assert len(list(sim.app.tables.index)) == 1, "the other group has the other table"
        await goes_on(sim, people, session)


async def test_merged_parts_resume_every_table(sim: SimulatedBot) -> None:
    home, home_people, home_session = sim.channel, await begun(sim, "Anna", "Ben"), sim.session
    await move(sim)
    await begun(sim, "Zoe", "Yan")
    whole = sim.database.with_name("again.db")
    _ = merge([one.path for one in parts_of(sim)], whole)
    sim.database = whole
    await sim.restart()
    assert len(list(sim.app.tables.index)) == 2
    sim.channel = home
    await goes_on(sim, home_people, home_session)
