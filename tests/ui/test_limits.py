"""Somebody who asks too much, too often or too long is told so, and the others notice nothing."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.tables.books import Books
from bot.ui.load import Load
from bot.ui.presses import NAME
from bot.ui.turnstile import ASKED, WITHIN, Turnstile
from tests.ui.evening import Evening, SimulatedClock, buttons, evening, words
from tests.ui.managing import asks


class HandClock(SimulatedClock):
    """A monotonic clock that stands still until it is moved."""

    moved = 0.0

    def now(self) -> float:
        return self.moved


@pytest.fixture
async def night(tmp_path: Path) -> AsyncIterator[Evening]:
    async with evening(tmp_path / "night.db") as one:
        yield one


@pytest.fixture
def clock(night: Evening) -> HandClock:
    """The one that commands are counted by."""
    clock = HandClock()
    night.app._turnstile = Turnstile(clock)
    return clock


async def test_commands_too_often_are_refused_in_words(night: Evening, clock: HandClock) -> None:
    """The limit is each person's own, and is over by itself."""
    anna, ben = night.people("Anna", "Ben")
    for _ in range(ASKED):
        assert "a lot at once" not in words(await asks(anna, "history"))
    assert "a lot at once" in words(await asks(anna, "history"))
    await anna.open()
    assert night.app.tables.books.at(night.channel.id) is None
    assert "a lot at once" not in words(await asks(ben, "history"))
    clock.moved += WITHIN
    await anna.open()
    assert "**Anna**, host" in words(night.board)


async def test_buttons_of_the_records_count_as_commands(night: Evening, clock: HandClock) -> None:
    (anna,) = night.people("Anna")
    answer = await asks(anna, "privacy")
    for _ in range(ASKED - 1):
        await anna.press_old(answer, "lr1:history:0")
    await anna.press_old(answer, "lr1:history:0")
    assert "a lot at once" in words(anna.panel)


async def test_a_button_hammered_is_answered_and_counts_as_often_as_one_may(
    night: Evening,
) -> None:
    """The panel says that it was too quick, and goes on when the thumb rests."""
    anna, _ = await night.live("Anna", "Ben")
    flip = buttons(anna.panel)["Flip"]
    night.app.tables._pace._most = 3
    for _ in range(6):
        record = await anna.press_old(anna.panel, flip)
        assert record.responded
    assert "Too quick" in words(anna.panel)
    assert night.session.moves == 1


async def test_a_name_is_kept_no_longer_than_discord_lets_it_be(night: Evening) -> None:
    host = night.person("Anna")
    host.actor.user._env.backend.get_user(host.id).global_name = "A" * 500
    await host.open()
    assert night.session.chairs[0].name == "A" * NAME


async def test_presses_beyond_what_can_be_done_are_dropped(night: Evening) -> None:
    """They cost nothing but a count; the next one is answered again."""
    anna, _ = await night.live("Anna", "Ben")
    night.app._load.most = 0
    flip = buttons(anna.panel)["Flip"]
    assert not (await anna.press_old(anna.panel, flip)).responded
    assert night.app._load.dropped == 1
    night.app._load.most = 1
    assert (await anna.press_old(anna.panel, flip)).responded
    assert night.session.moves == 1


async def test_what_was_left_undone_is_told_in_one_line(caplog: pytest.LogCaptureFixture) -> None:
    load = Load(Books(), HandClock())
    await load.tick()
    assert not caplog.records
    for _ in range(3):
        load.drop()
    load.answered_late()
    await load.tick()
    await load.tick()
    (record,) = caplog.records
    assert record.getMessage() == "overload: 3 presses dropped, 1 answers too late"
