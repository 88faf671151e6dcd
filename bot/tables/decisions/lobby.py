"""Decisions before a match: who sits at the table, and what is played there."""

from collections.abc import Callable

from bot.games.chance_scheme import Scheme
from bot.games.values import Refused
from bot.ids import ChannelId, MessageId, UserId
from bot.tables.decisions.decide import Decision, Done
from bot.tables.decisions.option_lists import MORE, settings_of, switched
from bot.tables.decisions.refusal_reasons import TableRefusal, host_only, why_no_lobby, why_not_in
from bot.tables.state import events as e
from bot.tables.state import match_seed
from bot.tables.state.events import Entry
from bot.tables.state.evolve import apply
from bot.tables.state.options import PLACE
from bot.tables.state.session import NOBODY, Phase, Session
from bot.text import SILENT, Text

STARTED = (Phase.READY, Phase.COUNT, Phase.LIVE)


def join(session: Session, user: UserId, name: str) -> Decision:
    if session.phase in STARTED:
        if session.seat_of(user) is None:
            return Refused(why_not_in(session, user))
        return Done((), Text("table.in_already"))
    if session.phase is not Phase.LOBBY:
        return Refused(why_no_lobby(session))
    if session.seat_of(user) is not None:
        return Done((), Text("table.in_already"))
    kept = next((held for held in session.held if held.user == user), None)
    if len(session.chairs) + (0 if kept else len(session.held)) >= session.game.seats.stop - 1:
        return Refused(TableRefusal.FULL)
    chosen = kept.choices if kept else ()
    return Done((e.Seated(user, name, chosen),), Text("table.in"))


def next_match(session: Session, user: UserId, name: str) -> Decision:
    """Hold a seat in the rematch for somebody who has none in this match."""
    if session.seat_of(user) is not None:
        return Done((), Text("table.in_already"))
    if session.phase not in STARTED:
        return Refused(why_not_in(session, user))
    if any(one.user == user for one in session.queue):
        return Done((), Text("table.queued"))
    if not has_room_next(session):
        return Refused(TableRefusal.FULL_NEXT)
    return Done((e.Queued(user, name),), Text("table.queued"))


def has_room_next(session: Session) -> bool:
    """Return whether the rematch has a seat for somebody without one in this match."""
    return len(session.seats_in) + len(session.queue) < session.game.seats.stop - 1


def start(session: Session, user: UserId, seed: bytes, *, away: bool = False) -> Decision:
    """Start the match.

    `seed`: the secret for a match that has promised none, opened by an earlier version.
    """
    if session.seat_of(user) is not None and session.phase in STARTED:
        return Done((), Text("table.started"))  # a second press is no mistake
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
    entries = (e.PostingBegun(),) if match_seed.awaits_deal(session) else ()
    return Done(entries, Text("table.started"))


def publish(
    session: Session, channel: ChannelId, message: MessageId, lobby: MessageId | None
) -> Decision:
    """Note the answer to a posting, once per message, if it was begun before the first deal.

    The answer may come after the deal: it makes no difference to who could see the message.
    """
    known = any(one.message == message for one in session.published)
    in_match = session.phase in (Phase.READY, Phase.COUNT, Phase.LIVE)
    late = in_match and match_seed.unanswered(session) > 0
    is_noted = not known and (match_seed.awaits_deal(session) or late)
    entries = (e.Published(channel, message, lobby),) if is_noted else ()
    return Done(entries, Text("table.started"))


def robot(number: int) -> str:
    """Return the name of a robot where there are no catalogues."""
    return f"Robot {number}"


def add_robot(
    session: Session,
    user: UserId,
    called: Callable[[int], str] = robot,
    *,
    away: bool = False,
) -> Decision:
    """Seat a robot under the first name that is free. `called` returns the name of a number."""
    if (refused := _host_in_lobby(session, user, away=away)) is not None:
        return refused
    if len(session.chairs) + len(session.held) >= session.game.seats.stop - 1:
        return Refused(TableRefusal.FULL)
    taken = {chair.name for chair in session.chairs}
    name = next(name for name in map(called, range(1, 100)) if name not in taken)
    return Done((e.Seated(None, name),), SILENT)


def remove_robot(session: Session, user: UserId, *, away: bool = False) -> Decision:
    if (refused := _host_in_lobby(session, user, away=away)) is not None:
        return refused
    robots = [i for i, chair in enumerate(session.chairs) if not chair.human]
    if not robots:
        return Refused(TableRefusal.NO_ROBOT)
    return Done((e.Unseated(robots[-1]),), SILENT)


def options(session: Session, user: UserId, *, away: bool = False) -> Decision:
    """Accept a person who may change the options now."""
    return _host_in_lobby(session, user, away=away) or Done((), SILENT)


def set_option(
    session: Session, user: UserId, key: str, value: str, *, away: bool = False
) -> Decision:
    """Set what a value of the list `key` spells, or one option of the table by itself."""
    if (refused := _host_in_lobby(session, user, away=away)) is not None:
        return refused
    wanted = settings_of(session.game, key, value)
    if wanted is None:
        return Refused(TableRefusal.BAD_OPTION)
    if PLACE.key in wanted and session.parent is not None:
        return Refused(TableRefusal.THREAD_ALREADY)
    return _if_possible(session, tuple(e.OptionSet(*one) for one in wanted.items()))


def fill_form(
    session: Session,
    user: UserId,
    values: tuple[tuple[str, tuple[str, ...]], ...],
    *,
    away: bool = False,
) -> Decision:
    """Set what a form says. Only what is different from now counts."""
    if (refused := _host_in_lobby(session, user, away=away)) is not None:
        return refused
    wanted: dict[str, str] = {}
    for key, chosen in values:
        if key == MORE:
            found = switched(chosen)
        else:
            found = settings_of(session.game, key, chosen[0]) if len(chosen) == 1 else None
        if found is None:
            return Refused(TableRefusal.BAD_OPTION)
        wanted |= found
    if session.parent is not None:
        wanted.pop(PLACE.key, None)  # it is in its thread, and stays there
    changed = {key: value for key, value in wanted.items() if session.options.get(key) != value}
    return _if_possible(session, tuple(e.OptionSet(*one) for one in changed.items()))


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

    They are the person who asks, as its host, and the robots. Seats are held for the others, and
    for those who asked for one during the match.
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
        )
        + tuple(one for one in session.queue if one.user not in (user, NOBODY)),
    )
    own = next((chair.choices for chair in stayed if chair.user == user), ())
    robots = [e.Seated(None, one.name, one.choices) for one in stayed if not one.human]
    return opened, [e.Seated(user, name, own), *robots]


def straight_on(session: Session) -> tuple[Entry, ...]:
    """Return what makes a rematch begin at once: one person among robots has nobody to wait for.

    `session`: the match before. Nothing if somebody else may want to play.
    """
    people = sum(chair.human for chair in session.chairs)
    return () if people > 1 or session.queue else (e.Started(), e.Readied(0))


def _if_possible(session: Session, entries: tuple[Entry, ...]) -> Decision:
    """Accept these entries if the game can deal the options for the seats there are."""
    after = session
    for entry in entries:
        after = apply(after, entry, session.at)
    impossible = session.game.check(after.all_options, len(after.chairs))
    return impossible or Done(entries, SILENT)


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
