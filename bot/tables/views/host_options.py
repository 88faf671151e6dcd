"""The host's options: a form with a field for each, or a message of lists."""

from collections.abc import Sequence

from bot.games.contract import AnyGame
from bot.games.values import Option, Options
from bot.screen import Block, Form, Line, Look, Pick, Screen, Ticks, Words
from bot.tables.decisions.option_lists import MORE, SWITCHES, OptionList, lists_of
from bot.tables.state import actions as a
from bot.tables.state.options import PLACE, all_of
from bot.tables.state.session import Session
from bot.tables.state.session_values import Chair
from bot.tables.views.lines import option_in_words, sentence
from bot.text import Joined, Name, Text, bare

MOST_FIELDS = 5
"""The most fields that Discord has in a form (PLATFORM 1)."""


def options(session: Session) -> Screen:
    """Draw the host's options as a message, but those of the seats where these have their own."""
    game = session.game
    lists = lists_of(game, session.options)
    if _is_apart(session):
        rest = [one for one in lists if one.key not in game.with_seats]
        return _message(session, "options.title", rest)
    hint = sentence(f"{game.key}.hint", look=Look.SMALL)
    return _message(session, "options.title", lists, hint, seats=True)


def handicap(session: Session) -> Screen:
    """Draw as a message what is chosen for each seat, and what goes with it."""
    game = session.game
    lists = [one for one in lists_of(game, session.options) if one.key in game.with_seats]
    hint = sentence(f"{game.key}.hint", look=Look.SMALL)
    return _message(session, "button.handicap", lists, hint, seats=True)


def lists_for(session: Session, action: a.Action) -> Screen:
    """Return the message that a press on a list, or on the button of lists, is about."""
    of_seats = isinstance(action, a.ShowOptions)
    if isinstance(action, a.SetOption):
        of_seats = action.seat is not None or action.key in session.game.with_seats
    return handicap(session) if of_seats and _is_apart(session) else options(session)


def _is_apart(session: Session) -> bool:
    """Return whether the options of seats have a message of their own."""
    return bool(session.game.seat_options) and form(session) is not None


def _message(
    session: Session, title: str, lists: Sequence[OptionList], *hint: Line, seats: bool = False
) -> Screen:
    """Draw lists, each below its label; those of one field of the form share one."""
    blocks: list[Block] = [Words((sentence(title, look=Look.HEAD), *hint))]
    above = ""
    for one in lists:
        label = MORE if one.key in {option.key for option in SWITCHES} else one.key
        if label != above:
            blocks.append(Words((sentence(f"options.{label}", look=Look.SMALL),)))
        above = label
        word = str(a.SetOption(one.key))
        blocks.append(pick(session.game, session.options, one, word))
    if seats:
        for seat, chair in enumerate(session.chairs):
            for option in session.game.seat_options:
                blocks += _of_seat(option, seat, chair)
    return Screen(tuple(blocks), session.round)


def form(session: Session) -> Form | None:
    """Draw the options of the table as a form; None if they are too many for one."""
    game, now, lists = session.game, session.options, lists_of(session.game, session.options)
    keys = {option.key for option in SWITCHES}
    fields: list[tuple[Text, Pick | Ticks]] = [
        (Text(f"options.{one.key}"), pick(game, now, one, one.key))
        for one in lists
        if one.key not in keys
    ]
    switches = [one for one in lists if one.key in keys and not _is_fixed(session, one.key)]
    ticks = tuple((one.key, value_in_words(game, one, one.values[-1])) for one in switches)
    ticked = frozenset(one.key for one in switches if one.chosen(game, now) == one.values[-1])
    fields.append((Text("options.more"), Ticks(MORE, ticks, ticked)))
    if len(fields) > MOST_FIELDS:
        return None
    return Form(Text("options.title"), str(a.SendForm()), tuple(fields))


def _is_fixed(session: Session, key: str) -> bool:
    """Return whether a table in its own thread can't leave it."""
    return key == PLACE.key and session.parent is not None


def pick(game: AnyGame, chosen: Options, one: OptionList, word: str) -> Pick:
    """Draw one list, with what is chosen in it. `word`: what it sends."""
    values = tuple((value, value_in_words(game, one, value)) for value in one.values)
    return Pick(word, values, one.chosen(game, chosen))


def value_in_words(game: AnyGame, one: OptionList, value: str) -> Text:
    """Return a list's value in words. Options that it makes moot are left out."""
    wanted = one.sets(value)
    offered = [option for option in all_of(game) if option.key in wanted]
    telling = [it for it in offered if len(wanted) == 1 or not it.moot(wanted)]
    words = Joined(tuple(option_in_words(it.key, wanted[it.key]) for it in telling))
    return bare(words)


def _of_seat(option: Option, seat: int, chair: Chair) -> tuple[Block, ...]:
    """Draw a list for one seat, under its name."""
    values = tuple((value, option_in_words(option.key, value)) for value in option.values)
    chosen = dict(chair.choices).get(option.key, option.default)
    named = sentence("options.seat", (("n", seat + 1), ("name", Name(chair.name))), Look.SMALL)
    return (Words((named,)), Pick(str(a.SetOption(option.key, seat=seat)), values, chosen))
