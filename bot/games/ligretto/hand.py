"""A player's cards as buttons, in three zones that keep their places all round."""

from dataclasses import dataclass
from functools import cache

from bot.games.contract import Frame
from bot.games.hints import HINTS_ON, NO_FITS, fits
from bot.games.ligretto import model
from bot.games.ligretto.fits import columns_for
from bot.games.ligretto.model import Card, Flip, Lay, Pile, Play
from bot.games.ligretto.view import Own, View
from bot.screen import OFF_PREFIX, Choice, Column, Line, Look, Row, Sentence, Style
from bot.text import Icon, Joined, Text, Value, bare

IN_A_COLUMN = 7
"""Cards of a column, counted from the last, that fit in a line on a phone."""


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
        return _small("ligretto.hinted", ("row", self._row_hint()), ("hint", self._hint()))

    def _row_hint(self) -> Text:
        """Name the row and what fits in it. It always has an icon, so its height is the same."""
        if self.frame.covered:
            return Text("ligretto.row_covered", (("back", Icon("back")),))
        cards = tuple(Icon(str(card)) for card in self.own.row if self._fits(card))
        if cards:
            return Text("ligretto.row_fits", (("cards", Joined(cards)),))
        if self._fitting:
            return Text("ligretto.below_fits", (("cards", Joined(self._fitting)),))
        return Text("ligretto.no_fits", (("gap", Icon("gap")),))

    def _hint(self) -> Text:
        """Name what fits, wherever it lies: a line of its own in plain text, which has no green."""
        if self.frame.covered:
            return HINTS_ON
        return fits(self._fitting) if self._fitting else NO_FITS

    @property
    def _fitting(self) -> tuple[Icon, ...]:
        """The cards that can be played or laid, the Ligretto pile's first."""
        own = self.own
        piles = (own.ligretto,) if self._ligretto_fits else ()
        last = (own.discard,) if self._discard_fits else ()
        cards = (*piles, *(card for card in own.row if self._fits(card)), *last)
        return tuple(Icon(name) for name in dict.fromkeys(map(str, cards)))

    def _fits(self, card: Card | None, *, can_lay: bool = False) -> bool:
        """Return whether a card can be played to the centre, or laid on the row if it ever may."""
        if card is None or self.frame.covered:
            return False
        return card in self.view.fits or (can_lay and bool(self._columns(card)))

    @property
    def _ligretto_fits(self) -> bool:
        return self._fits(self.own.ligretto, can_lay=self._has_down or self.own.ligretto_left == 1)

    @property
    def _discard_fits(self) -> bool:
        return self._fits(self.own.discard, can_lay=self.view.expert)

    def _column(self, number: int, column: Pile) -> Column:
        icons = tuple("back" if self.frame.covered else str(card) for card in column)
        shown = icons[-IN_A_COLUMN:] or ("dot",)
        return Column(number, shown, below=max(0, len(column) - IN_A_COLUMN))

    def ligretto_label(self) -> Line:
        pile = Text("ligretto.pile", (("n", self.own.ligretto_left),))
        return self._pile(pile, fits=self._ligretto_fits)

    def discard_label(self) -> Line:
        pile = Text("ligretto.discard", (("n", self.own.in_hand),))
        return self._pile(pile, fits=self._discard_fits)

    def _pile(self, named: Text, *, fits: bool) -> Line:
        """Name a pile, with hints also that its top card fits."""
        if fits and self.frame.assist:
            named = Text("ligretto.pile_fits", (("pile", named),))
        return Sentence(named, Look.SMALL)

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
            else Choice(_top_label(one), f"{OFF_PREFIX}row{i}", _top_icon(one), off=True)
            for i, one in enumerate(self.own.row)
        )

    def ligretto(self) -> Row:
        """Draw the top of the Ligretto pile, and beside it the button that lays it on the row.

        Where gaps fill themselves there is no such button: the last card goes where it can from the
        pile's own place, so that nothing ever comes or goes beside or below it (C15).
        """
        card = self.own.ligretto
        first = self._card(card, "ligretto", Style.PRIMARY)
        if card is not None and self._wins and card in self.view.fits:
            label = Text("ligretto.win", (("card", Icon(str(card))),))
            first = Choice(label, str(Play(card)), str(card), Style.SUCCESS)
        elif card is not None and self._wins and not self._has_down:
            word = str(Lay(card, self._columns(card)[0]))
            first = Choice(Text("ligretto.win_down"), word, str(card), Style.SUCCESS)
        return Row((first, self._down(card, "ligretto")) if self._has_down else (first,))

    def discard(self) -> Row:
        """Draw the top of the discard pile and Flip."""
        own, covered = self.own, self.frame.covered
        is_off = covered or not own.can_turn
        word = f"{OFF_PREFIX}flip" if is_off else str(Flip(own.flips))
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
        """True if cards are laid on the row by hand, from a button of their own."""
        return self.view.expert or not self.view.refill

    def _columns(self, card: Card) -> tuple[int, ...]:
        return columns_for(self.own.columns, card, expert=self.view.expert)

    def _down(self, card: Card | None, place: str) -> Choice:
        """Draw the button that lays a card on the row.

        If several columns take the card in the expert game, the next press names one. If none does,
        a press is refused with an explanation. In the standard game the leftmost gap is filled.
        """
        if card is None or self.frame.covered:
            return Choice(Text("ligretto.no_down"), f"{OFF_PREFIX}{place}.down", off=True)
        if card == self.choosing:
            return Choice(Text("button.back"), "panel", style=Style.PRIMARY)
        columns = self._columns(card)
        if not columns and not self.view.expert:
            return Choice(_down_label(card), f"{OFF_PREFIX}{place}.down", off=True)
        asks = self.view.expert and len(columns) > 1
        word = f"{card}>" if asks else str(Lay(card, next(iter(columns), 0)))
        if place == "ligretto" and self._wins and columns:
            return Choice(Text("ligretto.win_down"), word, style=Style.SUCCESS)
        helped = self.frame.assist and bool(columns)
        style = Style.SUCCESS if helped else Style.SECONDARY
        return Choice(_down_label(card), word, style=style)

    def _card(self, card: Card | None, place: str, style: Style = Style.SECONDARY) -> Choice:
        """Draw a card's button, or a disabled one of the same width."""
        if self.frame.covered:
            return Choice(Text("ligretto.back"), f"{OFF_PREFIX}{place}", "back", off=True)
        if card is None:
            key = "ligretto.gap" if place.startswith("row") else "ligretto.none"
            return Choice(Text(key), f"{OFF_PREFIX}{place}", "gap", off=True)
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
    return bare(Icon(str(card)))


def _down_label(card: Card) -> Text:
    return Text("ligretto.down", (("card", Icon(str(card))),))
