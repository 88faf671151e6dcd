"""Each badge, earned by a match of a few lines, and missed by one that is just short of it."""

import re
from collections.abc import Sequence
from typing import Any

import pytest

from bot.i18n import say
from bot.ids import UserId
from bot.records.badges.badges import ONLY_IN, RULES, Badge, badges
from bot.text import Name, Text
from bot.ui.records.feats.badges import badges_screen
from tests.real import ROOT
from tests.tables.test_screens import words as shown

ANNA = UserId(101)
Line = dict[str, Any]
Lines = list[Line]


def play(p: int, card: str, t: int = 0) -> Line:
    return {"e": "move", "t": t, "p": p, "m": ["play", "row0", 0], "card": card}


def place(p: int, t: int = 0) -> Line:
    return {"e": "move", "t": t, "p": p, "m": ["place", 0], "card": "R1"}


def other(p: int, kind: str) -> Line:
    return {"e": "move", "t": 0, "p": p, "m": [kind, []]}


def late(first: int, p: int, ms: int, shown: int | None = None) -> Line:
    """A refused press that lost a race."""
    return {"e": "reject", "t": 0, "p": p, "rival": first, "margin": ms, "shown": shown}


def refused(p: int) -> Line:
    return {"e": "reject", "t": 0, "p": p, "m": ["play", "row0"], "card": "R5"}


def named(badge: Badge) -> str:
    return say(Text(f"badge.{badge}"), "en")


def rounds(
    *scores: Sequence[int],
    by: Sequence[int | None] | int | None = None,
    lines: Lines | None = None,
    lasted: int = 100_000,
    reason: str = "ligretto",
) -> Lines:
    """Rounds with these points by seat, each with the same lines in it.

    `by`: who ended each of them, by default the seat with most points.
    """
    found: Lines = []
    for i, points in enumerate(scores):
        ended = by[i] if isinstance(by, Sequence) else by
        stopper = points.index(max(points)) if ended is None else ended
        found.append({"e": "deal", "t": 0, "seats": [{} for _ in points]})
        found += lines or []
        end = {"by": stopper, "scores": list(points), "lasted": lasted, "reason": reason}
        found.append({"e": "end", "t": lasted, **end})
    return found


def earned(
    lines: Lines,
    *,
    game: str = "cards",
    people: Sequence[bool] | None = None,
    left: Sequence[int] = (),
    aborted: bool = False,
    seat: int = 0,
    **start: object,
) -> frozenset[Badge]:
    """The badges of a seat, by default the first, in a match of these lines."""
    ends = [line["scores"] for line in lines if line["e"] == "end"]
    totals = [sum(column) for column in zip(*ends, strict=True)]
    stayed = [p for p in range(len(totals)) if p not in left]
    best = max(totals[p] for p in stayed)
    winners = [p for p in stayed if totals[p] == best]
    first = {"e": "start", "game": game, "players": len(totals), **start}
    last = {"e": "match", "totals": totals, "winners": winners, "left": [*left], "aborted": aborted}
    found = badges([first, *lines, last], people or [True] * len(totals))
    return found.get(seat, frozenset())


WON = ((10, 5), (10, 5), (10, 5))
DUELS = [late(0, 1, 500) for _ in range(5)]
DICE = {"game": "dice"}


@pytest.mark.parametrize(
    ("badge", "lines", "more"),
    [
        (Badge.SWEEP, rounds(*WON), {}),
        (Badge.HAT_TRICK, rounds((0, 5), (0, 5), (0, 5), by=0), {}),
        (Badge.LAST_STOP, rounds((0, 5), (0, 5), (20, 5)), {}),
        (Badge.COME_BACK, rounds((-10, 10), (30, 5)), {}),
        (Badge.COME_BACK, rounds((-5, 5), (20, 5)), DICE),
        (Badge.LEADER, rounds((9, 2), (1, 5), (1, 3), (5, 5), (9, 9)), {}),
        (Badge.CROWD, rounds(*[(9, 1, 1, 1, 1, 1)] * 3), {}),
        (Badge.FLAWLESS, rounds(*WON, lines=[refused(1)]), {}),
        (Badge.BLINK, rounds((0, 5), lines=[late(0, 1, 10)]), {}),
        (Badge.DUELLIST, rounds((0, 5), lines=DUELS), {}),
        (Badge.UNBEATEN, rounds(*[(0, 5)] * 5, lines=DUELS[:1]), {}),
        (Badge.FLASH, rounds((0, 5), by=0, lasted=45_000), {}),
        (Badge.LANDSLIDE, rounds((30, 31)), {}),
        (Badge.SHUTOUT, rounds((9, 0, -4)), {}),
        (Badge.SUMMIT, rounds((0, 5), lines=[play(0, one) for one in ("R10", "R10", "B10")]), {}),
        (
            Badge.RAINBOW,
            rounds((0, 5), lines=[play(0, f"{colour}10") for colour in "RB"])
            + rounds((0, 5), lines=[play(0, f"{colour}10") for colour in "GY"]),
            {},
        ),
        (
            Badge.CHAIN,
            rounds((0, 5, 5), lines=[*[play(0, "R1")] * 5, other(1, "flip"), play(0, "R2")]),
            {},
        ),
        (Badge.ONE_PASS, rounds((0, 5), by=0, lines=[other(0, "flip"), other(1, "recycle")]), {}),
        (Badge.LUCKY_ROLL, rounds((0, 5), lines=[place(0)] * 6), DICE),
        (Badge.SPRINT, rounds((0, 5), lines=[place(0, t) for t in (0, 1, 9, 4000)]), DICE),
        (Badge.FEW_ROLLS, rounds((5, 0), lines=[other(0, "reroll")] * 4), DICE),
        (Badge.MASTER, rounds(*WON), {"people": [True, False], "level": "master"}),
    ],
)
def test_a_badge_is_earned(badge: Badge, lines: Lines, more: dict[str, Any]) -> None:
    assert badge in earned(lines, **more)


@pytest.mark.parametrize(
    ("badge", "lines", "more"),
    [
        (Badge.SWEEP, rounds((10, 5), (10, 10), (10, 5)), {}),
        (Badge.SWEEP, rounds(*WON[:2]), {}),
        (Badge.HAT_TRICK, rounds(*[(0, 5)] * 5, by=(0, 0, 1, 0, 0)), {}),
        (Badge.HAT_TRICK, rounds(*[(0, 5)] * 3, by=0, reason="abort"), {}),
        (Badge.LAST_STOP, rounds((5, 0), (0, 5), (20, 5)), {}),
        (Badge.LAST_STOP, rounds((0, 5), (0, 5), (20, 5), by=1), {}),
        (Badge.COME_BACK, rounds((-9, 10), (30, 5)), {}),
        (Badge.COME_BACK, rounds((-10, 10), (25, 5)), {}),
        (Badge.COME_BACK, rounds((0, 0, 30), (9, 5, 0)), {"left": [2]}),
        (Badge.LEADER, rounds((9, 2), (1, 8), (1, 0), (5, 6), (9, 9)), {}),
        (Badge.LEADER, rounds(*[(9, 2)] * 4), {}),
        (Badge.CROWD, rounds(*[(9, 1, 1, 1, 1, 1)] * 3), {"left": [3]}),
        (Badge.CROWD, rounds(*[(9, 1, 1, 1, 1, 1)] * 3), {"people": [*[True] * 5, False]}),
        (Badge.FLAWLESS, rounds(*WON, lines=[refused(0)]), {}),
        (Badge.BLINK, rounds((0, 5), lines=[late(0, 1, 11)]), {}),
        (Badge.BLINK, rounds((0, 5), lines=[late(0, 1, 10, shown=400)]), {}),
        (Badge.BLINK, rounds((0, 5, 5), lines=[late(0, 2, 10)]), {"people": [True, True, False]}),
        (Badge.DUELLIST, rounds(*[(0, 5)] * 2, lines=DUELS[:4]), {}),
        (Badge.UNBEATEN, rounds((0, 5), lines=[*DUELS, late(1, 0, 900)]), {}),
        (Badge.FLASH, rounds((0, 5), by=0, lasted=45_001), {}),
        (Badge.FLASH, rounds((0, 5, 5, 5, 5), by=0, lasted=45_000), {}),
        (Badge.LANDSLIDE, rounds((29, 31)), {}),
        (Badge.SHUTOUT, rounds((9, 0, 1)), {}),
        (Badge.SHUTOUT, rounds((9, 0)), {}),
        (Badge.SUMMIT, rounds((0, 5), (0, 5), lines=[play(0, one) for one in ("R10", "B10")]), {}),
        (Badge.RAINBOW, rounds((0, 5), lines=[play(0, f"{colour}10") for colour in "RBG"]), {}),
        (Badge.CHAIN, rounds((0, 5), lines=[play(0, "R1")] * 6), {}),
        (
            Badge.CHAIN,
            rounds((0, 5, 5), lines=[*[play(0, "R1")] * 5, play(1, "B1"), play(0, "R2")]),
            {},
        ),
        (Badge.ONE_PASS, rounds((0, 5), by=0, lines=[other(0, "recycle")]), {}),
        (
            Badge.LUCKY_ROLL,
            rounds((0, 5), lines=[*[place(0)] * 5, other(0, "reroll"), place(0)]),
            DICE,
        ),
        (Badge.SPRINT, rounds((0, 5), lines=[place(0, t) for t in (0, 1, 9, 4001)]), DICE),
        (Badge.FEW_ROLLS, rounds((5, 0), lines=[other(0, "reroll")] * 5), DICE),
        (Badge.MASTER, rounds(*WON), {"people": [True, False], "level": "hard"}),
        (
            Badge.MASTER,
            rounds(*WON),
            {"people": [True, False], "level": "master", "handicap": True},
        ),
        (Badge.MASTER, rounds(*WON), {"people": [True, False], "level": "master", "aborted": True}),
        (Badge.MASTER, rounds(*WON), {"level": "master"}),
    ],
)
def test_a_badge_is_just_missed(badge: Badge, lines: Lines, more: dict[str, Any]) -> None:
    assert badge not in earned(lines, **more)


def test_there_is_a_rule_for_every_badge() -> None:
    assert {*RULES, Badge.MASTER} == {*Badge}
    assert len(Badge) == 21


def test_the_page_of_feats_names_every_badge_and_its_limit() -> None:
    page = (ROOT / "docs" / "feats.md").read_text()
    for badge in Badge:
        words = [say(Text(key), "en") for key in (f"badge.{badge}", f"badge.{badge}.why")]
        row = f"| {' | '.join(words)} | `{badge}` |"
        assert row.replace("\N{NO-BREAK SPACE}", " ").replace("’", "'") in page


def test_a_badge_of_one_game_says_of_which() -> None:
    """A stop within 45 seconds earns nothing with dice, where most rounds are as short."""
    ordered = [
        page for at in (0, 1, 2) for page in shown(badges_screen(ANNA, Name("Anna"), {}, at))
    ]
    found = {badge: next(one for one in ordered if named(badge) in one) for badge in Badge}
    games = {badge: re.findall(r"\((Ligretto(?: Dice)?)\):", line) for badge, line in found.items()}
    names = {"ligretto": ["Ligretto"], "dice": ["Ligretto Dice"]}
    assert games == {badge: names.get(ONLY_IN.get(badge, ""), []) for badge in Badge}
    lines = rounds((10, 5), (10, 5), (10, 5), lasted=40_000)
    assert Badge.FLASH in earned(lines)
    assert Badge.FLASH not in earned(lines, game="dice")


def test_a_badge_for_a_won_match_says_so() -> None:
    """Nobody takes three rounds of it for enough."""
    for badge in (Badge.FLAWLESS, Badge.MASTER, Badge.CROWD):
        assert say(Text(f"badge.{badge}.why"), "en").startswith(
            "Win a match of three rounds or more"
        )


def test_who_leaves_earns_nothing() -> None:
    assert not earned(rounds((10, 5, 5), *[(10, 5, 5)] * 2), left=[0])


def test_alone_no_other_badge_is_earned() -> None:
    lines = rounds(*WON, lines=DUELS)
    assert earned(lines, people=[True, False], level="master") == {Badge.MASTER}


def test_a_stopped_dice_round_counts_for_no_badge() -> None:
    lines = rounds((0, 0), lines=[place(0)] * 6, reason="abort")
    assert Badge.LUCKY_ROLL not in earned([*lines, *rounds((5, -5))], game="dice")
