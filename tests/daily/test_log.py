"""The log of a daily: a referee that knows nothing of the bot finds every line of it again."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from bot.daily import log
from bot.games import GAMES
from bot.verify.errors import LogError
from bot.verify.lines import canonical, digest
from tests.daily.played import DAY, after, secret, whole
from tests.daily.referee import FoulError, check

Lines = list[dict[str, Any]]
BOTH = pytest.mark.parametrize("game", sorted(GAMES))


@BOTH
def test_the_referee_finds_every_line_again(game: str) -> None:
    """Whole rounds of ten days, and one that was left in the middle."""
    for number in range(10):
        one = whole(game, number)
        assert len(check(log.text(one, secret(number)))) > one.presses
    left = after(whole(game), 4)
    assert check(log.text(left, secret()))[-1]["press"] == 4
    assert not check(log.text(after(whole(game), 0), secret()))


def robots_first(lines: Lines) -> None:
    """Put a robot's move before the press that it follows."""
    at = next(i for i, line in enumerate(lines) if line.get("p") == 1)
    lines[at]["press"] += 1


def left_out(lines: Lines) -> None:
    del lines[max(i for i, line in enumerate(lines) if line.get("p") in (1, 2))]


def other_robot(lines: Lines) -> None:
    for line in lines:
        if line.get("p") in (1, 2):
            line["p"] = 3 - line["p"]


def other_date(lines: Lines) -> None:
    lines[0]["public"] = "2026-12-01"


def other_secret(lines: Lines) -> None:
    lines[-1]["secret"] = secret(9).hex()


def fewer_presses(lines: Lines) -> None:
    lines[-1]["presses"] -= 1


FALSE = (robots_first, left_out, other_robot, other_date, other_secret, fewer_presses)


@BOTH
@pytest.mark.parametrize("fault", FALSE, ids=lambda one: one.__name__)
def test_the_referee_finds_a_false_line(game: str, fault: Callable[[Lines], None]) -> None:
    lines = [json.loads(line) for line in log.text(whole(game), secret()).splitlines()]
    fault(lines)
    lines[-1]["digest"] = digest(lines)
    with pytest.raises((FoulError, LogError)):
        check("".join(canonical(line) + "\n" for line in lines))


def test_a_log_names_its_day() -> None:
    start = json.loads(log.text(whole("dice"), secret()).splitlines()[0])
    assert start["public"] == "2026-11-30"
    assert whole("dice").day == DAY
