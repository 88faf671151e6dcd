"""Identifying, resuming, dispatching."""

import asyncio
import time

import orjson
from aiohttp import WSMsgType, web

from bot.fakediscord.constants import CloseCode, Intent, Opcode
from bot.fakediscord.gateway.connection import Connection, Frame, Session, Shard, shard_of
from bot.fakediscord.gateway.faults import GatewayFaults
from bot.fakediscord.gateway.payloads import members_payload, ready_payload
from bot.fakediscord.model.events import Event
from bot.fakediscord.model.payloads import guild_create_payload
from bot.fakediscord.recorder import Recorder
from bot.fakediscord.types import Json
from bot.fakediscord.world import World

HEARTBEAT_INTERVAL = 41.25
IDENTIFY_INTERVAL = 5.0
REPLAY_SIZE = 5000
RESUME_WINDOW = 120.0
"""Seconds after which a session without a connection is forgotten."""
LEAST_WAIT = 0.95
"""Share of the interval after which the next identify is taken: clocks differ."""
AT_ONCE = 20
"""Servers of which a new session hears before something else has a turn."""


class Gateway:
    """Carries a world's events to bots.

    `identifies`: when, and for which shard. `refuse`: the HTTP status that answers websocket
    upgrades. `enforce_identify`: an identify too soon after another is refused.
    """

    def __init__(self, world: World, recorder: Recorder) -> None:
        self.shards, self.max_concurrency = 1, 1
        self.identify_interval = IDENTIFY_INTERVAL
        self.heartbeat_interval = HEARTBEAT_INTERVAL
        self.replay_size = REPLAY_SIZE
        self.enforce_identify = True
        self.refuse: int | None = None
        self.sessions: list[Session] = []
        self.conns: list[Connection] = []
        self.faults = GatewayFaults(self.conns)
        self.identifies: list[tuple[float, Shard]] = []
        self.resumes = 0
        self._world, self._recorder = world, recorder
        self._identified_at: dict[int, float] = {}

    @property
    def ready(self) -> bool:
        """True while a bot is connected."""
        return any(session.connection for session in self.sessions)

    def live(self) -> list[Session]:
        """Return the sessions that are connected or can be resumed."""
        now = time.perf_counter()
        for session in self.sessions:
            if session.detached_at and now - session.detached_at > RESUME_WINDOW:
                session.dead = True
        self.sessions = [session for session in self.sessions if not session.dead]
        return self.sessions

    def tell(self, event: Event) -> None:
        """Push an event to every session that it concerns."""
        data = orjson.dumps(event.data)
        hidden = event.without_content
        for session in self.sessions:
            if session.dead or (event.intent and not session.intents & event.intent):
                continue
            if not session.hears_of(event.guild_id):
                continue
            if hidden is not None and not session.intents & Intent.CONTENT:
                session.push(event.name, orjson.dumps(hidden))
            else:
                session.push(event.name, data, event.interaction)

    def dispatch(self, event: str, data: Json) -> None:
        """Send every session an event that nothing in the world stands behind."""
        self._world.announce(Event(event, data))

    # -- one connection -------------------------------------------------------------------------

    async def handle(self, request: web.BaseRequest) -> web.StreamResponse:
        """Serve a websocket until it is closed or breaks."""
        if self.refuse:
            return web.Response(status=self.refuse)
        socket = web.WebSocketResponse(compress=False, max_msg_size=0, autoping=True)
        await socket.prepare(request)
        connection = Connection(socket, request, self._sending)
        self.conns.append(connection)
        writer = asyncio.get_running_loop().create_task(connection.write())
        interval = int(self.heartbeat_interval * 1000)
        connection.send_op(Opcode.HELLO, {"heartbeat_interval": interval, "_trace": []})
        try:
            async for message in socket:
                if message.type in {WSMsgType.TEXT, WSMsgType.BINARY} and not connection.zombie:
                    await self._receive(connection, orjson.loads(message.data))
        finally:
            writer.cancel()
            self._disconnected(connection)
        return socket

    def _sending(self, connection: Connection, frame: Frame) -> None:
        if frame.event:
            self._recorder.event(frame.event, frame.data)
        interaction = frame.interaction
        if interaction is not None:
            if interaction.sent_at is None:
                interaction.sent_at = time.perf_counter()
            self._world.deadlines.delivered(interaction, connection)

    def _disconnected(self, connection: Connection) -> None:
        self.conns.remove(connection)
        self._world.deadlines.disconnected(connection)
        session = connection.session
        if session is not None and session.connection is connection:
            session.connection, session.detached_at = None, time.perf_counter()
            if connection.socket.close_code in {CloseCode.NORMAL, CloseCode.GOING_AWAY}:
                session.dead = True  # the bot has ended it
        self._world.changes.happened()

    async def _receive(self, connection: Connection, message: Json) -> None:
        data = message.get("d")
        refusal: CloseCode | None = None
        match message["op"]:
            case _ if connection.receives_too_much():
                refusal = CloseCode.RATE_LIMITED
            case Opcode.HEARTBEAT:
                asyncio.get_running_loop().call_later(
                    self._world.settings.heartbeat, connection.send_op, Opcode.HEARTBEAT_ACK
                )
            case Opcode.IDENTIFY:
                refusal = await self._identify(connection, data or {})
            case Opcode.RESUME:
                refusal = self._resume(connection, data or {})
            case _ if connection.session is None:
                refusal = CloseCode.NOT_AUTHENTICATED
            case Opcode.REQUEST_MEMBERS:
                self._members(connection.session, data or {})
            case Opcode.PRESENCE | Opcode.VOICE_STATE:
                pass
            case _:
                refusal = CloseCode.UNKNOWN_OPCODE
        if refusal is not None:
            await connection.close(refusal)

    async def _identify(self, connection: Connection, data: Json) -> CloseCode | None:
        """Begin a session. The code to close with, if there is to be none."""
        if connection.session is not None:
            return CloseCode.ALREADY_AUTHENTICATED
        if not self._world.token_ok(data["token"]):
            return CloseCode.AUTHENTICATION_FAILED
        number, count = data.get("shard") or (0, 1)
        if not self._admit(number % self.max_concurrency):
            connection.send_op(Opcode.INVALID_SESSION, data=False)
            return None
        shard = (number, count)
        self.identifies.append((time.perf_counter(), shard))
        for session in self.sessions:  # a new session for the shard replaces a cut-off one
            session.dead |= session.shard == shard and session.connection is None
        session_id = f"{self._world.ids():032x}"
        session = Session(session_id, shard, data["intents"], self.replay_size)
        connection.session, session.connection = session, connection
        self.live().append(session)
        await self._welcome(session)
        return None

    def _admit(self, key: int) -> bool:
        """Count an identify. Return False if another one with this key was made just before."""
        now = time.perf_counter()
        before = self._identified_at.get(key)
        least = self.identify_interval * LEAST_WAIT
        if self.enforce_identify and before is not None and now - before < least:
            return False
        self._identified_at[key] = now
        return True

    async def _welcome(self, session: Session) -> None:
        number, count = session.shard
        guilds = [
            guild
            for guild in self._world.guilds.values()
            if guild.bot_in and shard_of(guild.id, count) == number
        ]
        session.push("READY", orjson.dumps(ready_payload(self._world, session, guilds)))
        if session.intents & Intent.GUILDS:
            for told, guild in enumerate(guilds, 1):
                if told % AT_ONCE == 0:
                    await asyncio.sleep(0)  # thousands of servers would hold up all other bots
                if guild.bot_in and not guild.unavailable:
                    session.push("GUILD_CREATE", orjson.dumps(guild_create_payload(guild)))
        self._world.changes.happened()

    def _resume(self, connection: Connection, data: Json) -> CloseCode | None:
        """Go on with a session. The code to close with, if that may not be."""
        if not self._world.token_ok(data["token"]):
            return CloseCode.AUTHENTICATION_FAILED
        session = next((one for one in self.live() if one.id == data["session_id"]), None)
        sequence = data["seq"] or 0
        if session is None or not session.has_all_since(sequence):
            connection.send_op(Opcode.INVALID_SESSION, data=False)
            return None
        connection.session = session
        session.connection, session.detached_at = connection, None
        self.resumes += 1
        sequence, session.repeated = sequence - session.repeated, 0
        for frame in session.frames:
            if frame.sequence > sequence:
                connection.send(frame)
        session.push("RESUMED", b'{"_trace":[]}')
        self._world.changes.happened()
        return None

    def _members(self, session: Session, asked: Json) -> None:
        guild = self._world.guilds.get(int(asked["guild_id"]))
        if guild is not None:
            session.push("GUILD_MEMBERS_CHUNK", orjson.dumps(members_payload(guild, asked)))
