"""Logs to watch of every kind: of tables, arenas and dailies, and of rounds that die."""

from random import Random

from bot.daily import log as daily_log
from bot.daily.dates import DayNumber
from bot.daily.round import begun, replayed
from bot.games import GAMES
from bot.games.ligretto.model import State
from bot.games.values import Reason, Seat
from bot.ids import ArenaId, ChannelId, UserId
from bot.tables.arena import events as of_arena
from bot.tables.arena.state import Arena, Member, Status
from bot.tables.arenas.table_entries import opening
from bot.tables.decisions import decide
from bot.tables.running.table import Table
from bot.tables.state.session import Phase
from tests.daily.played import DAY, secret, whole
from tests.records.played import DEFAULTS, GUILD, Memory, PlayedMatches
from tests.records.test_log import written
from tests.tables.starting import MESSAGE
from tests.watch.logs import MOST, random_log

KINDS = ("table", "table", "table", "arena", "daily", "clinging", "clinging", "dead deal")
"""What may be played, as often as it is."""
STUBBORN = 250
"""Presses after which those who cling to their Ligretto piles let go."""
TRIES = 120
"""Deals of two in which a dead one is looked for: about one in 60 dies."""


async def any_log(seed: int) -> tuple[str, str]:
    """Return a kind and a log of it."""
    luck = Random(f"any log {seed}")
    match kind := luck.choice(KINDS):
        case "table":
            return kind, await random_log(seed)
        case "daily":
            return kind, _daily(luck)
        case "dead deal":
            return kind, await dead_deal(seed)
        case "arena":
            return kind, await _arena(luck)
        case _:
            return kind, await clinging(luck)


def _daily(luck: Random) -> str:
    """Play a deal of a day in either game, to its end or not."""
    game, number = luck.choice(["ligretto", "dice"]), luck.randrange(60)
    day = DayNumber(DAY + number)
    one = whole(game, number, day)
    if luck.random() < 0.3:
        words = [step.word for step in one.steps[: luck.randrange(one.presses)]]
        one = replayed(begun(GAMES[game], day, secret(number)), words)
    return daily_log.text(one, secret(number))


async def dead_deal(seed: int) -> str:
    """Play rounds of two until nobody can play another card in one, though all play what fits."""
    for number in range(TRIES * seed, TRIES * (seed + 1)):
        journal = Memory()
        played = PlayedMatches(journal, number)
        table = await played.sit("ligretto", (UserId(1), UserId(2)), options={"rounds": "1"})
        await played.play_all(table)
        if table.session.history[0].ended.reason is Reason.DEAD:
            return written(journal, table)
    return await random_log(seed)


async def _arena(luck: Random) -> str:
    """Play an arena's round of 2 to 12, in which people may leave."""
    game = luck.choice(["ligretto", "dice"])
    users = _users(luck.randint(2, MOST if game == "ligretto" else 4))
    options = {**DEFAULTS[game], "rounds": "1"}
    opened = of_arena.Opened(
        game,
        1,
        GUILD,
        ChannelId(7),
        users[0],
        "en",
        options,
        len(users),
        30,
        luck.randbytes(32).hex(),
    )
    members = {one: Member(one, f"user {one}", Status.FREE, 0) for one in users}
    arena = Arena(opened, 0, message=MESSAGE, members=members, running={1: tuple(users)})
    journal = Memory()
    played = PlayedMatches(journal, luck.randrange(10**6))
    table = await played.tables.made.seat(*opening(ArenaId(1), arena, 1))
    played.pass_time(3)
    await table.do(decide.go_live)
    await _leaving(played, table, users, luck)
    await played.play(table, wild=0.1)
    return written(journal, table)


async def clinging(luck: Random) -> str:
    """Play a match of 2 to 12 in the expert game, in which rounds die if Ligretto piles lie."""
    users = _users(luck.choice([2, 2, 3, 3, 4, 5, MOST]))
    options = {"rounds": str(luck.randint(1, 2)), "variant": "expert"}
    journal = Memory()
    played = PlayedMatches(journal, luck.randrange(10**6))
    table = await played.sit("ligretto", users, options=options)
    while table.session.phase is not Phase.OVER:
        await played.begin(table)
        await _cling(played, table, luck)
        await _leaving(played, table, users, luck)
        await played.play(table, wild=0.1)
    return written(journal, table)


def _users(people: int) -> list[UserId]:
    return [UserId(number + 1) for number in range(people)]


async def _leaving(played: PlayedMatches, table: Table, users: list[UserId], luck: Random) -> None:
    """Press wildly for a while, and leave, in two matches of five."""
    if luck.random() < 0.4:
        await played.play(table, presses=luck.randint(0, 80), wild=0.3)
        await played.press(table, luck.choice(users), "leave.yes")


async def _cling(played: PlayedMatches, table: Table, luck: Random) -> None:
    """Take nothing from Ligretto piles for as long as there is anything else to do."""
    number = table.session.round
    for _ in range(STUBBORN):
        session = table.session
        if session.phase is not Phase.LIVE or session.round != number:
            return
        played.pass_time(luck.uniform(0.01, 0.4))
        seat = luck.choice([one for one in session.seats_in if session.dealt_in(one)])
        words = [str(move) for move in session.game.moves(session.in_play, seat)]
        user = session.chairs[seat].user
        others = [word for word in words if not _is_ligretto(session.in_play, seat, word)]
        plays = [word for word in others if not word.startswith("flip")]
        if user is not None and words:
            await played.press(table, user, luck.choice(plays or others or words))


def _is_ligretto(state: object, seat: Seat, word: str) -> bool:
    assert isinstance(state, State)
    own = state.seats[seat]
    return own is not None and word.split(">", maxsplit=1)[0] == str(own.ligretto[0])
