"""What goes wrong, drawn from the seed: Discord, its gateway, the process and the machine."""

import asyncio
import random
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial

from bot.fakediscord import Fault, Interaction, Message, Server
from bot.fakediscord.rate_limits import falsely, fully, not_at_all, partly, without_an_end
from bot.fakediscord.rest.api import WEBHOOK_CALL
from bot.groups.lease.refusals import GroupAwayError
from bot.ops.login import AwayError
from bot.store.database.errors import PassingError
from tests.simulate.disk import Disk
from tests.simulate.loop import VirtualLoop
from tests.simulate.process import Process
from tests.simulate.witness import Press, Witness

EDITS = "(PATCH|POST|DELETE) /api/v10/channels/"
MESSAGES = "(PATCH) /api/v10/channels/[0-9]+/messages"
PUSHES = "PATCH /api/v10/webhooks/"
ANSWERS = "/callback"
COMMANDS = "/commands$"
LOGIN = "GET .*/(users|applications)/@me$"
GARBLED = f"(PATCH|POST) /api/v10/channels/|{PUSHES}|GET .*/messages/"
"""The calls whose answers are read."""
ALL = f"{EDITS}|{PUSHES}|{ANSWERS}"
REFUSALS: tuple[tuple[str, Mapping[str, object]], ...] = (
    (EDITS, {"code": 50024, "status": 403}),
    (PUSHES, {"code": 50024, "status": 403}),
    ("POST .*/threads$", {"code": 160006, "status": 400}),
)
"""What Discord refuses for good, for reasons that a bot may not know."""
UNREADABLE: tuple[Mapping[str, object], ...] = (
    {"status": 204, "body": ""},
    {"status": 200, "body": "<html>a network's own page</html>"},
    {"status": 200, "body": {}},
    {"status": 200, "body": []},
    {"status": 200, "body": {"id": "1"}},
)
"""Answers that say yes in no form that Discord has."""


@dataclass(eq=False)
class Told(Fault):
    """A rule that remembers which calls it spoiled."""

    spoiled: list[str] = field(default_factory=list)

    def matches(self, what: str) -> bool:
        hit = super().matches(what)
        if hit:
            self.spoiled.append(what)
        return hit


@dataclass(slots=True)
class Rates:
    """How much goes wrong: the share of calls, and mean seconds between two events."""

    calls: float = 0.04
    gateway: float = 40.0
    kill: float = 45.0
    machine: float = 60.0
    place: float = 90.0
    clock: float = 70.0

    def times(self, factor: float) -> "Rates":
        """So many times as much of everything."""
        message_context = (self.gateway, self.kill, self.machine, self.place, self.clock)
        return Rates(self.calls * factor, *(mean / factor for mean in message_context))


@dataclass(slots=True)
class Trouble:
    """Makes things go wrong until it is told to stop; then everything is well again."""

    server: Server
    bot: Process
    disk: Disk
    witness: Witness
    chance: random.Random
    rates: Rates
    seed: int = 0
    faults: list[Told] = field(default_factory=list)
    kills: int = 0
    happened: int = 0
    windows: list[tuple[float, float, str]] = field(default_factory=list)
    ill: list[tuple[float, float]] = field(default_factory=list)
    ends: list[float] = field(default_factory=list)
    ending: asyncio.Lock = field(default_factory=asyncio.Lock)  # one end of a process at a time
    timing: random.Random = field(init=False)

    def __post_init__(self) -> None:
        """What a seed draws beside these stays the same."""
        self.timing = random.Random(f"times of {self.seed}")

    @property
    def loop(self) -> VirtualLoop:
        loop = asyncio.get_running_loop()
        assert isinstance(loop, VirtualLoop)
        return loop

    @property
    def hits(self) -> int:
        return self.happened + sum(fault.hits for fault in self.faults)

    @property
    def slowed(self) -> bool:
        """Whether a channel has refused panels: what is pushed there keeps to a pace since then."""
        met = self.server.limiter.refused[WEBHOOK_CALL]
        shared = (one for one in self.faults if one.route == PUSHES and one.scope == "shared")
        return bool(met or any(one.hits for one in shared))

    def notes_lost(self, at: float) -> Iterator[float]:
        """When a process ended that could not write down what it was told at this time, since the
        disk was ill then and to the end, or until a moment before it.
        """
        for began, ended in self.ill:
            if began - ON_ITS_WAY <= at <= ended:
                yield from (end for end in self.ends if at <= end <= ended + WRITTEN_AGAIN)

    def ended_before_hearing(self, press: Press) -> Iterator[float]:
        """When a process ended between this press and the news that its answer has arrived."""
        if press.answered is not None:
            heard = press.answered + ON_ITS_WAY_BACK
            yield from (end for end in self.ends if press.at <= end <= heard)

    async def rage(self, until: Callable[[], bool]) -> None:
        self.spoil_calls()
        self.server.limiter.tell = self.chance.choice(HEADERS)
        works = (
            (self.rates.gateway, self._gateway),
            (self.rates.kill, self._process),
            (self.rates.machine, self._machine),
            (self.rates.place, self._place),
            (self.rates.clock, self._clock),
        )
        own = random.Random(self.chance.getstate()[1][0])
        async with asyncio.TaskGroup() as together:

            def opens(command: Interaction) -> None:
                if not until() and own.random() < HALF:
                    together.create_task(self._killed_with(command, own))

            after = random.Random(own.getstate()[1][1])

            def ends() -> None:
                if not until() and after.random() < HALF:
                    together.create_task(self._cut_after_a_result(after))

            self.witness.on_command, self.witness.on_result = opens, ends
            together.create_task(self._look_for_sessions(until))
            for mean, work in works:
                together.create_task(self._again(mean, work, until))

    def hang(self, panels: Iterable[Message | None]) -> list[Fault]:
        """Let the next edit of half of these hang, until the bot waits for it no more."""
        chosen = [one for one in panels if one is not None and self.chance.random() < HALF]
        return [
            self.server.fault(f"PATCH .*/messages/{one.id}$", hold=asyncio.Event(), times=1)
            for one in chosen
        ]

    def calm(self) -> None:
        """Nothing goes wrong any more, but what `hang` is asked for; a wrong clock stays wrong."""
        self.witness.on_command = lambda _: None
        self.witness.on_result = lambda: None
        self.server.faults.clear()
        self.server.settings.webhook_calls = None
        self.disk.well()
        for guild in self.server.guilds.values():
            if guild.unavailable:
                self.server.outage(guild, on=False)
        self._hears_again()
        self.server.gateway.faults.pause(on=False)

    async def _again(
        self, mean: float, work: Callable[[], Awaitable[None]], until: Callable[[], bool]
    ) -> None:
        chance = self.timing if work == self._clock else self.chance
        while True:
            await asyncio.sleep(chance.expovariate(1 / mean))
            if until():
                return
            self.happened += 1
            await work()

    def _window(self, seconds: float, why: str) -> None:
        """Presses in this time may be lost, for this reason."""
        now = self.loop.time()
        self.windows.append((now, now + seconds, why))
        self.witness.note(f"{why} for {seconds:.2f} s")

    async def _look_for_sessions(self, until: Callable[[], bool]) -> None:
        """Presses in a time without a session are lost. How long that takes is discord.py's choice:
        its pauses between tries grow from one trouble to the next.
        """
        while not until():
            began = self.loop.time()
            if not self.server.gateway.ready:
                await self.server.wait_for(lambda: self.server.gateway.ready, LONGEST)
                self.windows.append((began - LOOKED, self.loop.time() + LOOKED, "no session"))
            await asyncio.sleep(LOOKED)

    # -- calls of the bot's -----------------------------------------------------------------

    def spoil_calls(self) -> None:
        """Every kind of refusal and delay that Discord is known for, each for a share of calls."""
        chance = self.chance
        kinds: list[tuple[str, dict[str, object]]] = [
            (EDITS, {"retry_after": chance.uniform(0.2, 2.0), "scope": "user"}),
            (EDITS, {"retry_after": chance.uniform(0.2, 1.0), "scope": "shared"}),
            (EDITS, {"retry_after": chance.uniform(0.2, 1.0), "scope": "global"}),
            (PUSHES, {"retry_after": chance.uniform(0.2, 5.0), "scope": "shared"}),
            (PUSHES, {"retry_after": chance.uniform(0.2, 5.0), "scope": "user"}),
            (ALL, {"status": 500}),
            (ALL, {"status": 502}),
            (ALL, {"status": 503}),
            (ALL, {"status": 504}),
            (ALL, {"drop": True}),
            (ALL, {"drop": True, "when": "after"}),
            (ALL, {"status": 502, "when": "after"}),
            (ALL, {"latency": partial(chance.uniform, 0.2, 2.0)}),
            (ANSWERS, {"latency": partial(chance.uniform, 3.0, 300.0)}),
            (f"{EDITS}|{PUSHES}", {"latency": partial(chance.uniform, 2.0, 9.0)}),
            (MESSAGES, {"code": 10008, "status": 404}),
            (MESSAGES, {"code": 30046, "status": 429}),
            (PUSHES, {"hold": asyncio.Event()}),
            (PUSHES, {"code": 50027, "status": 401}),
            (PUSHES, {"code": 10008, "status": 404}),
            (ANSWERS, {"code": 10062, "status": 404}),
            (EDITS, {"code": 50013, "status": 403}),
        ]
        self._spoil_commands()
        for route, how in kinds:
            self._spoil(route, how, self.rates.calls / len(kinds) * 3 * chance.random(), chance)
        own = random.Random(chance.getstate()[1][0])
        for route, refusal in REFUSALS:
            self._spoil(route, refusal, self.rates.calls / len(kinds) * 3 * own.random(), own)
        self._garble()

    def _spoil(
        self, route: str, how: Mapping[str, object], share: float, chance: random.Random
    ) -> None:
        fault = Told(route, probability=share, chance=chance, **how)  # type: ignore[arg-type]
        self.faults.append(fault)
        self.server.faults.append(fault)

    def _garble(self) -> None:
        """Some answers cannot be read, whether Discord has carried out the call or not."""
        own = random.Random(f"unreadable answers of {self.seed}")
        for body in UNREADABLE:
            for when in ("before", "after"):
                share = self.rates.calls / 2 / len(UNREADABLE) * own.random()
                self._spoil(GARBLED, {"when": when, **body}, share, own)
        portal = {"status": 200, "body": "<html>a network's own page</html>"}
        self._spoil(ANSWERS, portal, self.rates.calls / 4 * own.random(), own)

    def _spoil_commands(self) -> None:
        """Nothing of a table depends on these calls, so they fail as often as not."""
        refusals = (
            Fault(COMMANDS, status=400, code=50035),
            Fault(COMMANDS, retry_after=600.0),
            Fault(COMMANDS, latency=20.0),
            Fault(COMMANDS, status=200, body={}),
        )
        for one in refusals:
            one.probability, one.chance = HALF / len(refusals), self.chance
            self.server.faults.append(one)

    # -- the gateway ------------------------------------------------------------------------

    async def _gateway(self) -> None:
        gateway, chance = self.server.gateway, self.chance
        match chance.randrange(8):
            case 0:
                self._window(10.0, "the gateway is cut")
                gateway.faults.drop(duplicates=chance.randrange(5))
            case 1:
                self._window(10.0, "the gateway closes")
                await gateway.faults.close(chance.choice(MENDED))
            case 2:
                self._window(10.0, "the gateway asks for a reconnect")
                gateway.faults.reconnect()
            case 3:
                self._window(15.0, "the session is invalid")
                gateway.faults.invalidate(resumable=chance.random() < HALF)
            case 4:
                await self._deaf(chance.uniform(1.0, 100.0))
            case 5:
                await self._held_back(chance.uniform(0.5, 6.0))
            case 6:
                await self._refused(chance.uniform(1.0, 20.0))
            case _:
                self._twice()

    async def _deaf(self, seconds: float) -> None:
        self._window(seconds + 10.0, "the gateway is deaf")
        self.server.gateway.faults.zombie(on=True)
        await asyncio.sleep(seconds)
        self._hears_again()

    def _hears_again(self) -> None:
        """Who connected to a deaf gateway would wait for ever for an answer to the first word:
        Discord ends a connection without a session.
        """
        gateway = self.server.gateway
        gateway.faults.zombie(on=False)
        if any(one.session is None for one in gateway.conns):
            gateway.faults.drop()

    async def _held_back(self, seconds: float) -> None:
        self._window(seconds + 4.0, "events are held back")
        self.server.gateway.faults.pause(on=True)
        await asyncio.sleep(seconds)
        self.server.gateway.faults.pause(on=False)

    async def _refused(self, seconds: float) -> None:
        """discord.py's pauses between its tries grow."""
        self._window(3 * seconds + 30.0, "the gateway refuses connections")
        self.server.gateway.refuse = self.chance.choice((500, 502, 503))
        self.server.gateway.faults.drop()
        await asyncio.sleep(seconds)
        self.server.gateway.refuse = None

    def _twice(self) -> None:
        """A press that was delivered and answered comes once more."""
        done = [p for p in self.witness.presses[-20:] if p.record.payload and p.answer]
        if done:
            self.witness.note("a press is delivered twice")
            self.server.redeliver(self.chance.choice(done).record)

    # -- the process and the machine ---------------------------------------------------------

    async def _process(self) -> None:
        """It ends in one of three ways, and starts again a little later."""
        if not self.bot.is_running or self.ending.locked():
            return
        async with self.ending:
            await self._ends()

    async def _killed_with(self, command: Interaction, chance: random.Random) -> None:
        """The disk is busy, and the process is killed in the moment in which a lobby is shown."""
        self.disk.slow = chance.uniform(0.01, 0.1)
        await asyncio.wait((command.answered,), timeout=ANSWERED)
        self.disk.slow = 0.0
        is_shown = command.original is not None and command.original.ephemeral_for is None
        if not is_shown or not self.bot.is_running or self.ending.locked():
            return
        async with self.ending:
            down = chance.uniform(0.1, 6.0)
            self._window(down + DOWN, "the process is down")
            self.witness.note("SIGKILL with the answer to a command")
            self.kills += 1
            self.bot.kill()
            await self._begins_after(down)

    async def _cut_after_a_result(self, chance: random.Random) -> None:
        """The power is cut just after somebody was shown the result of a round or a match."""
        await asyncio.sleep(chance.uniform(0.0, 0.1))
        if not self.bot.is_running or self.ending.locked():
            return
        async with self.ending:
            down = chance.uniform(0.1, 6.0)
            self._window(down + DOWN, "the process is down")
            self.witness.power_is_cut()
            self.kills += 1
            self.bot.kill(power_cut=chance)
            await self._begins_after(down)

    async def _ends(self) -> None:
        down = self._down_time()
        self._window(down + DOWN, "the process is down")
        match self.chance.randrange(5):
            case 4 if self.server.gateway.ready:
                self.witness.note("the gateway closes for good")
                await self.server.gateway.faults.close(self.chance.choice(FATAL))
                await self._ended()
            case 0:
                self.witness.note("SIGTERM")
                if (error := await self.bot.stop()) is not None:
                    self.witness.broken("a stop ends with exit code 0", repr(error))
            case 1:
                self.witness.power_is_cut()
                self.kills += 1
                self.bot.kill(power_cut=self.chance)
            case _:
                self.witness.note("SIGKILL")
                self.kills += 1
                self.bot.kill()
        await self._begins_after(down)

    async def _begins_after(self, down: float) -> None:
        self.ends.append(self.loop.time())
        self.witness.life += 1
        await asyncio.sleep(down)
        await self._begins()

    def _down_time(self) -> float:
        """Seconds, or sometimes minutes."""
        short = self.chance.uniform(0.1, 6.0)
        is_long = self.timing.random() < SOMETIMES
        return self.timing.uniform(*LONG_DOWN) if is_long else short

    async def _ended(self) -> None:
        """Discord has closed for good: the process ends by itself."""
        try:
            async with asyncio.timeout(PATIENCE):
                await self.bot.ended()
        except TimeoutError:
            self.witness.note("it never heard of it")
            self.bot.kill()

    async def _begins(self) -> None:
        """The next trouble of a process comes when it is there, or takes too long to be there. A
        start after a refused one waits, and Discord may still hold the connection of a dead one.
        """
        began, gateway = self.loop.time(), self.server.gateway
        known = len(gateway.identifies)
        if self.chance.random() < SOMETIMES:
            await self._locked_out()
        await self._starts(lambda: len(gateway.identifies) > known and gateway.ready)
        self.windows.append((began, self.loop.time(), "the process waits for its start"))
        self._window(SETTLING, "the process starts")

    async def _starts(self, is_there: Callable[[], bool]) -> None:
        """A start on a disk that is ill ends in words, and is tried again, as systemd does it."""
        loop, error = asyncio.get_running_loop(), None
        while True:
            self.bot.start()
            connects = loop.create_task(self.server.wait_for(is_there, LONGEST))
            ends = loop.create_task(self.bot.ended())
            await asyncio.wait((connects, ends), return_when=asyncio.FIRST_COMPLETED)
            if connects.done():
                ends.cancel()
                if connects.exception() is not None:
                    self.witness.note("the process does not connect")
                return
            connects.cancel()
            if not isinstance(error := ends.result(), PASSING):
                self.witness.broken("a start on a disk that is ill is told in words", repr(error))
                return
            said = str(error).replace(str(self.bot.database.parent), "…")  # another in every run
            self.witness.note(f"the start has to wait: {said}")
            await asyncio.sleep(AGAIN)

    async def _locked_out(self) -> None:
        """Discord refuses a login: the process ends in words, and is started again."""
        self.server.fault(LOGIN, times=1, status=self.chance.choice((403, 429)), body="<html>")
        self.bot.start()
        if not isinstance(error := await self.bot.ended(), PASSING):
            self.witness.broken("a refused login is told in words", repr(error))

    async def _machine(self) -> None:
        chance, disk = self.chance, self.disk
        match chance.randrange(5):
            case 0:
                seconds = chance.uniform(0.1, 1.5)
                self._window(seconds + 4.0, "the machine stands still")
                self.loop.stand_still(seconds)
                return
            case 1:
                disk.slow = chance.uniform(0.01, 0.6)
            case 2:
                disk.locked_until = self.loop.time() + chance.uniform(0.5, 14.0)
            case 3:
                disk.is_full = True
            case _:
                disk.is_read_only = True
        began, seconds = self.loop.time(), chance.uniform(1.0, 8.0)
        self._window(seconds + 14.0, f"the disk is ill: {disk}")
        await asyncio.sleep(seconds)
        disk.well()
        self.ill.append((began, self.loop.time()))

    async def _clock(self) -> None:
        """The machine's wall clock is put somewhere else: minutes or an hour off, or right."""
        wrong = self.timing.choice((0.0, HOUR, -HOUR, self.timing.uniform(-MINUTES, MINUTES)))
        self.witness.note(f"the wall clock is {wrong:.0f} s off")
        self.bot.clock.skew = wrong

    async def _place(self) -> None:
        """Somebody deletes the table's message, or a whole server is away for a while."""
        server, chance = self.server, self.chance
        if chance.random() < HALF:
            tables = [m for c in server.all_channels for m in server.public(c) if m.controls]
            if tables:
                self.witness.note("a table's message is deleted")
                server.delete_message(chance.choice(tables))
            return
        guild = chance.choice(list(server.guilds.values()))
        self.witness.note("the server is away")
        server.outage(guild)
        await asyncio.sleep(chance.uniform(1.0, 10.0))
        server.outage(guild, on=False)


MENDED = (4000, 4001, 4002, 4003, 4005, 4007, 4008, 4009)
"""Codes of the gateway after which discord.py connects again."""
FATAL = (4010, 4011, 4012, 4013, 4014)
"""Codes after which the process ends, and is started again."""
HEADERS = (fully, partly, not_at_all, falsely, without_an_end)
"""How an evening's rate limits are told of."""
HALF = 0.5
SOMETIMES = 0.2
DOWN = 40.0
"""Seconds that a start may take when its calls are spoiled as well."""
PASSING = (AwayError, GroupAwayError, PassingError)
"""What ends a start that is to be tried again."""
AGAIN = 5.0
"""Seconds after which a start that had to wait is tried again."""
LONG_DOWN = (60.0, 240.0)
"""Seconds of a process that is down for minutes."""
HOUR, MINUTES = 3600.0, 20 * 60.0
"""Seconds by which a wall clock is wrong."""
SETTLING = 5.0
LOOKED = 0.5
"""Seconds between two looks at the session."""
LONGEST = 1000.0
"""Seconds after which the bot should have a session again, whatever went wrong."""
PATIENCE = 120.0
ANSWERED = 5.0
"""Seconds after which a command is answered, or never."""
ON_ITS_WAY_BACK = 1.0
"""Seconds in which the bot hears that an answer has arrived, and notes where it is."""
ON_ITS_WAY = 10.0
"""Seconds after which the bot may hear at the latest that Discord has carried out a call."""
WRITTEN_AGAIN = 6.0
"""Seconds after which the bot has written what an ill disk did not take."""
