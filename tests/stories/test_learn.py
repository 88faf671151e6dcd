"""The guided first hand, in private: five presses, whatever else somebody presses meanwhile."""

import asyncio
from pathlib import Path

from bot.fakediscord import Message
from tests.beginners import GREEN, taught
from tests.loopback.players import Player, labels
from tests.stories.world import LONG, World, running

STEPS = ("R1", "R2", "Flip", "Y6", "Ligretto! B4")


def lesson(person: Player) -> Message:
    return person.server.panels(person.user, person.channel)[-1]


async def learns(person: Player) -> Message:
    assert (await person.server.slash(person.user, person.channel, "learn").wait()).ok
    return lesson(person)


async def presses(person: Player, message: Message, label: str) -> None:
    answer = await person.server.click(person.user, message, label=label).wait()
    assert answer.ok
    await asyncio.sleep(LONG)


def green(message: Message) -> list[str | None]:
    return [item.label for item in message.controls if item.style == GREEN]


async def finishes(person: Player) -> Message:
    shown = await learns(person)
    for label in STEPS:
        assert green(shown) == [label]
        await presses(person, shown, label)
    return shown


async def test_five_presses_end_in_a_real_lobby(world: World) -> None:
    anna = world.person("anna")
    shown = await finishes(anna)
    assert shown.ephemeral
    assert "Ligretto stop!" in shown.text
    assert not world.rows("SELECT 1 FROM journal"), "no table takes part"
    assert not world.server.public(world.channel)
    await presses(anna, shown, "Play for real")
    assert "Start" in labels(world.public)
    await presses(anna, shown, "Play for real")
    assert len(world.server.public(world.channel)) == 1, "a second press opens no second table"
    await presses(anna, shown, "Once more")
    assert green(shown) == [STEPS[0]]


async def test_other_presses_are_told_why_and_what_to_press(world: World) -> None:
    anna = world.person("anna")
    shown = await learns(anna)
    await presses(anna, shown, "G4")
    assert "G4 needs 🟩 G3 first" in shown.text
    assert "**Press** 🔴 R1" in shown.text
    await presses(anna, shown, "Flip")
    assert "Try the green button" in shown.text
    assert green(shown) == ["R1"]


async def test_the_lesson_needs_no_memory(world: World) -> None:
    """A kill, a token's end and an older message change nothing; a second press does nothing."""
    anna = world.person("anna")
    first = await learns(anna)
    await presses(anna, first, "R1")
    world.bot.kill()
    await world.start()
    await asyncio.sleep(20 * 60)
    await presses(anna, first, "R2")
    assert green(first) == ["Flip"]
    item = next(item for item in first.controls if item.label == "Flip")
    for answer in [world.server.click(anna.user, first, item.custom_id) for _ in range(2)]:
        assert (await answer.wait()).ok
    assert green(first) == ["Y6"]
    second = await learns(anna)
    await presses(anna, second, "R1")
    await presses(anna, first, "Y6")
    assert (green(first), green(second)) == (["Ligretto! B4"], ["R2"])


async def test_nobody_else_presses_in_a_lesson(world: World) -> None:
    anna, ben = world.person("anna"), world.person("ben")
    shown = await learns(anna)
    green_one = next(item for item in shown.controls if item.style == GREEN)
    await world.server.click(ben.user, shown, green_one.custom_id, stale=True).wait()
    assert green(shown) == ["R1"]
    assert "someone else" in lesson(ben).text
    await world.lobby("cleo", "ben")
    await world.server.click(ben.user, world.public, "lr1:learn:1:r1", stale=True).wait()
    assert "Start" in labels(world.public), "a forged press draws no lesson over a table"
    assert not green(lesson(ben)), "nor one beside it"


async def test_rules_lead_to_the_lesson(world: World) -> None:
    anna = world.person("anna")
    await world.server.slash(anna.user, anna.channel, "rules").wait()
    rules = lesson(anna)
    await presses(anna, rules, "Show me how")
    assert lesson(anna) is not rules
    assert green(lesson(anna)) == ["R1"]


async def test_plain_text_is_enough_to_learn(world: World) -> None:
    anna = world.person("anna")
    await world.server.slash(anna.user, anna.channel, "plain").wait()
    shown = await learns(anna)
    for label in ("Red 1", "Red 2", "Flip", "Yellow 6", "Ligretto! Blue 4"):
        assert label.split("!")[0] in shown.text.splitlines()[0], shown.text
        assert not any(item.disabled for item in shown.controls)
        assert " · " not in shown.text
        await presses(anna, shown, label)
    assert "You win: 4 in the centre make 4" in shown.text


async def test_beginners_who_press_at_random_finish_it(tmp_path: Path) -> None:
    async with running(tmp_path) as world:
        did = await taught(world, 20, seed=1)
        assert did["finished"] == 20
        assert not [line for line in world.said() if "Traceback" in line]
