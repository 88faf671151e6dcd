"""The referee: reads a whole log of a finished match, and names the first line that can't be."""

from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from bot.verify import promise, start
from bot.verify.log import fields as f
from bot.verify.log.errors import LogError, demand
from bot.verify.log.lines import Line, canonical, digest, read
from bot.verify.rounds import card_seat, dice, races
from bot.verify.rounds.cards import CardRound
from bot.verify.rounds.daily import FOREIGN, Schedule
from bot.verify.rounds.dice import DiceRound
from bot.verify.rounds.streams import FirstScheme, Scheme, SecondScheme

MOST_ROUNDS = 30
MOST_REFUSALS = 300

Due: TypeAlias = Callable[[Line], None]


class Referee:
    """A check of one log, as text or as the bytes of its file.

    `check` raises LogError. After it, `lines`, `start`, `seed` and `totals` are those of the log,
    `seen` counts its events, `reasons` the ends of its rounds, and `duels` has those of each round
    that counts: the seat that was first, the one that was late, and the margin in ms.
    """

    def __init__(self, log: str | bytes) -> None:
        self._read = read(log.encode("utf-8") if isinstance(log, str) else log)
        self.lines: list[Line] = []
        self.start: Line = {}
        self.seed = b""
        self.totals: list[int] = []
        self.gone: set[int] = set()
        self.round: CardRound | DiceRound | None = None
        self.deals = self.counted = self.contested = 0
        self.seen: Counter[str] = Counter()
        self.reasons: Counter[str] = Counter()
        self.duels: list[list[races.Race]] = []
        self._moves = self._dealt_at = self._t = 0
        self._refused: Counter[int] = Counter()
        self._due: Due | None = None
        self._goes_on = False
        self._schedule: Schedule | None = None

    def check(self) -> "Referee":
        """Read the whole log, and return this. Raises LogError."""
        self._at(1, self._begins)
        self._at(len(self._read), self._ends)
        self._at(1, self._is_promised)
        for number in range(2, len(self._read) + 1):
            self._at(number, self._follows)
        return self

    def _at(self, number: int, judge: Callable[[Line], None]) -> None:
        """Judge a line by its number from 1."""
        line = self._read[number - 1]
        try:
            if isinstance(line, LogError):
                raise line
            judge(line)
        except LogError as error:
            error.line = number
            raise

    # -- the first and the last line ---------------------------------------------------------

    def _begins(self, line: Line) -> None:
        start.check(line)
        self.start = line
        self.lines = [line]
        self.totals = [0] * line["players"]

    @staticmethod
    def _ends(line: Line) -> None:
        demand(line.get("e") == "match", "cut_off")
        f.need(line, seed=f.hexadecimal)
        f.may(line, secret=f.hexadecimal, digest=f.hexadecimal)

    def _is_promised(self, line: Line) -> None:
        last = self._read[-1]
        assert not isinstance(last, LogError)
        self.seed = promise.check(line, last)

    # -- all others --------------------------------------------------------------------------

    def _follows(self, line: Line) -> None:
        self.lines.append(line)
        f.need(line, t=f.whole())
        f.absent(line, "names", *(["digest"] if len(self.lines) < len(self._read) else []))
        is_timed = self.deals and "daily" not in self.start
        demand(line["t"] >= self._t and (is_timed or not line["t"]), "time", t=line["t"])
        self._t = line["t"]
        due, self._due = self._due, None
        self._goes_on = due is not None
        if due is not None:
            due(line)
        kinds: Mapping[object, Callable[[Line], None]] = {
            "deal": self._deal,
            "move": self._move,
            "reject": self._reject,
            "leave": self._leave,
            "end": self._end,
            "match": self._match,
        }
        kind = line.get("e")
        demand(isinstance(kind, str) and kind in kinds, "event")
        demand(kind == "deal" or self.deals, "event")
        demand("daily" not in self.start or kind not in FOREIGN, "event")
        kinds[kind](line)
        self.seen[str(kind)] += 1

    def _deal(self, line: Line) -> None:
        demand(self.round is None and not self._is_complete(), "deal")
        game = card_seat if self.start["game"] == "cards" else dice
        dealt = game.demand_seats(line, self.start["players"])
        for p in sorted(self.gone):
            demand(not dealt[p], "seats", p=p)
        demand(sum(dealt) > 1, "deal")
        self.deals, self._moves, self._dealt_at = self.deals + 1, 0, self._t
        self.duels.append([])
        self._refused.clear()
        if self.start["game"] == "cards":
            expert = self.start["rules"]["expert"]
            self.round = CardRound.dealt(line, self._scheme(), expert=expert)
        else:
            dice.demand_shares(line, self.start)
            self.round = DiceRound.dealt(line, self._scheme())
        self._schedule = Schedule(self.seed, self.round) if "daily" in self.start else None

    def _scheme(self) -> Scheme:
        """Return what this deal, or this move, draws from."""
        if "started" in self.start:
            return SecondScheme(self.seed, self.deals, self.start["started"])
        return FirstScheme(self.seed, self.deals, self._moves)

    def _played(self, line: Line) -> CardRound | DiceRound:
        """Return the round that a seat's line is in, if the seat plays in it."""
        f.need(line, p=f.whole(0, self.start["players"] - 1))
        demand(self.round is not None, "no_round")
        assert self.round is not None
        demand(line["p"] not in self.gone, "not_in", p=line["p"])
        self.round.demand_form(line)
        return self.round

    def _move(self, line: Line) -> None:
        round_, p, move = self._played(line), line["p"], line["m"]
        if self._schedule is not None:
            self._schedule.demand_move(line, goes_on=self._goes_on)
        round_.demand_legal(p, move, line.get("card"))
        self._moves += 1
        round_.make(p, move, self._scheme())
        if move[0] == "recycle":
            self._due = self._next("due_flip", p, ["flip"])
        elif move[0] == "play" and self.start.get("refill") == "auto":
            lay = round_.refill(p)
            self._due = None if lay is None else self._next("due_lay", p, lay)
        self._due = self._due or self._end_if_over()

    def _next(self, why: str, p: int, move: list[Any]) -> Due:
        """Return what the next line has to be: a move of the same press."""
        t = self._t

        def due(line: Line) -> None:
            told = [line.get(key) for key in ("e", "t", "p", "m")]
            demand(told == ["move", t, p, move], why, p=p)

        return due

    def _end_if_over(self) -> Due | None:
        """Return what the next line has to be if the round is over: its end."""
        if self.round is None or self.round.over(self.gone) is None:
            return None
        t = self._t
        return lambda line: demand((line.get("e"), line["t"]) == ("end", t), "due_end")

    def _reject(self, line: Line) -> None:
        round_, p, move, card = self._played(line), line["p"], line["m"], line.get("card")
        demand(round_.why_refused(p, move, card) is not None, "legal")
        self._refused[p] += 1
        demand(self._refused[p] <= MOST_REFUSALS, "refusals", p=p)
        if "public" not in self.start:  # older logs say of no race
            return
        race = races.contested(line, round_.taken, round_.missed(p, move, card))
        if race is not None:
            self.contested += 1
            self.duels[-1] += [race] if races.is_duel(race) else []

    def _leave(self, line: Line) -> None:
        f.need(line, p=f.whole(0, self.start["players"] - 1))
        demand(line["p"] not in self.gone, "left", p=line["p"])
        self.gone.add(line["p"])
        if self._end_if_over() is not None:
            self._due = lambda after: demand(after.get("e") in ("leave", "end"), "due_end")

    def _end(self, line: Line) -> None:
        demand(self.round is not None, "no_round")
        assert self.round is not None
        over = self.round.over(self.gone)
        has_left = self.lines[-2]["e"] == "leave"  # a pause, or too few players, may come first
        f.need(line, reason=f.text, by=f.either(f.null, f.whole()), scores=f.each(f.whole(-99)))
        told = line["reason"], line["by"]
        is_stopped = told == ("abort", None) and (over is None or has_left)
        demand(told == over or is_stopped, "end")
        if self._schedule is not None and over is None:
            self._schedule.demand_end()
        scores = self.round.scores(line["reason"])
        demand(line["scores"] == scores, "value", key="scores", value=scores)
        self.totals = [a + b for a, b in zip(self.totals, scores, strict=True)]
        self.reasons[line["reason"]] += 1
        counts = self.start["game"] == "cards" or line["reason"] != "abort"
        if self._schedule is not None:
            f.absent(line, "lasted")
        if counts:
            f.may(line, lasted=f.whole())
            demand(line.get("lasted", 0) <= self._t - self._dealt_at, "lasted")
            self.counted += 1
        else:
            f.absent(line, "lasted")
            self.duels.pop()
        self.round = None

    def _match(self, line: Line) -> None:
        demand(len(self.lines) == len(self._read), "event")
        demand(self.round is None, "in_round")
        seats = range(len(self.totals))
        among = [p for p in seats if p not in self.gone] or seats
        best = max(self.totals[p] for p in among)
        due = {
            "totals": self.totals,
            "winners": [p for p in among if self.totals[p] == best],
            "aborted": not self._is_complete(),
            "left": sorted(self.gone),
            **({} if self._schedule is None else {"presses": self._schedule.presses}),
        }
        for key, value in due.items():
            is_same = canonical(line.get(key)) == canonical(value)
            demand(is_same, "value", key=key, value=value)
        if "digest" in line:
            demand(digest(self.lines) == line["digest"], "digest")

    def _is_complete(self) -> bool:
        if "rounds" in self.start:
            return self.counted >= int(self.start["rounds"])
        return max(self.totals) >= self.start["target"] or self.counted >= MOST_ROUNDS
