"""The answer to the "Fair deal?" button: the commitment, the public part, and the revealed seed."""

from collections.abc import Sequence

from bot.i18n import say
from bot.ids import GuildId
from bot.records.match_log import events
from bot.screen import Line, Look, Screen, Words
from bot.tables.decisions.rated_or_practice import Standing
from bot.tables.registry.registry import Tables
from bot.tables.state import match_seed
from bot.tables.state.journal import TableId
from bot.tables.state.session import Phase, Session
from bot.tables.views.lines import readable, sentence, short_promise
from bot.text import Text
from bot.ui.connection.responses import Interaction, private
from bot.ui.toolkit.command_answers import guild_of
from bot.ui.toolkit.command_router import CommandRouter
from bot.ui.toolkit.custom_id_words import exactly, number
from bot.ui.toolkit.screen_replies import show

SUBJECT = "fair"
GONE = Text("replay.gone")


class Fairness:
    """The "Fair deal?" button. It answers anybody in the server privately.

    The secret is revealed only once the match is over.
    """

    def __init__(self, router: CommandRouter) -> None:
        self._archive = router.archive
        self._tables = router.tables
        router.on_press(SUBJECT, self._press)

    async def _press(self, interaction: Interaction, words: Sequence[str]) -> None:
        (asked,) = exactly(words, 1)
        guild, table = guild_of(interaction), TableId(number(asked))
        told = playing(self._tables, guild, table) or await self._over(guild, table)
        if isinstance(told, Screen):
            await show(interaction, told, str(interaction.locale))
        else:
            await private(interaction, told)

    async def _over(self, guild: GuildId, table: TableId) -> Screen | Text:
        """Draw a match that is over, or say why nothing is left to check."""
        details = await self._archive.match_of_table(guild, table)
        if details is None:
            return GONE
        match, nameless = details.match, say(Text("records.nameless"), "")
        log = await self._archive.match_log(guild, match.number, nameless)
        is_shown = match.standing is not Standing.DROPPED
        if log is not None:
            return over(log, has_replay=is_shown)
        return Text("replay.no_log", (("number", match.number),)) if is_shown else GONE


def playing(tables: Tables, guild: GuildId, table: TableId) -> Screen | None:
    """Draw what is public before the end; None for a match that is over, or another server's."""
    found = tables.index.get(table)
    if found is None or found.session.opened.guild != guild:
        return None
    session = found.session
    return None if session.phase in (Phase.OVER, Phase.CLOSED) else promised(session)


def promised(session: Session) -> Screen:
    """Draw the commitment of a lobby or a running match."""
    lines = [*_promise(match_seed.promise(session)), *_public(session)]
    return _screen([*lines, sentence("fair.wait", look=Look.SMALL)])


def over(log: str, *, has_replay: bool = True) -> Screen:
    """Draw all that is needed to deal the cards of a finished match again, from its log.

    `has_replay`: whether players can download the log, so that its digest is worth showing.
    """
    start, *_, match = events(log)
    told: list[Line] = [*_promise(start.get("promise", start["commit"]))]
    if (public := start.get("public")) is not None:
        told += _mixed_in(public, start.get("postings", 0), in_lobby=start.get("lobby", False))
    if (secret := match.get("secret")) is not None:
        told.append(sentence("fair.secret", (("secret", f"`{secret}`"),)))
    told.append(sentence("fair.seed", (("seed", f"`{match['seed']}`"),)))
    if has_replay and (digest := match.get("digest")) is not None:
        told.append(sentence("fair.digest", (("hash", readable(digest)),)))
    return _screen(told)


def _screen(lines: Sequence[Line]) -> Screen:
    return Screen((Words((sentence("button.fair", look=Look.HEAD), *lines)),))


def _promise(promise: str) -> tuple[Line, ...]:
    values = (("hash", f"`{promise}`"), ("promise", f"`{short_promise(promise)}`"))
    return (sentence("fair.promise", values), sentence("fair.short", values, Look.SMALL))


def _public(session: Session) -> tuple[Line, ...]:
    if (public := match_seed.public(session)) is not None:
        return _mixed_in(public, session.postings, in_lobby=match_seed.is_of_lobby(session))
    return () if session.seed else (sentence("fair.later"),)


def _mixed_in(public: str, postings: int, *, in_lobby: bool) -> tuple[Line, ...]:
    """Name the message in the seed, and warn if people may have seen others before the deal."""
    key = "fair.lobby" if in_lobby else "fair.public"
    line = sentence(key, (("public", f"`{public}`"),))
    return (line, sentence("fair.postings", (("n", postings),))) if postings > 1 else (line,)
