"""The test of Discord that a server's manager starts from `/settings`: once, in a real channel.

Its first press waits for a second one, since limits may be of each token: two managers press, or
one presses twice. With both tokens private messages are edited for a minute; then the bot tries
its own calls, deletes what it has posted and reports. What it learns is kept for the server.
"""

import asyncio
import logging
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Protocol

from bot.art.moving import moving
from bot.games.screen import Choice, Picture, Row, Screen, Text, Words
from bot.i18n import FALLBACK
from bot.tables.phrases import sentence
from bot.ui import components, wire
from bot.ui.answers import Interaction, answer, redrawn
from bot.ui.asking import allowed, guild_of, page, tell
from bot.ui.attempt import PATIENCE
from bot.ui.budget import Where
from bot.ui.desk import Desk, NotOursError, custom_id
from bot.ui.edit_probe import EDITS, Edits, Place, edited
from bot.ui.errors import FAILURES, Trouble, trouble
from bot.ui.learned import Lesson
from bot.ui.live_report import Report, lines
from bot.ui.marks import Reader
from bot.ui.office import Office
from bot.ui.probes import FILE, Probes, What, takes_threads
from bot.ui.studio import drawn
from bot.ui.trail import Left, Notes, Trail

log = logging.getLogger(__name__)

SUBJECT = "live"
TO_ID = partial(custom_id, SUBJECT)
NEEDED = "manage_guild"
WAITS = 300.0
"""Seconds for which the first press waits for the second: its token has to last for all of it."""
TOLD_FOR, BETWEEN = 180.0, 5.0
"""Seconds in which the report is tried to be shown, and between two tries at least."""


class Spawn(Protocol):
    def __call__(self, work: Coroutine[Any, Any, None], *, name: str) -> None: ...


@dataclass(frozen=True, slots=True)
class Part:
    """One press that takes part: its token, and the private message that answers it."""

    interaction: Interaction
    place: Place
    at: float

    @property
    def channel(self) -> int:
        return self.interaction.channel_id or 0

    @property
    def user(self) -> int:
        return self.interaction.user.id

    @property
    def locale(self) -> str:
        return str(self.interaction.locale)


class LiveCheck:
    """At most one at a time in a server. Its state is in memory: a kill ends it, and the next
    process deletes what it has posted.
    """

    def __init__(
        self, office: Office, notes: Notes, spawn: Spawn, occupied: Callable[[int], bool]
    ) -> None:
        self.trail = Trail(office.client, notes, office.clock)
        self._office = office
        self._spawn = spawn
        self._occupied = occupied
        self._waiting: dict[int, Part] = {}
        self._running: set[int] = set()
        self._moves: dict[int, bool] = {}

    def add_to(self, desk: Desk) -> None:
        desk.answer(SUBJECT, self.press, in_private=True)

    async def begin(self, interaction: Interaction) -> None:
        """Take a press on the button in `/settings`. Its person may change settings. Nothing is
        awaited before it counts.
        """
        guild, channel = guild_of(interaction), interaction.channel_id or 0
        if guild in self._running:
            await tell(interaction, Text("live.running"))
            return
        if self._occupied(channel):
            await tell(interaction, Text("live.table_here"))
            return
        first = self._waiting.pop(guild, None)
        if first is not None and not self._fits(first, channel):
            first = None
        if first is not None:
            self._running.add(guild)
        said = Text("live.waiting" if first is None else "live.started")
        message = await answer(interaction, components.note(said, str(interaction.locale)))
        if message is None:
            self._running.discard(guild)
            return
        part = Part(interaction, Place(interaction.token, message), self._office.clock.now())
        if first is None:
            self._waiting[guild] = part
            return
        self._spawn(self._run(guild, (first, part)), name=f"live check in server {guild}")

    def _fits(self, first: Part, channel: int) -> bool:
        return first.channel == channel and self._office.clock.now() - first.at < WAITS

    async def press(self, interaction: Interaction, words: Sequence[str]) -> None:
        """Take the answer to the question if the picture moves."""
        if words not in (["moves"], ["still"]):
            raise NotOursError
        if not await allowed(interaction, NEEDED):
            return
        guild, does = guild_of(interaction), words == ["moves"]
        self._moves[guild] = does
        change = self._office.learned.learn if does else self._office.learned.unlearn
        change(guild, Lesson.PICTURES_MOVE)
        await redrawn(interaction, components.note(Text("live.thanks"), str(interaction.locale)))

    async def alone(self, guild: int, channel: int, *, takes_threads: bool) -> tuple[Probes, Left]:
        """Try what needs no press, in a process without a connection for events. Return how it
        went, and what could not be deleted.
        """
        await self.trail.clean_up()
        probes = Probes(self._office.clock, await drawn(moving))
        left = await probes.in_channel(
            self._office.client, channel, self.trail, FALLBACK, takes_threads=takes_threads
        )
        self._learn_pictures(guild, probes)
        return probes, left

    # -- the test itself --------------------------------------------------------------------

    async def _run(self, guild: int, parts: tuple[Part, Part]) -> None:
        try:
            report = await self._tried(guild, parts)
            await self._tell(parts, report)
        except Exception:
            log.exception("server %d: the live check failed", guild)
            await self._say(parts, "live.broken")
        finally:
            self._running.discard(guild)
            self._moves.pop(guild, None)

    async def _tried(self, guild: int, parts: tuple[Part, Part]) -> Report:
        """Try everything, and remember what it has taught."""
        office, first = self._office, parts[0]
        probes = Probes(office.clock, await drawn(moving))
        where = _where(first.interaction, guild)
        office.budget.spend(where)
        await probes.attempt(What.MOVING, lambda: _ask(first, probes))
        places = [part.place for part in parts]
        edits = await edited(places, office, where, partial(_progress, first.locale), calls=1)
        left = await probes.in_channel(
            office.client,
            first.channel,
            self.trail,
            FALLBACK,
            takes_threads=takes_threads(first.interaction.channel),
        )
        self._learn(guild, where, probes, edits)
        return Report(tuple(probes.done), edits, left, self._moves.get(guild))

    def _learn(self, guild: int, where: Where, probes: Probes, edits: Edits) -> None:
        if (pace := edits.pace(self._office.clock.now())) is not None:
            self._office.budget.rehearsed(where, pace)
        self._learn_pictures(guild, probes)

    def _learn_pictures(self, guild: int, probes: Probes) -> None:
        """Remember how a score's picture is shown in this server."""
        if (apart := probes.pictures_apart) is not None:
            learned = self._office.learned
            (learned.learn if apart else learned.unlearn)(guild, Lesson.PICTURES_APART)

    async def _tell(self, parts: tuple[Part, Part], report: Report) -> None:
        """Both managers read the report, one who has pressed twice only once."""
        first, second = parts
        await self._show(first, _report(report, first.locale))
        if second.user == first.user:
            await self._show(second, components.note(Text("live.over"), second.locale))
        else:
            await self._show(second, _report(report, second.locale))

    async def _say(self, parts: tuple[Part, Part], key: str) -> None:
        for part in parts:
            await self._show(part, components.note(Text(key), part.locale))

    async def _show(self, part: Part, view: Any) -> None:  # noqa: ANN401 discord.py's layouts
        """Show something on a private message. One that Discord takes no more stays as it is."""
        office, hook = self._office, self._office.hook(part.place.token)
        ends = office.clock.now() + TOLD_FOR
        while True:
            pause = BETWEEN
            try:
                async with asyncio.timeout(PATIENCE):
                    heard = await wire.push(hook, part.place.message, view)
                if heard.refused is None:
                    return
                pause = max(pause, heard.pause)
            except FAILURES as error:
                if trouble(error) is not Trouble.LATER:
                    log.info(
                        "channel %d: a live check's report is not shown: %s", part.channel, error
                    )
                    return
            if office.clock.now() + pause >= ends:
                return
            await office.clock.sleep(pause)


def _where(interaction: Interaction, guild: int) -> Where:
    """Where the calls are counted: a thread's for its channel too."""
    channel = interaction.channel_id or 0
    return Where(channel, getattr(interaction.channel, "parent_id", None) or channel, guild)


async def _ask(part: Part, probes: Probes) -> object:
    """Show the picture that moves to who has pressed, and ask whether it does."""
    choices = (Choice(Text("button.moves"), "moves"), Choice(Text("button.still"), "still"))
    question = Words((sentence("live.question"),))
    view = page(
        part.interaction, TO_ID, question, Picture(FILE, Text("live.picture")), Row(choices)
    )
    send = part.interaction.followup.send
    return await send(view=view, file=probes.file(), ephemeral=True, wait=True)


def _progress(locale: str, number: int) -> Any:  # noqa: ANN401 discord.py's layouts
    values = (("n", number), ("of", EDITS))
    return components.note(Text("live.progress", values), locale)


def _report(report: Report, locale: str) -> Any:  # noqa: ANN401 discord.py's layouts
    return components.view(Screen((Words(lines(report)),)), TO_ID, Reader(locale))
