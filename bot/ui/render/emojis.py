"""The application's emojis for cards and icons: uploaded once, shown when complete."""

import asyncio
import json
import logging
import re
from collections.abc import Mapping
from typing import Protocol

import discord

from bot.art.drawing import Drawing, digest, render
from bot.clock import Clock
from bot.ui.limits.answers import answered_within
from bot.ui.limits.edit_budget import Budget
from bot.ui.limits.errors import FAILURES
from bot.ui.render.image_worker import drawn
from bot.ui.render.marks import NO_FACES, Faces

log = logging.getLogger(__name__)

AGAIN = 10 * 60.0
"""Seconds until a failed upload is resumed, even one that failed because the emojis are full."""
PATIENCE = 60.0
"""Seconds after which a call counts as lost."""
INVALID = "Invalid emoji"
"""Discord's error for a button with an unknown emoji (PLATFORM 10)."""


class Notes(Protocol):
    async def note(self, key: str) -> str | None: ...
    async def remember(self, key: str, value: str) -> None: ...


class EmojiUploader:
    """The upload of emojis, and the `faces` that may be shown.

    `faces` holds all of them or none: half a set would look ragged, and text always works. Each
    emoji's name ends with the digest of its drawing, so an update uploads only changed ones. The
    list comes from Discord, so an interrupted upload resumes where it stopped.
    """

    def __init__(
        self,
        client: discord.Client,
        notes: Notes,
        budget: Budget,
        clock: Clock,
        drawings: Mapping[str, Drawing],
    ) -> None:
        self.faces: Faces = NO_FACES
        self._client = client
        self._notes = notes
        self._budget = budget
        self._clock = clock
        self._drawings = drawings
        self._names = {face: f"{face}_{digest(one)}" for face, one in self._drawings.items()}
        self._ours = re.compile(f"({'|'.join(self._names)})_[0-9a-f]{{6}}")
        self._doubted = asyncio.Event()

    @property
    def names(self) -> frozenset[str]:
        """The names of all emojis that should be uploaded."""
        return frozenset(self._names.values())

    async def recall(self) -> None:
        """Load the emojis of the last run, so that the first screens after a start have them."""
        kept = await self._notes.note(self._key)
        self._show(json.loads(kept) if kept is not None else {})

    async def run(self) -> None:
        """Keep all emojis uploaded, until cancelled. Uploads share the bot's budget with edits."""
        while self._drawings:
            self._doubted.clear()
            try:
                await self._fill()
            except FAILURES as error:
                log.warning("emojis: upload failed, retrying in %d s: %r", AGAIN, error)
                await self._clock.sleep(AGAIN)
            except Exception:
                log.exception("emojis: upload failed, retrying in %d s", AGAIN)
                await self._clock.sleep(AGAIN)
            else:
                await self._clock.park(self._doubted.wait(), "emojis")

    def doubt(self, error: Exception) -> bool:
        """Return whether a message was refused because one of our emojis was deleted.

        If so, all are uploaded again, and screens use text until then.
        """
        if not self.faces or not isinstance(error, discord.HTTPException):
            return False
        if INVALID not in error.text:
            return False
        log.warning("emojis: deleted from Discord, uploading them again")
        self.faces = NO_FACES
        self._doubted.set()
        return True

    async def _fill(self) -> None:
        async with answered_within(PATIENCE):
            there = {one.name: one for one in await self._client.fetch_application_emojis()}
        self._show({name: str(one) for name, one in there.items()})
        for face, name in self._names.items():
            if name not in there:
                image = await drawn(render, self._drawings[face])
                await self._budget.take_own()
                async with answered_within(PATIENCE):
                    made = await self._client.create_application_emoji(name=name, image=image)
                there[name] = made
        shown = {name: str(there[name]) for name in self._names.values()}
        self._show(shown)
        await self._notes.remember(self._key, json.dumps(shown))
        for name in there.keys() - shown.keys():
            if self._ours.fullmatch(name):
                async with answered_within(PATIENCE):
                    await there[name].delete()

    def _show(self, there: Mapping[str, str]) -> None:
        """Show the emojis if all are there. `there`: Discord's markup for each, by name."""
        complete = all(name in there for name in self._names.values())
        self.faces = {f: there[n] for f, n in self._names.items()} if complete else NO_FACES

    @property
    def _key(self) -> str:
        """The note's key, per application: each has its own emojis."""
        return f"emojis:{self._client.application_id}"
