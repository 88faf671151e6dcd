"""A referee of dailies, written from docs/format.md and docs/chance.md alone.

It takes nothing from the log but the secret and the player's presses, and plays the robots' turns
by itself: every line of the log has to be the one that follows.
"""

import hashlib
import hmac
import json
from collections.abc import Iterator
from datetime import date
from itertools import chain
from typing import Any

from bot.verify.cards import CardRound
from bot.verify.dice import DiceRound
from bot.verify.referee import Referee
from bot.verify.streams import SecondScheme, Stream

Line = dict[str, Any]
PLAYER, ROBOTS = 0, (1, 2)


class FoulError(Exception):
    """A daily can't have gone so."""


def demand(true: object, why: str) -> None:
    if not true:
        raise FoulError(why)


def check(text: str) -> list[Line]:
    """Judge a daily's log. Return its moves, all of which follow.

    Raises LogError for what no match may have, FoulError for what no daily may have.
    """
    Referee(text).check()
    events = [json.loads(line) for line in text.split("\n") if line]
    start, deal, *moves, end, match = events
    secret = bytes.fromhex(match["secret"])
    demand(start["daily"] is True, "a daily says that it is one")
    demand(hashlib.sha256(secret).hexdigest() == start["promise"], "another day's secret")
    demand(date.fromisoformat(start["public"]).isoformat() == start["public"], "no date")
    demand((start["players"], start["computers"], start["rounds"]) == (3, [1, 2], 1), "no daily")
    seed = hmac.digest(secret, start["public"].encode("ascii"), "sha256")
    luck = SecondScheme(seed, 1, [0, 1, 2])
    cards = start["game"] == "cards"
    demand(not cards or start["refill"] == "auto", "gaps of a daily fill by themselves")
    table: CardRound | DiceRound = (
        CardRound.dealt(deal, luck, expert=False) if cards else DiceRound.dealt(deal, luck)
    )
    played = list(_played(table, luck, seed, moves))
    bare = [{key: line.get(key) for key in ("press", "p", "m")} for line in moves]
    demand(played == bare, "robots have moved otherwise than they do")
    over = table.over(set())
    demand(match["presses"] == max((line["press"] for line in moves), default=0), "presses")
    demand(over is None or (end["reason"], end["by"]) == over, "another end")
    demand(over is not None or end["reason"] == "abort", "no end was reached")
    return moves


def _played(
    table: CardRound | DiceRound, luck: SecondScheme, seed: bytes, moves: list[Line]
) -> Iterator[Line]:
    """Play each press of the player, and what the robots do after it."""
    for press in range(1, max((line["press"] for line in moves), default=0) + 1):
        own = [line["m"] for line in moves if line["press"] == press and line["p"] == PLAYER]
        demand(own, "robots move without a press")
        for p, made in chain([(PLAYER, own)], _share(table, seed, press, luck)):
            for move in made:
                if p == PLAYER:
                    table.demand_legal(p, move, None)
                    table.make(p, move, luck)
                yield {"press": press, "p": p, "m": move}


def _share(
    table: CardRound | DiceRound, seed: bytes, press: int, luck: SecondScheme
) -> Iterator[tuple[int, list[Any]]]:
    """Yield each turn with its moves, after they are made."""
    draws = Stream(seed, 1, "robots", press)
    counts = [(0, 1, 1, 2)[draws.below(4)] for _ in ROBOTS]
    names = [str(p) for p, count in zip(ROBOTS, counts, strict=True) for _ in range(count)]
    further = 0
    turns = [int(name) for name in draws.shuffled(names)]
    while table.over(set()) is None:
        if turns:
            p = turns.pop(0)
        elif _can_press(table):
            return
        else:
            p, further = ROBOTS[further % 2], further + 1
        yield p, list(_turn(table, p, luck))


def _can_press(table: CardRound | DiceRound) -> bool:
    if isinstance(table, DiceRound):
        return True
    return any(_choices(table, PLAYER))


def _turn(table: CardRound | DiceRound, p: int, luck: SecondScheme) -> Iterator[Any]:
    if isinstance(table, DiceRound):
        yield _rolls_or_places(table, p, luck)
        return
    for move in next(iter(_choices(table, p)), []):
        made = move
        if move == ["recycle"]:
            discard = table.seat(p).discard
            made = ["recycle", luck.of(p, table.times[p] + 1).shuffled(discard)]
        table.make(p, made, luck)
        yield made


def _choices(table: CardRound, p: int) -> Iterator[list[Any]]:
    """Yield what a seat can do, as a robot prefers it: each with what comes with it."""
    seat = table.seat(p)
    sources = ["ligretto", *(f"row{i}" for i in range(len(seat.row))), "discard"]
    gap = next((i for i, column in enumerate(seat.row) if not column), None)
    for source in sources:
        card = seat.shown(source)
        target = None if card is None else table.target(card)
        if target is not None:
            new = target == len(table.tops)
            made: list[Any] = [["play", source, "new" if new else target]]
            if source.startswith("row") and len(seat.ligretto) > 1:
                made.append(["lay", "ligretto", int(source[3:])])
            yield made
        if source == "ligretto" and gap is not None:
            yield [["lay", "ligretto", gap]]
    if seat.hand:
        yield [["flip"]]
    elif seat.discard:
        yield [["recycle"], ["flip"]]


def _rolls_or_places(table: DiceRound, p: int, luck: SecondScheme) -> list[Any]:
    cup = table.seat(p)
    for i, die in enumerate(cup):
        if die is not None and int(die[1:]) == table.board[die[0]] + 1:
            table.make(p, ["place", i], luck)
            return ["place", i]
    left = [i for i, die in enumerate(cup) if die is not None]
    move = ["reroll", [1 + luck.of(p, table.times[p] + 1, i).below(6) for i in left]]
    table.make(p, move, luck)
    return move
