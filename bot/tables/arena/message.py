"""The one message of an arena: its time, its standing, its tables, and at the end the podium."""

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from math import ceil

from bot.ids import ArenaId, UserId
from bot.screen import ASIDE, Block, Choice, Line, Look, Row, Rule, Screen, Style, Words
from bot.tables.arena.actions import Action
from bot.tables.arena.decisions import MOST
from bot.tables.arena.points import Tally
from bot.tables.arena.state import Arena, Member
from bot.tables.arena.story import podium, story
from bot.tables.views.lines import dotted, sentence, short_promise
from bot.tables.views.results.standings import medal
from bot.text import Icon, Joined, Name, Text, Value, Values, points

FAIR = "arenafair"
"""The subject of the button that shows an arena's promise, and its secret at the end."""
SHOWN, TABLES, FREE = 10, 12, 12
"""The places, the tables and the people who wait that the message names at most."""
NAME = 14


@dataclass(frozen=True, slots=True)
class Around:
    """The part of an arena's screens that is not its state.

    `born`: the date at which it would have begun had its time never stood still, in Unix seconds.
    `room`: how many people its channel takes. `is_restarting`: the bot is about to stop.
    """

    id: ArenaId
    born: float
    room: int = MOST
    is_restarting: bool = False


def message(arena: Arena, around: Around) -> Screen:
    """Draw the message that everybody sees."""
    if arena.is_over:
        return _over(arena, around)
    blocks: list[Block] = [Words((title(arena), *_time(arena, around)))]
    standing = _standing(arena)
    blocks += [Words(standing)] if standing else []
    now = (*_tables(arena), *_free(arena))
    blocks += [Rule(), Words(now)] if now else []
    blocks += _buttons(arena, around)
    blocks.append(Words((*_notices(arena, around), promised(arena))))
    return Screen(tuple(blocks))


def title(arena: Arena) -> Line:
    return sentence("arena.title", _length(arena), Look.TITLE)


def _length(arena: Arena) -> Values:
    return (("game", Text(f"game.{arena.opened.game}")), ("n", arena.opened.minutes))


def promised(arena: Arena) -> Line:
    """Draw the promise of the arena's secret, which stands in its message from the first on."""
    promise = short_promise(sha256(arena.secret).hexdigest())
    return sentence("table.promise", (("promise", promise),), Look.SMALL)


def _time(arena: Arena, around: Around) -> tuple[Line, ...]:
    if arena.stopped is not None:
        return (sentence(arena.stopped), sentence("arena.last_rounds"))
    values: Values = (
        ("when", ends(arena, around)),
        ("seats", arena.opened.seats),
        ("people", arena.active),
    )
    lines: list[Line] = [sentence("arena.ends", values)]
    if not arena.last:
        lines.append(sentence("arena.how", (("button", Text("button.join")),), Look.SMALL))
    return tuple(lines)


def ends(arena: Arena, around: Around) -> str:
    """Return the date after which no more tables begin, as Discord shows dates."""
    return f"<t:{ceil(around.born + arena.length / 1000)}:R>"


def _notices(arena: Arena, around: Around) -> tuple[Line, ...]:
    found: list[Line] = []
    if arena.stopped is None and (minutes := round(arena.away / 60_000)) > 0:
        found.append(sentence("arena.was_away", (("n", minutes),), Look.SMALL))
    if around.room < MOST:
        found.append(sentence("arena.is_slow", (("n", around.room),), Look.SMALL))
    if around.is_restarting:
        found.append(sentence("table.restarting", look=Look.SMALL))
    return tuple(found)


def _standing(arena: Arena) -> tuple[Line, ...]:
    there = [one for one in arena.standing if one[2].rounds]
    lines = tuple(place_line(place, member, own) for place, member, own in there[:SHOWN])
    more = len(there) - SHOWN
    return (*lines, *((sentence("arena.more", (("n", more),), Look.SMALL),) if more > 0 else ()))


def place_line(place: int, member: Member, own: Tally) -> Line:
    """Draw a place: `🥇 Anna · 14 points · 6 rounds 🔥`."""
    values: Values = (
        ("medal", medal(place)),
        ("name", Name(member.name, NAME)),
        ("points", Text("score.points", (("n", own.points), ("points", points(own.points))))),
        ("rounds", Text("option.rounds", (("n", own.rounds),))),
    )
    if own.streak > 1:
        return sentence("arena.place_streak", (*values, ("n", own.streak)))
    return sentence("arena.place", values)


def _tables(arena: Arena) -> tuple[Line, ...]:
    running = sorted(arena.running.items())
    lines = tuple(
        sentence("arena.table", (("number", number), ("names", named(arena, users))))
        for number, users in running[:TABLES]
    )
    more = len(running) - TABLES
    told = (sentence("arena.more_tables", (("n", more),), Look.SMALL),) if more > 0 else ()
    return (*lines, *told)


def _free(arena: Arena) -> tuple[Line, ...]:
    free = arena.free
    if not free:
        return ()
    names: list[Value] = [Name(one.name, NAME) for one in free[:FREE]]
    if len(free) > FREE:
        names.append(f"+{len(free) - FREE}")
    values = (("waiting", Icon("waiting")), ("names", Joined(tuple(names))))
    return (sentence("arena.are_free", values, Look.SMALL),)


def named(arena: Arena, users: Sequence[UserId]) -> Joined:
    """Return the names of people in an arena. Somebody who was forgotten has none."""
    names = [arena.members[user].name if user in arena.members else "?" for user in users]
    return Joined(tuple(Name(one, NAME) for one in names))


def _buttons(arena: Arena, around: Around) -> tuple[Row, Row]:
    """Draw Join, which brings back a lost panel too. Once no rounds begin, it is named for that."""
    label = Text("button.join" if arena.stopped is None else f"{arena.opened.game}.mine")
    join = Choice(label, Action.JOIN.value, style=Style.SUCCESS)
    return Row((join,)), Row(_asides(arena, around))


def _asides(arena: Arena, around: Around) -> tuple[Choice, ...]:
    rules = Choice(Text("button.rules"), f"{ASIDE}:rules:open:{arena.opened.game}")
    return (rules, Choice(Text("button.fair"), f"{ASIDE}:{FAIR}:{around.id}"))


def _over(arena: Arena, around: Around) -> Screen:
    head = sentence("arena.over", _length(arena), Look.TITLE)
    winners, places = podium(arena)
    if not places:
        nobody = sentence("arena.nobody")
        return Screen((Words((head, _why(arena), nobody)), Row(_asides(arena, around)[1:])))
    counted = [
        Text("option.rounds", (("n", sum(one.counts for one in arena.results)),)),
        Text("arena.people", (("n", sum(one.rounds > 0 for one in arena.tallies.values())),)),
    ]
    blocks: list[Block] = [
        Words((head, winners)),
        Words(tuple(place_line(*one) for one in places)),
    ]
    if told := story(arena):
        blocks.append(Words(told))
    how = sentence("arena.counted", (("what", dotted(counted)),), Look.SMALL)
    ranks = Choice(Text("button.leaderboard"), f"{ASIDE}:top:{arena.opened.game}")
    blocks.append(Row((ranks, *_asides(arena, around)[1:])))
    blocks.append(Words((how, _why(arena, Look.SMALL), promised(arena))))
    return Screen(tuple(blocks))


def _why(arena: Arena, look: Look = Look.PLAIN) -> Line:
    return sentence(arena.stopped or "arena.stopped.time", look=look)
