"""Decisions: a press becomes entries for the journal, or a refusal. Pure functions of a Session."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeAlias

from bot.games.contract import GameState
from bot.games.values import Played, Refused, Seat
from bot.ids import ChannelId, UserId
from bot.tables.decisions.consequences import cut_short, next_deal, plays_next
from bot.tables.decisions.refusal_reasons import (
    TableRefusal,
    host_name,
    host_only,
    why_no_lobby,
    why_not_in,
    why_not_live,
)
from bot.tables.state import events as e
from bot.tables.state import match_seed, options
from bot.tables.state.events import Entry
from bot.tables.state.session import Phase, Session
from bot.text import SILENT, Text

START_AFTER = 30_000
"""Milliseconds after the first Ready until the host may start without the others."""


@dataclass(frozen=True, slots=True)
class Done:
    """An accepted press: the entries it writes, and the words for it on the panel.

    `half`: the first half of a move whose other half is asked for now.
    """

    entries: tuple[Entry, ...]
    said: Text
    played: Played[GameState] | None = field(default=None, repr=False)
    half: str | None = None


@dataclass(frozen=True, slots=True)
class Move:
    """A press that asks for a move of the game, in its notation."""

    seat: Seat
    text: str


Decision: TypeAlias = Done | Refused
Decide: TypeAlias = Callable[[Session], Decision]


def leave(session: Session, user: UserId) -> Decision:
    """Leave the lobby, or leave the match for good. Robots never leave."""
    seat = session.seat_of(user)
    if seat is None or session.phase in (Phase.OVER, Phase.CLOSED):
        return Refused(why_not_in(session, user))
    entry = e.Unseated(seat) if session.round == 0 else e.Left(seat)
    return Done((entry,), Text("table.you_left"))


def ask_to_leave(session: Session, user: UserId) -> Decision:
    """Ask for a confirmation in a match. In a lobby leave at once, since nothing is lost."""
    in_match = session.phase in (Phase.READY, Phase.COUNT, Phase.LIVE)
    if in_match and session.seat_of(user) is not None:
        return Done((), _leaving(session))
    return leave(session, user)


def _leaving(session: Session) -> Text:
    """Ask one of those still in whether they mean to leave, and say what becomes of the match."""
    if session.opened.arena is not None:
        return Text("leave.sure_arena")
    if len(session.seats_in) <= session.game.seats.start:
        return Text("leave.sure_ends")
    return Text("leave.sure_alone" if len(session.humans_in) == 1 else "leave.sure")


def stay(session: Session, user: UserId) -> Decision:
    """Stay after all: Leave was not meant."""
    if session.seat_of(user) is None:
        return Refused(why_not_in(session, user))
    return Done((), Text("leave.stayed"))


def may_deal(session: Session, now: int) -> bool:
    """Return whether the host may start a waiting table without the players who aren't ready.

    `now`: ms of the table's life.
    """
    first = session.first_ready_at
    return first is not None and now >= first + START_AFTER


def deal(session: Session, user: UserId, *, away: bool = False) -> Decision:
    """Start a waiting table: deal the round to the players who are ready, or resume a paused one.

    `away`: whether the host is; then anybody seated may start it. Players who never readied in
    round 1 lose their seat; those who miss a later round sit it out.
    """
    if session.seat_of(user) is None:
        return Refused(why_not_in(session, user))
    if user != session.host and not away:
        return host_only(session)
    if session.phase is not Phase.READY:
        return Refused(why_no_lobby(session))
    if not may_deal(session, session.lived):
        return Refused(TableRefusal.START_LATER, (("n", START_AFTER // 1000),))
    if match_seed.is_incomplete(session):
        return Refused(TableRefusal.NOT_POSTED)
    if session.state is not None:
        return Done((e.Resumed(),), Text("table.started"))
    ready = [seat for seat in session.seats_in if plays_next(session, seat)]
    if len(ready) < session.game.seats.start:
        return Refused(TableRefusal.TOO_FEW, (("n", session.game.seats.start),))
    if session.round > 0:
        return Done((e.Dealt(next_deal(session)),), Text("table.started"))
    absent = [seat for seat in session.seats_in if seat not in ready]
    unseated = (e.Unseated(seat) for seat in sorted(absent, reverse=True))
    dealt = e.Dealt((True,) * len(ready))
    return Done((*unseated, dealt), Text("table.started"))


def ready(session: Session, user: UserId) -> Decision:
    seat = session.seat_of(user)
    if seat is None:
        return Refused(why_not_in(session, user))
    if session.phase is Phase.LOBBY:
        if user == session.host:
            return Refused(TableRefusal.START_FIRST)
        return Refused(TableRefusal.NOT_STARTED, (host_name(session),))
    if session.phase is not Phase.READY:
        over = session.phase in (Phase.OVER, Phase.CLOSED)
        return Refused(TableRefusal.MATCH_OVER if over else TableRefusal.NOTHING_TO_READY)
    if seat in session.ready:
        return Refused(TableRefusal.READY_ALREADY)
    return Done((e.Readied(seat),), Text("table.ready"))


def move(session: Session, asked: Move, waited: int = 0) -> Decision:
    """Make a move in a live round. `waited`: ms for its turn.

    Raises ValueError for a notation that the game can't read.
    """
    seat, text = asked.seat, asked.text
    if session.phase is not Phase.LIVE:
        return Refused(why_not_live(session))
    parsed = session.game.parse(text)
    outcome = session.game.play(session.in_play, seat, parsed, match_seed.next_chance(session))
    if isinstance(outcome, Refused):
        return outcome
    return Done((e.Moved(seat, text, outcome.moves, waited),), outcome.said, outcome)


def panel(session: Session, user: UserId) -> Decision:
    """Accept a person who has a panel here."""
    if session.seat_of(user) is None:
        return Refused(why_not_in(session, user))
    return Done((), Text("table.your_panel"))


def move_down(session: Session, user: UserId) -> Decision:
    """Accept a person for whom the table message may be posted again.

    Until the first deal it stays: its id is in the seed, and a second message would look as if
    whoever runs the bot hadn't liked the first.
    """
    if session.seat_of(user) is not None and match_seed.awaits_deal(session):
        return Refused(TableRefusal.STAYS_HERE)
    return panel(session, user)


def rematch(session: Session, user: UserId) -> Decision:
    """Accept a person who may ask for another match. The caller opens the table."""
    came = (chair.user for chair in session.chairs)
    if user not in {*came, *(one.user for one in session.queue)}:
        return Refused(TableRefusal.STRANGER)
    if session.phase is Phase.CLOSED:
        return Refused(TableRefusal.CLOSED)
    if session.phase is not Phase.OVER:
        return Refused(TableRefusal.NOT_OVER)
    return Done((), SILENT)


def go_live(session: Session) -> Decision:
    """End the count. A round that has ended meanwhile stays as it is."""
    entries = (e.WentLive(),) if session.phase is Phase.COUNT else ()
    return Done(entries, SILENT)


def pause(session: Session) -> Decision:
    """Let a round in progress wait for a fresh get-ready, after a restart."""
    entries = (e.Paused(),) if session.phase in (Phase.COUNT, Phase.LIVE) else ()
    return Done(entries, SILENT)


def free_held_seats(session: Session) -> Decision:
    """Free the seats that a rematch has held for its players."""
    return Done((e.HeldSeatsFreed(),) if session.held else (), SILENT)


def move_to_channel(session: Session, channel: ChannelId, parent: ChannelId | None) -> Decision:
    """Move the table to another channel."""
    if session.channel == channel or session.phase is Phase.CLOSED:
        return Done((), SILENT)
    # A table back from its thread stays, instead of asking for another one.
    here = e.OptionSet(options.PLACE.key, options.PLACE.default)
    entries: tuple[Entry, ...] = (e.ChannelChanged(channel, parent),)
    return Done(entries if parent is not None else (*entries, here), SILENT)


def keep_here(session: Session) -> Decision:
    """Keep the table in its channel, because it can't have a thread."""
    here = e.OptionSet(options.PLACE.key, options.PLACE.default)
    return Done((here,) if options.in_thread(session.options) else (), SILENT)


def half(session: Session, seat: Seat, word: str) -> Decision:
    """Make the first half of a move.

    AssertionError in a live round if `word` isn't one that the game calls a half.
    """
    if session.phase is not Phase.LIVE:
        return Refused(why_not_live(session))
    asked = session.game.half(session.in_play, seat, word)
    assert asked is not None, f"no half of a move: {word}"
    return asked if isinstance(asked, Refused) else Done((), asked, half=word)


def close(session: Session, reason: str) -> Decision:
    """Close the table whatever it is doing. A match in progress ends as it stands."""
    if session.phase is Phase.CLOSED:
        return Done((), Text(reason))
    return Done((*cut_short(session), e.Closed(reason)), Text(reason))


def abandon(session: Session) -> Decision:
    """End a table at which nobody has pressed for long: all people at it are away."""
    if not session.played:
        return close(session, "table.closed.idle")
    return Done(
        tuple(e.Left(seat, away=True) for seat in session.humans_in), Text("table.closed.idle")
    )
