"""A match played by somebody who hears it: nothing is read but the words of a plain panel."""

import asyncio
import re
from collections.abc import Sequence
from pathlib import Path

from bot.fakediscord import Item, Message
from tests.loopback.players import Player
from tests.stories.world import prepared, running

COLOURS = ("Red", "Yellow", "Green", "Blue")
PILES = re.compile(rf"({'|'.join(COLOURS)})(?:, on top| piles): (.*)")
CARD = re.compile(rf"(?:Ligretto! )?({'|'.join(COLOURS)}) (\d+)")
CODE = re.compile(r"\b[RYGB]\d")
PICTURE = re.compile("[\u2190-\u2bff\U0001f000-\U0001faff<]")
PACE = 1.5
MOST = 400
"""Presses after which a round of this pace is over."""


def heard(panel: Message) -> list[str]:
    """The lines from the top; each says one thing, in words."""
    lines = panel.text.replace("**", "").splitlines()
    assert all(lines)
    for line in lines:
        assert not CODE.search(line), line
        assert not PICTURE.search(line), line
        assert " · " not in line, line
    return lines


def buttons(panel: Message) -> Sequence[Item]:
    """Every one of them can be pressed: not every client says which can't."""
    assert not any(item.disabled for item in panel.controls)
    assert not any(CODE.search(item.label or "") for item in panel.controls)
    return panel.controls


def chosen(panel: Message) -> Item | None:
    """A card that fits by what was heard, else Flip; None between rounds."""
    lines, found = heard(panel), buttons(panel)
    tops = {
        (piles[1], int(top))
        for line in lines
        if (piles := PILES.fullmatch(line)) is not None
        for top in re.findall(r"\d+", piles[2])
    }
    turn = next((item for item in found if item.label == "Flip"), None)
    for item in found:
        label = item.label or ""
        if label.startswith("Ligretto! To the row"):
            return item
        if (card := CARD.fullmatch(label)) is not None:
            colour, number = card[1], int(card[2])
            if number == 1 or (colour, number - 1) in tops:
                return item
    return turn


async def test_a_whole_match_is_played_through_a_plain_panel_alone(tmp_path: Path) -> None:
    async with running(tmp_path) as world:
        (anna,) = await world.lobby("anna")
        await prepared(anna.set_option("rounds", "1"))
        await prepared(anna.press_public("Add robot"))
        await world.server.slash(anna.user, world.channel, "plain").wait()
        await prepared(anna.press_public("Start"))
        await asyncio.sleep(PACE)
        await _press(anna, next(one for one in buttons(_panel(anna)) if one.label == "Ready"))
        await asyncio.sleep(1)
        places = [item.label for item in buttons(_panel(anna))]
        assert places == ["Hidden"] * 7 + ["Flip"], "all is where it will be"
        await _press(anna, _panel(anna).controls[0])
        await asyncio.sleep(4)
        assert heard(_panel(anna))[:2] == ["Go!", "Any 1 opens a pile"]
        first: set[str] = set()
        for _ in range(MOST):
            item = chosen(_panel(anna))
            if item is None:
                break
            await _press(anna, item)
            first.add(heard(_panel(anna))[0].split(" ")[0])
            await asyncio.sleep(PACE)
        assert [item.label for item in buttons(_panel(anna))] == ["Rematch"]
        assert first >= {"Played", "Turned"}, "the news come first"


def _panel(person: Player) -> Message:
    return person.panel


async def _press(person: Player, item: Item) -> None:
    answer = await person.server.click(person.user, person.panel, item.custom_id, stale=True).wait()
    assert answer.ok
