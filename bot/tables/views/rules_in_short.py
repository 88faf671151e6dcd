"""The rules in short: three parts, each with what holds at one table and nothing else."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum

from bot.games.contract import AnyGame
from bot.games.values import Dealt, Options, RulesPart, Seat
from bot.screen import Choice, Look, Row, Screen, Sentence, Words
from bot.tables.decisions.consequences import MOST_ROUNDS
from bot.tables.decisions.option_lists import LENGTH, lists_of, settings
from bot.tables.state.options import assisted, defaults
from bot.tables.state.session import Session
from bot.tables.views.lines import player, sentence
from bot.text import Icon, Text

_NAMES = {
    RulesPart.BASICS: Text("rules.part.basics"),
    RulesPart.OPTIONS: Text("options.title"),
    RulesPart.SCORING: Text("rules.part.scoring"),
}
_COLOURS = {"red": "r", "yellow": "y", "green": "g", "blue": "b"}


class Place(StrEnum):
    """The place of a round, which decides what it counts for."""

    NOWHERE = "nowhere"
    TABLE = "table"
    ARENA = "arena"
    DAILY = "daily"


@dataclass(frozen=True, slots=True)
class Terms:
    """The rules that hold where the reader plays.

    `options` is None at no table, where the defaults hold and a host can choose. `dealt` is None
    if it isn't known who plays. `rounds`: how many are agreed, None if that isn't what ends it.
    """

    game: AnyGame
    place: Place = Place.NOWHERE
    options: Options | None = None
    dealt: Dealt | None = None
    rounds: int | None = None


def of_table(session: Session) -> Terms:
    """Return what holds at a table with the players of now, in a round those dealt in."""
    everybody = tuple(map(Seat, range(len(session.chairs))))
    seats = session.seats_in
    if session.state is not None:
        seats = tuple(filter(session.dealt_in, everybody))
    names = (player(session, seat) if seat in seats else None for seat in everybody)
    dealt = tuple(names) if len(seats) >= session.game.seats.start else None
    options = session.all_options
    if session.opened.arena is not None:
        return Terms(session.game, Place.ARENA, options, dealt)
    has_target = options.get("target", "off") != "off"
    seated = max(len(session.chairs), session.game.seats.start)
    rounds = None if has_target else session.game.rounds(options, seated)
    return Terms(session.game, Place.TABLE, options, dealt, rounds)


def rules_screen(
    terms: Terms, part: RulesPart, to_word: Callable[[RulesPart], str], *below: Row
) -> Screen:
    """Draw a part, with buttons to the others. `to_word`: what the button of a part sends."""
    values = (("game", Text(f"game.{terms.game.key}")), ("part", _NAMES[part]))
    lines = [sentence("rules.title", values, Look.TITLE)]
    if terms.place is Place.NOWHERE and part is RulesPart.OPTIONS:
        lines.append(sentence("rules.defaults", look=Look.SMALL))
    lines += map(Sentence, _paragraphs(terms, part))
    if part is RulesPart.BASICS:
        letters = tuple((gap, Icon(colour)) for gap, colour in _COLOURS.items())
        lines.append(sentence("rules.letters", letters, Look.SMALL))
    parts = (Choice(_NAMES[one], to_word(one), off=one is part) for one in RulesPart)
    return Screen((Words(tuple(lines)), Row(tuple(parts)), *below))


def _paragraphs(terms: Terms, part: RulesPart) -> Iterator[Text]:
    own = terms.game.in_short(part, terms.options, terms.dealt)
    match part:
        case RulesPart.BASICS:
            yield from own
        case RulesPart.OPTIONS:
            yield from _length(terms)
            yield from own
            if terms.options is None:
                yield Text("rules.also")
            elif assisted(terms.options):
                yield Text("rules.hints")
        case RulesPart.SCORING:
            yield from own
            yield from _end(terms)


def _length(terms: Terms) -> Iterator[Text]:
    """Yield what ends a match, or what a round stands for where there is none."""
    options = terms.options
    if options is None:
        yield from _lengths(terms.game)
    elif terms.place is Place.TABLE and terms.rounds is None:
        yield Text("rules.length_target", (("n", int(options["target"])), ("most", MOST_ROUNDS)))
    elif terms.rounds is not None:
        yield Text("rules.length", (("n", terms.rounds),))
    else:
        yield Text("rules.arena" if terms.place is Place.ARENA else "rules.daily")


def _lengths(game: AnyGame) -> Iterator[Text]:
    """Yield the lengths of a match that a host is offered, if a points target is among them."""
    usual = defaults(game)
    values = [sets for one in lists_of(game, usual) if one.key == LENGTH for sets in one.values]
    chosen = [settings(value) for value in values]
    targets = [int(one["target"]) for one in chosen if "rounds" not in one]
    rounds = [int(one["rounds"]) for one in chosen if "rounds" in one and targets]
    if targets:
        limits = (("first", min(rounds)), ("last", max(rounds)), ("n", int(usual["rounds"])))
        points = (("low", min(targets)), ("high", max(targets)), ("most", MOST_ROUNDS))
        yield Text("rules.can_length", (*limits, *points))


def _end(terms: Terms) -> Iterator[Text]:
    """Yield what leaving does, how all can end a round, and who wins. Nobody leaves a daily."""
    if terms.place is not Place.DAILY:
        yield Text(f"{terms.game.key}.rules.leave")
        yield Text(_agreed(terms), (("button", Text("button.end_round")),))
    if terms.place is Place.TABLE and terms.rounds is None and terms.options is not None:
        yield Text("rules.win_target", (("n", int(terms.options["target"])),))
    elif terms.place in (Place.ARENA, Place.DAILY):
        yield Text(f"rules.win.{terms.place}")
    else:
        yield Text("rules.win")


def _agreed(terms: Terms) -> str:
    if terms.place is Place.ARENA:
        return "rules.agreed_nothing"
    return "rules.agreed" if terms.game.abort_counts else "rules.agreed_again"
