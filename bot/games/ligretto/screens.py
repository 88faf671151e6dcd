"""A seat's view of a round of Ligretto, and its screens."""

from dataclasses import dataclass
from functools import cache, lru_cache

from bot.games.contract import Frame, GameView
from bot.games.ligretto import model
from bot.games.ligretto.fits import columns_for, fitting
from bot.games.ligretto.model import TOP, Card, Colour, Flip, Lay, Pile, Play, State
from bot.games.ligretto.round_end import left
from bot.games.values import Seat
from bot.screen import Block, Choice, Column, Line, Look, Row, Sentence, Style, Track, Words
from bot.text import Icon, Joined, Text

KEPT = 2048
"""Lines of the centre in the cache: there are 512 per colour."""
IN_A_ROW = 3
"""Buttons that fit side by side on every client. Four wrap on a phone."""
IN_A_COLUMN = 7
"""Cards of a column, counted from the last, that fit in a line on a phone."""


@dataclass(frozen=True, slots=True)
class Own:
    """A player's cards as they see them: the row, the tops, and how many cards lie below."""

    columns: tuple[Pile, ...]
    ligretto: Card | None
    discard: Card | None
    ligretto_left: int
    discarded: int
    in_hand: int
    flips: int

    @property
    def row(self) -> tuple[Card | None, ...]:
        """The tops of the columns, None for a gap."""
        return tuple(_top(column) for column in self.columns)

    @property
    def gap(self) -> int | None:
        return next((i for i, column in enumerate(self.columns) if not column), None)

    @property
    def can_turn(self) -> bool:
        return bool(self.in_hand or self.discarded)


@dataclass(frozen=True, slots=True)
class View(GameView):
    """A round as one seat sees it, or as everybody does if `own` is None.

    It holds no hidden cards, so neither a panel nor a robot can leak them. `tops` are the top
    numbers of the open piles by colour. Equal ones appear once, since they are interchangeable.
    """

    tops: tuple[tuple[Colour, tuple[int, ...]], ...]
    left: tuple[int | None, ...]
    fits: frozenset[Card]
    refill: bool
    expert: bool
    own: Own | None = None


def view(state: State, seat: Seat | None) -> View:
    tops = tuple(
        (colour, tuple(sorted({p.top for p in state.centre if p.colour == colour and p.top < TOP})))
        for colour in Colour
    )
    own = None if seat is None else _own(state, seat)
    return View(tops, left(state), frozenset(fitting(state)), state.refill, state.expert, own)


def _own(state: State, seat: Seat) -> Own | None:
    own = state.seats[seat]
    if own is None or own.gone:
        return None
    return Own(
        columns=own.row,
        ligretto=_top(own.ligretto[:1]),
        discard=_top(own.discard),
        ligretto_left=len(own.ligretto),
        discarded=len(own.discard),
        in_hand=len(own.hand),
        flips=own.flips,
    )


def _top(pile: Pile) -> Card | None:
    return pile[-1] if pile else None


def centre(view: View) -> tuple[Line, ...]:
    """Draw a line per colour, in which a position is the number on top of a pile."""
    return tuple(_track(colour, numbers) for colour, numbers in view.tops)


@lru_cache(KEPT)
def _track(colour: Colour, numbers: tuple[int, ...]) -> Track:
    top = max(numbers, default=1)
    icons = (f"{colour}{n}" if n in numbers else "dot" for n in range(1, top + 1))
    return Track(colour.value, tuple(icons), TOP - 1)


def panel(view: View, frame: Frame) -> tuple[Block, ...]:
    """Draw a player's own cards as buttons, below the centre."""
    own = view.own
    above: tuple[Line, ...] = (frame.head, *centre(view))
    if own is None:
        return (Words(above), Words((frame.note,)))
    if view.expert:
        above += tuple(_column(i, column) for i, column in enumerate(own.columns, 1))
    hand = _Hand(view, own, frame)
    slots = hand.slots()
    counts = Text(
        "ligretto.counts",
        (
            ("pile", Icon("pile")),
            ("left", own.ligretto_left),
            ("discard", Icon("discard")),
            ("discarded", own.discarded),
            ("back", Icon("back")),
            ("hand", own.in_hand),
        ),
    )
    return (
        Words(above),
        Words((*hand.hints(), frame.note)),
        *(Row(slots[i : i + IN_A_ROW]) for i in range(0, len(slots), IN_A_ROW)),
        Words((Sentence(counts, Look.SMALL),)),
        *hand.piles(),
    )


def _column(number: int, column: Pile) -> Column:
    return Column(number, tuple(str(card) for card in column[-IN_A_COLUMN:]) or ("dot",))


@dataclass(frozen=True, slots=True)
class _Hand:
    """A player's cards as buttons."""

    view: View
    own: Own
    frame: Frame

    @property
    def choosing(self) -> Card | None:
        """The card whose column is being asked for, while several would take it, or None."""
        card = model.half(self.frame.half or "")
        layable = card in (self.own.ligretto, self.own.discard)
        return card if card is not None and layable and len(self._columns(card)) > 1 else None

    def hints(self) -> tuple[Line, ...]:
        """List the cards that fit the centre, if assist is on."""
        if not self.frame.assist:
            return ()
        own = self.own
        cards = (*own.row, own.ligretto, own.discard)
        fits = tuple(Icon(str(card)) for card in cards if card in self.view.fits)
        key = "panel.fits" if fits else "panel.no_fits"
        return (Sentence(Text(key, (("cards", Joined(fits)),)), Look.SMALL),)

    def slots(self) -> tuple[Choice, ...]:
        """Draw the row: its tops to play, or its columns for the chosen card."""
        card = self.choosing
        if card is None:
            return tuple(self._card(top, f"row{i}") for i, top in enumerate(self.own.row))
        return tuple(
            Choice(_top_label(top), str(Lay(card, i)), _top_icon(top), Style.SUCCESS)
            if i in self._columns(card)
            else Choice(_top_label(top), f"off:row{i}", _top_icon(top), off=True)
            for i, top in enumerate(self.own.row)
        )

    def piles(self) -> tuple[Row, ...]:
        """Draw the Ligretto pile, the discard pile and Flip, and any buttons that lay cards."""
        own, expert = self.own, self.view.expert
        ligretto = self._card(own.ligretto, "ligretto", Style.PRIMARY)
        discard = self._card(own.discard, "discard")
        flip = Choice(Text("ligretto.flip"), str(Flip(own.flips)), "flip", off=not own.can_turn)
        if expert:
            down = self._down(own.ligretto, "ligretto"), self._down(own.discard, "discard")
            return Row((ligretto, down[0])), Row((discard, down[1], flip))
        if self.view.refill and not self._last_card_and_gap():
            return (Row((ligretto, discard, flip)),)
        return Row((ligretto, self._into_gap())), Row((discard, flip))

    def _last_card_and_gap(self) -> bool:
        """Check for a gap with one Ligretto card left, which never fills it automatically (C15)."""
        return self.own.ligretto_left == 1 and self.own.gap is not None

    def _columns(self, card: Card) -> tuple[int, ...]:
        return columns_for(self.own.columns, card, expert=self.view.expert)

    def _into_gap(self) -> Choice:
        """Draw the button that lays the Ligretto top in the leftmost gap."""
        card, gap = self.own.ligretto, self.own.gap
        if card is None or gap is None:
            label = Text("ligretto.no_down") if card is None else _down_label(card)
            return Choice(label, "off:down", off=True)
        style = Style.SUCCESS if self.frame.assist else Style.SECONDARY
        return Choice(_down_label(card), str(Lay(card, gap)), style=style)

    def _down(self, card: Card | None, place: str) -> Choice:
        """Draw the button that lays a card on the row.

        If several columns take the card, the next press names one. If none does, a press is refused
        with an explanation.
        """
        if card is None:
            return Choice(Text("ligretto.no_down"), f"off:{place}.down", off=True)
        if card == self.choosing:
            return Choice(Text("button.back"), "panel", style=Style.PRIMARY)
        columns = self._columns(card)
        word = f"{card}>" if len(columns) > 1 else str(Lay(card, next(iter(columns), 0)))
        helped = self.frame.assist and place == "ligretto" and bool(columns)
        style = Style.SUCCESS if helped else Style.SECONDARY
        return Choice(_down_label(card), word, style=style)

    def _card(self, card: Card | None, place: str, style: Style = Style.SECONDARY) -> Choice:
        """Draw a card's button, or for no card a disabled one of the same width."""
        if card is None:
            return Choice(Text("ligretto.gap"), f"off:{place}", "gap", off=True)
        if self.frame.assist and card in self.view.fits:
            style = Style.SUCCESS
        return _playing(card, style)


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
