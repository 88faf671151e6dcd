"""The effect of a failed edit on what is known of a panel: a pure function."""

from bot.ui.limits.errors import Trouble
from bot.ui.panel_states import state
from bot.ui.panel_states.panel_place import Place, token_of
from bot.ui.panel_states.state import Delivery, PanelState

PASSING = (Trouble.LATER, Trouble.ARCHIVED)
"""Failures that leave unknown if the edit was carried out. The next one may be taken."""


def failed(before: PanelState, kind: Trouble, delivery: Delivery, used: Place) -> PanelState:
    """Return what is known after this picture failed at the place that was used for it."""
    refused = state.refused(before, delivery)
    match kind:
        case Trouble.MESSAGE_GONE | Trouble.PLACE_GONE | Trouble.FORBIDDEN:
            return state.without_message(refused, used)
        case Trouble.TOKEN_GONE:
            return state.without_token(refused, token_of(used))
        case Trouble.BUG | Trouble.REFUSED:
            return refused
        case Trouble.LATER | Trouble.ARCHIVED:
            return state.lost(before)
