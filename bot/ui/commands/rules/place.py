"""The place whose rules are told: a table, an arena, the daily, or none.

A button names it in one word, so that pages can be turned after a restart: `t12`, `a3`, `d`, `n`.
"""

import re

from bot.games import GAMES
from bot.games.contract import AnyGame
from bot.ids import ArenaId, ChannelId, GuildId, UserId
from bot.tables.arena.state import Arena
from bot.tables.arenas.arenas import Arenas
from bot.tables.registry.index import TableIndex
from bot.tables.running.table import Table
from bot.tables.state.journal import TableId
from bot.tables.state.options import defaults
from bot.tables.state.session import Phase, Session
from bot.tables.views.rules_in_short import Place, Terms, of_table
from bot.text import Name
from bot.ui.connection.responses import Interaction
from bot.ui.toolkit.command_router import NotOursError

NOWHERE, DAILY = "n", "d"
DAILY_SEATS = 3
_OPENED = re.compile(r"([ta])([0-9]{1,15})")


class RulesPlaces:
    """Finds tables and arenas for a reader, and what holds there."""

    def __init__(self, index: TableIndex, arenas: Arenas) -> None:
        self._index = index
        self._arenas = arenas

    def around(self, interaction: Interaction, game: AnyGame | None) -> tuple[str, AnyGame]:
        """Return the place to tell of, and its game. `game`: the one asked for, if one was.

        It is the table in play in this channel, else the reader's own, the arena here, or the last
        table here. Nowhere if none of them plays the game.
        """
        for place, played in self._near(interaction):
            if game in (None, played):
                return place, played
        return NOWHERE, game or next(iter(GAMES.values()))

    def _near(self, interaction: Interaction) -> list[tuple[str, AnyGame]]:
        channel = ChannelId(interaction.channel_id or 0)
        here, own, arena = self._index.at(channel), _own(self._index, interaction), None
        if (running := self._arenas.at(channel)) is not None:
            arena = (f"a{running.id}", GAMES[running.state.opened.game])
        in_play = here is not None and here.session.phase not in (Phase.OVER, Phase.CLOSED)
        last = _of(here)
        found = (last if in_play else None, _of(own), arena, last)
        return [one for one in found if one is not None]

    def terms(self, interaction: Interaction, place: str, game: AnyGame) -> Terms:
        """Return what holds at a place now; at one that is over and gone, what holds nowhere."""
        if place == DAILY:
            names = (Name(""),) * DAILY_SEATS
            return Terms(game, Place.DAILY, defaults(game), names)
        if place == NOWHERE:
            return Terms(game)
        if (opened := _OPENED.fullmatch(place)) is None:
            raise NotOursError(place)
        kind, number = opened[1], int(opened[2])
        if kind == "a":
            return self._in_arena(interaction, ArenaId(number), game)
        session = self._session(TableId(number), interaction)
        return of_table(session) if session is not None and session.game is game else Terms(game)

    def letters(self, interaction: Interaction, place: str) -> str:
        """Return the locale of the letters on the cards there, "" for the reader's own."""
        if (opened := _OPENED.fullmatch(place)) is None:
            return ""
        if opened[1] == "a":
            running = self._arenas.get(ArenaId(int(opened[2])))
            return "" if running is None else running.state.opened.locale
        session = self._session(TableId(int(opened[2])), interaction)
        return "" if session is None else session.opened.locale

    def _session(self, number: TableId, interaction: Interaction) -> Session | None:
        """Return a table of the reader's server, never one of another server."""
        table = self._index.get(number)
        if table is None or table.session.opened.guild != interaction.guild_id:
            return None
        return table.session

    def _in_arena(self, interaction: Interaction, number: ArenaId, game: AnyGame) -> Terms:
        running, own = self._arenas.get(number), _own(self._index, interaction)
        if running is None or not _is_of(running.state, interaction, game):
            return Terms(game)
        inside = own.session.opened.arena if own is not None else None
        if own is not None and inside is not None and inside.id == number:
            return of_table(own.session)
        options = {**defaults(game), **running.state.opened.options}
        return Terms(game, Place.ARENA, options)


def _own(index: TableIndex, interaction: Interaction) -> Table | None:
    """Return the table of this server at which the reader sits."""
    if interaction.guild_id is None:
        return None
    return index.elsewhere(GuildId(interaction.guild_id), UserId(interaction.user.id))


def _of(table: Table | None) -> tuple[str, AnyGame] | None:
    """Return the place of a table: in an arena it is the arena, which outlives its tables."""
    if table is None:
        return None
    inside = table.session.opened.arena
    place = f"t{table.id}" if inside is None else f"a{inside.id}"
    return place, table.session.game


def _is_of(arena: Arena, interaction: Interaction, game: AnyGame) -> bool:
    opened = arena.opened
    return opened.guild == interaction.guild_id and opened.game == game.key
