"""What is said in arenas, with the values it is given."""

from collections.abc import Iterator
from dataclasses import replace

from bot.games.values import Refused
from bot.ids import ArenaId, ChannelId, GuildId, MessageId, UserId
from bot.screen import Screen
from bot.tables.arena import decisions as d
from bot.tables.arena import events as e
from bot.tables.arena.message import Around, message
from bot.tables.arena.panel import asked_to_stop, panel
from bot.tables.arena.state import Arena, apply, begin
from bot.tables.arenas.running import CLOSED
from bot.tables.decisions.arena_rounds import Uncounted
from bot.tables.decisions.presence import Presence
from bot.tables.state.events import InArena
from bot.tables.state.journal import TableId
from bot.tables.state.session import Phase, Session
from bot.tables.views.screens.panel import panel as of_table
from bot.text import Icon, Text
from bot.ui.arena.fairness import fair

PEOPLE = tuple(UserId(number) for number in range(1, 15))
ANNA, BEN = PEOPLE[:2]
OPENED = e.Opened(
    "ligretto", 1, GuildId(7), ChannelId(88), ANNA, "en-US", {}, 4, 30, bytes(32).hex()
)
AROUND = Around(ArenaId(1), 1_780_000_000.0)
SLOW = Around(ArenaId(1), 1_780_000_000.0, room=13, is_restarting=True)


def after(arena: Arena, *events: e.Event) -> Arena:
    """Return an arena after these events, a second each."""
    for event in events:
        arena = apply(arena, event, arena.at + 1000, arena.lived + 1000)
    return arena


def scored(number: int, *users: UserId, counts: bool = True) -> tuple[e.Paired, e.Scored]:
    """A table that is paired and played; places and points fall with the seats."""
    places = tuple(range(1, len(users) + 1))
    points = tuple(21 - 7 * place for place in places)
    closest = e.Closest(users[0], users[1], 12)
    table = TableId(100 + number)
    return (
        e.Paired(number, users),
        e.Scored(number, table, users, places, points, counts, closest),
    )


def moments() -> Iterator[Arena]:
    """An arena from its opening to its end, and others that end before it."""
    joined = (e.Joined(user, f"Person {user}") for user in PEOPLE)
    arena = begin(OPENED, 1_780_000_000_000)
    yield arena
    arena = after(arena, e.Published(MessageId(9)), *joined)
    yield arena
    yield after(arena, e.Left(ANNA))
    yield after(arena, e.Stopped("arena.stopped.empty"), e.Ended())
    many = [e.Paired(number, PEOPLE[number : number + 2]) for number in range(1, 14)]
    yield after(arena, *many)
    yield after(arena, e.Paired(1, (ANNA, BEN)), e.WalkedOut(1, ANNA))
    yield after(arena, e.Paired(1, (ANNA, BEN)), e.WalkedOut(1, ANNA, away=True))
    arena = after(arena, *scored(1, ANNA, BEN, *PEOPLE[2:4]))
    yield arena
    yield after(arena, *scored(2, ANNA, BEN, counts=False), e.CameBack(4 * 60_000))
    paired, over = scored(2, ANNA, BEN, counts=False)
    yield after(arena, paired, e.CameBack(4 * 60_000), over)
    yield after(arena, paired, replace(over, counts=True, left=(BEN,)))
    yield after(arena, paired, replace(over, counts=True, left=(ANNA, BEN), away=(ANNA,)))
    arena = after(arena, *scored(2, *PEOPLE[:12]), *scored(3, *PEOPLE[:12]))
    yield arena
    yield after(arena, *scored(4, *reversed(PEOPLE)))
    arena = after(arena, e.Stopped("arena.stopped.time"))
    yield arena
    yield after(arena, e.Ended())


ARENAS = tuple(moments())
SCREENS = (
    *(message(one, around) for one in ARENAS for around in (AROUND, SLOW)),
    *(
        panel(one, user, around)
        for one in ARENAS
        for user in (*PEOPLE[:5], UserId(99))
        for around in (AROUND, SLOW)
    ),
    asked_to_stop(),
    fair(bytes(32), "88/9"),
    fair(bytes(32), "88/9", is_over=True),
)
REFUSALS = (
    *(Refused(why) for why in d.ArenaRefusal if why != d.ArenaRefusal.NOT_IN),
    d.NOT_IN,
)
TEXTS: tuple[Text, ...] = (
    *(Text(one.why.value, (*one.values, ("n", 13))) for one in REFUSALS),
    *(Text(f"arena.stopped.{why}") for why in ("host", "moderator", "away", "no_message")),
    *(Text(f"arena.{said}") for said in ("you_left", "you_stopped")),
    *(Text(f"command.arena.{option}") for option in ("game", "minutes", "seats")),
    Text("arena.you_sit", (("number", 7),)),
    Text("button.leave_round"),
    Text("arena.all_back", (("seconds", 90),)),
    Text("arena.goes_on"),
    Text("arena.not_back", (("waiting", Icon("waiting")), ("names", "Ben"))),
    *map(Text, Uncounted),
    Text("leave.sure_arena"),
    Text("table.title_arena", (("game", Text("game.dice")), ("number", 7))),
    Text(CLOSED),
    Text("request.refused.arena_here", (("where", "<#88>"),)),
    Text("moderate.arena_ended", (("where", "<#88>"),)),
)


def at_table(session: Session) -> Iterator[Screen]:
    """The first person's panel in this round, were it an arena's that goes on after a restart."""
    if session.phase in (Phase.READY, Phase.COUNT, Phase.LIVE) and session.state is not None:
        opened = replace(session.opened, arena=InArena(ArenaId(1), 7, "ab" * 32))
        user = session.chairs[session.humans_in[0]].user
        assert user is not None
        there = replace(session, opened=opened, unseen=frozenset(session.humans_in))
        yield of_table(there, user, Presence(there.lived, quiet=True), None)
        yield of_table(there, user, Presence(there.lived), None)
