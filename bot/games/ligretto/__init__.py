"""Ligretto: everyone plays at once; the first card on a pile wins."""

from collections.abc import Iterator, Mapping
from types import MappingProxyType

from bot.games.chance import Chance
from bot.games.contract import Frame, Game, Skill
from bot.games.ligretto import log, model, robot, round_end, rules, screens
from bot.games.ligretto import view as views
from bot.games.ligretto.model import Move, State
from bot.games.ligretto.piles import LIGRETTO_PILE
from bot.games.ligretto.view import View
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
from bot.text import Text

_SCORING = (
    "ligretto.rules.end",
    "ligretto.rules.dead",
    "ligretto.rules.points",
)


def _kind(options: Options) -> str:
    """Return which rules hold: `expert`, or standard ones by how gaps are filled."""
    if rules.is_expert(options):
        return "expert"
    return options.get(rules.REFILL.key, rules.REFILL.default)


def _basics(options: Options, dealt: Dealt | None) -> tuple[Text, ...]:
    row = Text("ligretto.rules.row_any")
    if dealt is not None:
        players = sum(name is not None for name in dealt)
        sizes = (("n", rules.row_length(players)), ("players", players))
        row = Text("rules.of_players", sizes)
    return (
        Text("ligretto.rules.goal"),
        Text("ligretto.rules.cards", (("row", row),)),
        Text("ligretto.rules.centre"),
        Text(f"ligretto.rules.gap.{_kind(options)}"),
        Text("ligretto.rules.flip", (("button", Text("ligretto.flip")),)),
    )


def _chosen(options: Options | None) -> tuple[Text, ...]:
    if options is None:
        return (Text("ligretto.rules.can_refill"), Text("ligretto.rules.can_expert"))
    return (Text(f"ligretto.rules.{_kind(options)}"),)


def _has_target(options: Options) -> bool:
    return options.get("target", "off") != "off"


class Ligretto(Game[State, Move, View]):
    key = "ligretto"
    seats = range(2, 13)
    rules_version = 1
    options = (
        Option("rounds", tuple(str(n) for n in range(1, 21)), "3", moot=_has_target),
        Option(
            "target",
            ("off", "25", "50", "75", "99", "150", "200", "300"),
            "off",
            moot=lambda options: not _has_target(options),
        ),
        rules.VARIANT,
        rules.REFILL,
    )
    together = MappingProxyType(
        {
            "rules": (
                "variant=standard,refill=auto",
                "variant=standard,refill=hand",
                "variant=expert",
            )
        }
    )
    openers = tuple(f"{colour}1" for colour in model.Colour)
    is_taught = True
    luck = 10.0
    no_fit = rules.MoveRefusal.NO_FIT

    def in_short(
        self, part: RulesPart, options: Options | None, dealt: Dealt | None
    ) -> tuple[Text, ...]:
        match part:
            case RulesPart.BASICS:
                return _basics(options or {}, dealt)
            case RulesPart.OPTIONS:
                return _chosen(options)
            case RulesPart.SCORING:
                return tuple(map(Text, _SCORING))

    def rounds(self, options: Options, seats: int) -> int:
        return int(options["rounds"])

    def deal(self, dealt: tuple[bool, ...], options: Options, chance: Chance) -> State:
        return rules.deal(dealt, options, chance)

    def play(self, state: State, seat: Seat, move: Move, chance: Chance) -> Played[State] | Refused:
        return rules.play(state, seat, move, chance)

    def moves(self, state: State, seat: Seat) -> Iterator[Move]:
        return rules.moves(state, seat)

    def leave(self, state: State, seat: Seat) -> State:
        return rules.leave(state, seat)

    def ending(self, state: State) -> Ending | None:
        return round_end.ending(state)

    def scores(self, state: State) -> tuple[Points, ...]:
        return round_end.scores(state)

    def left(self, state: State) -> tuple[int | None, ...]:
        return round_end.left(state)

    def most_dealt(self, state: State) -> int:
        return LIGRETTO_PILE

    def parse(self, text: str) -> Move:
        return model.parse(text)

    def half(self, state: State, seat: Seat, word: str) -> Text | Refused | None:
        return rules.half(state, seat, word)

    def claim(self, move: Move) -> str | None:
        return rules.claim(move)

    def lapsed(self, refused: Refused) -> bool:
        return rules.lapsed(refused)

    def view(self, state: State, seat: Seat | None) -> View:
        return views.view(state, seat)

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


LIGRETTO = Ligretto()
