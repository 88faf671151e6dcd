"""The rules of the badges: functions of a match as its log tells it, and of a seat.

Only whole rounds earn any: those that two people were in from the deal to the end.

Limits were set by simulated matches, so that players of one strength seldom reach them.
"""

from collections.abc import Iterator, Sequence
from itertools import groupby

from bot.records.badges.log_rounds import LoggedMatch, LoggedMove, LoggedRound

ENOUGH_ROUNDS = 3
LED_ROUNDS = 5
BEHIND, BEHIND_IN_DICE = 20, 10
CROWD = 6
BLINK_MS = 10
DUELS = 5
FEW_SEATS = 4
FLASH_MS = 45_000
LANDSLIDE = 30
OTHERS = 2
TENS = 3
COLOURS = 4
IN_A_ROW = 6
LUCKY = 6
SPRINT_DICE, SPRINT_MS = 4, 4_000
FEW_ROLLS = 4


def sweep(match: LoggedMatch, seat: int) -> bool:
    rounds = match.rounds
    return (
        match.won(seat)
        and len(match.whole) >= ENOUGH_ROUNDS
        and all(one.scores[seat] > max(one.others(seat)) for one in rounds)
    )


def hat_trick(match: LoggedMatch, seat: int) -> bool:
    runs = groupby(match.rounds, lambda one: match.is_whole(one) and one.stopped_by(seat))
    return any(own and len([*rounds]) >= ENOUGH_ROUNDS for own, rounds in runs)


def last_stop(match: LoggedMatch, seat: int) -> bool:
    if not match.won(seat) or len(match.whole) < ENOUGH_ROUNDS:
        return False
    before, last = match.totals()[-2], match.rounds[-1]
    return match.is_whole(last) and last.stopped_by(seat) and before[seat] < max(before)


def come_back(match: LoggedMatch, seat: int) -> bool:
    stayed = [other for other in range(len(match.people)) if other not in match.left]
    behind = (
        max(totals[s] for s in stayed) - totals[seat]
        for one, totals in zip(match.rounds, match.totals(), strict=True)
        if match.is_whole(one)
    )
    least = BEHIND_IN_DICE if match.game == "dice" else BEHIND
    return match.won(seat) and max(behind, default=0) >= least


def leader(match: LoggedMatch, seat: int) -> bool:
    totals = match.totals()
    return (
        match.won(seat)
        and len(match.whole) >= LED_ROUNDS
        and all(_leads(one, seat) for one in totals)
    )


def _leads(totals: Sequence[int], seat: int) -> bool:
    return all(points < totals[seat] for other, points in enumerate(totals) if other != seat)


def crowd(match: LoggedMatch, seat: int) -> bool:
    stayed = sum(match.people) - sum(match.people[seat] for seat in match.left)
    return match.won(seat) and len(match.whole) >= ENOUGH_ROUNDS and stayed >= CROWD


def flawless(match: LoggedMatch, seat: int) -> bool:
    return (
        match.won(seat)
        and len(match.whole) >= ENOUGH_ROUNDS
        and not any(one.refused[seat] for one in match.rounds)
    )


def _duels_won(match: LoggedMatch, one: LoggedRound, seat: int) -> list[int]:
    """Return the margins in ms by which a seat was first before another person."""
    return [ms for first, late, ms in one.duels if first == seat and match.people[late]]


def blink(match: LoggedMatch, seat: int) -> bool:
    return any(ms <= BLINK_MS for one in match.whole for ms in _duels_won(match, one, seat))


def duellist(match: LoggedMatch, seat: int) -> bool:
    return any(len(_duels_won(match, one, seat)) >= DUELS for one in match.whole)


def unbeaten(match: LoggedMatch, seat: int) -> bool:
    won = sum(len(_duels_won(match, one, seat)) for one in match.whole)
    lost = any(late == seat for one in match.rounds for _, late, _ in one.duels)
    return won >= DUELS and not lost


def _stops(match: LoggedMatch, seat: int) -> Iterator[LoggedRound]:
    """Yield the rounds at a table of four or fewer that a seat has ended."""
    return (one for one in match.whole if one.stopped_by(seat) and sum(one.dealt) <= FEW_SEATS)


def flash(match: LoggedMatch, seat: int) -> bool:
    return any(one.lasted is not None and one.lasted <= FLASH_MS for one in _stops(match, seat))


def landslide(match: LoggedMatch, seat: int) -> bool:
    return any(one.scores[seat] >= LANDSLIDE for one in match.whole)


def shutout(match: LoggedMatch, seat: int) -> bool:
    return any(
        one.stopped_by(seat) and len(one.others(seat)) >= OTHERS and max(one.others(seat)) <= 0
        for one in match.whole
    )


def _tens(one: LoggedRound, seat: int) -> list[str]:
    """Return the tens that a seat has put on piles, which no other card fits any more."""
    return [
        move.card for move in one.of(seat) if move.is_laid and _number(move) == "10" and move.card
    ]


def _number(move: LoggedMove) -> str | None:
    return move.card[1:] if move.card else None


def summit(match: LoggedMatch, seat: int) -> bool:
    return any(len(_tens(one, seat)) >= TENS for one in match.whole)


def rainbow(match: LoggedMatch, seat: int) -> bool:
    return len({card[0] for one in match.whole for card in _tens(one, seat)}) == COLOURS


def chain(match: LoggedMatch, seat: int) -> bool:
    for one in match.whole:
        laid = groupby(move.seat for move in one.moves if move.is_laid)
        if sum(one.dealt) > OTHERS and any(
            who == seat and len([*run]) >= IN_A_ROW for who, run in laid
        ):
            return True
    return False


def one_pass(match: LoggedMatch, seat: int) -> bool:
    return any(all(move.kind != "recycle" for move in one.of(seat)) for one in _stops(match, seat))


def lucky_roll(match: LoggedMatch, seat: int) -> bool:
    for one in match.whole:
        rolls = groupby(move.kind for move in one.of(seat))
        if any(kind == "place" and len([*run]) >= LUCKY for kind, run in rolls):
            return True
    return False


def sprint(match: LoggedMatch, seat: int) -> bool:
    for one in match.whole:
        times = [move.t for move in one.of(seat) if move.is_laid]
        ends = zip(times, times[SPRINT_DICE - 1 :], strict=False)
        if any(last - first <= SPRINT_MS for first, last in ends):
            return True
    return False


def few_rolls(match: LoggedMatch, seat: int) -> bool:
    return any(
        sum(move.kind == "reroll" for move in one.of(seat)) <= FEW_ROLLS
        for one in _stops(match, seat)
    )


def master(match: LoggedMatch, seat: int) -> bool:
    is_fair = not match.is_uneven and not match.is_cut_short
    return (
        match.won(seat)
        and match.level == "master"
        and is_fair
        and len(match.whole) >= ENOUGH_ROUNDS
    )
