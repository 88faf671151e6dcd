"""The lobby: what will be played, who sits there, and how it begins."""

from functools import cache

from bot.games.values import Seat
from bot.screen import Block, Choice, Line, Look, Row, Screen, Sentence, Style, Words
from bot.tables.decisions.presence import Presence
from bot.tables.decisions.rated_or_practice import foreseen
from bot.tables.decisions.timeouts import LOBBY_FOR
from bot.tables.state import actions as a
from bot.tables.state import options
from bot.tables.state.session import Session
from bot.tables.state.session_values import Chair
from bot.tables.views.get_ready import outcome, ready_button
from bot.tables.views.host_options import form
from bot.tables.views.lines import (
    fair,
    game_name,
    host_line,
    option_in_words,
    options_in_words,
    player,
    rules,
    sentence,
)
from bot.tables.views.results.ended import not_ranked
from bot.text import Icon, Joined, Name, Text, Value, bare

IN_A_ROW = 2


def lobby(session: Session, presence: Presence) -> tuple[Block, ...]:
    """Draw the table message of a lobby."""
    checks = (fair(),) if session.secret else ()
    away = (host_line(session, "lobby.host_away"),) if presence.host_away else ()
    seats = tuple(_seat(session, Seat(i), presence) for i in range(len(session.chairs)))
    held = tuple(
        sentence("lobby.held", (("name", Name(held.name)),), Look.SMALL) for held in session.held
    )
    title = Sentence(game_name(session), Look.TITLE)
    return (
        Words((title, *agreed(session))),
        Words((*seats, *held, _room(session))),
        *_practice(session),
        Row(
            (
                Choice(Text("button.join"), str(a.Join()), style=Style.SUCCESS),
                start_button(),
                Choice(Text("button.leave"), str(a.Leave())),
            )
        ),
        Row(
            (
                Choice(Text("button.add"), str(a.AddRobot())),
                Choice(Text("button.remove"), str(a.RemoveRobot())),
            )
        ),
        *_choices(session, (rules(session), *checks)),
        Words((*away, _closes(session, presence))),
    )


def _choices(session: Session, others: tuple[Choice, ...]) -> tuple[Row, ...]:
    """Draw the buttons of the options, a form, and of lists for what each seat gets.

    `others`: the last buttons. Two of all of these fit in a row.
    """
    lists = str(a.ShowOptions())
    if form(session) is None:
        choices = (Choice(Text("button.options"), lists), *others)
    else:
        choices = (Choice(Text("button.options"), str(a.ShowForm())),)
        if session.game.seat_options:
            choices = (*choices, Choice(Text("button.handicap"), lists))
        choices = (*choices, *others)
    return tuple(Row(choices[i : i + IN_A_ROW]) for i in range(0, len(choices), IN_A_ROW))


def agreed(session: Session) -> tuple[Line, ...]:
    """List the options before the first deal."""
    if session.round:
        return ()
    return (Sentence(bare(options_in_words(session)), Look.SMALL),)


def on_panel(
    session: Session, seat: Seat, presence: Presence, said: Line | None
) -> tuple[Block, ...]:
    """Draw the panel of a lobby: the host's has Start, the others' have Ready already.

    It shows nothing that changes with each Join: not every channel takes a push to every panel for
    that.
    """
    if session.chairs[seat].user == session.host:
        wait, button = sentence("panel.lobby_host", look=Look.SMALL), start_button()
    else:
        key = "panel.lobby_anyone" if presence.host_away else "panel.lobby_wait"
        wait, button = host_line(session, key), ready_button(session)
    return (Words((wait,)), *outcome(said), Row((button,)))


def start_button() -> Choice:
    return Choice(Text("button.start"), str(a.Start()), style=Style.PRIMARY)


def watching(refused: Text, round_: int) -> Screen:
    """Tell somebody without a seat what they can do: watch, or be in the next match."""
    return Screen((Words((Sentence(refused),)), Row((next_match(),))), round_)


@cache
def next_match(style: Style = Style.SUCCESS) -> Choice:
    """Draw the button that asks for a seat in the rematch."""
    return Choice(Text("button.next_match"), str(a.NextMatch()), style=style)


def _seat(session: Session, seat: Seat, presence: Presence) -> Line:
    """Draw a seat with the back of its cards, and with what it gets if not all get the same."""
    chair = session.chairs[seat]
    if not chair.human:
        key = "lobby.computer"
    else:
        key = "lobby.host" if chair.user == session.host else "lobby.seat"
    level = Text(f"level.{options.chosen(session.options, options.LEVEL)}")
    icons = (("back", Icon(f"s{seat + 1}")), ("computer", Icon("computer")), ("level", level))
    line = Text(key, (("name", player(session, seat, presence.champions)), *icons))
    chosen = _chosen_for(session, seat, chair)
    if not chosen:
        return Sentence(line)
    return sentence("lobby.chosen", (("seat", line), ("options", Joined(chosen))))


def _chosen_for(session: Session, seat: Seat, chair: Chair) -> tuple[Value, ...]:
    """Return what was chosen for a seat, and what it gets, unless all seats get the same."""
    share = session.game.share(session.all_options, len(session.chairs), seat)
    usual = {option.key: option.default for option in session.game.seat_options}
    picked = (
        option_in_words(key, value)
        for key, value in chair.choices
        if share is not None or value != usual.get(key)
    )
    return tuple(dict.fromkeys((*picked, *(() if share is None else (share,)))))


def _room(session: Session) -> Line:
    """Say how many more can join."""
    room = session.game.seats.stop - 1 - len(session.chairs) - len(session.held)
    if room > 0:
        return sentence("lobby.room", (("n", room),), Look.SMALL)
    return sentence("lobby.full", look=Look.SMALL)


def _practice(session: Session) -> tuple[Block, ...]:
    """Say why a match that begins now would be practice.

    One more person is expected while seats are held, or while one player waits alone.
    """
    expected = bool(session.held) or len(session.chairs) == 1
    people = len(session.humans_in) + expected
    why = foreseen(session.game.key, session.all_options, len(session.chairs), people)
    return (Words((not_ranked(why),)),) if why is not None else ()


def _closes(session: Session, presence: Presence) -> Line:
    closes = int(presence.born + session.since / 1000 + LOBBY_FOR)
    return sentence("lobby.closes", (("when", f"<t:{closes}:R>"),), Look.SMALL)
