"""What differs between a panel as it was and one that was just asked for."""

import pytest

from tests.simulate.screens import Look

VOTED = "-# Anna wants to end the round. It ends when everyone presses End round."
LIVE = (("Flip", "lg1:6:1:flip:30", False),)


@pytest.mark.parametrize("then", ["Next round", "Rematch"])
def test_round_may_end_by_votes_when_a_panel_is_asked_for(then: str) -> None:
    """Everybody who voted was away, and whoever asks is back."""
    ended = Look(("### Anna wins",), ((then, "lg1:6:1:next", False),))
    assert not Look(("Turned 3", VOTED), LIVE).differences(ended)
    assert Look(("Turned 3",), LIVE).differences(ended), "nobody had voted"
