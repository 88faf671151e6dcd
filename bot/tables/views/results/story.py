"""The story of a match, told at its end: to everybody, and to each player what they did well."""

from collections.abc import Iterator, Mapping

from bot.games.values import Seat
from bot.screen import Look, Sentence
from bot.tables.decisions import highlights
from bot.tables.decisions.presence import Presence
from bot.tables.decisions.rated_or_practice import has_handicap
from bot.tables.state.events import CloseCall
from bot.tables.state.options import LEVEL, chosen
from bot.tables.state.session import Session
from bot.tables.views.lines import option_in_words, player, sentence
from bot.tables.views.results.records import Records
from bot.text import Icon, Number, Text, Value, Values, change, margin

AT_MOST = 3
"""The most lines of a story."""
NEAR = 5
"""The most points short of winning a round that are worth a word: more would sound like mockery."""


def story(session: Session, records: Records) -> tuple[Sentence, ...]:
    """Tell the match in a few lines, the rarest first. A record that has fallen is told above."""
    return tuple(_told(session, records))[:AT_MOST]


def _told(session: Session, records: Records) -> Iterator[Sentence]:
    fallen = records.fallen
    if "come_back" not in fallen and (back := highlights.come_back(session)) is not None:
        values = (
            ("icon", Icon("rise")),
            ("name", player(session, back.seat)),
            ("points", back.behind),
        )
        yield sentence("story.come_back", values)
    if "points" not in fallen:
        yield from _new_best(session, records)
    if "stop" not in fallen:
        yield from _new_stop(session, records)
    if "duel" not in fallen and (duel := highlights.closest_duel(session)) is not None:
        yield duel_line(session, duel)
    if "stop" not in fallen:
        yield from _fastest_stop(session, records)


def _new_best(session: Session, records: Records) -> Iterator[Sentence]:
    """Tell the personal best in points that was beaten by most."""
    bests = records.bests
    found = (_better(session, seat, before) for seat, before in bests.items())
    better = [one for one in found if one is not None]
    if better:
        best = max(better, key=lambda one: one.points - bests[one.seat])
        values = (("icon", Icon("best")), ("name", player(session, best.seat)))
        yield _personal(
            session, "story.best", "story.best_alone", (*values, ("points", change(best.points)))
        )


def _new_stop(session: Session, records: Records) -> Iterator[Sentence]:
    """Tell the personal best of a stop that was beaten by most."""
    faster = _faster(session, records)
    seat = max(faster, key=lambda seat: faster[seat], default=None)
    if seat is not None and (ms := highlights.own_stop(session, seat)) is not None:
        values = (("icon", Icon("fast")), ("name", player(session, seat)), ("time", seconds(ms)))
        yield _personal(session, "story.best_stop", "story.best_stop_alone", values)


def _fastest_stop(session: Session, records: Records) -> Iterator[Sentence]:
    """Tell the fastest stop of the match, unless the same one was told as a personal best."""
    stop = highlights.fastest_stop(session)
    if stop is not None and stop.seat not in _faster(session, records):
        named = (("icon", Icon("fast")), ("name", player(session, stop.seat)))
        yield sentence("story.stop", (*named, ("time", seconds(stop.lasted))))


def _faster(session: Session, records: Records) -> Mapping[Seat, int]:
    """Return who called a faster stop than ever before, by how many ms."""
    stops = records.stops
    found = {seat: highlights.own_stop(session, seat) for seat in stops}
    faster = {seat: stops[seat] - ms for seat, ms in found.items() if ms is not None}
    return {seat: by for seat, by in faster.items() if by > 0}


def _personal(session: Session, key: str, alone: str, values: Values) -> Sentence:
    """Tell a personal best. Alone, with the other key, it is one against robots of this level."""
    people = sum(chair.human for chair in session.chairs)
    if people > 1 or has_handicap(session.game.key, session.all_options, len(session.chairs)):
        return sentence(key, values)
    robots = option_in_words(LEVEL.key, chosen(session.options, LEVEL))
    return sentence(alone, (*values, ("robots", robots)))


def seconds(ms: int) -> Text:
    """Return a time as records have it, to the hundredth of a second: `41.23 s`."""
    return Text("records.seconds", (("seconds", Number(ms / 1000, 2)),))


def _better(session: Session, seat: Seat, before: int | None) -> highlights.BestRound | None:
    """Return the best round of a player, if it is better than all of theirs here before."""
    best = highlights.best_round(session, seat)
    return best if best is not None and before is not None and best.points > before else None


def duel_line(session: Session, duel: CloseCall, look: Look = Look.PLAIN) -> Sentence:
    """Say who beat whom to which place, and by how much."""
    values = (
        ("icon", Icon("duel")),
        ("card", Icon(duel.claim)),
        ("name", player(session, Seat(duel.first))),
        ("late", player(session, Seat(duel.late))),
        ("ms", margin(duel.ms)),
    )
    return sentence("story.duel", values, look)


def praise(session: Session, seat: Seat, presence: Presence) -> Sentence | None:
    """Tell a player the best thing about their match, the rarest first; None if they sat it out.

    A record of the server comes first, then a personal best: everybody hears of them.
    """
    return next(_praise(session, seat, presence), None)


def _praise(session: Session, seat: Seat, presence: Presence) -> Iterator[Sentence]:
    if (broken := presence.broken.get(seat)) is not None:
        yield _small("praise.server_record", what=broken)
    if (better := _better(session, seat, presence.bests.get(seat))) is not None:
        yield _small("praise.record", points=change(better.points))
    back, duel = highlights.come_back(session), highlights.closest_duel(session)
    if back is not None and back.seat == seat:
        yield _small("praise.come_back", points=back.behind)
    if duel is not None and duel.first == seat:
        yield _small("praise.duel", ms=margin(duel.ms))
    best, own = highlights.best_of_all(session), highlights.best_round(session, seat)
    if best is not None and best.seat == seat:
        yield _small("praise.best_of_all", points=change(best.points), round=best.number)
    stop = highlights.fastest_stop(session)
    if stop is not None and stop.seat == seat:
        yield _small("praise.stop", time=seconds(stop.lasted))
    near, several = highlights.nearest_round(session, seat), len(session.history) > 1
    if near is not None and near.points == 0 and several:
        yield _small("praise.won", round=near.number)
    if own is not None and own.points > 0 and several:
        yield _small("praise.best", points=change(own.points), round=own.number)
    if near is not None and 0 < near.points <= NEAR and several:
        yield _small("praise.near", n=near.points, round=near.number)


def clock(ms: int) -> str:
    """Return a length of time as a stopwatch shows it: `1:07`."""
    minutes, seconds = divmod(round(ms / 1000), 60)
    return f"{minutes}:{seconds:02}"


def _small(key: str, **values: Value) -> Sentence:
    return sentence(key, tuple(values.items()), Look.SMALL)
