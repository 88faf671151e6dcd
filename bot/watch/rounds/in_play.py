"""The cards or dice of a round while its log is read, moved as the `move` lines say."""

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple, Protocol

from bot.watch.rounds.values import Face, Pile, RoundState, SeatState

Line = Mapping[str, Any]
COLOURS = "rygb"


class UnknownGameError(Exception):
    """A log of a game that has no moving picture."""


class Laid(NamedTuple):
    """A card or die that a move has laid: on a pile of the centre, or on a column of the own row.

    The other number is None.
    """

    card: Face
    pile: int | None = None
    column: int | None = None


class InPlay(Protocol):
    """A round in progress. A malformed log may raise any exception."""

    def move(self, seat: int, words: Sequence[Any]) -> Laid | None:
        """Carry out a move. Return what it laid, if it laid something."""

    def leave(self, seat: int) -> None: ...

    @property
    def state(self) -> RoundState: ...

    def place_of(self, face: Face) -> int | None:
        """Return the pile on which this lies: the newest one, if it lies on several."""


def dealt(game: str, deal: Line) -> InPlay:
    """Return what is in play after a `deal`. Raises UnknownGameError."""
    if game == "cards":
        return _CardsInPlay(deal)
    if game == "dice":
        return _DiceInPlay(deal)
    raise UnknownGameError(game)


class _Centre:
    """The piles in the order in which they were opened."""

    def __init__(self, colours: str) -> None:
        self.piles: list[tuple[str, list[int]]] = [(colour, []) for colour in colours]
        self.gone: set[int] = set()
        self.laid: Counter[int] = Counter()
        self._newest: dict[tuple[str, int], int] = {}

    def lay(self, pile: int, colour: str, seat: int) -> None:
        if pile == len(self.piles):
            self.piles.append((colour, []))
        owners = self.piles[pile][1]
        owners.append(seat)
        self.laid[seat] += 1
        self._newest[colour, len(owners)] = pile

    def newest(self, colour: str, value: int) -> int | None:
        return self._newest.get((colour, value))

    def leave(self, seat: int) -> None:
        self.gone.add(seat)

    @property
    def shown(self) -> tuple[Pile, ...]:
        return tuple(Pile(colour, tuple(owners)) for colour, owners in self.piles)


class _Started(ABC):
    """A round of either game: its centre, and its state until a move changes it."""

    def __init__(self, colours: str) -> None:
        self._centre = _Centre(colours)
        self._state: RoundState | None = None  # until a move changes it

    def leave(self, seat: int) -> None:
        self._state = None
        self._centre.leave(seat)

    def place_of(self, face: Face) -> int | None:
        return self._centre.newest(face[0], int(face.lstrip("rygbd")))

    @property
    def state(self) -> RoundState:
        if self._state is None:
            centre, seats = self._centre, enumerate(self._left())
            self._state = RoundState(
                centre.shown,
                tuple(
                    None if own is None else SeatState(*own, centre.laid[p], p in centre.gone)
                    for p, own in seats
                ),
            )
        return self._state

    @abstractmethod
    def _left(self) -> Iterator[tuple[tuple[Face | None, ...], tuple[Face, ...]] | None]:
        """Yield the row of each seat, and its Ligretto pile or dice; None for who isn't in."""


class _CardsInPlay(_Started):
    def __init__(self, deal: Line) -> None:
        super().__init__("")
        self._seats: list[_CardSeat | None] = [
            None if own is None else _CardSeat(own) for own in deal["seats"]
        ]

    def move(self, seat: int, words: Sequence[Any]) -> Laid | None:
        own = self._seats[seat]
        assert own is not None, "only seats that were dealt in move"
        match words:
            case ["play", source, pile]:
                self._state = None
                card = own.take(source)
                where = len(self._centre.piles) if pile == "new" else int(pile)
                self._centre.lay(where, card[0], seat)
                return Laid(card, where)
            case ["lay", source, column]:
                self._state = None
                own.row[column].append(card := own.take(source))
                return Laid(card, column=column)
            case ["flip"]:
                own.discard += own.hand[:3]
                del own.hand[:3]
            case ["recycle", order]:
                own.hand, own.discard = _faces(order), []
            case _:
                raise ValueError(f"not a move of cards: {words}")
        return None

    def _left(self) -> Iterator[tuple[tuple[Face | None, ...], tuple[Face, ...]] | None]:
        for own in self._seats:
            yield None if own is None else (own.tops, tuple(own.ligretto))


class _CardSeat:
    """All cards of a player. The last card of a column and of the discard pile is on top."""

    def __init__(self, own: Line) -> None:
        self.row = [[card] for card in _faces(own["row"])]
        self.ligretto = _faces(own["ligretto"])
        self.hand = _faces(own["hand"])
        self.discard: list[Face] = []

    @property
    def tops(self) -> tuple[Face | None, ...]:
        return tuple(column[-1] if column else None for column in self.row)

    def take(self, source: str) -> Face:
        if source == "ligretto":
            return self.ligretto.pop(0)
        return (self.discard if source == "discard" else self.row[int(source[3:])]).pop()


class _DiceInPlay(_Started):
    def __init__(self, deal: Line) -> None:
        super().__init__(COLOURS)
        self._seats: list[list[Face | None] | None] = [
            colours and [f"{colour.lower()}d{n}" for colour, n in zip(colours, rolls, strict=True)]
            for colours, rolls in zip(deal["dice"], deal["rolls"], strict=True)
        ]

    def move(self, seat: int, words: Sequence[Any]) -> Laid | None:
        own = self._seats[seat]
        assert own is not None, "only seats that were dealt in move"
        match words:
            case ["place", number]:
                self._state = None
                die, own[number] = own[number], None
                assert die is not None, "a die is placed once"
                where = COLOURS.index(die[0])
                self._centre.lay(where, die[0], seat)
                return Laid(die, where)
            case ["reroll", numbers]:
                self._state = None
                left = [i for i, die in enumerate(own) if die is not None]
                for i, rolled in zip(left, numbers, strict=True):
                    own[i] = f"{str(own[i])[:2]}{rolled}"
            case _:
                raise ValueError(f"not a move of dice: {words}")
        return None

    def _left(self) -> Iterator[tuple[tuple[Face | None, ...], tuple[Face, ...]] | None]:
        for own in self._seats:
            yield None if own is None else ((), tuple(die for die in own if die))


def _faces(cards: Sequence[str]) -> list[Face]:
    return [card.lower() for card in cards]
