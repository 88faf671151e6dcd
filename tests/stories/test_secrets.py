"""Tokens that outlive their use, names that come back, and names that are more than text."""

import asyncio
import re

import pytest

from bot.ui.render.names import safe
from tests.stories.world import Player, World, given

MARKED = re.compile(r"(?<!\\)(\*\*|__|\|\||~~)")
"""Markdown that nothing takes the meaning from."""
TOKEN_LIFE = 15 * 60


def tokens(world: World) -> list[str]:
    """Every token that the database has."""
    kept = "SELECT token FROM tables WHERE token IS NOT NULL UNION ALL SELECT token FROM panels"
    return [token for (token,) in world.rows(kept)]


async def test_a_token_that_is_needed_no_more_is_kept_nowhere(world: World) -> None:
    """That of a lobby's command finds its message after a kill; once that is known, it is of no
    use to anybody who should have it.
    """
    await world.lobby("anna")
    assert not world.rows("SELECT 1 FROM tables WHERE token IS NOT NULL")
    given(tokens(world), "her panel's is needed")
    await asyncio.sleep(TOKEN_LIFE + 60)
    assert not tokens(world)


async def test_a_token_that_died_while_the_bot_was_down_is_gone_after_its_start(
    world: World,
) -> None:
    await world.lobby("anna")
    given(tokens(world), "her panel's is needed")
    world.bot.kill()
    await asyncio.sleep(TOKEN_LIFE + 60)
    await world.start()
    assert not tokens(world)


async def forgotten(world: World, person: Player) -> None:
    """This person has everything deleted that is stored about them."""
    await world.server.slash(person.user, world.channel, "privacy").wait()
    for label in ("Delete my data", "Yes, delete it"):
        await asyncio.sleep(2)
        panel = world.server.panels(person.user, world.channel)[-1]
        await world.server.click(person.user, panel, label=label).wait()
    await asyncio.sleep(2)
    told = world.server.panels(person.user, world.channel)[-1].text
    given("Your ID and name are gone" in told, told)


async def test_nobodys_rematch_brings_a_forgotten_name_back(world: World) -> None:
    """The finished table knows Ben no more, and Anna's rematch holds no seat for him."""
    anna, ben = await world.live("anna", "ben", rounds=1)
    await world.agreed([anna, ben])
    await asyncio.sleep(5)
    await forgotten(world, ben)
    given(not about(world, ben), "nothing is left of Ben")
    await anna.press_public("Rematch")
    await asyncio.sleep(5)
    given("Join" in {item.label for item in world.public.controls}, "there is another lobby")
    assert not about(world, ben)


async def test_no_seat_is_held_for_somebody_forgotten(world: World) -> None:
    """Anna's rematch holds a seat for Ben, who wants to be forgotten just then."""
    anna, ben = await world.live("anna", "ben", rounds=1)
    await world.agreed([anna, ben])
    await asyncio.sleep(5)
    await anna.press_public("Rematch")
    await asyncio.sleep(5)
    given(about(world, ben), "a seat is held for Ben")
    await forgotten(world, ben)
    assert not about(world, ben)
    await anna.press_public("Start")
    await asyncio.sleep(5)
    assert "ben" not in world.public.text


def about(world: World, person: Player) -> list[str]:
    """The lines of the journal that hold this person's id."""
    return [body for (body,) in world.rows("SELECT body FROM journal") if _is_in(person, body)]


def _is_in(person: Player, body: str) -> bool:
    return str(person.user.id) in body


@pytest.mark.parametrize("name", ["http://**x**", "http://||x||", "https://__x__"])
def test_a_name_that_looks_like_a_link_stays_text(name: str) -> None:
    """discord.py escapes nothing in a link, and once it is broken its stars would be live."""
    assert not MARKED.search(safe(name, 32, "en"))
