"""Whole matches at real tables: people and computers who press this and that."""

from collections.abc import Mapping, Sequence
from functools import partial
from itertools import count
from random import Random

from bot.games import GAMES
from bot.games.chance import Chance
from bot.games.contract import Skill
from bot.games.values import Refused, Seat
from bot.ids import ChannelId, GuildId, MessageId, UserId
from bot.tables.decisions import decide as d
from bot.tables.decisions import lobby as in_lobby
from bot.tables.presses.press import Press
from bot.tables.registry.outcome import Outcome
from bot.tables.running.table import Table
from bot.tables.state import events as e
from bot.tables.state.actions import parse as action
from bot.tables.state.journal import Journal, JournalLine
from bot.tables.state.session import Phase
from bot.text import Text
from tests.tables.clock import HandClock
from tests.tables.starting import publish
from tests.tables.unowned import new_tables

GUILD = GuildId(77)
ATTENTIVE = Skill(pace=1, attention=0.9)
DEFAULTS = {
    "ligretto": {"rounds": "3", "target": "off", "refill": "auto"},
    "dice": {option.key: option.default for option in GAMES["dice"].options},
}


class Memory:
    """Implements `bot.tables.state.journal.Journal` in memory."""

    def __init__(self) -> None:
        self.lines: list[JournalLine] = []

    async def append(self, lines: Sequence[JournalLine], *, durable: bool) -> None:
        self.lines += lines

    def note(self, line: JournalLine) -> None:
        self.lines.append(line)


class PlayedMatches:
    """A server's evening. The same `seed` gives the same evening."""

    def __init__(self, journal: Journal, seed: int = 0, *, unix: float = 1_800_000_000.0) -> None:
        self.luck = Random(seed)
        self.clock = HandClock(unix)
        self.tables = new_tables(journal, self.clock, seed=lambda: self.luck.randbytes(32))
        self._interactions = count(1)
        self._channels = count(1000)

    def press_of(self, user: UserId) -> Press:
        wall, now = self.clock.wall(), self.clock.now()
        return Press(next(self._interactions), user, f"user {user}", wall, now)

    def pass_time(self, seconds: float) -> None:
        self.clock._now += seconds

    async def press(self, table: Table, user: UserId, word: str) -> Outcome:
        round_ = table.session.round
        return await self.tables.press(table.id, round_, action(word), self.press_of(user))

    async def sit(
        self,
        game: str,
        users: Sequence[UserId],
        *,
        computers: int = 0,
        guild: GuildId = GUILD,
        options: Mapping[str, str] | None = None,
    ) -> Table:
        """A table with everybody seated; its match has not begun."""
        opened = e.Opened(
            game=game,
            rules_version=GAMES[game].rules_version,
            guild=guild,
            channel=ChannelId(next(self._channels)),
            host=users[0],
            locale="en",
            options={**DEFAULTS[game], **(options or {})},
        )
        table = (await self.tables.open(opened, self.press_of(users[0]))).table
        assert table is not None
        for user in users[1:]:
            await self.press(table, user, "join")
        for _ in range(computers):
            await table.do(partial(in_lobby.add_robot, user=users[0]))
        return table

    async def as_once(self, table: Table) -> None:
        """A lobby of the version before there was a second scheme of chance."""
        promised = e.Promised(self.luck.randbytes(32).hex())
        await table.do(lambda _: d.Done((promised,), Text("table.in")))

    async def start(self, table: Table) -> None:
        """Start is pressed, and the table's message is there; nothing is dealt yet."""
        started = partial(in_lobby.start, user=table.session.host, seed=self.luck.randbytes(32))
        assert not isinstance(await table.do(started), Refused)
        await publish(table, MessageId(self.luck.getrandbits(60)))

    async def begin(self, table: Table, *, without: Sequence[int] = ()) -> None:
        """The next round is live. Who is in `without` misses it (or, at first, loses the seat)."""
        session = table.session
        if session.phase is Phase.LOBBY:
            await self.start(table)
        for seat in table.session.humans_in:
            user = table.session.chairs[seat].user
            if user is not None and user not in without:
                await table.do(partial(d.ready, user=user))
        if table.session.phase is Phase.READY:
            self.pass_time(31)
            await table.do(partial(d.deal, user=table.session.host))
        self.pass_time(3)
        await table.do(d.go_live)

    async def play(self, table: Table, *, presses: int = 100_000, wild: float = 0.0) -> None:
        """Press until the round is over or so often. `wild` of the presses are anything at all."""
        number = table.session.round
        for _ in range(presses):
            session = table.session
            if session.phase is not Phase.LIVE or session.round != number:
                return
            self.pass_time(self.luck.uniform(0.01, 0.4))
            seat = self.luck.choice([seat for seat in session.seats_in if session.dealt_in(seat)])
            user = session.chairs[seat].user
            if user is not None and self.luck.random() < 0.5:
                table.shown(user, session)
            word = self._word(table, seat, wild)
            if word is not None and user is not None:
                await self.press(table, user, word)
            elif word is not None:
                await table.move(seat, word, self.clock.now(), None)

    def _word(self, table: Table, seat: Seat, wild: float) -> str | None:
        session, game = table.session, table.session.game
        if self.luck.random() >= wild:
            user = session.chairs[seat].user
            seen = table.races.seen(user, session)
            state = seen if seen is not None else session.in_play
            chance = Chance(self.luck.randbytes(32), 0, 0)
            move = game.choose(game.view(state, seat), ATTENTIVE, chance)
            return None if move is None else str(move)
        if self.luck.random() < 0.3:
            words = [str(move) for move in game.moves(session.in_play, seat)]
            return self.luck.choice(words) if words else None
        colour = self.luck.choice("rygb")
        if game.key == "dice":
            return f"{colour}{self.luck.randint(1, 6)}#{self.luck.randint(0, 11)}"
        card = f"{colour}{self.luck.randint(1, 10)}"
        return self.luck.choice([card, f"{card}>{self.luck.randint(0, 4)}", "flip:0", "flip:3"])

    async def play_all(self, table: Table, *, wild: float = 0.0) -> None:
        """Everything to the end of the match."""
        while table.session.phase is not Phase.OVER:
            await self.begin(table)
            await self.play(table, wild=wild)
