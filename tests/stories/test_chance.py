"""What whoever runs the bot could do to the cards."""

import asyncio
from pathlib import Path

from tests.stories.world import labels, running

SEED = 5


async def first_hand(folder: Path, seconds: float) -> set[str]:
    """What Anna is dealt by a bot whose chance is chosen, in a match that begins so much later."""
    async with running(folder, seed=SEED) as world:
        await asyncio.sleep(seconds)
        anna, _ = await world.live("anna", "ben")
        return labels(anna.panel)


async def test_chance_that_is_chosen_deals_other_cards_under_another_message(
    tmp_path: Path,
) -> None:
    """The bot's own chance does not decide the deals alone, or it could be tried until it favours
    somebody: the id of the table's message, which nobody can choose, has its part in them.
    """
    hands = []
    for seconds in (0, 7):
        (folder := tmp_path / f"after {seconds}").mkdir()
        hands.append(await first_hand(folder, seconds))
    assert hands[0] != hands[1]
