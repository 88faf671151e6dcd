"""The steps of a watched round: they are what the referee of logs finds on the table."""

from collections.abc import Iterator

import pytest

from bot.watch.rounds.facts import facts
from bot.watch.rounds.in_play import Line, UnknownGameError
from bot.watch.rounds.reading import read, rounds
from bot.watch.rounds.values import Happening, RoundState, WatchedRound
from tests.watch.kinds import KINDS, any_log
from tests.watch.logs import Ended, Seen, random_log, refereed


def shown(state: RoundState) -> Seen:
    seats = state.seats
    return Seen(
        tuple(f"{pile.colour}{len(pile.owners)}" for pile in state.piles),
        tuple(None if seat is None else seat.row for seat in seats),
        tuple(None if seat is None else seat.left for seat in seats),
        frozenset(p for p, seat in enumerate(seats) if seat is not None and seat.gone),
    )


def each_once(round_: WatchedRound) -> Iterator[Seen]:
    before = None
    for step in round_.steps:
        now = shown(step.state)
        if now != before:
            yield now
        before = now


def hold(watched: WatchedRound, ended: Ended) -> None:
    assert tuple(each_once(watched)) == ended.seen
    duels = [(one.seat, one.loser, one.margin) for one in watched.duels]
    assert tuple(duels) == ended.duels
    end = ended.end
    assert (watched.reason, watched.by) == (end["reason"], end["by"])
    assert list(watched.scores) == end["scores"]
    assert watched.lasted == end.get("lasted", watched.lasted)
    times = [step.at for step in watched.steps]
    assert times == sorted(times)
    assert (times[0], times[-1]) == (0, watched.lasted)
    assert watched.steps[-1].kind is Happening.END


def hold_log(text: str) -> list[WatchedRound]:
    """Hold every round of a log against the referee. Raises AssertionError."""
    found = list(rounds(read(text)))
    for watched, ended in zip(found, refereed(text), strict=True):
        hold(watched, ended)
    assert [facts(one) for one in rounds(read(text), moved=False)] == [facts(one) for one in found]
    return found


@pytest.mark.parametrize("first", range(0, 24, 6))
async def test_moments_are_the_states_of_the_referee(first: int) -> None:
    for seed in range(first, first + 6):
        hold_log(await random_log(seed))


async def test_arenas_and_dailies_and_what_dies_are_watched_as_well() -> None:
    """Logs of every kind, and each way in which a round can end."""
    kinds, ends = set(), set()
    for seed in range(20):
        kind, text = await any_log(seed)
        kinds.add(kind)
        ends |= {(one.game, one.reason, one.by is None) for one in hold_log(text)}
    assert kinds == {*KINDS}
    assert ends >= {("cards", "dead", True), ("cards", "ligretto", False), ("dice", "dice", False)}
    assert "abort" in {reason for _, reason, _ in ends}


def test_the_clock_begins_with_the_round() -> None:
    """Before that there is a count, which `lasted` leaves out; without `lasted` it is unknown."""
    seat = {"row": ["R1"], "ligretto": ["R2", "R3"], "hand": []}
    deal = {"e": "deal", "t": 0, "seats": [seat, seat]}
    move = {"e": "move", "t": 4_500, "p": 0, "m": ["play", "row0", "new"], "card": "R1"}
    end = {"e": "end", "t": 9_000, "reason": "abort", "by": None, "scores": [1, 0]}

    def times(end: Line) -> list[int]:
        (found,) = rounds([{"e": "start", "game": "cards"}, deal, move, end])
        return [step.at for step in found.steps]

    assert times({**end, "lasted": 6_000}) == [0, 1_500, 6_000]
    assert times(end) == [0, 4_500, 9_000]
    paused = times({**end, "lasted": 1_000})
    assert paused == [0, 0, 1_000], "nothing was played in the count, so the rest was a pause"


def test_another_game_has_no_picture() -> None:
    deal = {"e": "deal", "t": 0}
    with pytest.raises(UnknownGameError):
        rounds([{"e": "start", "game": "chess"}, deal, {"e": "end", "t": 1}])
