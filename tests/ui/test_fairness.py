"""The button "Fair deal?": what it tells before, in and after a match, and to whom."""

import hmac
import json
import re
from collections.abc import AsyncIterator
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from bot.ids import GuildId
from bot.records.match_log import named
from bot.tables.decisions.lobby import begin_posting
from bot.tables.state import match_seed
from bot.ui.records.fairness import over
from bot.verify.referee import Referee
from tests.ui.simulated import COUNT, Person, SimulatedBot, simulated_bot, words


@pytest.fixture
async def sim(tmp_path: Path) -> AsyncIterator[SimulatedBot]:
    async with simulated_bot(tmp_path / "fairness.db") as one:
        yield one


async def told(person: Person, message: Any) -> str:
    """What "Fair deal?" on this message answers, in private."""
    result = await person._click(message, "Fair deal?")
    assert result.ephemeral
    return words(person.panel)


def hexes(text: str) -> list[str]:
    """Everything in it that is 32 bytes."""
    return re.findall(r"`([0-9a-f]{64})`", text)


async def test_anybody_can_read_the_whole_promise_before_start(sim: SimulatedBot) -> None:
    await sim.lobby("Anna", "Ben")
    stranger = sim.person("Stranger")
    text = await told(stranger, sim.public)
    assert hexes(text) == [sha256(sim.session.secret).hexdigest()]
    assert "At Start" in text


async def test_the_lobby_keeps_the_button_while_the_match_goes_on(sim: SimulatedBot) -> None:
    anna, _ = await sim.live("Anna", "Ben")
    link, table = sim.messages(private=False)
    text = await told(anna, link)
    assert f"`{sim.channel.id}/{table.id}`" in text, "as Copy Message Link has it"
    assert hexes(text) == [match_seed.promise(sim.session)], "and no secret"
    assert "times to post" not in text, "it was posted once"
    assert await told(anna, table) == text, "the table's message has it too"


async def test_the_end_tells_all_that_a_deal_needs(sim: SimulatedBot) -> None:
    people = await sim.live("Anna", "Ben", rounds=1)
    _, table = sim.messages(private=False)
    await sim.play_out(people)
    await sim.later(2)
    text = await told(sim.person("Stranger"), sim.public)
    promise, secret, seed = hexes(text)
    assert "times to post" not in text
    assert sha256(bytes.fromhex(secret)).hexdigest() == promise
    public = f"{sim.channel.id}/{table.id}".encode()
    assert hmac.digest(bytes.fromhex(secret), public, "sha256").hex() == seed
    log = await sim.app.archive.match_log(GuildId(sim.guild.id), 1, "?")
    assert log is not None
    digest = json.loads(log.splitlines()[-1])["digest"]
    shown = "".join(re.findall(r"\b[0-9a-f]{4}\b(?: [0-9a-f]{4}\b){9}", text)).replace(" ", "")
    assert digest.startswith(shown)
    assert len(shown) * 4 >= 160
    assert Referee(log).check().seed.hex() == seed


@pytest.mark.parametrize("letter", ["\u2028", "\x85", "\x1c"])
async def test_a_name_that_breaks_lines_hides_nothing(sim: SimulatedBot, letter: str) -> None:
    people = await sim.live("Anna", "Ben", rounds=1)
    await sim.play_out(people)
    await sim.later(2)
    log = await sim.app.archive.match_log(GuildId(sim.guild.id), 1, "?")
    assert log is not None
    assert over(named(log, [f"An{letter}na", "Ben"])) == over(log)
    Referee(named(log, [f"An{letter}na", "Ben"])).check()


async def test_another_server_is_told_nothing(sim: SimulatedBot) -> None:
    anna, _ = await sim.live("Anna", "Ben")
    link, _ = sim.messages(private=False)
    sim.table.session.__dict__["opened"] = _elsewhere(sim)
    assert not hexes(await told(anna, link))


def _elsewhere(sim: SimulatedBot) -> Any:
    """The same table, opened in another server."""
    opened = sim.session.opened
    return opened.__class__(
        opened.game,
        opened.rules_version,
        GuildId(opened.guild + 1),
        opened.channel,
        opened.host,
        opened.locale,
        opened.options,
    )


async def test_a_match_without_a_round_keeps_its_secret(sim: SimulatedBot) -> None:
    """Nothing was dealt from it, and nothing was recorded."""
    anna, ben = await sim.lobby("Anna", "Ben")
    promise = match_seed.promise(sim.session)
    await anna.on_board("Start")
    await sim.later(3)
    link, _ = sim.messages(private=False)
    for person in (anna, ben):
        await person.leave()
    await sim.later(2)
    assert promise not in await told(anna, link)


async def test_a_log_that_was_deleted_is_said_to_be(sim: SimulatedBot) -> None:
    """The match was recorded, and /history still shows it."""
    people = await sim.live("Anna", "Ben", rounds=1)
    await sim.play_out(people)
    await sim.later(2)
    await sim.app.writer.write([("DELETE FROM logs", ())])
    text = await told(sim.person("Stranger"), sim.public)
    assert "The log of match #1 is no longer kept" in text
    assert "no log" not in text


async def test_more_than_one_posting_before_the_deal_is_told(sim: SimulatedBot) -> None:
    """People who download no log read it too, in the match and at its end."""
    people = await sim.lobby("Anna", "Ben", rounds=1)
    await people[0].on_board("Start")
    await sim.later(3)
    for _ in range(2):
        await sim.table.do(begin_posting)
    for person in people:
        await person.on_panel("Ready")
    await sim.later(COUNT)
    stranger = sim.person("Stranger")
    assert "tried 3 times to post" in await told(stranger, sim.public)
    await sim.play_out(people)
    await sim.later(2)
    assert "tried 3 times to post" in await told(stranger, sim.public)
