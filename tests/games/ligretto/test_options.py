"""The choices of a card table's host, and which of them are moot beside another."""

import pytest

from bot.games.ligretto import Ligretto
from bot.games.values import Option


@pytest.fixture
def options() -> dict[str, Option]:
    return {one.key: one for one in Ligretto().options}


def test_a_match_has_up_to_20_rounds_or_a_target(options: dict[str, Option]) -> None:
    assert options["rounds"].values == tuple(str(rounds) for rounds in range(1, 21))
    points = ("25", "50", "75", "99", "150", "200", "300")
    assert options["target"].values == ("off", *points)


@pytest.mark.parametrize(("target", "moot"), [("off", "target"), ("99", "rounds")])
def test_of_rounds_and_target_one_is_moot(
    options: dict[str, Option], target: str, moot: str
) -> None:
    found = [one for one in ("rounds", "target") if options[one].moot({"target": target})]
    assert found == [moot]
