"""How many screens are drawn for what happens at a table: none that would look as before."""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from bot.tables.running.table import Table
from bot.ui.limits.urgency import Claim
from bot.ui.panel_states.panel_place import Place
from bot.ui.panels import panel_screen
from bot.ui.panels.calls import PanelMessage
from bot.ui.tables.messages import TableMessages
from bot.ui.tables.public_message import table_screen
from bot.ui.tables.upkeep import TableMessageUpkeep
from tests.stories.world import NotPlayedError, Player, World, prepared

SEEN = 20.0
"""Seconds after which every panel of a table of four has shown a change."""


class Drawings:
    """Counts the screens that are drawn, and the calls to Discord beside answers."""

    def __init__(self, world: World, patch: pytest.MonkeyPatch) -> None:
        self.world = world
        self.drawn: Counter[str] = Counter()
        self.tables: list[tuple[TableMessages, Table]] = []
        self._count(patch, panel_screen, "panel")
        self._count(patch, table_screen, "public")
        upkeep = TableMessages.upkeep

        def asked(messages: TableMessages, table: Table) -> TableMessageUpkeep:
            self.tables.append((messages, table))
            return upkeep(messages, table)

        patch.setattr(TableMessages, "upkeep", asked)

    def _count(self, patch: pytest.MonkeyPatch, module: Any, name: str) -> None:
        draw = getattr(module, name)

        def drawn(*of: Any) -> Any:
            self.drawn[name] += 1
            return draw(*of)

        patch.setattr(module, name, drawn)

    @property
    def edits(self) -> int:
        """How many messages and panels have been edited, answers aside."""
        return sum(n for (what, _), n in self.world.server.statuses.items() if "PATCH" in what)

    async def of(self, work: Awaitable[object]) -> tuple[int, int, int]:
        """Return panels drawn, table messages drawn, and edits until everybody sees the work."""
        self.drawn.clear()
        before = self.edits
        await work
        await asyncio.sleep(SEEN)
        return self.drawn["panel"], self.drawn["public"], self.edits - before


@pytest.fixture
def drawings(world: World, monkeypatch: pytest.MonkeyPatch) -> Drawings:
    return Drawings(world, monkeypatch)


async def four(world: World) -> list[Player]:
    """A round of four people in which everybody has seen everything."""
    people = await world.live("anna", "ben", "cleo", "dan")
    await asyncio.sleep(SEEN)
    return people


async def plays(people: list[Player]) -> int:
    """Somebody plays a card that fits; until one has such a card, people flip. Return presses."""
    for pressed in range(1, 200):
        person = people[pressed % len(people)]
        item = person.choose()
        assert item is not None, person.panel.text
        await person.server.click(person.user, person.panel, item.custom_id).wait()
        if not (item.label or "").startswith("Flip"):
            return pressed
    raise NotPlayedError("nobody has a card that fits")


async def test_a_flip_draws_one_screen(world: World, drawings: Drawings) -> None:
    people = await prepared(four(world))
    assert await drawings.of(people[0].press("Flip")) == (1, 0, 0)


async def test_a_card_is_drawn_once_for_each_who_sees_it(world: World, drawings: Drawings) -> None:
    people = await prepared(four(world))
    pressed = 0

    async def one_card() -> None:
        nonlocal pressed
        pressed = await plays(people)

    panels, public, edits = await drawings.of(one_card())
    assert (panels, public) == (pressed + 3, 1), "answers, the others' panels, and the table"
    assert edits == 4


async def test_who_has_left_takes_no_turn_from_those_who_play(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    people = await prepared(four(world))
    await people.pop().leave()
    await asyncio.sleep(SEEN)
    turns, turn = 0, PanelMessage.turn

    async def counted(calls: PanelMessage, place: Place, claim: Callable[[], Claim]) -> None:
        nonlocal turns
        turns += 1
        await turn(calls, place, claim)

    monkeypatch.setattr(PanelMessage, "turn", counted)
    await plays(people)
    await asyncio.sleep(SEEN)
    assert turns == 2, "the others who play"


async def test_panels_that_wait_are_drawn_at_their_turn(world: World, drawings: Drawings) -> None:
    """A channel of which nothing is known takes a call every few seconds: most panels wait."""
    people = await prepared(four(world))
    pressed = 0

    async def cards() -> None:
        nonlocal pressed
        for _ in range(12):
            pressed += await plays(people)
            await asyncio.sleep(0.5)

    panels, public, edits = await drawings.of(cards())
    pushed = edits - public
    assert pushed < 12 * 3, "they have waited"
    assert panels == pressed + pushed


async def test_nothing_is_drawn_where_nothing_looks_different(
    world: World, drawings: Drawings
) -> None:
    await prepared(four(world))
    messages, table = drawings.tables[-1]

    async def touched() -> None:
        for _ in range(5):
            messages.watch(table)
            await asyncio.sleep(2.0)

    assert await drawings.of(touched()) == (0, 0, 0)


async def test_time_that_passes_at_an_idle_table_draws_nothing(
    world: World, drawings: Drawings
) -> None:
    await prepared(four(world))
    assert await drawings.of(asyncio.sleep(15.0)) == (0, 0, 0), "a minute is quiet only later"
    panels, public, edits = await drawings.of(asyncio.sleep(60.0))
    assert (panels, public, edits) == (4, 1, 5), "once, since nobody has played for a minute"


async def test_panels_that_wait_show_the_cards_at_once(world: World) -> None:
    """The end of a round waits here, as calls are kept for the cards. They don't wait behind it."""
    people = await prepared(four(world))
    for _ in range(2):
        await prepared(plays(people))
    await world.agreed(people)
    for person in people:
        await prepared(person.press_public("Next round"))
    before = len(world.server.calls)
    await asyncio.sleep(6.0)
    calls = list(world.server.calls)[before:]
    shown = [at for at, method, path, *_ in calls if method == "PATCH" and "/webhooks/" in path]
    assert max(shown[-4:]) - min(shown[-4:]) < 0.01, "nobody has the cards before the others"
