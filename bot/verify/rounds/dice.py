"""One round of Ligretto Dice. D numbers: docs/rules.md."""

from collections import Counter
from collections.abc import Container
from typing import Any

from bot.verify.log import fields as f
from bot.verify.log.errors import LogError, demand
from bot.verify.log.lines import Line
from bot.verify.rounds.streams import BAG, FACES, Scheme, demand_dealt


class DiceRound:
    """A round as it stands. `demand_…` and `why_refused` judge a move, `make` carries it out."""

    def __init__(self, seats: list[list[str | None] | None]) -> None:
        self.seats = seats
        """The dice of each seat that is dealt in, None for those that are placed."""
        self.board: Counter[str] = Counter()
        """How far each colour's row is filled."""
        self.taken: list[tuple[str, int]] = []
        """Each die on the board with its seat, in their order."""
        self.times: Counter[int] = Counter()
        self.finisher: int | None = None

    @classmethod
    def dealt(cls, line: Line, scheme: Scheme) -> "DiceRound":
        """Return a round as dealt. Raises LogError unless the seed deals so (D3, D5)."""
        sizes = [len(colours or "") for colours in line["dice"]]
        demand(sum(sizes) <= len(BAG), "field", key="dice")
        shares = scheme.shared(sizes)
        seats: list[list[str | None] | None] = [None] * len(sizes)
        for p, (colours, rolls) in enumerate(zip(line["dice"], line["rolls"], strict=True)):
            if colours is not None:
                demand_dealt([*colours], shares[p], "dice", p)
                seats[p] = [f"{c}{n}" for c, n in zip(colours, rolls, strict=True)]
        for p, rolls in enumerate(line["rolls"]):
            for i, rolled in enumerate(rolls or ()):
                demand_dealt(rolled, 1 + scheme.of(p, 0, i).below(FACES), "rolls", p)
        return cls(seats)

    def seat(self, p: int) -> list[str | None]:
        seat = self.seats[p]
        demand(seat is not None, "not_in", p=p)
        assert seat is not None
        return seat

    def demand_form(self, line: Line) -> None:
        """Raise LogError unless `m` and `card` have the form of a move or a refusal."""
        is_reject = line["e"] == "reject"
        dice = len(self.seat(line["p"]))
        match line.get("m"):
            case ["place", i]:
                fits = f.whole(0, dice - 1)(i)
                f.may(line, card=f.die)
            case ["reroll", *numbers]:
                fits = (is_reject and not numbers) or f.each(f.each(f.whole(1, FACES)), 1)(numbers)
                f.absent(line, "card")
            case _:
                fits = False
        demand(fits, "field", key="m")

    def demand_legal(self, p: int, move: list[Any], card: str | None) -> None:
        """Raise LogError unless the rules allow this move (D6 to D10)."""
        seat = self.seat(p)
        if move[0] == "reroll":
            demand(any(seat), "no_roll")
            return
        die = seat[move[1]]
        demand(die is not None or card is not None, "placed", p=p)
        demand(die is not None and card in (None, die), "no_die", p=p, card=card)
        assert die is not None
        demand(int(die[1:]) == self.board[die[0]] + 1, "no_fit", card=die)

    def why_refused(self, p: int, move: list[Any], card: str | None) -> str | None:
        """Return why the rules refuse a move, None if they allow it."""
        try:
            self.demand_legal(p, move, card)
        except LogError as error:
            return error.why
        return None

    def missed(self, p: int, move: list[Any], card: str | None) -> str | None:
        """Return the die that this seat has and that fits nowhere, None if it fits."""
        is_missed = move[0] == "place" and self.why_refused(p, move, card) == "no_fit"
        return self.seat(p)[move[1]] if is_missed else None

    def make(self, p: int, move: list[Any], scheme: Scheme) -> None:
        """Carry out a legal move. Raises LogError if it is not the seed's."""
        seat = self.seat(p)
        if move[0] == "place":
            die = str(seat[move[1]])
            self.board[die[0]] += 1
            self.taken.append((die, p))
            seat[move[1]] = None
        else:
            self.times[p] += 1
            left = [i for i, die in enumerate(seat) if die is not None]
            rolled = [1 + scheme.of(p, self.times[p], i).below(FACES) for i in left]
            demand(move[1] == rolled, "roll")
            for i, number in zip(left, rolled, strict=True):
                seat[i] = f"{str(seat[i])[0]}{number}"
        if not any(seat):
            self.finisher = p

    def over(self, gone: Container[int]) -> tuple[str, int | None] | None:
        """Return the reason and the seat with which the round ends now (D11)."""
        del gone
        return None if self.finisher is None else ("dice", self.finisher)

    def scores(self, reason: str) -> list[int]:
        """Return the points by seat (D12, D13)."""
        left = [sum(die is not None for die in seat or ()) for seat in self.seats]
        if reason == "abort":
            return [0] * len(left)
        return [sum(left) if p == self.finisher else -count for p, count in enumerate(left)]

    def refill(self, p: int) -> None:
        """Return None: no die goes to the board by itself."""
        del p


def demand_seats(line: Line, players: int) -> list[bool]:
    """Return who is dealt in. Raises LogError unless `dice` and `rolls` have the form of a deal."""
    f.need(line, dice=f.each(f.either(f.null, _is_colours), players))
    rolls = f.each(f.either(f.null, f.each(f.whole(1, FACES))), players)
    f.need(line, rolls=rolls)
    sizes = [[None if one is None else len(one) for one in line[key]] for key in ("dice", "rolls")]
    demand(sizes[0] == sizes[1], "field", key="rolls")
    return [colours is not None for colours in line["dice"]]


def _is_colours(value: object) -> bool:
    return isinstance(value, str) and bool(value) and {*value} <= {*"RYGB"}


def demand_shares(line: Line, start: Line) -> None:
    """Raise LogError unless each seat has as many dice as was agreed (D3, D15)."""
    sizes = [None if colours is None else len(colours) for colours in line["dice"]]
    if "shares" in start:
        for p, (given, due) in enumerate(zip(sizes, _due(sizes, start), strict=True)):
            demand(given in (None, due), "shares", p=p, given=given, due=due)
    is_uneven = len({*sizes} - {None}) > 1
    demand(not is_uneven or "handicap" in start or "chance" not in start, "uneven")


def _due(sizes: list[int | None], start: Line) -> list[int]:
    shares, extra = start["shares"], start["extra"]
    dealt = [share for share, size in zip(shares, sizes, strict=True) if size is not None]
    named = sum(share for share in dealt if isinstance(share, int))
    evens, children = dealt.count("even"), dealt.count("child")
    child = (len(BAG) - named - extra * evens) // max(1, evens + children)
    counts = {"child": child, "even": child + extra}
    return [counts.get(share, share) for share in shares]
