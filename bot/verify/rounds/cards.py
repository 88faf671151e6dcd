"""One round of the card game, and of its expert game. C and X numbers: docs/rules.md."""

from collections import Counter
from collections.abc import Container
from typing import Any

from bot.verify.log import fields as f
from bot.verify.log.errors import LogError, demand
from bot.verify.log.lines import Line
from bot.verify.rounds.card_seat import Seat, seated
from bot.verify.rounds.streams import DECK, Scheme, demand_dealt

PILE = 10
TURNED = 3


class CardRound:
    """A round as it stands. `demand_…` and `why_refused` judge a move, `make` carries it out."""

    def __init__(self, seats: list[Seat | None], *, expert: bool) -> None:
        self.seats, self.expert = seats, expert
        self.tops: list[str] = []
        """The last card of each pile in the centre, the oldest pile first."""
        self.taken: list[tuple[str, int]] = []
        """Each card in the centre with its seat, in their order."""
        self.times: Counter[int] = Counter()
        self.stopper: int | None = None

    @classmethod
    def dealt(cls, line: Line, scheme: Scheme, *, expert: bool) -> "CardRound":
        """Return a round as dealt. Raises LogError unless the seed deals so (C4 to C6)."""
        seats = [seated(one) for one in line["seats"]]
        columns = {2: 5, 3: 4}.get(sum(seat is not None for seat in seats), 3)
        for p, given in enumerate(line["seats"]):
            if given is not None:
                deck = scheme.of(p, 0).shuffled(DECK)
                demand_dealt(given["row"], deck[:columns], "row", p)
                demand_dealt(given["ligretto"], deck[columns : columns + PILE], "ligretto", p)
                demand_dealt(given["hand"], deck[columns + PILE :], "hand", p)
        return cls(seats, expert=expert)

    def seat(self, p: int) -> Seat:
        seat = self.seats[p]
        demand(seat is not None, "not_in", p=p)
        assert seat is not None
        return seat

    def target(self, card: str) -> int | None:
        """Return the pile for this card, or the number of piles for a 1 (C10 to C12)."""
        colour, number = card[0], int(card[1:])
        if number == 1:
            return len(self.tops)
        below = f"{colour}{number - 1}"
        return self.tops.index(below) if below in self.tops else None

    # -- moves -------------------------------------------------------------------------------

    def demand_form(self, line: Line) -> None:
        """Raise LogError unless `m` and `card` have the form of a move or a refusal."""
        is_reject = line["e"] == "reject"
        f.need(line, m=lambda m: isinstance(m, list) and bool(m))
        sources = [f"row{i}" for i in range(len(self.seat(line["p"]).row))]
        match line["m"]:
            case ["play", source, *pile]:
                fits = source in ("ligretto", "discard", *sources) and len(pile) == (not is_reject)
                fits = fits and all(map(f.either(f.whole(), f.one_of("new")), pile))
            case ["lay", "ligretto" | "discard", column]:
                fits = f.whole()(column)
            case ["flip"]:
                fits = True
            case ["recycle", *order]:
                fits = (is_reject and not order) or f.each(f.each(f.card), 1)(order)
            case _:
                fits = False
        demand(fits, "field", key="m")
        if line["m"][0] in ("play", "lay"):
            f.may(line, card=f.card)
        else:
            f.absent(line, "card")

    def demand_legal(self, p: int, move: list[Any], card: str | None) -> None:
        """Raise LogError unless the rules allow this move."""
        seat = self.seat(p)
        match move:
            case ["flip"]:
                demand(seat.hand, "no_flip")
            case ["recycle", *_]:
                demand(seat.discard and not seat.hand, "no_recycle")
            case [kind, source, *place]:
                shown = seat.shown(source)
                demand(shown is not None or card is not None, "nothing_open", p=p)
                demand(shown is not None and card in (None, shown), "not_open", p=p, card=card)
                assert shown is not None
                if kind == "play":
                    self._demand_pile(shown, place)
                else:
                    self._demand_column(seat, source, place[0], shown)
            case _:
                raise LogError("field", key="m")

    def _demand_pile(self, card: str, place: list[Any]) -> None:
        target = self.target(card)
        demand(target is not None, "no_fit", card=card)
        named = "new" if target == len(self.tops) else target
        demand(place in ([], [named]), "other_pile", card=card, pile=named)

    def _demand_column(self, seat: Seat, source: str, column: int, card: str) -> None:
        fits = column < len(seat.row) and (self.expert or source == "ligretto")
        demand(fits and self._takes(seat.row[column], card), "no_column", card=card)

    def why_refused(self, p: int, move: list[Any], card: str | None) -> str | None:
        """Return why the rules refuse a move, None if they allow it.

        Its card may be open elsewhere than where the player saw it. A press on Flip turns from
        the hand, or takes up the discard pile first (C19).
        """
        seat = self.seat(p)
        moves = [move]
        if move == ["flip"]:
            moves = [move, ["recycle"]]
        elif card is not None:
            open_ = [source for source in seat.sources() if seat.shown(source) == card]
            laid = [one for one in open_ if move[0] == "play" or not one.startswith("row")]
            moves = [[move[0], source, *move[2:]] for source in laid]
        why = "not_open"
        for one in moves:
            try:
                self.demand_legal(p, one, card)
            except LogError as error:
                why = error.why
            else:
                return None
        return why

    def missed(self, p: int, move: list[Any], card: str | None) -> str | None:
        """Return the card that this seat has open and that fits nowhere, None if it fits."""
        seat = self.seat(p)
        if move[0] != "play":
            return None
        shown = card or seat.shown(move[1])
        is_open = shown in [seat.shown(source) for source in seat.sources()]
        return shown if shown and is_open and self.target(shown) is None else None

    def make(self, p: int, move: list[Any], scheme: Scheme) -> None:
        """Carry out a legal move. Raises LogError if it is not the seed's."""
        seat = self.seat(p)
        match move:
            case ["flip"]:
                seat.discard += seat.hand[:TURNED]
                del seat.hand[:TURNED]
            case ["recycle", order]:
                self.times[p] += 1
                shuffled = scheme.of(p, self.times[p]).shuffled(seat.discard)
                demand(order == shuffled, "shuffle")
                seat.hand, seat.discard = shuffled, []
            case ["play", source, _]:
                card = seat.take(source)
                target = self.target(card)
                assert target is not None
                self.tops[target : target + 1] = [card]
                self.taken.append((card, p))
            case ["lay", source, column]:
                seat.row[column].append(seat.take(source))
            case _:
                raise LogError("field", key="m")
        if not seat.ligretto:
            self.stopper = p

    # -- ends --------------------------------------------------------------------------------

    def _takes(self, column: list[str], card: str) -> bool:
        """Tell whether a gap, or an expert's column, takes a card (C14, X3 to X5)."""
        if not column:
            return True
        covered = column[-1]
        return self.expert and covered[0] != card[0] and int(covered[1:]) > int(card[1:])

    def _frees(self, seat: Seat) -> bool:
        """Tell whether the Ligretto top can get into the row, over any chain of reserve cards."""
        reached = [column[-1:] for column in seat.row]
        reserve = seat.hand + seat.discard if self.expert else []
        for card in sorted(reserve, key=lambda card: -int(card[1:])):
            if any(self._takes(column, card) for column in reached):
                reached.append([card])
        return any(self._takes(column, seat.ligretto[0]) for column in reached)

    def over(self, gone: Container[int]) -> tuple[str, int | None] | None:
        """Return the reason and the seat with which the round ends now (C20, C22)."""
        if self.stopper is not None:
            return "ligretto", self.stopper
        for p, seat in enumerate(self.seats):
            if seat is None or p in gone:
                continue
            reach = seat.hand + seat.discard + seat.ligretto[:1]
            reach += [column[-1] for column in seat.row if column]
            if self._frees(seat) or any(self.target(card) is not None for card in reach):
                return None
        return "dead", None

    def scores(self, reason: str) -> list[int]:
        """Return the points by seat (C24 to C26)."""
        del reason
        laid = Counter(p for _, p in self.taken)
        return [
            0 if seat is None else laid[p] - 2 * len(seat.ligretto)
            for p, seat in enumerate(self.seats)
        ]

    def refill(self, p: int) -> list[Any] | None:
        """Return the move that fills a seat's gap by itself (C14, C15), None if there is none."""
        seat = self.seat(p)
        if len(seat.ligretto) > 1 and [] in seat.row:
            return ["lay", "ligretto", seat.row.index([])]
        return None
