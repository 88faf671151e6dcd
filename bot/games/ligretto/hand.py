"""A player's cards as buttons, in three zones that keep their places all round."""

from dataclasses import dataclass
from functools import cache

from bot.games.contract import Frame
from bot.games.ligretto import model
from bot.games.ligretto.fits import columns_for
from bot.games.ligretto.model import Card, Flip, Lay, Pile, Play
from bot.games.ligretto.view import Own, View
from bot.screen import Choice, Column, Line, Look, Row, Sentence, Style
from bot.text import Icon, Joined, Text, Value

IN_A_COLUMN = 7
"""Cards of a column, counted from the last, that fit in a line on a phone."""
HINTED = 5
"""Cards named as fitting, so that their line stays one on a narrow phone."""


@dataclass(frozen=True, slots=True)
class Hand:
    """A player's cards as their panel shows them: face down while the frame is covered."""

    view: View
    own: Own
    frame: Frame

    # -- words ------------------------------------------------------------------------------

    def note(self) -> Line:
        """Return how the next press ends the round, else the line of what the last one led to.

        Why a press was refused is always told: somebody else may have been quicker just now. So is
        the question for a column, which the row's buttons answer.
        """
        card = self.own.ligretto
        is_asked = self.choosing is not None
        if card is None or not self._wins or is_asked or self.frame.is_refusal:
            return self.frame.note
        if card in self.view.fits:
            key = "ligretto.last_fits"
        else:
            key = "ligretto.last_row" if self.own.gap is None else "ligretto.last_gap"
        return Sentence(Text(key, (("card", Icon(str(card))),)))

    def above_row(self) -> tuple[Line, ...]:
        """Name the row, and in the expert game show what lies in its columns."""
        if not self.view.expert:
            return (self._row_label(),)
        columns = self.own.columns
        return (self._row_label(), *(self._column(i, one) for i, one in enumerate(columns, 1)))

    def _row_label(self) -> Sentence:
        if not self.frame.assist:
            return _small("ligretto.row")
        fits = self._fitting()
        if not fits:
            return _small("ligretto.row_no_fits", ("gap", Icon("gap")))
        return _small("ligretto.row_fits", ("cards", Joined(fits)))

    def _fitting(self) -> tuple[Value, ...]:
        """List the cards that can be played: to the centre, and with an arrow to the row."""
        own, fits = self.own, self.view.fits
        if self.frame.covered:
            return ()
        cards = (*own.row, own.ligretto, own.discard)
        played = [Icon(str(card)) for card in cards if card in fits]
        laid = [_down_label(card) for card in self._layable if self._columns(card)]
        found: tuple[Value, ...] = (*played, *laid)
        return found[:HINTED]

    @property
    def _layable(self) -> tuple[Card, ...]:
        """The cards that have a button for the row."""
        own, expert = self.own, self.view.expert
        cards = (own.ligretto, own.discard if expert else None)
        return tuple(card for card in cards if card is not None) if self._has_down else ()

    def _column(self, number: int, column: Pile) -> Column:
        if self.frame.covered:
            return Column(number, ("back",) * len(column[-IN_A_COLUMN:]) or ("dot",))
        return Column(number, tuple(str(card) for card in column[-IN_A_COLUMN:]) or ("dot",))

    def ligretto_label(self) -> Line:
        return _small("ligretto.pile", ("n", self.own.ligretto_left))

    def discard_label(self) -> Line:
        return _small("ligretto.discard", ("n", self.own.in_hand))

    # -- buttons ----------------------------------------------------------------------------

    @property
    def choosing(self) -> Card | None:
        """The card whose column is being asked for, while several would take it, or None."""
        card = model.half(self.frame.half or "")
        layable = card in (self.own.ligretto, self.own.discard)
        return card if card is not None and layable and len(self._columns(card)) > 1 else None

    def row(self) -> tuple[Choice, ...]:
        """Draw the row: its tops to play, or its columns for the chosen card."""
        card = self.choosing
        if card is None:
            return tuple(self._card(one, f"row{i}") for i, one in enumerate(self.own.row))
        return tuple(
            Choice(_top_label(one), str(Lay(card, i)), _top_icon(one), Style.SUCCESS)
            if i in self._columns(card)
            else Choice(_top_label(one), f"off:row{i}", _top_icon(one), off=True)
            for i, one in enumerate(self.own.row)
        )

    def ligretto(self) -> Row:
        """Draw the top of the Ligretto pile, and the button that lays it on the row."""
        card = self.own.ligretto
        first = self._card(card, "ligretto", Style.PRIMARY)
        if card is not None and self._wins and card in self.view.fits:
            label = Text("ligretto.win", (("card", Icon(str(card))),))
            first = Choice(label, str(Play(card)), str(card), Style.SUCCESS)
        return Row((first, self._down(card, "ligretto")) if self._has_down else (first,))

    def discard(self) -> Row:
        """Draw the top of the discard pile and Flip."""
        own, covered = self.own, self.frame.covered
        is_off = covered or not own.can_turn
        word = "off:flip" if covered else str(Flip(own.flips))
        flip = Choice(Text("ligretto.flip"), word, "flip", off=is_off)
        first = self._card(own.discard, "discard")
        if self.view.expert:
            return Row((first, self._down(own.discard, "discard"), flip))
        return Row((first, flip))

    @property
    def _wins(self) -> bool:
        """True if playing the Ligretto pile's last card is possible now: it ends the round."""
        card = self.own.ligretto
        if card is None or self.own.ligretto_left != 1 or self.frame.covered:
            return False
        return card in self.view.fits or bool(self._columns(card))

    @property
    def _has_down(self) -> bool:
        """True if the Ligretto card is laid on the row by hand, as the last one always is (C15)."""
        by_hand = self.view.expert or not self.view.refill
        return by_hand or (self.own.ligretto_left == 1 and self.own.gap is not None)

    def _columns(self, card: Card) -> tuple[int, ...]:
        return columns_for(self.own.columns, card, expert=self.view.expert)

    def _down(self, card: Card | None, place: str) -> Choice:
        """Draw the button that lays a card on the row.

        If several columns take the card in the expert game, the next press names one. If none does,
        a press is refused with an explanation. In the standard game the leftmost gap is filled.
        """
        if card is None or self.frame.covered:
            return Choice(Text("ligretto.no_down"), f"off:{place}.down", off=True)
        if card == self.choosing:
            return Choice(Text("button.back"), "panel", style=Style.PRIMARY)
        columns = self._columns(card)
        if not columns and not self.view.expert:
            return Choice(_down_label(card), "off:down", off=True)
        asks = self.view.expert and len(columns) > 1
        word = f"{card}>" if asks else str(Lay(card, next(iter(columns), 0)))
        if place == "ligretto" and self._wins and columns:
            return Choice(Text("ligretto.win_down"), word, style=Style.SUCCESS)
        helped = self.frame.assist and place == "ligretto" and bool(columns)
        style = Style.SUCCESS if helped else Style.SECONDARY
        return Choice(_down_label(card), word, style=style)

    def _card(self, card: Card | None, place: str, style: Style = Style.SECONDARY) -> Choice:
        """Draw a card's button, or a disabled one of the same width."""
        if self.frame.covered:
            return Choice(Text("ligretto.gap"), f"off:{place}", "back", off=True)
        if card is None:
            return Choice(Text("ligretto.gap"), f"off:{place}", "gap", off=True)
        if self.frame.assist and card in self.view.fits:
            style = Style.SUCCESS
        return _playing(card, style)


@cache
def _small(key: str, *values: tuple[str, Value]) -> Sentence:
    return Sentence(Text(key, values), Look.SMALL)


def _top_label(card: Card | None) -> Text:
    return Text("ligretto.gap") if card is None else _label(card)


def _top_icon(card: Card | None) -> str:
    return "gap" if card is None else str(card)


@cache
def _playing(card: Card, style: Style) -> Choice:
    """Draw the button that plays a card."""
    return Choice(_label(card), str(Play(card)), str(card), style)


def _label(card: Card) -> Text:
    return Text("card.name", (("card", Icon(str(card))),))


def _down_label(card: Card) -> Text:
    return Text("ligretto.down", (("card", Icon(str(card))),))
