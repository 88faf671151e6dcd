"""Which rounds are rated, and where people finish in them: from events as the log has them."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import pytest

from bot.games.values import Reason
from bot.records.rated_rounds import RatedRound, StoredRound, of_log, of_stored

ABOVE, BELOW = [20, 7, -4], [-4, 7, 20]


def deal(*seats: int) -> dict[str, Any]:
    """To these of three."""
    return {"e": "deal", "seats": [{} if seat in seats else None for seat in range(3)]}


def press(*seats: int) -> list[dict[str, Any]]:
    """Every other one is refused."""
    return [{"e": ("move", "reject")[i % 2], "p": seat} for i, seat in enumerate(seats)]


def leave(seat: int) -> dict[str, Any]:
    return {"e": "leave", "p": seat}


def end(reason: str, scores: Sequence[int]) -> dict[str, Any]:
    return {"e": "end", "reason": reason, "scores": list(scores)}


def rated(
    *events: dict[str, Any] | list[dict[str, Any]],
    people: Iterable[bool] = (True,) * 3,
    agreed: Mapping[str, int] = {"rounds": 3},
) -> tuple[RatedRound, ...]:
    flat = [one for part in events for one in (part if isinstance(part, list) else [part])]
    computers = [seat for seat, person in enumerate(people) if not person]
    start = {"e": "start", "players": 3, "computers": computers, **agreed}
    return of_log([start, *flat, {"e": "match"}])


ALL = deal(0, 1, 2)


@pytest.mark.parametrize("reason", ["ligretto", "dice", "dead"])
def test_a_round_that_was_played_out_is_rated(reason: str) -> None:
    assert rated(ALL, press(0, 1, 2), end(reason, ABOVE)) == (RatedRound((1, 2, 3)),)


def test_a_round_that_was_agreed_to_end_is_not() -> None:
    assert rated(ALL, press(0, 1, 2), end("abort", ABOVE)) == ()


def test_equal_points_are_a_draw() -> None:
    assert rated(ALL, press(0, 1, 2), end("dead", [5, 9, 5])) == (RatedRound((2, 1, 2)),)


def test_leavers_are_last_whatever_they_made() -> None:
    """All of them together: to leave later gains nothing."""
    events = (ALL, press(0, 1, 2), leave(0), end("ligretto", ABOVE))
    assert rated(*events) == (RatedRound((3, 1, 2)),)
    (one,) = rated(ALL, press(0), leave(0), press(1), leave(1), end("ligretto", ABOVE))
    assert one == RatedRound((2, 2, 1), idle=(2,))


def test_who_is_left_alone_is_first() -> None:
    """The round is stopped then: with two people there is nobody to play with."""
    two = deal(0, 1)
    assert rated(two, press(1), leave(0), end("abort", ABOVE)) == (
        RatedRound((2, 1, None), idle=(0,)),
    )
    assert rated(ALL, press(1), leave(0), leave(2), end("abort", ABOVE)) == (
        RatedRound((2, 1, 2), idle=(0, 2)),
    )


def test_a_round_that_the_others_agreed_to_end_is_not_rated() -> None:
    assert rated(ALL, press(1), leave(0), end("abort", ABOVE)) == ()


def test_a_round_that_everybody_left_is_not_rated() -> None:
    events = (ALL, press(0, 1, 2), leave(0), leave(1), leave(2))
    assert rated(*events, end("abort", ABOVE)) == ()
    assert rated(*events, end("ligretto", ABOVE)) == (), "a computer player has ended it"


def test_leaving_between_rounds_changes_no_round() -> None:
    found = rated(ALL, press(0, 1, 2), end("dead", ABOVE), leave(0))
    assert found == (RatedRound((1, 2, 3)),)


def test_who_leaves_before_the_first_press_is_not_in_the_round() -> None:
    found = rated(ALL, leave(0), press(1, 2), end("dead", ABOVE))
    assert found == (RatedRound((None, 1, 2)),)
    assert rated(deal(0, 1), leave(0), end("abort", ABOVE)) == ()


def test_a_round_in_which_nobody_pressed_is_not_rated() -> None:
    assert rated(ALL, end("dead", ABOVE)) == ()


def test_who_sits_out_is_not_rated() -> None:
    found = rated(deal(0, 2), press(0, 2), end("dead", BELOW))
    assert found == (RatedRound((2, None, 1)),)


def test_computer_players_are_not_rated() -> None:
    found = rated(ALL, press(0, 1, 2), end("dead", BELOW), people=(True, False, True))
    assert found == (RatedRound((2, None, 1)),)
    assert rated(ALL, press(0, 1, 2), end("dead", BELOW), people=(True, False, False)) == ()


def test_an_old_log_is_told_who_the_people_are() -> None:
    """It does not say which seats are computers, so it alone rates nobody."""
    start = {"e": "start", "players": 3, "rounds": 3}
    events = [start, ALL, *press(0, 1, 2), end("dead", BELOW), {"e": "match"}]
    assert of_log(events, [True, False, True]) == (RatedRound((2, None, 1)),)
    with pytest.raises(ValueError, match="computers"):
        of_log(events)


def test_a_log_that_names_its_computers_needs_nobody_to_tell() -> None:
    start = {"e": "start", "players": 3, "rounds": 3, "computers": [1]}
    events = [start, ALL, *press(0, 1, 2), end("dead", BELOW), {"e": "match"}]
    assert of_log(events, [True] * 3) == (RatedRound((2, None, 1)),)


def test_who_presses_nothing_is_idle_and_a_refused_press_is_one() -> None:
    found = rated(ALL, press(0, 1), end("dead", ABOVE))
    assert found == (RatedRound((1, 2, 3), idle=(2,)),)


def test_presses_count_for_their_own_round() -> None:
    found = rated(ALL, press(0, 1, 2), end("dead", ABOVE), ALL, press(0), end("dead", ABOVE))
    assert [one.idle for one in found] == [(), (1, 2)]


def test_a_match_that_was_agreed_to_be_short_is_practice() -> None:
    events = (ALL, press(0, 1, 2), end("dead", ABOVE))
    assert rated(*events, agreed={"rounds": 2}) == ()
    assert rated(*events, agreed={"target": 50}) == (RatedRound((1, 2, 3)),)


def test_without_a_log_a_leaver_is_last_in_the_last_round_stored() -> None:
    """Also if that was between two rounds: it is not known."""
    rounds = [
        StoredRound(Reason.DEAD, [20, 7, -4], [5, 5, 5]),
        StoredRound(Reason.ABORT, [20, 7, -4], [5, 5, 5]),
        StoredRound(Reason.LIGRETTO, [20, 7, None], [5, 5, None]),
        StoredRound(Reason.LIGRETTO, [7, 7, None], [5, 0, None]),
    ]
    assert of_stored(rounds, [True] * 3, [True, False, True], 3) == (
        RatedRound((1, 2, 3)),
        RatedRound((1, 2, None)),
        RatedRound((2, 1, None), idle=(1,)),
    )
    assert of_stored(rounds, [True] * 3, [False, False, True], None)[0] == RatedRound((1, 2, 3))
    assert of_stored([], [True] * 2, [True, False], 3) == ()
    assert of_stored(rounds, [True] * 3, [False] * 3, 2) == ()
