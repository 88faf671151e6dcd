"""Somebody's private panel while they sit at no table of the arena."""

from bot.games.values import Refused
from bot.ids import UserId
from bot.screen import Block, Choice, Line, Look, Row, Screen, Style, Words
from bot.tables.arena.actions import Action
from bot.tables.arena.decisions import MOST
from bot.tables.arena.message import NAME, Around, ends, title
from bot.tables.arena.points import Result, Tally
from bot.tables.arena.state import Arena, Member, Status
from bot.tables.arena.story import last_result
from bot.tables.decisions.refusal_reasons import TableRefusal
from bot.tables.presses.router import PressRefusal
from bot.tables.views.lines import sentence
from bot.tables.views.results.standings import MEDALS, medal
from bot.tables.views.screens.panel import REFUSED
from bot.text import Icon, Name, Text, Values, change, points


def panel(arena: Arena, user: UserId, around: Around, said: Line | None = None) -> Screen:
    """Draw a person's panel. `said`: the line about their last press."""
    member = arena.members.get(user)
    told = () if said is None else (Words((said,), news=True),)
    if member is None:
        return Screen((Words((sentence("panel.out"),)), *told))
    now = (*_now(arena, member, around), *_own(arena, member), *_until(arena, around))
    blocks = (*_last(arena, member), Words(now))
    buttons = _buttons(arena, member)
    return Screen((*blocks, *told, *(Row((one,)) for one in buttons)))


def asked_to_stop() -> Screen:
    """Ask the host whether they mean to end the arena."""
    yes = Choice(Text("button.stop_arena_really"), Action.STOP_FOR_SURE.value)
    no = Choice(Text("button.play_on"), Action.GO_ON.value, style=Style.PRIMARY)
    return Screen((Words((sentence("arena.sure_to_stop"),)), Row((yes, no))))


def came_to_nothing(refused: Refused | None) -> Line | None:
    """Say why a press at a table came to nothing. An arena's has one round, and no rematch."""
    if refused is None or refused.why is PressRefusal.NO_TABLE:
        return None
    is_over = refused.why in (TableRefusal.MATCH_OVER, TableRefusal.CLOSED)
    why = Text(TableRefusal.ROUND_OVER) if is_over else refused.text
    return sentence(REFUSED, (("why", why),))


def _now(arena: Arena, member: Member, around: Around) -> tuple[Line, ...]:
    """Say what this person waits for, or what they can do."""
    if arena.is_over:
        return (sentence("arena.is_over", look=Look.HEAD), *_why(arena))
    if member.status is Status.OUT:
        return (title(arena), sentence("arena.you_are_out"))
    if arena.stopped is not None:
        return (sentence(arena.stopped, look=Look.HEAD), sentence("arena.last_rounds"))
    if member.status is Status.FREE:
        waiting = (("waiting", Icon("waiting")),)
        next_ = "arena.next_table" if around.room >= MOST else "arena.next_table_slow"
        return (sentence("arena.you_wait", waiting, Look.HEAD), sentence(next_))
    if member.status is Status.SEATED:
        return (sentence("arena.you_sit", (("number", member.number or 0),), Look.HEAD),)
    if last_result(arena, member) is None:
        key = "arena.away_round" if member.was_away else "arena.left_round"
        left = (sentence(key, (("number", member.last),)),) if member.last else ()
        return (title(arena), *left, _press_next())
    return (_press_next(),)


def _why(arena: Arena) -> tuple[Line, ...]:
    return () if arena.stopped is None else (sentence(arena.stopped),)


def _press_next() -> Line:
    return sentence("arena.press_next", (("button", Text("button.next_round")),))


def _until(arena: Arena, around: Around) -> tuple[Line, ...]:
    """Say until when tables begin."""
    if arena.stopped is not None:
        return ()
    return (sentence("arena.until", (("when", ends(arena, around)),), Look.SMALL),)


def _own(arena: Arena, member: Member) -> tuple[Line, ...]:
    """Say where they stand; nothing before their first round."""
    own, place = arena.tally(member.user), arena.place_of(member.user)
    if not own.rounds or place is None:
        return ()
    values: Values = (
        ("place", f"#{place}"),
        ("points", Text("score.points", (("n", own.points), ("points", points(own.points))))),
        ("rounds", Text("option.rounds", (("n", own.rounds),))),
    )
    line = sentence("arena.your_place", values)
    if own.streak > 1:
        return (line, sentence("arena.your_streak", (("n", own.streak),), Look.SMALL))
    return (line,)


def _last(arena: Arena, member: Member) -> tuple[Block, ...]:
    """Draw the result of their last table while they have not asked for the next one."""
    result = last_result(arena, member)
    if result is None or not _shows_result(arena, member):
        return ()
    own = arena.tally(member.user)
    if own.gained is None:
        why = () if result.why is None else (sentence(result.why),)
        return (Words((_head(own, result), *why)),)
    lines = tuple(_seat(arena, result, seat) for seat in _by_place(result))
    return (Words((_head(own, result), *lines)),)


def _shows_result(arena: Arena, member: Member) -> bool:
    return arena.is_over or member.status in (Status.RESTING, Status.OUT)


def _head(own: Tally, result: Result) -> Line:
    if own.gained is None or own.place is None:
        return sentence("arena.not_counted", look=Look.HEAD)
    values: Values = (
        ("medal", medal(own.place)),
        ("place", own.place),
        ("seats", len(result.users)),
        ("points", change(own.gained)),
        ("n", own.gained),
    )
    if own.place > len(MEDALS):
        return sentence("arena.round_unplaced", values, Look.TITLE)
    return sentence("arena.round_won" if own.place == 1 else "arena.round", values, Look.TITLE)


def _by_place(result: Result) -> list[int]:
    return sorted(range(len(result.users)), key=lambda seat: result.places[seat])


def _seat(arena: Arena, result: Result, seat: int) -> Line:
    user = result.users[seat]
    name = arena.members[user].name if user in arena.members else "?"
    score = result.points[seat]
    values: Values = (
        ("medal", medal(result.places[seat])),
        ("name", Name(name, NAME)),
        ("points", Text("score.points", (("n", score), ("points", points(score))))),
    )
    if user in result.away:
        return sentence("arena.seat_away", values)
    return sentence("arena.seat_left" if user in result.left else "arena.seat", values)


def _buttons(arena: Arena, member: Member) -> tuple[Choice, ...]:
    if arena.stopped is not None or arena.is_over:
        return ()
    found: list[Choice] = []
    match member.status:
        case Status.RESTING:
            label = Text("button.next_round")
            found.append(Choice(label, Action.NEXT.value, style=Style.SUCCESS))
        case Status.OUT:
            label = Text("button.join")
            found.append(Choice(label, Action.JOIN.value, style=Style.SUCCESS))
        case _:
            pass
    if member.status in (Status.RESTING, Status.FREE):
        found.append(Choice(Text("button.leave_arena"), Action.LEAVE.value))
    if member.user == arena.opened.host:
        found.append(Choice(Text("button.stop_arena"), Action.STOP.value))
    return tuple(found)
