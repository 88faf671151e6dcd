"""The picture of a score: beside its words, kept as long as they are, and never in their way."""

import asyncio
import threading
import time
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from bot.art import score
from bot.fakediscord import Message, Server
from bot.i18n import say
from bot.tables.state.session import Phase
from bot.tables.views.results.standings import described
from bot.text import change, points
from bot.ui.render import score_image
from bot.ui.render.score_image import Illustration, Way
from tests.loopback.bots import PATIENCE, bot_here
from tests.loopback.players import Player, all_ready, labels, played_out, seated
from tests.ui.matches import PEOPLE, lobby, match_over, moments
from tests.ui.simulated import COUNT, Person, SimulatedBot, simulated_bot, walk, words

GALLERY = 12
SCORE = " to go"
"""What a score says of the rounds to come, however the last one ended."""
ALT = 1024
"""Characters of a description that Discord takes."""


@pytest.fixture
async def sim(tmp_path: Path) -> AsyncIterator[SimulatedBot]:
    async with simulated_bot(tmp_path / "night.db") as one:
        yield one


async def scored(sim: SimulatedBot, rounds: int = 3) -> list[Person]:
    """Two people who have finished a round."""
    people = await sim.live("Anna", "Ben", rounds=rounds)
    await ended(sim, people)
    return people


async def ended(sim: SimulatedBot, people: list[Person]) -> None:
    """A round that they have agreed to end has a score as any other."""
    for person in people:
        await person.on_board("End round")
    await sim.later(5)


def shown(stored: Any) -> list[Any]:
    """The pictures on a message."""
    return [
        item for one in walk(stored.components) if one["type"] == GALLERY for item in one["items"]
    ]


def file_names(stored: Any) -> list[str]:
    return [one["filename"] for one in stored.attachments]


async def test_a_score_has_a_picture_that_is_told_in_words(sim: SimulatedBot) -> None:
    await scored(sim)
    assert SCORE in words(sim.public)
    (picture,) = shown(sim.public)
    assert file_names(sim.public) == ["score-1.png"]
    assert picture["description"] == say(described(sim.session), "en-US")
    for chair, total in zip(sim.session.chairs, sim.session.totals, strict=True):
        assert chair.name in picture["description"]
        assert f"{change(total)}, {points(total)} in total" in picture["description"]


async def test_a_name_that_no_picture_can_write_stands_below_it(sim: SimulatedBot) -> None:
    people = await sim.live("Anna", "王小明", rounds=3)
    await ended(sim, people)
    assert file_names(sim.public) == ["score-1.png"]
    assert "\n-# ② 王小明\n" in words(sim.public)
    assert "**Anna** −20" not in words(sim.public), "the picture has it"


async def test_drawing_keeps_nobody_waiting(sim: SimulatedBot) -> None:
    """It is done in a thread: while it lasts, the event loop goes on."""
    await scored(sim)
    score_image, turns = Illustration(sim.table), 0

    async def turn() -> None:
        nonlocal turns
        while True:
            turns += 1
            await asyncio.sleep(0)

    turning = asyncio.get_running_loop().create_task(turn())
    await score_image.draw(Way.LISTED)
    turning.cancel()
    assert score_image.attached(is_new=True)
    assert turns > 10


async def test_the_next_round_takes_it_away_and_its_score_has_another(sim: SimulatedBot) -> None:
    people = await scored(sim)
    for person in people:
        await person.on_panel("Next round")
    await sim.later(COUNT)
    assert sim.session.phase is Phase.LIVE
    assert shown(sim.public) == file_names(sim.public) == []
    await ended(sim, people)
    assert file_names(sim.public) == ["score-2.png"]


async def test_it_is_kept_while_the_words_beside_it_change(sim: SimulatedBot) -> None:
    anna, _ = await scored(sim)
    before = sim.public.attachments
    await anna.on_panel("Next round")
    await sim.later(2)
    assert "✅ Anna" in words(sim.public)
    assert sim.public.attachments == before
    assert len(shown(sim.public)) == 1


async def test_it_is_there_once_after_a_restart_and_further_down(sim: SimulatedBot) -> None:
    anna, _ = await scored(sim)
    await sim.restart()
    assert file_names(sim.public) == ["score-1.png"]
    old = sim.public.id
    await anna.on_board("Move down")
    await sim.later()
    assert sim.public.id != old
    assert file_names(sim.public) == ["score-1.png"]
    assert len(shown(sim.public)) == 1


async def test_one_that_a_crash_has_left_behind_is_taken_away(sim: SimulatedBot) -> None:
    """As if the process had died between the deal and the edit."""
    people = await scored(sim)
    left = list(sim.public.attachments)
    for person in people:
        await person.on_panel("Next round")
    await sim.later(COUNT)
    assert not file_names(sim.public)
    sim.public.attachments.extend(left)
    await sim.restart()
    assert not file_names(sim.public)


async def test_the_end_of_a_match_has_it_too(sim: SimulatedBot) -> None:
    await scored(sim, rounds=1)
    assert "Everyone agreed to end the round" in words(sim.public)
    assert sim.session.phase is Phase.OVER
    assert len(shown(sim.public)) == 1
    assert "👑" in words(sim.public), "one of them, or both"


async def test_it_is_drawn_again_when_those_who_leave_end_the_match(sim: SimulatedBot) -> None:
    """Between rounds it has the places of the round, at the end those of the match."""
    _, ben = await scored(sim)
    await ben.leave()
    await sim.later(5)
    assert sim.session.phase is Phase.OVER
    assert file_names(sim.public) == ["score-1001.png"]
    assert len(shown(sim.public)) == 1


async def test_a_picture_that_cannot_be_drawn_is_left_out(
    sim: SimulatedBot, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(score, "png", lambda *_: 1 / 0)
    await scored(sim)
    assert SCORE in words(sim.public)
    assert not sim.public.attachments
    for name in ("Anna", "Ben"):
        assert f"🥇 **{name}** −20 → −20" in words(sim.public), "a line per player stands for it"
    assert "score image not drawn, left out" in caplog.text


async def test_it_is_drawn_where_all_pictures_are(
    sim: SimulatedBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    where: list[str] = []
    ordinary = score.png

    def noted(*shown: Any) -> bytes:
        where.append(threading.current_thread().name)
        return ordinary(*shown)

    monkeypatch.setattr(score, "png", noted)
    await scored(sim)
    assert where == ["image worker_0"]


async def test_words_wait_a_moment_for_a_picture_and_a_crowded_machine_is_no_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(score_image, "PATIENCE", 0.01)
    monkeypatch.setattr(score, "png", lambda *_: time.sleep(0.5))
    async with Server() as server, bot_here(server, tmp_path / "slow.db"):
        players = await scored_here(server)
        assert not files_of(players[0].public)
    said = [one for one in caplog.records if one.name == score_image.__name__]
    assert [one.getMessage().partition(": ")[2] for one in said] == [
        "score image not drawn in 0.01 s, left out"
    ]
    assert said[0].exc_info is None


async def test_a_picture_that_discord_does_not_take_leaves_the_words(tmp_path: Path) -> None:
    async with Server() as server, bot_here(server, tmp_path / "large.db"):
        server.settings.max_file = 100
        players = await scored_here(server)
        assert not files_of(players[0].public)
        assert players[0].public.controls, "and its buttons"


async def test_one_whose_taking_away_was_not_heard_of_comes_back(tmp_path: Path) -> None:
    """The next round is stopped and does not count, so that the score of before is shown again."""
    async with Server() as server, bot_here(server, tmp_path / "unheard.db"):
        anna, ben = await scored_here(server, "dice")
        assert len(files_of(anna.public)) == 1
        server.fault("PATCH .*/channels/", when="after", drop=True)
        for player in (anna, ben):
            _ = await player.press("Next round")
        await server.wait_for(lambda: not files_of(anna.public), PATIENCE)
        await ben.leave()
        await anna.leave()
        server.faults.clear()
        await server.wait_for(lambda: files_of(anna.public), PATIENCE)
        assert "Leave" not in labels(anna.public)


async def test_one_that_discord_has_lost_stops_no_table(tmp_path: Path) -> None:
    async with Server() as server, bot_here(server, tmp_path / "lost.db"):
        anna, _ = await scored_here(server)
        anna.public.files = ()
        fault = server.fault("PATCH .*/channels/", status=400, code=50035, times=1)
        _ = await anna.press("Next round")
        await server.wait_for(lambda: "✅ Anna" in anna.public.text, PATIENCE)
        assert fault.hits == 1
        assert files_of(anna.public), "it was not sent again"


async def scored_here(server: Server, game: str = "ligretto") -> list[Player]:
    """A round played over sockets, with its score on the table."""
    players = await seated(server, server.all_channels[0], ["anna", "ben"], 3, game)
    await all_ready(players)
    await asyncio.gather(*(played_out(player, 0.01) for player in players))
    await server.wait_for(lambda: SCORE in players[0].public.text, PATIENCE)
    return players


def files_of(message: Message) -> list[Any]:
    return list(message.files)


def test_its_words_fit_for_twelve_players_and_many_rounds() -> None:
    for session in moments(lobby(PEOPLE, target="200"), every=200):
        if session.history:
            assert len(say(described(session), "en-US")) <= ALT


def test_the_words_say_who_won_what_and_who_ended_the_last_round() -> None:
    over = match_over(lobby(PEOPLE[:2]))
    assert say(described(over), "en-US") == (
        "Points per round: 1. Ben +14 +20 −6, 28 in total, 2. Anna +3 −3 +18, 18 in total. "
        "Anna ended the last round."
    )
