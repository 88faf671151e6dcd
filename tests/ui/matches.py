"""Tables at any moment of a match, made by the functions that the bot itself uses."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from bot.games import GAMES
from bot.games.chance import Chance
from bot.games.contract import Skill
from bot.games.values import Refused, Seat
from bot.ids import ChannelId, GuildId, UserId
from bot.screen import Line, Screen
from bot.tables.decisions import decide as d
from bot.tables.decisions import lobby as in_lobby
from bot.tables.decisions.consequences import settle
from bot.tables.decisions.decide import Decision, Done
from bot.tables.decisions.presence import Presence
from bot.tables.decisions.votes import ask_to_end
from bot.tables.state import events as e
from bot.tables.state.evolve import apply, begin
from bot.tables.state.journal import TableId
from bot.tables.state.notices import NoThread, Notices, Stuck
from bot.tables.state.options import defaults
from bot.tables.state.session import Phase, Session
from bot.tables.views.host_options import handicap, options
from bot.tables.views.newcomer import doing
from bot.tables.views.results.records import Records
from bot.tables.views.results.standings import Pictured, is_scored
from bot.tables.views.screens import panel as panels
from bot.tables.views.screens.panel import asleep, ending, leaving, note
from bot.tables.views.screens.table_message import linked, moved
from bot.tables.views.screens.table_message import public as public_at
from bot.text import Text
from tests.tables.starting import published
from tests.tables.views import panel, public

TABLE = TableId(999_999_999)
HOST = UserId(1001)
AT = 1_800_000_000_000
SECRET = bytes(range(32))
PICTURE = "score-1.png"
KEEN = Skill(pace=1.0, attention=1.0)
PEOPLE = ("Anna", "Ben", "Cem", "Dora", "Emil", "Frida", "Gül", "Hugo", "Ida", "Jan", "Kim", "Lea")
HOSTILE = (
    "@everyone",
    "<@1001>",
    "**__~~||x||~~__**",
    "```fence```",
    "\u202egnihsif",
    "\u200b\u200d\ufeff",
    "木" * 32,
    "🎉" * 32,
    "עברית",
    "[x](http://a.b)",
    "{n} {0} %s",
    "a\nb\tc\\",
)


def user(seat: int) -> UserId:
    return UserId(HOST + seat)


def accepted(session: Session, decision: Decision, wait: int = 0) -> Session:
    """The table after an accepted press, `wait` ms after the last one."""
    assert isinstance(decision, Done), decision
    session = after(session, wait)
    return settle(session, decision.entries, session.at, decision.played)[1]


def after(session: Session, ms: int) -> Session:
    """The same table so much later."""
    return session.dated(session.at + ms, session.lived + ms)


def lobby(
    people: Sequence[str], computers: int = 0, game: str = "ligretto", **chosen: str
) -> Session:
    opened = e.Opened(
        game, 1, GuildId(77), ChannelId(88), HOST, "en-US", {**defaults(GAMES[game]), **chosen}
    )
    session = apply(begin(opened, AT), e.Promised(SECRET.hex()), AT)
    for seat, name in enumerate(people):
        session = accepted(session, in_lobby.join(session, user(seat), name))
    for _ in range(computers):
        session = accepted(session, in_lobby.add_robot(session, HOST))
    return session


def started(session: Session) -> Session:
    session = unpublished(session)
    return accepted(session, published(session))


def unpublished(session: Session) -> Session:
    """Started, while the table's message is on its way."""
    return accepted(session, in_lobby.start(session, HOST, b""))


def all_ready(session: Session) -> Session:
    """Everybody who is awaited presses Ready, which deals the round."""
    for seat in session.awaited:
        person = session.chairs[seat].user
        assert person is not None
        session = accepted(session, d.ready(session, person))
    return session


def live(session: Session) -> Session:
    """The round that comes next, with its cards on the table."""
    if session.phase is Phase.LOBBY:
        session = started(session)
    return accepted(session=(dealt := all_ready(session)), decision=d.go_live(dealt), wait=3000)


def plays(session: Session, luck: int = 0) -> Iterator[Session]:
    """The table after every move of the brain, seats in a random order, to the round's end."""
    chance = Chance(bytes([luck] * 32), session.round, 0)
    while session.phase is Phase.LIVE:
        seat = chance.pick(session.seats_in)
        move = session.game.choose(session.game.view(session.in_play, seat), KEEN, chance)
        if move is None:
            continue
        decision = d.move(session, d.Move(seat, str(move)))
        assert not isinstance(decision, Refused), (seat, str(move), decision)
        session = accepted(session, decision, wait=250)
        yield session


def after_moves(session: Session, number: int) -> Session:
    for made, later in enumerate(plays(session), 1):
        if made == number:
            return later
    raise AssertionError("the round was over before")


def round_over(session: Session) -> Session:
    *_, last = plays(session if session.phase is Phase.LIVE else live(session))
    return last


def match_over(session: Session) -> Session:
    while session.phase is not Phase.OVER:
        session = round_over(session)
    return session


LATE = 12
"""How many times as many moves are looked at when somebody is about to end the round."""


def moments(lobby_: Session, every: int = 1) -> Iterator[Session]:
    """A whole match, from the lobby to the closed table, with every so many of its moves."""
    yield lobby_
    yield unpublished(lobby_)
    session = started(lobby_)
    while session.phase is not Phase.OVER:
        yield session
        session = accepted(session, d.ready(session, HOST))
        yield session
        session = all_ready(session)
        yield session
        session = accepted(session, d.go_live(session), wait=3000)
        yield session
        for number, later in enumerate(plays(session)):
            session = later
            # Late in a round is where piles and gaps are at their strangest.
            late = min(n for n in _left(later) if n is not None) <= 1
            if number % (-(-every // LATE) if late else every) == 0:
                yield later
    yield session
    yield accepted(session, d.close(session, "table.closed.over"))


def halves(session: Session, seat: Seat) -> Iterator[str]:
    """The halves of moves that a seat could ask for now."""
    if session.phase is Phase.LIVE:
        moves = map(str, session.game.moves(session.in_play, seat))
        words = dict.fromkeys(f"{move.partition('>')[0]}>" for move in moves if ">" in move)
        halves_ = ((word, session.game.half(session.in_play, seat, word)) for word in words)
        yield from (word for word, asked in halves_ if isinstance(asked, Text))


def odd_moments(session: Session) -> tuple[Presence, ...]:
    """A long quiet; somebody who is away while the bot is about to stop; what Discord refuses."""
    away = tuple(user(seat) for seat in (1, 2, 3) if session.seat_of(user(seat)) is not None)
    return (
        Presence(session.lived, quiet=session.phase is Phase.LIVE),
        Presence(session.lived, absent=away, notices=Notices(restarting=True)),
        *(Presence(session.lived, notices=Notices(stuck=one)) for one in Stuck),
        *(Presence(session.lived, notices=Notices(no_thread=one)) for one in NoThread),
    )


def _left(session: Session) -> tuple[int | None, ...]:
    return (0,) if session.state is None else session.game.left(session.state)


def screens(session: Session, said: Line | None = None) -> Iterator[Screen]:
    """Everything that anybody may see of a table now."""
    for count in (3, 2, 1) if session.phase is Phase.COUNT else (0,):
        yield public(session, count)
        for seat, person in enumerate(c.user for c in session.chairs if c.user is not None):
            yield panel(session, person, count, said)
            for half in halves(session, Seat(seat)):
                yield panels.panel(session, person, Presence(session.lived), said, half)
    yield from (public_at(session, presence) for presence in odd_moments(session))
    yield from (panels.panel(session, HOST, m, None) for m in odd_moments(session))
    if (first := doing(session, HOST)) is not None:
        yield panels.panel(session, HOST, Presence(session.lived), said, first=first)
    yield asleep(session, panel(session, HOST, 0, said))
    yield panel(session, UserId(5), 0, note(in_lobby.join(session, UserId(5), "Stranger")))
    if session.parent is not None:
        yield moved(session)
    if session.published:
        yield linked(session, "https://discord.com/channels/1/2/3")
    if is_scored(session):
        yield from scores(session)
    if session.phase is Phase.LOBBY:
        yield options(session)
        yield handicap(session)
    else:
        yield leaving(session, Text("leave.sure"))
    if session.phase is Phase.LIVE:
        yield ending(session, ask_to_end(session, Seat(0)))


def different(sessions: Iterable[Session], said: Line | None = None) -> Iterable[Screen]:
    """Everything that anybody may see meanwhile, each screen once. A move changes few of them."""
    return dict.fromkeys(screen for session in sessions for screen in screens(session, said))


def scores(session: Session) -> Iterator[Screen]:
    """A score with its picture, with nobody's name in it and everything that can be told."""
    for one in (session, dramatic(session)):
        picture = Pictured(PICTURE, tuple(Seat(seat) for seat in range(len(one.chairs))))
        bests = dict.fromkeys(one.seats_in, -99)
        yield public_at(one, Presence(one.lived), picture, Records(bests=bests))
        yield public_at(one, Presence(one.lived))
        for seat in one.humans_in:
            yield panel(one, user(seat), 0, None)
            told = Presence(one.lived, bests={seat: -99})
            yield panels.panel(one, user(seat), told, None)


def dramatic(session: Session) -> Session:
    """The same rounds with the closest of duels in each."""
    place = "rd6" if session.opened.game == "dice" else "r10"
    duel = e.CloseCall(0, len(session.chairs) - 1, place, 999)
    history = tuple(replace(one, ended=replace(one.ended, closest=duel)) for one in session.history)
    return replace(session, history=history)
