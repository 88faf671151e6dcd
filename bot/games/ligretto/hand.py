"""A player's cards as buttons, in three zones that keep their places all round."""

from dataclasses import dataclass
from functools import cache, lru_cache

from bot.games.contract import Frame
from bot.games.hints import HINTS_ON, fits
from bot.games.ligretto import model
from bot.games.ligretto.fits import columns_for
from bot.games.ligretto.model import Card, Flip, Lay, Pile, Play
from bot.games.ligretto.view import Own, View
from bot.screen import OFF_PREFIX, Choice, Column, Line, Look, Row, Sentence, Style
from bot.text import Icon, Joined, Text, bare

IN_A_COLUMN = 7
"""Cards of a column, counted from the last, that fit in a line on a phone."""
KEPT = 1024
"""Entries of each cache here: others hold the same cards, and flip as often."""
_ROW = Sentence(Text("ligretto.row"), Look.SMALL)
_kept_column = lru_cache(KEPT)(Column)


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
        """Name the row. With hints it always has an icon, so its height is the same."""
        if not self.frame.assist:
            return _ROW
        in_row = tuple(str(card) for card in self.own.row if self._fits(card))
        return _hinted_row(in_row, None if self.frame.covered else self._fitting)

    @property
    def _fitting(self) -> tuple[str, ...]:
        """The cards that can be played or laid, the Ligretto pile's first."""
        own = self.own
        piles = (own.ligretto,) if self._ligretto_fits else ()
        last = (own.discard,) if self._discard_fits else ()
        cards = (*piles, *(card for card in own.row if self._fits(card)), *last)
        return tuple(dict.fromkeys(map(str, cards)))

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
        return _kept_column(number, shown, max(0, len(column) - IN_A_COLUMN))

    def ligretto_label(self) -> Line:
        helps = self.frame.assist and self._ligretto_fits
        return _pile("ligretto.pile", self.own.ligretto_left, helps)

    def discard_label(self) -> Line:
        helps = self.frame.assist and self._discard_fits
        return _pile("ligretto.discard", self.own.in_hand, helps)

    # -- buttons ----------------------------------------------------------------------------

    @property
    def choosing(self) -> Card | None:
        """The card whose column is being asked for, while several would take it, or None."""
        card = None if self.frame.half is None else model.half(self.frame.half)
        layable = card in (self.own.ligretto, self.own.discard)
        return card if card is not None and layable and len(self._columns(card)) > 1 else None

    def row(self) -> tuple[Choice, ...]:
        """Draw the row: its tops to play, or its columns for the chosen card."""
        card = self.choosing
        if card is None:
            return tuple(self._card(one, f"row{i}") for i, one in enumerate(self.own.row))
        columns = self._columns(card)
        return tuple(
            Choice(label, str(Lay(card, i)), icon, Style.SUCCESS)
            if i in columns
            else Choice(label, f"{OFF_PREFIX}row{i}", icon, off=True)
            for i, (label, icon) in enumerate(map(_top, self.own.row))
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
        flip = _flip(None if covered or not own.can_turn else own.flips)
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
            return _off("ligretto.no_down", f"{OFF_PREFIX}{place}.down")
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
            return _off("ligretto.back", f"{OFF_PREFIX}{place}", "back")
        if card is None:
            key = "ligretto.gap" if place.startswith("row") else "ligretto.none"
            return _off(key, f"{OFF_PREFIX}{place}", "gap")
        if self.frame.assist and card in self.view.fits:
            style = Style.SUCCESS
        return _playing(card, style)


@lru_cache(KEPT)
def _hinted_row(in_row: tuple[str, ...], anywhere: tuple[str, ...] | None) -> Sentence:
    """Name the row and the cards that fit: those in it, else those below it. None: all are covered.

    Plain text, which has no green, names in a line of its own what fits anywhere.
    """
    if shown := in_row or anywhere:
        key = "ligretto.row_fits" if in_row else "ligretto.below_fits"
        row = Text(key, (("cards", Joined(tuple(map(Icon, shown)))),))
    elif anywhere is None:
        row = Text("ligretto.row_covered", (("back", Icon("back")),))
    else:
        row = Text("ligretto.no_fits", (("gap", Icon("gap")),))
    hint = HINTS_ON if anywhere is None else fits(anywhere)
    return Sentence(Text("ligretto.hinted", (("row", row), ("hint", hint))), Look.SMALL)


@cache
def _pile(key: str, cards: int, helps: bool) -> Sentence:  # noqa: FBT001 a key of the cache
    """Name a pile and its number of cards, and also that its top card fits if that `helps`."""
    named = Text(key, (("n", cards),))
    if helps:
        named = Text("ligretto.pile_fits", (("pile", named),))
    return Sentence(named, Look.SMALL)


@cache
def _off(key: str, word: str, icon: str | None = None) -> Choice:
    """Draw the disabled button of a place."""
    return Choice(Text(key), word, icon, off=True)


@lru_cache(KEPT)
def _flip(flips: int | None) -> Choice:
    """Draw Flip for whoever has made so many flips, disabled for None."""
    word = f"{OFF_PREFIX}flip" if flips is None else str(Flip(flips))
    return Choice(Text("ligretto.flip"), word, "flip", off=flips is None)


def _top(card: Card | None) -> tuple[Text, str]:
    """Return the label and the icon of a column's top, or of a gap."""
    return (Text("ligretto.gap"), "gap") if card is None else (_label(card), str(card))


@cache
def _playing(card: Card, style: Style) -> Choice:
    """Draw the button that plays a card."""
    return Choice(_label(card), str(Play(card)), str(card), style)


def _label(card: Card) -> Text:
    return bare(Icon(str(card)))


def _down_label(card: Card) -> Text:
    return Text("ligretto.down", (("card", Icon(str(card))),))
