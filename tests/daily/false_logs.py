"""False logs of a daily whose digest was made anew, and what the check says of them."""

import json
from collections.abc import Callable
from itertools import pairwise
from typing import Any

from bot.daily import log
from bot.verify.log.lines import canonical, digest
from tests.daily.played import secret, whole

Lines = list[dict[str, Any]]


def robots(lines: Lines) -> list[int]:
    """Return where robots begin a turn."""
    begin = enumerate(pairwise(lines), 1)
    seats = [(at, before.get("p"), now.get("p")) for at, (before, now) in begin]
    return [at for at, before, now in seats if now in (1, 2) and before != now]


def another_press(lines: Lines) -> None:
    lines[robots(lines)[0]]["press"] += 1


def no_press(lines: Lines) -> None:
    del lines[2]["press"]


def left_out(lines: Lines) -> None:
    del lines[robots(lines)[-2]]


def other_robot(lines: Lines) -> None:
    for line in lines:
        if line.get("p") in (1, 2):
            line["p"] = 3 - line["p"]


def stopped_before_the_robots(lines: Lines) -> None:
    """Their share of the first press is left out, and the round stopped there."""
    first = robots(lines)[0]
    end = {"e": "end", "t": 0, "reason": "abort", "by": None, "scores": [0, 0, 0]}
    if "rules" in lines[0]:
        end["scores"] = [-17, -20, -20] if lines[2]["m"][0] == "play" else [-20] * 3
    lines[first:-1] = [end]


def another_choice(lines: Lines) -> None:
    """A robot flips, or rolls, though it could play."""
    at = next(at for at in robots(lines) if lines[at]["m"][0] in ("play", "place"))
    is_cards = "rules" in lines[0]
    lines[at]["m"] = ["flip"] if is_cards else ["reroll", [1] * 8]
    del lines[at]["card"]


def a_refusal(lines: Lines) -> None:
    m = ["play", "row0"] if "rules" in lines[0] else ["reroll"]
    lines.insert(2, {"e": "reject", "t": 0, "p": 0, "m": m})


def somebody_leaves(lines: Lines) -> None:
    lines.insert(2, {"e": "leave", "t": 0, "p": 1})
    lines[-1]["left"] = [1]


def some_time(lines: Lines) -> None:
    for line in lines[3:]:
        line["t"] = 7


def a_duration(lines: Lines) -> None:
    lines[-2]["lasted"] = 0


def another_refill(lines: Lines) -> None:
    lines[0].update({"refill": "hand"} if "rules" in lines[0] else {"extra": 1})


def other_shares(lines: Lines) -> None:
    if "rules" in lines[0]:
        del lines[0]["refill"]
    else:
        lines[0]["shares"] = ["even", "even", "child"]


def a_handicap(lines: Lines) -> None:
    lines[0].update({"extra": 1} if "rules" in lines[0] else {"handicap": True})


def no_scheme(lines: Lines) -> None:
    del lines[0]["chance"], lines[0]["started"]


def other_date(lines: Lines) -> None:
    lines[0]["public"] = "2026-12-01"


def no_date(lines: Lines) -> None:
    lines[0]["public"] = "2026-13-01"


def other_secret(lines: Lines) -> None:
    lines[-1]["secret"] = secret(9).hex()


def fewer_presses(lines: Lines) -> None:
    lines[-1]["presses"] -= 1


FALSE: dict[Callable[[Lines], None], str] = {
    another_press: "press must be 1",
    no_press: "press must be 1",
    left_out: "turn here|must be",
    other_robot: "it's seat 2's turn here",
    stopped_before_the_robots: "it's seat 2's turn here",
    another_choice: "m must be",
    a_refusal: "this event isn't allowed here",
    somebody_leaves: "this event isn't allowed here",
    some_time: "t can't be 7 here",
    a_duration: "lasted doesn't match the format",
    another_refill: "(refill|extra) doesn't match the format",
    other_shares: "(refill|shares) doesn't match the format",
    a_handicap: "(extra|handicap) doesn't match the format",
    no_scheme: "chance doesn't match the format",
    other_date: "secret and public don't give the seed",
    no_date: "public doesn't match the format",
    other_secret: "promise isn't the SHA-256 of the secret",
    fewer_presses: "presses must be",
}


def false_log(game: str, fault: Callable[[Lines], None]) -> str:
    lines = [json.loads(line) for line in log.text(whole(game), secret()).splitlines()]
    fault(lines)
    lines[-1]["digest"] = digest(lines)
    return "".join(canonical(line) + "\n" for line in lines)
