"""The state of a table's round with the type that its game gave it."""

from bot.games.dice.model import SeatDice
from bot.games.dice.model import State as Dice
from bot.games.ligretto.model import SeatCards
from bot.games.ligretto.model import State as Cards
from bot.tables.session import Session


def ligretto_state(session: Session) -> Cards:
    """Return the round of a table that plays Ligretto."""
    assert isinstance(session.state, Cards)
    return session.state


def dice_state(session: Session) -> Dice:
    """Return the round of a table that plays Ligretto Dice."""
    assert isinstance(session.state, Dice)
    return session.state


def seat_cards(session: Session, seat: int) -> SeatCards:
    """Return the cards of a seat that was dealt in."""
    own = ligretto_state(session).seats[seat]
    assert own is not None
    return own


def seat_dice(session: Session, seat: int) -> SeatDice:
    """Return the dice of a seat that was dealt in."""
    own = dice_state(session).seats[seat]
    assert own is not None
    return own
