"""The table of the expert stories."""

import pytest

from bot.games.ligretto.model import State
from tests.games.ligretto.board import board

TABLE = """
    centre r0
    0  row r9/g7 b3 - | ligretto b5 y4 y2 | hand y1 y5 y6 y7 | discard b9 r6
    1  row b6 b7 b8 | ligretto y9 y8 | hand r2
"""


@pytest.fixture
def table() -> State:
    """Anna has a column of two cards, one of one card, and a gap."""
    return board(TABLE, expert=True)


@pytest.fixture
def standard() -> State:
    """The same cards, but nothing can be laid on a column."""
    return board(TABLE, refill=False)
