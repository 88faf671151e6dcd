"""The lines of an evening: the start, each match that ends, and the stop.

They name no people: a log outlives the data that somebody has deleted.
"""

import logging
import platform
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.metadata import version

from bot.groups.group import ALONE, Group
from bot.groups.lease.refusals import GroupLostError
from bot.settings.home import NAME
from bot.tables.arenas.arenas import Arenas
from bot.tables.arenas.running import RunningArena
from bot.tables.registry.registry import Tables
from bot.tables.running.table import Table
from bot.tables.state.session import Phase, Session
from bot.ui.connection.client import Client
from bot.ui.limits.errors import one_line
from bot.ui.toolkit.invitation import invite

log = logging.getLogger(__name__)

ENDED = (Phase.OVER, Phase.CLOSED)


KEPT = 1000
"""The number of logged ends to remember, so that each is logged once."""


class Milestones:
    """The log of one process: a line at the start, for each match or arena that ends, at the stop.

    What has ended before `begun` is not told again.
    """

    def __init__(self, tables: Tables, arenas: Arenas, group: Group = ALONE) -> None:
        self._tables = tables
        self._arenas = arenas
        self._told: dict[str, None] = {}
        self._valkey = group.valkey
        self._group = "" if group.is_alone else f" as {group}"
        self._is_ready = False

    def begun(self) -> None:
        """Follow tables and arenas. Called once those from before the start are back."""
        over = [str(one) for one in self._tables.index if one.session.phase in ENDED]
        over += [str(one) for one in self._arenas if one.state.is_over]
        self._told = dict.fromkeys(map(_key, over))
        self._tables.watchers.append(self._table_changed)
        self._arenas.watchers.append(self._arena_changed)

    def ready(self, client: Client) -> None:
        """Log what runs here, once every server is known. A new session is no new start."""
        assert client.application_id is not None, "the client has logged in"
        if self._is_ready:
            return
        self._is_ready = True
        log.info(
            "ready%s%s: %s %s on Python %s, as %s in %s, with %s; invite: %s",
            self._group,
            ", without Valkey" if self._valkey is not None and self._valkey.is_away else "",
            NAME,
            version(NAME),
            platform.python_version(),
            client.user,
            counted(len(client.guilds), "server"),
            counted(self._open, "open table"),
            invite(client.application_id),
        )

    @contextmanager
    def stop(self, why: Callable[[], Exception | None]) -> Iterator[None]:
        """Log on leaving why a bot stops that was ready.

        `why`: for a block that ends by itself; None for SIGTERM.
        """
        reason, where = "interrupted", "resume after the next start"
        try:
            yield
            reason = str(error) if (error := why()) is not None else "SIGTERM"
            if isinstance(error, GroupLostError):
                where = "resume where it was started"
        except Exception as error:
            reason = one_line(error)
            raise
        finally:
            if self._is_ready:
                said = counted(self._open, "open table")
                log.info("stopping%s (%s): %s to %s", self._group, reason, said, where)

    @property
    def _open(self) -> int:
        return sum(table.session.phase not in ENDED for table in self._tables.index)

    def _table_changed(self, table: Table) -> None:
        """Log a match that is over, or was closed before. An arena has a line for all its own."""
        session = table.session
        if session.phase in ENDED and session.started_at and session.opened.arena is None:
            self._tell(str(table), _ending(session))

    def _arena_changed(self, arena: RunningArena) -> None:
        if arena.state.is_over:
            state = arena.state
            rounds = counted(len(state.results), "round")
            people = counted(len(state.members), "player")
            self._tell(str(arena), f"{state.opened.game} over after {rounds}, {people}")

    def _tell(self, name: str, said: str) -> None:
        if _key(name) not in self._told:
            self._told[_key(name)] = None
            log.info("%s: %s", name, said)
        if len(self._told) > KEPT:
            del self._told[next(iter(self._told))]


def _key(name: str) -> str:
    """Return the part of a name in the log that stays: a table moves to a thread."""
    return name.partition(" in ")[0]


def _ending(session: Session) -> str:
    robots = sum(not chair.human for chair in session.chairs)
    people = counted(len(session.chairs) - robots, "player")
    who = f"{people} and {counted(robots, 'robot')}" if robots else people
    played = f"after {counted(len(session.history), 'round')}, {who}"
    if session.phase is Phase.CLOSED:
        why = (session.closed or "").rpartition(".")[2]
        return f"{session.opened.game} closed {played} ({why})"
    return f"{session.opened.game} over {played}, {_won(session)}"


def _won(session: Session) -> str:
    if not session.winners:
        return "nobody won"
    most = counted(session.totals[session.winners[0]], "point")
    return f"won with {most}" if len(session.winners) == 1 else f"a draw at {most}"


def counted(number: int, noun: str) -> str:
    """Return a number with its noun: `1 server`, `2 servers`."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
