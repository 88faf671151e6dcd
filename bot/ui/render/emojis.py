"""The application's emojis for cards and icons: uploaded once, exchanged without a gap."""

import asyncio
import json
import logging
import re
from collections.abc import Collection, Mapping
from contextlib import suppress
from typing import Protocol

import discord

from bot.art.drawing import Drawing, digest, render
from bot.clock import Bell, Clock
from bot.groups.once import Always, Once
from bot.ui.limits.answers import answered_within
from bot.ui.limits.edit_budget import Budget
from bot.ui.limits.errors import FAILURES
from bot.ui.render.image_worker import drawn
from bot.ui.render.marks import NO_FACES, Faces, stand_in

log = logging.getLogger(__name__)

AGAIN = 10 * 60.0
"""Seconds until a failed upload is resumed, even one that failed because the emojis are full."""
LOOK = 60.0
"""Seconds until a group looks again whether another has uploaded them all."""
PATIENCE = 60.0
"""Seconds after which a call counts as lost."""
KEPT = 1_000
"""The emojis an application may have before outdated ones go: half of what fits (PLATFORM 10)."""
SETTLED = 60 * 60.0
"""Seconds after which no living message shows outdated emojis.

Older messages of a table are posted again, and panels can't be edited any more.
"""
INVALID = "Invalid emoji"
"""Discord's error for a button with an unknown emoji (PLATFORM 10)."""


class Notes(Protocol):
    async def note(self, key: str) -> str | None: ...
    async def remember(self, key: str, value: str) -> None: ...


class EmojiUploader:
    """The upload of emojis, and the `faces` that may be shown.

    Each emoji's name ends with the digest of its drawing, so an update uploads only changed ones.
    Until all of them are there, screens keep those of the last version, or words if there was none:
    half a set would look ragged. Outdated emojis stay, since results of old matches show them. Only
    in a crowded application they go, the oldest first, when no living message has them. Whatever
    breaks off is resumed at the next start: the list of emojis comes from Discord.

    In a bot of several groups, one of them uploads (`once`). The others read the list until all are
    there. Afterwards every group reads it now and then, since none is told of another's doubts.
    """

    def __init__(
        self,
        client: discord.Client,
        notes: Notes,
        budget: Budget,
        clock: Clock,
        drawings: Mapping[str, Drawing],
        once: Once | None = None,
    ) -> None:
        self.faces: Faces = NO_FACES
        self._client = client
        self._notes = notes
        self._budget = budget
        self._clock = clock
        self._once = once or Always()
        self._drawings = drawings
        self._names = {face: f"{face}_{digest(one)}" for face, one in self._drawings.items()}
        self._ours = re.compile(f"({'|'.join(self._names)})_[0-9a-f]{{6}}")
        self._doubted, self._bell = asyncio.Event(), Bell()
        self._is_complete = False

    @property
    def names(self) -> frozenset[str]:
        """The names of all emojis that should be uploaded."""
        return frozenset(self._names.values())

    async def recall(self) -> None:
        """Load the emojis of the last run, so that the first screens after a start have them.

        They may be another version's. A face that it did not have is a Unicode emoji meanwhile.
        """
        kept = await self._notes.note(self._key)
        known = {} if kept is None else json.loads(kept)
        last = {name.rpartition("_")[0]: markup for name, markup in known.items()}
        faces = {face: last.get(face) or stand_in(face) for face in self._names} if last else {}
        self.faces = {face: one for face, one in faces.items() if one is not None}
        if len(self.faces) < len(self._names):
            self.faces = NO_FACES

    async def run(self) -> None:
        """Keep all emojis uploaded, until cancelled. Uploads share the bot's budget with edits."""
        while self._drawings:
            self._doubted.clear()
            try:
                is_crowded = await self._fill() > KEPT and self._once.is_ours
                if is_crowded and not await self._is_doubted_within(SETTLED):
                    await self._make_room()
            except FAILURES as error:
                log.warning("emojis: upload failed, retrying in %d s: %r", AGAIN, error)
                await self._clock.sleep(AGAIN)
            except Exception:
                log.exception("emojis: upload failed, retrying in %d s", AGAIN)
                await self._clock.sleep(AGAIN)
            else:
                await self._at_rest()

    async def _at_rest(self) -> None:
        """Wait for a doubt. In a bot of several groups, only until the next look at the list."""
        if self._once.is_shared:
            if not self._doubted.is_set():
                await self._clock.nap(AGAIN if self._is_complete else LOOK, self._bell)
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
        self._bell.ring()
        return True

    async def _is_doubted_within(self, seconds: float) -> bool:
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._clock.park(self._doubted.wait(), "emojis")
        return self._doubted.is_set()

    async def _fill(self) -> int:
        """Upload missing emojis, show all and store them. Return how many the application has.

        Without the right to upload, or once it is lost, those that are missing stay missing.
        """
        there = await self._there()
        if not self._show({name: str(one) for name, one in there.items()}):
            self._forget({str(one) for one in there.values()})
        for face, name in self._names.items():
            if name not in there:
                if not self._once.is_ours:
                    self._is_complete = False
                    return len(there)
                image = await drawn(render, self._drawings[face])
                await self._budget.take_own()
                async with answered_within(PATIENCE):
                    made = await self._client.create_application_emoji(name=name, image=image)
                there[name] = made
        shown = {name: str(there[name]) for name in self._names.values()}
        self._show(shown)
        await self._notes.remember(self._key, json.dumps(shown))
        self._is_complete = True
        return len(there)

    async def _make_room(self) -> None:
        """Delete outdated emojis, the oldest first, until the application isn't crowded."""
        there = await self._there()
        old = [one for name, one in there.items() if name not in self.names]
        outdated = [one for one in old if self._ours.fullmatch(one.name)]
        for one in sorted(outdated, key=lambda each: each.id)[: max(0, len(there) - KEPT)]:
            await self._budget.take_own()
            async with answered_within(PATIENCE):
                await one.delete()

    async def _there(self) -> dict[str, discord.Emoji]:
        async with answered_within(PATIENCE):
            return {one.name: one for one in await self._client.fetch_application_emojis()}

    def _show(self, there: Mapping[str, str]) -> bool:
        """Show the emojis if all are there. `there`: Discord's markup for each, by name."""
        complete = all(name in there for name in self._names.values())
        if complete:
            self.faces = {f: there[n] for f, n in self._names.items()}
        return complete

    def _forget(self, there: Collection[str]) -> None:
        """Show words if somebody has deleted an emoji that is shown. `there`: their markup."""
        if any(one.startswith("<") and one not in there for one in self.faces.values()):
            self.faces = NO_FACES

    @property
    def _key(self) -> str:
        """The note's key, per application: each has its own emojis."""
        return f"emojis:{self._client.application_id}"
