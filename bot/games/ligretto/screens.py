"""What a seat may know of a round of Ligretto, and how to show it."""

from dataclasses import dataclass

from bot.games.kernel import Seat
from bot.games.ligretto.model import TOP, Card, Colour, Flip, Lay, Pile, Play, State
from bot.games.ligretto.rules import fitting, left
from bot.games.screen import Block, Choice, Icon, Line, Row, Sentence, Style, Text, Track, Words
from bot.games.screen import Look as Size

IN_A_ROW = 3
"""Buttons side by side on every client: four wrap on a phone."""


@dataclass(frozen=True, slots=True)
class Own:
    """What a player sees of his own cards: tops, and how many lie below."""

    row: tuple[Card | None, ...]
    ligretto: Card | None
    discard: Card | None
    ligretto_left: int
    discarded: int
    in_hand: int
    flips: int

    @property
    def gap(self) -> int | None:
        return self.row.index(None) if None in self.row else None

    @property
    def can_turn(self) -> bool:
        return bool(self.in_hand or self.discarded)


@dataclass(frozen=True, slots=True)
class View:
    """A round seen from one seat, or by everybody when `own` is None.

    Hidden cards never get in here, so neither a panel nor a computer player can leak them.
    `tops` are the open piles' top numbers by colour, equal ones once: they are interchangeable.
    """

    tops: tuple[tuple[Colour, tuple[int, ...]], ...]
    left: tuple[int | None, ...]
    fits: frozenset[Card]
    refill: bool
    own: Own | None = None


def view(state: State, seat: Seat | None) -> View:
    tops = tuple(
        (colour, tuple(sorted({p.top for p in state.centre if p.colour == colour and p.top < TOP})))
        for colour in Colour
    )
    own = None if seat is None else _own(state, seat)
    return View(tops, left(state), frozenset(fitting(state)), state.refill, own)


def _own(state: State, seat: Seat) -> Own | None:
    own = state.seats[seat]
    if own is None or own.gone:
        return None
    return Own(
        row=tuple(column[-1] if column else None for column in own.row),
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
    """Four lines, one a colour: the place in the line is the number on top of a pile."""
    return tuple(
        Track(
            colour.value,
            tuple(
                f"{colour}{number}" if number in numbers else "dot"
                for number in range(1, max(numbers, default=1) + 1)
            ),
            TOP - 1,
        )
        for colour, numbers in view.tops
    )


def panel(view: View, head: Line, note: Line) -> tuple[Block, ...]:
    """A player's own cards as buttons, what he plays on above them."""
    own = view.own
    above = (Words((head, *centre(view))), Words((note,)))
    if own is None:
        return above
    slots = tuple(_slot(i, card) for i, card in enumerate(own.row))
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
        *above,
        *(Row(slots[i : i + IN_A_ROW]) for i in range(0, len(slots), IN_A_ROW)),
        Words((Sentence(counts, Size.SMALL),)),
        *_piles(own, by_hand=not view.refill or _last_card_and_gap(own)),
    )


def _last_card_and_gap(own: Own) -> bool:
    """The last Ligretto card never fills a gap by itself: it would end the round (C15)."""
    return own.ligretto_left == 1 and own.gap is not None


def _piles(own: Own, *, by_hand: bool) -> tuple[Row, ...]:
    ligretto = _card(own.ligretto, "ligretto", Style.PRIMARY)
    discard = _card(own.discard, "discard")
    flip = Choice(Text("ligretto.flip"), str(Flip(own.flips)), "flip", off=not own.can_turn)
    if not by_hand:
        return (Row((ligretto, discard, flip)),)
    return Row((ligretto, _down(own))), Row((discard, flip))


def _down(own: Own) -> Choice:
    """The button that lays the Ligretto top into the leftmost gap."""
    if own.ligretto is None or own.gap is None:
        label = Text("ligretto.no_down") if own.ligretto is None else _label(own.ligretto, "down")
        return Choice(label, "off:down", off=True)
    return Choice(_label(own.ligretto, "down"), str(Lay(own.ligretto, own.gap)))


def _slot(column: int, card: Card | None) -> Choice:
    return _card(card, f"row{column}")


def _card(card: Card | None, place: str, style: Style = Style.SECONDARY) -> Choice:
    """A card's button; a disabled one of the same width where none lies."""
    if card is None:
        return Choice(Text("ligretto.gap"), f"off:{place}", "gap", off=True)
    return Choice(_label(card), str(Play(card)), str(card), style)


def _label(card: Card, kind: str = "card") -> Text:
    return Text(f"{kind}.{card.colour}", (("n", card.value),))
