"""What differs between a panel as it was and one that was just asked for."""

import pytest

from bot.fakediscord import Item
from tests.simulate.screens import Button, Look, button

VOTED = "-# Anna wants to end the round. It ends when everyone presses End round."
LIVE = (("Flip", "lg1:6:1:flip:30", False),)


@pytest.mark.parametrize("then", ["Next round", "Rematch"])
def test_round_may_end_by_votes_when_a_panel_is_asked_for(then: str) -> None:
    """Everybody who voted was away, and whoever asks is back."""
    ended = Look(("### Anna wins",), ((then, "lg1:6:1:next", False),))
    assert not Look(("Turned 3", VOTED), LIVE).differences(ended)
    assert Look(("Turned 3",), LIVE).differences(ended), "nobody had voted"


def test_button_that_means_the_same_in_every_round_may_be_of_an_earlier_one() -> None:
    """Whoever has left is not told of each round."""
    assert shown("Join next match", "lg1:8:1:next") == shown("Join next match", "lg1:8:2:next")
    assert shown("Flip", "lg1:8:1:flip:30") != shown("Flip", "lg1:8:2:flip:30")


def shown(label: str, custom_id: str) -> Button:
    return button(Item({"label": label, "custom_id": custom_id}))


def test_panel_with_fewer_lines_than_the_new_one_differs() -> None:
    assert Look(("One",), LIVE).differences(Look(("One", "Two", "Three", "Your panel"), LIVE))
