"""The button "Fair?": what it tells before, in and after a match, and to whom."""

import hmac
import json
import re
from collections.abc import AsyncIterator
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from bot.records.log import named
from bot.ui.fairness import over
from tests.records.referee import Referee
from tests.ui.evening import Evening, Person, evening, words


@pytest.fixture
async def night(tmp_path: Path) -> AsyncIterator[Evening]:
    async with evening(tmp_path / "fairness.db") as one:
        yield one


async def told(person: Person, message: Any) -> str:
    """What "Fair?" on this message answers, in private."""
    result = await person._click(message, "Fair?")
    assert result.ephemeral
    return words(person.panel)


def hexes(text: str) -> list[str]:
    """Everything in it that is 32 bytes."""
    return re.findall(r"`([0-9a-f]{64})`", text)


async def test_anybody_can_read_the_whole_promise_before_start(night: Evening) -> None:
    await night.lobby("Anna", "Ben")
    stranger = night.person("Stranger")
    text = await told(stranger, night.board)
    assert hexes(text) == [sha256(night.session.secret).hexdigest()]
    assert "At Start" in text


async def test_the_lobby_keeps_the_button_while_the_match_goes_on(night: Evening) -> None:
    anna, _ = await night.live("Anna", "Ben")
    link, table = night.messages(private=False)
    text = await told(anna, link)
    assert f"`{night.channel.id}/{table.id}`" in text, "as Copy Message Link has it"
    assert hexes(text) == [night.session.promise], "and no secret"
    assert await told(anna, table) == text, "the table's message has it too"


async def test_the_end_tells_all_that_a_deal_needs(night: Evening) -> None:
    people = await night.live("Anna", "Ben", rounds=1)
    _, table = night.messages(private=False)
    await night.play_out(people)
    await night.later(2)
    text = await told(night.person("Stranger"), night.board)
    promise, secret, seed = hexes(text)
    assert sha256(bytes.fromhex(secret)).hexdigest() == promise
    public = f"{night.channel.id}/{table.id}".encode()
    assert hmac.digest(bytes.fromhex(secret), public, "sha256").hex() == seed
    log = await night.app.archive.match_log(night.guild.id, 1, "?")
    assert log is not None
    digest = json.loads(log.splitlines()[-1])["digest"]
    shown = "".join(re.findall(r"\b[0-9a-f]{4}\b(?: [0-9a-f]{4}\b){9}", text)).replace(" ", "")
    assert digest.startswith(shown)
    assert len(shown) * 4 >= 160
    assert Referee(log).check().seed.hex() == seed


@pytest.mark.parametrize("letter", ["\u2028", "\x85", "\x1c"])
async def test_a_name_that_breaks_lines_hides_nothing(night: Evening, letter: str) -> None:
    people = await night.live("Anna", "Ben", rounds=1)
    await night.play_out(people)
    await night.later(2)
    log = await night.app.archive.match_log(night.guild.id, 1, "?")
    assert log is not None
    assert over(named(log, [f"An{letter}na", "Ben"])) == over(log)
    Referee(named(log, [f"An{letter}na", "Ben"])).check()


async def test_another_server_is_told_nothing(night: Evening) -> None:
    anna, _ = await night.live("Anna", "Ben")
    link, _ = night.messages(private=False)
    night.table.session.__dict__["opened"] = _elsewhere(night)
    assert not hexes(await told(anna, link))


def _elsewhere(night: Evening) -> Any:
    """The same table, opened in another server."""
    opened = night.session.opened
    return opened.__class__(
        opened.game,
        opened.rules_version,
        opened.guild + 1,
        opened.channel,
        opened.host,
        opened.locale,
        opened.options,
    )


async def test_a_match_without_a_round_keeps_its_secret(night: Evening) -> None:
    """Nothing was dealt from it, and nothing was recorded."""
    anna, ben = await night.lobby("Anna", "Ben")
    promise = night.session.promise
    await anna.on_board("Start")
    await night.later(3)
    link, _ = night.messages(private=False)
    for person in (anna, ben):
        await person.leave()
    await night.later(2)
    assert promise not in await told(anna, link)
