"""Screens of played matches: a page of them, and one match with its rounds."""

from collections.abc import Iterator, Sequence

from bot.records.models import History, MatchDetails, PlayedMatch, PlayedSeat
from bot.records.results import RoundRecord
from bot.screen import Choice, Line, Look, Row, Screen, Words, rows_of
from bot.tables.decisions.rated_or_practice import Standing
from bot.tables.views.lines import left, sentence
from bot.tables.views.results.ended import mark
from bot.tables.views.results.standings import in_a_line, medal
from bot.text import Icon, Joined, Name, Text, Value, Values, change, points
from bot.ui.toolkit.command_router import custom_id
from bot.ui.toolkit.player_names import Names
from bot.ui.toolkit.screen_replies import paging

ROUNDS = 5
"""Rounds per page."""


def history_id(page: int) -> str:
    return custom_id("history", page)


def match_id(number: int, page: int, back: int) -> str:
    """Return the custom id that opens a match.

    `page`: the page of its rounds; `back`: the page of the history to return to.
    """
    return custom_id("match", number, page, back)


def replay_id(number: int) -> str:
    return custom_id("replay", number)


def watch_id(number: int) -> str:
    """Return the custom id that shows a match's most dramatic round as a moving picture."""
    return custom_id("rounds", number)


def watch_button(match: PlayedMatch) -> Choice:
    return Choice(Text("button.watch"), watch_id(match.number), off=not match.has_log)


def history_screen(history: History, details: Sequence[MatchDetails], names: Names) -> Screen:
    """Draw a page of the history. `details`: those of the page's matches, in its order."""
    title = sentence("history.title", look=Look.TITLE)
    if not details:
        return Screen((Words((title, sentence("history.empty"))),))
    lines: list[Line] = [title]
    for one in details:
        lines += in_short(one, names)
    if history.pages > 1:
        where = (("page", history.page + 1), ("pages", history.pages))
        lines.append(sentence("records.page", where, Look.SMALL))
    openers = tuple(
        Choice(Text("button.match", (("number", m.number),)), match_id(m.number, 0, history.page))
        for m in history.matches
    )
    return Screen(
        (Words(tuple(lines)), *rows_of(openers), *paging(history.page, history.pages, history_id))
    )


def in_short(details: MatchDetails, names: Names) -> tuple[Line, ...]:
    """Return a match as a page of the history shows it: number, day, game, rounds, winners."""
    match = details.match
    values: Values = (
        ("number", match.number),
        ("when", f"<t:{match.ended // 1000}:d>"),
        ("game", Text(f"game.{match.game}")),
        ("rounds", Text("option.rounds", (("n", len(details.rounds)),))),
    )
    return (sentence("history.match", values), *_winners(details, names), *_mark(details))


def _winners(details: MatchDetails, names: Names) -> tuple[Line, ...]:
    """Say who has won with how many points, and why if others had no fewer; nothing of nobody."""
    seats = details.match.seats
    winners = [seat for seat in seats if seat.won]
    if not winners:
        return ()
    told: tuple[Value, ...] = tuple(seat_name(seat, names) for seat in winners)
    values: Values = (
        ("names", Joined(told, sentence=True)),
        ("points", change(winners[0].points)),
        ("n", len(winners)),
    )
    ahead = [s for s in seats if s.left and not s.won and s.points >= winners[0].points]
    if ahead:
        gone = left(tuple(seat_name(seat, names) for seat in ahead))
        return (sentence("history.won_left", (*values, *gone)),)
    return (sentence("history.won", (("crown", Icon("crown")), *values)),)


def _mark(details: MatchDetails) -> tuple[Line, ...]:
    """Say why nobody has won and why a match isn't rated, in the words of its final score."""
    match = details.match
    nobody = () if _is_won(match) else (sentence("history.nobody", look=Look.SMALL),)
    if match.standing is Standing.VOID:
        return (*nobody, sentence("history.void", look=Look.SMALL))
    return (*nobody, *mark(match.unranked, forfeited=match.forfeited))


def _is_won(match: PlayedMatch) -> bool:
    """Return whether anybody has won. Nobody wins a match that everybody was away from."""
    return any(seat.won for seat in match.seats)


def match_screen(details: MatchDetails, page: int, back: int, names: Names) -> Screen:
    """Draw one match: places, totals, and `ROUNDS` of its rounds. `page` is clamped."""
    match = details.match
    pages = max(1, -(-len(details.rounds) // ROUNDS))
    page = min(page, pages - 1)
    first = page * ROUNDS
    rounds = details.rounds[first : first + ROUNDS]
    values: Values = (
        ("game", Text(f"game.{match.game}")),
        ("when", f"<t:{match.ended // 1000}:f>"),
        ("n", max(1, round((match.ended - match.began) / 60_000))),
    )
    lines: list[Line] = [
        sentence("history.one", (("number", match.number),), Look.TITLE),
        sentence("history.played", values, Look.SMALL),
        *_mark(details),
        *_standings(match, names),
    ]
    for number, one in enumerate(rounds, first + 1):
        lines += (_ended(match, one, number, names), *_scored(match, one, names))
    lines += changes(match, names)
    turn = paging(page, pages, lambda other: match_id(match.number, other, back))
    ways = (
        Choice(Text("button.back"), history_id(back)),
        Choice(Text("button.replay"), replay_id(match.number), off=not match.has_log),
        watch_button(match),
    )
    return Screen((Words(tuple(lines)), *turn, Row(ways)))


def _standings(match: PlayedMatch, names: Names) -> Iterator[Line]:
    """Draw the players in the order of their places."""
    for seat in sorted(match.seats, key=lambda seat: seat.place):
        yield _standing(seat, names, is_won=_is_won(match))


def _standing(seat: PlayedSeat, names: Names, *, is_won: bool) -> Line:
    """Draw a player's line as at the end of the match: `🥇 **Anna** 40`."""
    values: Values = (
        ("place", medal(seat.place, is_won=is_won)),
        ("name", seat_name(seat, names)),
        ("total", points(seat.points)),
        ("n", abs(seat.points)),
        ("stop", Icon("flag") if seat.left else ""),
    )
    return sentence("end.line", values)


def _scored(match: PlayedMatch, one: RoundRecord, names: Names) -> tuple[Line, ...]:
    """Draw what each player who was in a round got of it, the most first."""
    both = zip(match.seats, one.plus, one.minus, strict=True)
    got = [(seat, up - down) for seat, up, down in both if up is not None and down is not None]
    parts = (
        Text("history.scored", (("name", seat_name(seat, names)), ("points", change(scored))))
        for seat, scored in sorted(got, key=lambda one: -one[1])
    )
    return in_a_line(tuple(parts))


def _ended(match: PlayedMatch, one: RoundRecord, number: int, names: Names) -> Line:
    """Return the line that says how a round ended and how long it took."""
    values: Values = (("stop", Icon("stop")),)
    if one.by is not None:
        values = (*values, ("name", seat_name(match.seats[one.by], names)))
    stopped = one.reason.is_stop and one.by is not None
    how = Text(f"{match.game}.stop" if stopped else f"score.{one.reason.value}", values)
    told = (("number", number), ("how", how), ("seconds", round(one.lasted / 1000)))
    return sentence("history.round", told, Look.SMALL)


def changes(match: PlayedMatch, names: Names) -> tuple[Line, ...]:
    """Return the line of rating changes, winner first; none if no rating has changed."""
    told = tuple(
        Text(
            "rating.change",
            (
                ("name", seat_name(seat, names)),
                ("before", seat.rating.points - seat.change),
                ("after", str(seat.rating)),
                ("change", change(seat.change)),
            ),
        )
        for seat in sorted(match.seats, key=lambda seat: seat.place)
        if seat.rating is not None and seat.change is not None
    )
    if not told:
        return ()
    return (sentence("rating.changes", (("changes", Joined(told, whole=True)),), Look.SMALL),)


def seat_name(seat: PlayedSeat, names: Names, width: int = 16) -> Name:
    """Return who sat there: a person's current name, or a robot's."""
    if seat.person is None:
        return Name(seat.name or "", width)
    return names.of(seat.person, width)
