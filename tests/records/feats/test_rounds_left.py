"""A round that fewer than two people were in to its end earns nothing: no record, best or badge."""

import json
import zlib
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from bot.clock import SystemClock
from bot.games.values import Reason
from bot.records.badges.badges import Badge
from bot.records.feat_models import Feat
from bot.records.feats import Seated, SeatFeats, feats
from bot.records.results import Duel, MatchResult, RoundRecord
from bot.store.feats.backfill import FeatsBackfill
from bot.tables.state.session import Phase
from tests.records.feats.test_badges import DUELS, Line, Lines, earned, late, rounds
from tests.records.feats.test_badges import play as plays
from tests.records.played import PlayedMatches
from tests.store.conftest import Store
from tests.store.matches import ANNA, BEN, CHLOE, GUILD, match, play

MINUTE = 60_000
FEATS = "SELECT seat, points, stop, duel, come_back FROM feats ORDER BY seat"


def one_round(reason: Reason = Reason.LIGRETTO, gone: Sequence[int] = ()) -> RoundRecord:
    """The first seat stops it, 30 points to 5 to 7, and is 5 ms before the second once."""
    by = 0 if reason.is_stop else None
    lists = (30, 5, 7), (0, 0, 0), (20, 10, 10)
    return RoundRecord(reason, by, MINUTE, *lists, (Duel(0, 1, 5),), tuple(gone))


def seats(who: str, left: Sequence[int] = ()) -> list[Seated]:
    """Seats of people (p) and robots (r)."""
    return [
        Seated(one == "p", seat in left, won=seat == 0, place=1 + seat, points=0)
        for seat, one in enumerate(who)
    ]


NOTHING = SeatFeats(0, won=True)
ALL = SeatFeats(0, won=True, points=30, stop=MINUTE, duel=5)


@pytest.mark.parametrize(
    ("one", "who", "own"),
    [
        (one_round(), seats("ppp"), ALL),
        (one_round(), seats("ppp", left=[1, 2]), ALL),
        (one_round(gone=[1]), seats("ppp", left=[1]), ALL),
        (one_round(gone=[1, 2]), seats("ppp", left=[1, 2]), NOTHING),
        (one_round(Reason.ABORT, [1, 2]), seats("ppp", left=[1, 2]), NOTHING),
        (one_round(gone=[1]), seats("ppr", left=[1]), NOTHING),
        (one_round(gone=[2]), seats("prr", left=[2]), replace(ALL, duel=None)),
    ],
    ids=[
        "all stayed",
        "left after it",
        "one of three",
        "all others",
        "stopped",
        "a robot",
        "alone",
    ],
)
def test_a_round_counts_with_two_people_to_its_end(
    one: RoundRecord, who: Sequence[Seated], own: SeatFeats
) -> None:
    """Stop, best round and duel; somebody alone has nobody to wait for."""
    assert feats([one], who)[0] == own


def test_being_behind_a_robot_is_no_comeback_once_the_others_have_left() -> None:
    """Anna loses to a robot as she likes: Ben has pressed once and left."""
    lists = [((0, 0, 40), [1]), ((50, 0, 0), [])]
    played = [replace(one_round(), plus=plus, gone=tuple(gone)) for plus, gone in lists]
    played[1] = replace(played[1], plus=(50, None, 0), minus=(0, None, 0))
    (anna, _) = feats(played, seats("ppr", left=[1]))
    assert anna.come_back is None
    stayed = [
        replace(one, plus=plus, gone=()) for one, (plus, _) in zip(played, lists, strict=True)
    ]
    assert feats(stayed, seats("ppr"))[0].come_back == 40


def left_in(lines: Lines, *who: int) -> Lines:
    """These lines with people who leave right before the end of their first round."""
    first = next(i for i, line in enumerate(lines) if line["e"] == "end")
    after = [without(line, who) for line in lines[first:]]
    return [*lines[:first], *({"e": "leave", "t": 0, "p": p} for p in who), *after]


def without(line: Line, who: Sequence[int]) -> Line:
    """The same line; a deal leaves these seats out."""
    if line["e"] != "deal":
        return line
    return {**line, "seats": [None if p in who else {} for p in range(len(line["seats"]))]}


TENS = [plays(0, f"{colour}10") for colour in "RBGY"]
RUN: Lines = [plays(0, "R1")] * 6
ROBOT: dict[str, Any] = {"people": [True, True, False]}


@pytest.mark.parametrize(
    ("badge", "lines", "reason"),
    [
        (Badge.BLINK, [late(0, 1, 3)], "abort"),
        (Badge.DUELLIST, DUELS, "abort"),
        (Badge.UNBEATEN, DUELS, "abort"),
        (Badge.LANDSLIDE, [], "abort"),
        (Badge.SUMMIT, TENS, "abort"),
        (Badge.RAINBOW, TENS, "abort"),
        (Badge.CHAIN, RUN, "abort"),
        (Badge.FLASH, [], "ligretto"),
        (Badge.ONE_PASS, [], "ligretto"),
        (Badge.SHUTOUT, [], "ligretto"),
    ],
)
def test_a_badge_needs_a_round_with_two_people_to_its_end(
    badge: Badge, lines: Lines, reason: str
) -> None:
    """Ben leaves in the round: it is stopped, or Anna plays on against a robot."""
    by = None if reason == "abort" else 0
    whole = rounds((30, 0, 0), lines=lines, lasted=9_000, by=by, reason=reason)
    assert badge in earned(whole, **ROBOT)
    assert badge not in earned(left_in(whole, 1), left=[1], **ROBOT)
    after = [*whole, {"e": "leave", "t": 0, "p": 1}]
    assert badge in earned(after, left=[1], **ROBOT), "who leaves between rounds stops none"


@pytest.mark.parametrize(
    "badge", [Badge.SWEEP, Badge.HAT_TRICK, Badge.LEADER, Badge.FLAWLESS, Badge.LAST_STOP]
)
def test_robots_alone_are_nobody_to_beat(badge: Badge) -> None:
    """Ben leaves in the first round, and Anna plays all the others against a robot."""
    lines = rounds(*[(9, 0, 0)] * 6, by=0)
    if badge is Badge.LAST_STOP:
        lines = rounds((0, 0, 5), (0, 0, 5), (20, 0, 0), by=0)
    assert badge in earned(lines, **ROBOT)
    assert badge not in earned(left_in(lines, 1), left=[1], **ROBOT)
    missed = [*lines[:2], *(without(line, [1]) for line in lines[2:])]
    assert badge not in earned(missed, **ROBOT), "he stays, and misses every other round"


def test_a_match_is_won_with_another_person_there_to_its_end() -> None:
    """Ben leaves after three whole rounds: a robot is all that is left."""
    lines = rounds(*[(9, 0, 0)] * 3)
    assert Badge.SWEEP in earned(lines, **ROBOT)
    assert Badge.SWEEP not in earned(lines, left=[1], **ROBOT)


def test_a_duel_lost_in_a_round_that_others_left_is_lost() -> None:
    lost = rounds((0, 5, 5), lines=[late(1, 0, 900)])
    won = rounds((0, 5, 5), lines=DUELS)
    assert Badge.UNBEATEN not in earned([*won, *left_in(lost, 1)], left=[1], **ROBOT)


async def test_a_stopped_round_of_a_real_table_earns_nothing(store: Store) -> None:
    """Ben leaves in the first round, which is stopped: Anna has won, and there is no feat."""
    played = PlayedMatches(store.journal, 5)
    table = await played.sit("ligretto", (ANNA, BEN), options={"rounds": "3"})
    await played.begin(table)
    await played.play(table, presses=150)
    await played.press(table, BEN, "leave.yes")
    over = table.session
    assert over.phase is Phase.OVER
    assert await store.rows("SELECT reason, gone FROM rounds") == [("abort", "[1]")]
    assert await store.rows(FEATS) == [(0, None, None, None, None), (1, None, None, None, None)]
    assert await store.rows("SELECT badge FROM badges") == []
    assert await store.archive.server_records(GUILD, "ligretto", "standard") == ()
    assert await store.one("SELECT won FROM feats WHERE seat = 0") == 1, "the match is won"


def left_last(result: MatchResult, reason: Reason) -> MatchResult:
    """The same match of one round, and everybody but the first has left it."""
    rounds_ = (replace(result.rounds[0], reason=reason),)
    seats_ = (result.seats[0], *(replace(one, left=True) for one in result.seats[1:]))
    return replace(result, rounds=rounds_, seats=seats_)


async def aged(store: Store) -> None:
    """As a version left it that didn't note who had gone, with feats worked out as it did."""
    await store.writer.write(
        [
            ("UPDATE rounds SET gone = NULL", ()),
            ("UPDATE feats SET points = 30, duel = 40", ()),
            ("INSERT INTO feats_due SELECT id FROM matches", ()),
        ]
    )
    await FeatsBackfill(store.db, store.writer, SystemClock()).run()


@pytest.mark.parametrize(
    ("reason", "points"), [(Reason.ABORT, None), (Reason.DEAD, 30), (Reason.LIGRETTO, 30)]
)
async def test_without_a_log_a_stopped_last_round_was_left(
    store: Store, reason: Reason, points: int | None
) -> None:
    """Whoever finished a round before they left keeps what was played in it."""
    await play(store, left_last(match({ANNA: 30, BEN: 5}), reason))
    await play(store, match({ANNA: 12, CHLOE: 5}))
    badge = (
        "INSERT INTO badges SELECT player, 'blink', 1 FROM seats WHERE match_id = 1 AND seat = 0"
    )
    await store.writer.write([(badge, ())])
    await aged(store)
    found = await store.archive.server_records(GUILD, "ligretto", "standard")
    assert {one.feat: one.value for one in found}[Feat.POINTS] == (points or 12)
    assert await store.archive.badges(GUILD, ANNA) == {Badge.BLINK: 1}, "nothing tells more of it"
    rivals = await store.archive.rivalry(GUILD, ANNA, BEN, "ligretto")
    assert (rivals.matches, rivals.own.firsts) == (1, 1), "they met once"


@pytest.mark.parametrize("is_left", [True, False])
async def test_a_log_tells_who_had_gone(store: Store, *, is_left: bool) -> None:
    """Both agreed to end the round, and Ben left after it; or it was stopped because he left."""
    left, end = {"e": "leave", "t": 0, "p": 1}, rounds((30, 5), by=None, reason="abort")
    lines = left_in(end, 1) if is_left else [*end, left]
    start = {"e": "start", "game": "cards", "players": 2}
    over = {"e": "match", "totals": [30, 5], "winners": [0], "left": [1], "aborted": True}
    text = "".join(json.dumps(line) + "\n" for line in (start, *lines, over))
    log = zlib.compress(text.encode())
    await play(store, left_last(match({ANNA: 30, BEN: 5}), Reason.ABORT), log)
    await aged(store)
    badges = await store.archive.badges(GUILD, ANNA)
    assert badges == ({} if is_left else {Badge.LANDSLIDE: 1})
    assert await store.one("SELECT points FROM feats WHERE seat = 0") == (None if is_left else 30)
    assert await store.one("SELECT gone FROM rounds") == ("[1]" if is_left else "[]")
