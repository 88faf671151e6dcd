"""Decisions before a match: who sits at the table, and what is played there."""

from bot.games.values import Refused
from bot.ids import ChannelId, MessageId, UserId
from bot.tables.decisions.decide import Decision, Done
from bot.tables.decisions.refusal_reasons import TableRefusal, host_only, why_no_lobby, why_not_in
from bot.tables.state import events as e
from bot.tables.state.events import Entry
from bot.tables.state.evolve import apply
from bot.tables.state.options import PLACE, all_of
from bot.tables.state.seeds import Scheme
from bot.tables.state.session import NOBODY, Phase, Session
from bot.text import Text


def join(session: Session, user: UserId, name: str) -> Decision:
    if session.phase is not Phase.LOBBY:
        return Refused(why_no_lobby(session))
    if session.seat_of(user) is not None:
        return Done((), Text("table.in_already"))
    kept = next((held for held in session.held if held.user == user), None)
    if len(session.chairs) + (0 if kept else len(session.held)) >= session.game.seats.stop - 1:
        return Refused(TableRefusal.FULL)
    chosen = kept.choices if kept else ()
    return Done((e.Seated(user, name, chosen),), Text("table.in"))


def start(session: Session, user: UserId, seed: bytes, *, away: bool = False) -> Decision:
    """Start the match.

    `seed`: the secret for a match that has promised none, opened by an earlier version.
    """
    if (refused := _host_in_lobby(session, user, away=away)) is not None:
        return refused
    if len(session.chairs) < session.game.seats.start:
        return Refused(TableRefusal.TOO_FEW, (("n", session.game.seats.start),))
    if (impossible := session.game.check(session.all_options, len(session.chairs))) is not None:
        return impossible
    promised = () if session.secret else (e.Promised(seed.hex(), Scheme.OWN),)
    return Done((*promised, e.Started()), Text("table.started"))


def begin_posting(session: Session) -> Decision:
    """Note that the table message is about to go out, if it is before the first deal.

    Somebody may see the message even if the bot never hears that it was posted.
    """
    return Done((e.PostingBegun(),) if session.awaits_deal else (), Text("table.started"))


def publish(
    session: Session, channel: ChannelId, message: MessageId, lobby: MessageId | None
) -> Decision:
    """Note the answer to a posting, once per message, if it was begun before the first deal.

    The answer may come after the deal: it makes no difference to who could see the message.
    """
    known = any(one.message == message for one in session.published)
    late = session.phase in (Phase.READY, Phase.COUNT, Phase.LIVE) and session.unanswered > 0
    is_noted = not known and (session.awaits_deal or late)
    entries = (e.Published(channel, message, lobby),) if is_noted else ()
    return Done(entries, Text("table.started"))


def add_robot(session: Session, user: UserId, *, away: bool = False) -> Decision:
    if (refused := _host_in_lobby(session, user, away=away)) is not None:
        return refused
    if len(session.chairs) + len(session.held) >= session.game.seats.stop - 1:
        return Refused(TableRefusal.FULL)
    taken = {chair.name for chair in session.chairs}
    number = next(n for n in range(1, 100) if f"Robot {n}" not in taken)
    return Done((e.Seated(None, f"Robot {number}"),), Text("table.added"))


def remove_robot(session: Session, user: UserId, *, away: bool = False) -> Decision:
    if (refused := _host_in_lobby(session, user, away=away)) is not None:
        return refused
    robots = [i for i, chair in enumerate(session.chairs) if not chair.human]
    if not robots:
        return Refused(TableRefusal.NO_ROBOT)
    return Done((e.Unseated(robots[-1]),), Text("table.removed"))


def options(session: Session, user: UserId, *, away: bool = False) -> Decision:
    """Accept a person who may change the options now."""
    return _host_in_lobby(session, user, away=away) or Done((), Text("table.options"))


def set_option(
    session: Session, user: UserId, key: str, value: str, *, away: bool = False
) -> Decision:
    """Set an option of the table. Of rounds and a points target, the one set last holds."""
    if (refused := _host_in_lobby(session, user, away=away)) is not None:
        return refused
    option = next((o for o in all_of(session.game) if o.key == key), None)
    if option is None or value not in option.values:
        return Refused(TableRefusal.BAD_OPTION)
    if option is PLACE and session.parent is not None:
        return Refused(TableRefusal.THREAD_ALREADY)
    entries: list[Entry] = [e.OptionSet(key, value)]
    if key == "rounds" and "target" in session.options:
        entries.append(e.OptionSet("target", "off"))
    return _if_possible(session, tuple(entries))


def set_seat_option(
    session: Session, user: UserId, seat: int, key: str, value: str, *, away: bool = False
) -> Decision:
    """Set an option of one seat. A choice that the game can't deal is refused."""
    if (refused := _host_in_lobby(session, user, away=away)) is not None:
        return refused
    option = next((o for o in session.game.seat_options if o.key == key), None)
    if option is None or value not in option.values or seat >= len(session.chairs):
        return Refused(TableRefusal.BAD_OPTION)
    return _if_possible(session, (e.SeatOptionSet(seat, key, value),))


def rematch(session: Session, user: UserId, name: str) -> tuple[e.Opened, list[e.Seated]]:
    """Return the opening of a rematch, and the players who are seated at once.

    Those are the person who asks, as its host, and the robots. The others' seats are held.
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
    robots = [e.Seated(None, one.name, one.choices) for one in stayed if not one.human]
    return opened, [e.Seated(user, name, own), *robots]


def _if_possible(session: Session, entries: tuple[Entry, ...]) -> Decision:
    """Accept these entries if the game can deal the options for the seats there are."""
    after = session
    for entry in entries:
        after = apply(after, entry, session.at)
    impossible = session.game.check(after.all_options, len(after.chairs))
    return impossible or Done(entries, Text("table.options"))


def _host_in_lobby(session: Session, user: UserId, *, away: bool) -> Refused | None:
    """Return why this person may not act as host of a lobby; None if they may.

    `away`: whether the host is; then anybody seated may do what the host may.
    """
    if session.seat_of(user) is None:
        return Refused(why_not_in(session, user))
    if session.phase is not Phase.LOBBY:
        return Refused(why_no_lobby(session))
    if user != session.host and not away:
        return host_only(session)
    return None
