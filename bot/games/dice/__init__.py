"""Ligretto Dice: everyone rolls at once; the first die on a place has it."""

from collections.abc import Iterator, Mapping

from bot.games.chance import Chance
from bot.games.contract import Frame, Game, Skill
from bot.games.dice import handicap, log, model, robot, rules, screens
from bot.games.dice.model import Move, State
from bot.games.dice.screens import View
from bot.games.values import (
    Dealt,
    Ending,
    LogMove,
    Option,
    Options,
    Played,
    Points,
    Refused,
    RulesPart,
    Seat,
)
from bot.screen import Block, Line
from bot.text import Joined, Text

ROUNDS_A_PLAYER = 3


_SCORING = ("dice.rules.end", "dice.rules.points")


def _basics(options: Options | None, dealt: Dealt | None) -> tuple[Text, ...]:
    return (
        Text("dice.rules.goal"),
        _own_dice(options, dealt),
        Text("dice.rules.board"),
        Text("dice.rules.roll"),
    )


def _own_dice(options: Options | None, dealt: Dealt | None) -> Text:
    if options is None or dealt is None:
        return Text("dice.rules.dice", (("dice", Text("dice.rules.dice_any")),))
    counts = _counts(options, dealt)
    if len(set(counts)) > 1:
        return Text("dice.rules.dice_uneven", (("options", Text("options.title")),))
    share = Text("rules.of_players", (("n", counts[0]), ("players", len(counts))))
    return Text("dice.rules.dice", (("dice", share),))


def _counts(options: Options, dealt: Dealt) -> tuple[int, ...]:
    """Return the number of dice of everybody dealt in."""
    shares = handicap.shares(options, tuple(name is not None for name in dealt))
    return tuple(n for n, name in zip(shares, dealt, strict=True) if name is not None)


def _handicap(options: Options, dealt: Dealt | None) -> tuple[Text, ...]:
    """Return what everybody gets, if they don't get the same."""
    if dealt is None or len(set(counts := _counts(options, dealt))) == 1:
        return ()
    names = (name for name in dealt if name is not None)
    shares = tuple(
        Text("lobby.chosen", (("seat", name), ("options", Text("option.dice", (("n", n),)))))
        for name, n in zip(names, counts, strict=True)
    )
    return (Text("dice.rules.uneven", (("shares", Joined(shares)),)),)


def _offered() -> tuple[Text, ...]:
    extra = [int(value) for value in handicap.EXTRA.values if value != handicap.EXTRA.default]
    limits = (("low", min(extra)), ("high", max(extra)))
    return (Text("dice.rules.can_length"), Text("dice.rules.can_handicap", limits))


class Dice(Game[State, Move, View]):
    key = "dice"
    seats = range(2, 5)
    rules_version = 1
    options = (Option("rounds", ("full", *(str(n) for n in range(1, 13))), "full"), handicap.EXTRA)
    seat_options = (handicap.SHARE,)
    with_seats = (handicap.EXTRA.key,)
    abort_counts = False
    openers = tuple(f"{colour}d1" for colour in model.Colour)
    luck = 5.0
    no_fit = rules.MoveRefusal.NO_FIT

    def in_short(
        self, part: RulesPart, options: Options | None, dealt: Dealt | None
    ) -> tuple[Text, ...]:
        match part:
            case RulesPart.BASICS:
                return _basics(options, dealt)
            case RulesPart.OPTIONS:
                return _offered() if options is None else _handicap(options, dealt)
            case RulesPart.SCORING:
                return tuple(map(Text, _SCORING))

    def rounds(self, options: Options, seats: int) -> int:
        """Three per player (D14), or fewer if the host has chosen so."""
        full = ROUNDS_A_PLAYER * seats
        return full if options["rounds"] == "full" else min(full, int(options["rounds"]))

    def check(self, options: Options, seats: int) -> Refused | None:
        return handicap.check(options, seats)

    def share(self, options: Options, seats: int, seat: Seat) -> Text | None:
        return handicap.share(options, seats, seat)

    def deal(self, dealt: tuple[bool, ...], options: Options, chance: Chance) -> State:
        return rules.deal(dealt, options, chance)

    def play(self, state: State, seat: Seat, move: Move, chance: Chance) -> Played[State] | Refused:
        return rules.play(state, seat, move, chance)

    def moves(self, state: State, seat: Seat) -> Iterator[Move]:
        return rules.moves(state, seat)

    def leave(self, state: State, seat: Seat) -> State:
        return rules.leave(state, seat)

    def ending(self, state: State) -> Ending | None:
        return rules.ending(state)

    def scores(self, state: State) -> tuple[Points, ...]:
        return rules.scores(state)

    def left(self, state: State) -> tuple[int | None, ...]:
        return rules.left(state)

    def most_dealt(self, state: State) -> int:
        return max(len(own.dice) for own in state.seats if own is not None)

    def parse(self, text: str) -> Move:
        return model.parse(text)

    def claim(self, move: Move) -> str | None:
        return rules.claim(move)

    def lapsed(self, refused: Refused) -> bool:
        return rules.lapsed(refused)

    def view(self, state: State, seat: Seat | None) -> View:
        return screens.view(state, seat)

    def centre(self, view: View) -> tuple[Line, ...]:
        return screens.centre(view)

    def panel(self, view: View, frame: Frame) -> tuple[Block, ...]:
        return screens.panel(view, frame)

    def choose(self, view: View, skill: Skill, chance: Chance) -> Move | None:
        return robot.choose(view, skill, chance)

    def log_start(self, options: Options, seats: int) -> Mapping[str, object]:
        return log.start(options, seats)

    def log_deal(self, state: State) -> Mapping[str, object]:
        return log.deal(state)

    def written(self, seen: State, seat: Seat, move: Move) -> LogMove | None:
        return rules.written(seen, seat, move)


DICE = Dice()
