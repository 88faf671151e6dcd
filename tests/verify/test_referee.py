"""The check of logs by itself: what it finds, what it takes, and what it is made of."""

import ast
import sys
from pathlib import Path
from random import Random

import pytest

from bot.games.chance_scheme import Scheme
from bot.ids import UserId
from bot.tables.decisions import decide
from bot.verify import promise
from bot.verify.log.errors import LogError
from bot.verify.log.lines import Line, digest
from bot.verify.referee import Referee
from tests.real import ROOT
from tests.records.played import Memory, PlayedMatches
from tests.records.test_log import written
from tests.verify.damages import damaged, forged, lines_of, text_of
from tests.verify.evenings import KINDS, dice_log, log, old_log, raced_log
from tests.verify.handed_out import HURT
from tests.verify.odd_logs import ODD, ODD_DICE
from tests.verify.verdicts import verdict

MANY = 80


async def test_every_damage_but_to_names_is_found() -> None:
    luck, logs = Random(1), [await log(seed) for seed in range(8)]
    for number in range(MANY):
        kind, found = damaged(luck.choice(logs), luck)
        with pytest.raises(LogError) as caught:
            Referee(found).check()
        assert caught.value.line > 0, (number, kind)
        assert str(caught.value)


async def test_what_follows_from_other_lines_is_bound_by_more_than_the_digest() -> None:
    luck = Random(2)
    logs = [await log(seed, scheme) for seed in range(5) for scheme in Scheme]
    for _ in range(MANY):
        _, found = forged(luck.choice(logs), luck)
        with pytest.raises(LogError) as caught:
            Referee(found).check()
        assert caught.value.why != "digest"


@pytest.mark.parametrize(("ends", "why"), KINDS)
def test_a_seed_is_of_what_everybody_could_see(ends: tuple[Line, Line], why: str) -> None:
    start, match = ends
    if not why:
        assert promise.check(start, match).hex() == match["seed"]
        return
    with pytest.raises(LogError) as caught:
        promise.check(start, match)
    assert caught.value.why == why


def test_what_the_bot_hands_out_fits_and_a_damage_is_found_where_it_is(
    handed_out: dict[str, str],
) -> None:
    """An arena's table, and the deal of the day in both games, played and got at the real bot."""
    assert [*handed_out] == ["arena", "ligretto", "dice"]
    for text in handed_out.values():
        assert verdict(text.encode())[0] == 0
        for hurt in HURT:
            lines = lines_of(text)
            line = hurt(lines)
            assert verdict(text_of(lines).encode())[0] == line, hurt.__name__


async def test_what_is_odd_is_told_by_its_name() -> None:
    text = await raced_log()
    for name, (change, why) in ODD.items():
        found = change(text)
        assert found != text.encode(), name
        assert verdict(found)[1] == (why or ""), name
    dice = await dice_log()
    for name, (change, why) in ODD_DICE.items():
        assert verdict(change(dice))[1] == why, name


async def test_a_damage_is_told_of_the_line_that_has_it() -> None:
    """The digest would tell as well, but not where."""
    lines = lines_of(await log(3))
    at = next(i for i, line in enumerate(lines) if "card" in line and line["e"] == "move")
    lines[at]["p"] = 1 - lines[at]["p"]
    with pytest.raises(LogError, match=f"line {at + 1}: "):
        Referee(text_of(lines)).check()


async def test_names_are_nobodys_business() -> None:
    lines = lines_of(await log(4))
    lines[0]["names"] = ["?" for _ in lines[0]["names"]]
    assert Referee(text_of(lines)).check().seen["match"] == 1


@pytest.mark.parametrize("seed", range(6))
async def test_a_log_from_before_there_was_a_promise_is_checked_by_its_own_rules(seed: int) -> None:
    whole = await old_log(seed)
    assert Referee(whole).check().seen["deal"] > 0
    for number in range(10):
        _, found = forged(whole, Random(number))
        lines = lines_of(found.decode())
        lines[-1].pop("digest")
        with pytest.raises(LogError):
            Referee(text_of(lines)).check()


async def test_a_log_with_a_promise_can_not_pass_for_an_older_one() -> None:
    """Of a log without a digest, nobody could tell that a time was changed."""
    lines = lines_of(await log(1))
    lines[-1].pop("digest")
    with pytest.raises(LogError, match="a log with a promise needs a digest"):
        Referee(text_of(lines)).check()


async def test_a_round_in_which_everybody_leaves_is_stopped() -> None:
    """Nobody is left who could play a card; yet it isn't dead: too few are left to go on."""
    journal = Memory()
    played = PlayedMatches(journal)
    table = await played.sit("ligretto", (UserId(1), UserId(2), UserId(3)))
    await played.begin(table)
    await played.play(table, presses=20)
    await table.do(decide.abandon)
    referee = Referee(written(journal, table)).check()
    assert (referee.reasons, referee.gone) == ({"abort": 1}, {0, 1, 2})


async def test_a_round_that_goes_on_is_not_dead() -> None:
    lines = lines_of(await log(1))
    end = next(i for i, line in enumerate(lines) if line["e"] == "end")
    lines[end].update(reason="dead", by=None)
    lines[-1]["digest"] = digest(lines)
    with pytest.raises(LogError, match="the round can't end like this here"):
        Referee(text_of(lines)).check()


async def test_keys_that_are_not_known_are_passed_over() -> None:
    lines = lines_of(await log(2))
    lines[1]["new"] = {"\U0001f389": [1], "\uffff": None}
    lines[-1]["digest"] = digest(lines)
    assert Referee(text_of(lines)).check().seen["match"] == 1


def test_it_is_made_of_the_documents_alone() -> None:
    """It imports nothing but the standard library and itself, so no fault of the bot's."""
    for module in sorted((ROOT / "bot" / "verify").rglob("*.py")):
        for name in imported(module):
            is_own = name.split(".")[:2] == ["bot", "verify"]
            assert is_own or name.split(".")[0] in sys.stdlib_module_names, (module.name, name)


def imported(module: Path) -> list[str]:
    tree = ast.walk(ast.parse(module.read_text("utf-8")))
    found: list[str] = []
    for node in tree:
        if isinstance(node, ast.Import):
            found += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            found.append(f"{node.module}.{node.names[0].name}")
    return found
