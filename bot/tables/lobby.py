"""What a press before a match leads to: who sits at the table, and what is played there."""

from bot.games.screen import Text
from bot.games.values import Refused
from bot.tables import choices
from bot.tables import entries as e
from bot.tables.decisions import Decision, Done, Why, host_only, why_no_lobby, why_not_in
from bot.tables.entries import Entry
from bot.tables.fold import apply
from bot.tables.seeds import Scheme
from bot.tables.session import NOBODY, Phase, Session


def join(session: Session, user: int, name: str) -> Decision:
    if session.phase is not Phase.LOBBY:
        return Refused(why_no_lobby(session))
    if session.seat_of(user) is not None:
        return Done((), Text("table.in_already"))
    kept = next((held for held in session.held if held.user == user), None)
    if len(session.chairs) + (0 if kept else len(session.held)) >= session.game.seats.stop - 1:
        return Refused(Why.FULL)
    chosen = kept.choices if kept else ()
    return Done((e.Seated(user, name, chosen),), Text("table.in"))


def start(session: Session, user: int, seed: bytes, *, away: bool = False) -> Decision:
    """`seed`: the secret of a match that has promised none, opened by an earlier version."""
    if (refused := _host_in_lobby(session, user, away=away)) is not None:
        return refused
    if len(session.chairs) < session.game.seats.start:
        return Refused(Why.TOO_FEW, (("n", session.game.seats.start),))
    if (impossible := session.game.check(session.all_options, len(session.chairs))) is not None:
        return impossible
    promised = () if session.secret else (e.Promised(seed.hex(), Scheme.OWN),)
    return Done((*promised, e.Started()), Text("table.started"))


def begin_posting(session: Session) -> Decision:
    """The table's message is about to go out. Before the first deal that is noted first: it may be
    seen whether or not anybody ever hears of it.
    """
    return Done((e.PostingBegun(),) if session.awaits_deal else (), Text("table.started"))


def publish(session: Session, channel: int, message: int, lobby: int | None) -> Decision:
    """A posting is answered. One that was begun before the first deal is noted, each message once;
    when the answer comes makes no difference to who could see the message.
    """
    known = any(one.message == message for one in session.published)
    late = session.phase in (Phase.READY, Phase.COUNT, Phase.LIVE) and session.unanswered > 0
    is_noted = not known and (session.awaits_deal or late)
    entries = (e.Published(channel, message, lobby),) if is_noted else ()
    return Done(entries, Text("table.started"))


def add_computer(session: Session, user: int, *, away: bool = False) -> Decision:
    if (refused := _host_in_lobby(session, user, away=away)) is not None:
        return refused
    if len(session.chairs) + len(session.held) >= session.game.seats.stop - 1:
        return Refused(Why.FULL)
    taken = {chair.name for chair in session.chairs}
    number = next(n for n in range(1, 100) if f"Robot {n}" not in taken)
    return Done((e.Seated(None, f"Robot {number}"),), Text("table.added"))


def remove_computer(session: Session, user: int, *, away: bool = False) -> Decision:
    if (refused := _host_in_lobby(session, user, away=away)) is not None:
        return refused
    computers = [i for i, chair in enumerate(session.chairs) if not chair.human]
    if not computers:
        return Refused(Why.NO_COMPUTER)
    return Done((e.Unseated(computers[-1]),), Text("table.removed"))


def options(session: Session, user: int, *, away: bool = False) -> Decision:
    """Whether this person may change the options now."""
    return _host_in_lobby(session, user, away=away) or Done((), Text("table.options"))


def set_option(
    session: Session, user: int, key: str, value: str, *, away: bool = False
) -> Decision:
    """Rounds and a points target exclude each other: the one chosen last holds."""
    if (refused := _host_in_lobby(session, user, away=away)) is not None:
        return refused
    option = next((o for o in choices.all_of(session.game) if o.key == key), None)
    if option is None or value not in option.values:
        return Refused(Why.BAD_OPTION)
    if option is choices.PLACE and session.parent is not None:
        return Refused(Why.THREAD_ALREADY)
    entries: list[Entry] = [e.OptionSet(key, value)]
    if key == "rounds" and "target" in session.options:
        entries.append(e.OptionSet("target", "off"))
    return _if_possible(session, tuple(entries))


def set_seat_option(
    session: Session, user: int, seat: int, key: str, value: str, *, away: bool = False
) -> Decision:
    """A choice for one seat. One that the game cannot deal changes nothing."""
    if (refused := _host_in_lobby(session, user, away=away)) is not None:
        return refused
    option = next((o for o in session.game.seat_options if o.key == key), None)
    if option is None or value not in option.values or seat >= len(session.chairs):
        return Refused(Why.BAD_OPTION)
    return _if_possible(session, (e.SeatOptionSet(seat, key, value),))


def again(session: Session, user: int, name: str) -> tuple[e.Opened, list[e.Seated]]:
    """The same table for another match, and who sits at it from the start: who asks, as its host,
    and the computer players. The others' seats are held for them.
    """
    stayed = [chair for chair in session.chairs if not chair.left]
    opened = e.Opened(
        game=session.opened.game,
        rules_version=session.game.rules_version,
        guild=session.opened.guild,
        channel=session.channel,
        parent=session.parent,
        host=user,
        locale=session.opened.locale,
        options=dict(session.options),
        held=tuple(
            e.Held(chair.user, chair.name, chair.choices)
            for chair in stayed
            if chair.user is not None and chair.user not in (user, NOBODY)
        ),
    )
    own = next((chair.choices for chair in stayed if chair.user == user), ())
    computers = [e.Seated(None, one.name, one.choices) for one in stayed if not one.human]
    return opened, [e.Seated(user, name, own), *computers]


def _if_possible(session: Session, entries: tuple[Entry, ...]) -> Decision:
    """Options that the game can deal for the seats there are."""
    after = session
    for entry in entries:
        after = apply(after, entry, session.at)
    impossible = session.game.check(after.all_options, len(after.chairs))
    return impossible or Done(entries, Text("table.options"))


def _host_in_lobby(session: Session, user: int, *, away: bool) -> Refused | None:
    """`away`: whether the host is; then anybody seated may do what the host may."""
    if session.seat_of(user) is None:
        return Refused(why_not_in(session, user))
    if session.phase is not Phase.LOBBY:
        return Refused(why_no_lobby(session))
    if user != session.host and not away:
        return host_only(session)
    return None
