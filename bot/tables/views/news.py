"""The news of a round, as one player and as everybody at the table hears them.

A duel and an alarm hold their line for `HELD_MS`, a departure for `GONE_MS`. No picture is sent
only because that is over: the next change shows what comes after it.
"""

from functools import cache, lru_cache

from bot.games.contract import AnyGame
from bot.games.values import Seat
from bot.screen import Line, Look, Sentence
from bot.tables.state.session import Session
from bot.tables.state.session_values import Alarm, LostRace, News
from bot.tables.views.lines import has_left, sentence
from bot.tables.views.short_names import short, short_name
from bot.text import Icon, Joined, Text, Values, margin

HELD_MS = 3000
"""Milliseconds for which a duel or an alarm stays before other news."""
GONE_MS = 10_000
"""Milliseconds for which a departure is told before plays: panels may be pushed seconds late."""
ON_PANEL = 2
"""The latest plays of others that a panel names."""
KEPT = 4096
"""Lines in each cache: the panels of a table share them."""
ON_TABLE = 3
"""The latest plays that the second line of the table's news names."""


def panel_news(session: Session, seat: Seat, now: int) -> Line:
    """Draw what the others did. It always has an icon, so that its height is always the same.

    `now`: ms of the table's life.
    """
    if (held := _held_on_panel(session, seat, now)) is not None:
        return held
    plays = [(one.seat, one.claim) for one in session.news if one.seat != seat][-ON_PANEL:]
    return plays_line(tuple(plays), session.names) if plays else opening(session.game)


def _held_on_panel(session: Session, seat: Seat, now: int) -> Line | None:
    """Return the departure, duel or alarm that a player still hears of, or None."""
    for race in reversed(session.lost_races):
        if _concerns(race, seat) and _holds(race, now):
            return _own_race(session, race, seat)
    alarm = next((one for one in reversed(session.alarms) if one.seat != seat), None)
    if alarm is not None and _holds(alarm, now):
        return _alarm("panel.alarm", alarm, session.names, Look.SMALL)
    return _departure(session, now, Look.SMALL)


def table_news(session: Session, now: int) -> tuple[Line, ...]:
    """Draw two lines: what stands out now, and the latest plays. `now`: ms of the table's life."""
    duel = next((one for one in reversed(session.lost_races) if one.is_duel), None)
    if duel is not None and _holds(duel, now):
        return _duel(session, duel), _latest(session, session.news)
    alarm = session.alarms[-1] if session.alarms else None
    if alarm is not None and _holds(alarm, now):
        first = _alarm("table.alarm", alarm, session.names, Look.PLAIN)
        return first, _latest(session, session.news)
    if (gone := _departure(session, now)) is not None:
        return gone, _latest(session, session.news)
    if not session.news:
        return sentence("table.live"), opening(session.game)
    newest = session.news[-1]
    return _now(session, newest), _latest(session, session.news[:-1])


def _departure(session: Session, now: int, look: Look = Look.PLAIN) -> Sentence | None:
    """Say who has just left; None if nobody has."""
    last = session.departures[-1] if session.departures else None
    if last is None or now - last.at >= GONE_MS:
        return None
    return Sentence(has_left(session, last.seat), look)


def _holds(one: LostRace | Alarm, now: int) -> bool:
    return now - one.at < HELD_MS


def _concerns(race: LostRace, seat: Seat) -> bool:
    """Return whether a player hears of a race: the loser of any, the winner of a close one."""
    return race.loser == seat or (race.winner == seat and race.is_duel)


def _own_race(session: Session, race: LostRace, seat: Seat) -> Sentence:
    won = race.winner == seat
    other = race.loser if won else race.winner
    values: Values = (
        ("name", short_name(session, other)),
        ("ms", margin(race.ms)),
        ("card", Icon(race.claim)),
    )
    return sentence("panel.duel_won" if won else "panel.duel_lost", values, Look.SMALL)


def _duel(session: Session, race: LostRace) -> Sentence:
    values: Values = (
        ("card", Icon(race.claim)),
        ("winner", short_name(session, race.winner)),
        ("loser", short_name(session, race.loser)),
        ("ms", margin(race.ms)),
    )
    return sentence("table.duel", values)


@lru_cache(KEPT)
def _alarm(key: str, alarm: Alarm, names: tuple[str, ...], look: Look) -> Sentence:
    """Say that a player is about to finish: every panel of the table does, for a while."""
    card = Icon(alarm.claim or "pile")
    values = (("n", alarm.left), ("name", short(names)[alarm.seat]), ("card", card))
    return sentence(key, values, look)


def _latest(session: Session, news: tuple[News, ...]) -> Sentence:
    if not news:
        return opening(session.game)
    plays = tuple((one.seat, one.claim) for one in news[-ON_TABLE:])
    return plays_line(plays, session.names)


@lru_cache(KEPT)
def plays_line(plays: tuple[tuple[Seat, str], ...], names: tuple[str, ...]) -> Sentence:
    """Name plays, the newest first; in plain text that one alone, so that its line stays one."""
    texts = tuple(
        Text("table.laid", (("name", short(names)[seat]), ("card", Icon(claim))))
        for seat, claim in reversed(plays)
    )
    said: Values = (("plays", Joined(texts, between=" · ")), ("newest", texts[0]))
    return sentence("table.plays", said, Look.SMALL)


def _now(session: Session, one: News) -> Sentence:
    """Name the newest play, which stands out."""
    return _laid_now(one.seat, one.claim, session.names)


@lru_cache(KEPT)
def _laid_now(seat: Seat, claim: str, names: tuple[str, ...]) -> Sentence:
    return sentence("table.laid_now", (("name", short(names)[seat]), ("card", Icon(claim))))


@cache
def opening(game: AnyGame) -> Sentence:
    """Say what comes first, while nobody has played. One card alone would look like a must."""
    first = Joined(tuple(map(Icon, game.openers)), between=" ")
    return sentence(f"{game.key}.opening", (("cards", first),), Look.SMALL)
