"""An update brings other faces: no screen shows an emoji that isn't there, or turns to words."""

import asyncio
import json
import re
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from bot.art.drawing import Drawing, digest
from bot.art.faces import faces
from bot.art.shapes import spot
from bot.fakediscord import Message
from bot.ui.render import emojis
from tests.loopback.players import all_ready
from tests.stories.world import Player, World, at_rest, given, prepared

NEW = ("stop", "rfull", "yfull", "gfull", "bfull")
"""Faces that the version before does not have."""
BEFORE: Mapping[str, Drawing] = {
    name: (spot(64, 64, 30 + number / 4, "#d71d2b"),)
    for number, name in enumerate(faces())
    if name not in NEW
}
IN_WORDS = ("🔴", "🔶", "🟩", "🔷", "👑", "🤖")
UPLOAD = r"POST /api/v10/applications/\d+/emojis$"
PNG = b"\x89PNG\r\n\x1a\n"
LONG = 600.0
"""Seconds within which all faces are uploaded."""


@pytest.fixture(autouse=True)
def _undrawn(monkeypatch: pytest.MonkeyPatch) -> None:
    """Discord looks at nothing but the beginning of a picture, so none is drawn."""

    async def drawn(*_: object) -> bytes:
        return PNG

    monkeypatch.setattr(emojis, "drawn", drawn)


def _shown(message: Message) -> str:
    return json.dumps(message.data["components"], ensure_ascii=False)


class Watch:
    """Looks at every screen of the channel, twice a second: tables, results, and panels."""

    def __init__(self, here: World) -> None:
        self.wrong: list[str] = []
        self._here = here
        self._looked: dict[tuple[int, int], set[int]] = {}

    async def __aenter__(self) -> list[str]:
        self._task = asyncio.get_running_loop().create_task(self._run())
        return self.wrong

    async def __aexit__(self, *_: object) -> None:
        self._task.cancel()

    async def _run(self) -> None:
        while not self.wrong:
            for message in tuple(self._here.channel.messages.values()):
                gone = self._emojis(message) - self._here.server.emojis.keys()
                if gone:
                    self.wrong.append(f"{message!r} shows the deleted emojis {gone}")
            await asyncio.sleep(0.5)

    def _emojis(self, message: Message) -> set[int]:
        """The ids of all emojis on a screen, which is read once for each version."""
        at = message.id, message.version
        if at not in self._looked:
            told = _shown(message)
            self.wrong += [f"{message!r} is in words: {mark}" for mark in IN_WORDS if mark in told]
            pairs = re.findall(r"<:\w+:([0-9]+)>|\"emoji\": {\"id\": \"?([0-9]+)", told)
            self._looked[at] = {int(one or other) for one, other in pairs}
        return self._looked[at]


def _names(drawings: Mapping[str, Drawing]) -> set[str]:
    return {f"{name}_{digest(one)}" for name, one in drawings.items()}


def _there(here: World) -> set[str]:
    return {emoji["name"] for emoji in here.server.emojis.values()}


async def _until(condition: Callable[[], object], what: str) -> None:
    for _ in range(int(LONG)):
        if condition():
            return
        await asyncio.sleep(1)
    given(condition(), what)


def _kept(here: World) -> set[str]:
    """The names of the emojis that the next start will show."""
    rows = here.rows("SELECT value FROM notes WHERE key LIKE 'emojis:%'")
    return set(json.loads(rows[0][0])) if rows else set()


@asynccontextmanager
async def _before_the_update(folder: Path) -> AsyncIterator[tuple[World, list[Player]]]:
    """A live match with the faces of the version before, whose bot has just been stopped."""
    async with at_rest(folder) as here:
        here.server.settings.most_emojis = 2000
        here.bot.drawings = lambda: BEFORE
        await here.start()
        await _until(lambda: _kept(here) == _names(BEFORE), "not uploaded")
        people = await here.live("anna", "ben")
        given(_have(people, BEFORE), "no faces")
        assert await here.bot.stop() is None
        here.bot.drawings = faces
        yield here, people


def _have(people: list[Player], drawings: Mapping[str, Drawing]) -> bool:
    """Whether everybody's panel has these faces on its buttons."""
    flip = f"flip_{digest(drawings['flip'])}"
    return all(flip in _shown(person.panel) for person in people)


async def _played(people: list[Player]) -> None:
    """Go on after a restart, and play a little."""
    await prepared(all_ready(people))
    for person in people:
        _ = await person.act()
    await asyncio.sleep(5)


async def test_faces_are_exchanged_without_a_gap_even_if_killed_at_any_time(
    tmp_path: Path,
) -> None:
    async with _before_the_update(tmp_path) as (here, people), Watch(here) as wrong:
        for skip, when in ((0, "before"), (0, "after"), (40, "after"), (50, "before")):
            fault = here.server.fault(UPLOAD, when=when, hold=asyncio.Event(), skip=skip)
            await here.start()
            await _played(people)
            await asyncio.wait_for(fault.reached.wait(), LONG)
            assert not wrong
            assert _have(people, BEFORE), "until all the others are there"
            here.bot.kill()
            here.server.faults.clear()
        await here.start()
        await _until(lambda: _kept(here) == _names(faces()), "not exchanged")
        assert not wrong
        here.bot.kill()
        await here.start()
        await _played(people)
        assert _have(people, faces())
        await here.agreed(people)
        await asyncio.sleep(emojis.SETTLED + 60)
        assert not wrong
        assert _there(here) == _names(BEFORE) | _names(faces()), "old results keep their faces"
        assert not here.said()


async def test_outdated_faces_go_from_a_crowded_application_when_no_screen_has_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(emojis, "KEPT", len(faces()) + 2)
    async with _before_the_update(tmp_path) as (here, people), Watch(here) as wrong:
        _ = here.server.add_emoji("party_parrot")
        await here.start()
        await _played(people)
        await _until(lambda: _kept(here) == _names(faces()), "not exchanged")
        for _ in range(10):
            for person in people:
                _ = await person.act()
            await asyncio.sleep(60)
        assert _there(here) >= _names(BEFORE), "the table has just shown them"
        await asyncio.sleep(emojis.SETTLED)
        assert not wrong
        assert _there(here) >= _names(faces()) | {"party_parrot"}
        assert len(_there(here)) == len(faces()) + 2
        assert not here.said()
