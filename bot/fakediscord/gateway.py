"""The websocket gateway: sessions, sharding, resume, compression and its faults."""

from __future__ import annotations

import asyncio
import logging
import time
import zlib
from collections import Counter, deque
from typing import TYPE_CHECKING, Any

import orjson
import zstandard
from aiohttp import WSMsgType, web

from bot.fakediscord.model import Interaction, snowflake

if TYPE_CHECKING:
    from bot.fakediscord.server import Server

log = logging.getLogger("fakediscord.gateway")
GUILDS = 1 << 0
GUILD_MEMBERS = 1 << 1
GUILD_MESSAGES = 1 << 9
GUILD_REACTIONS = 1 << 10
DIRECT_MESSAGES = 1 << 12
DM_REACTIONS = 1 << 13
CONTENT = 1 << 15
PRIVILEGED = GUILD_MEMBERS | 1 << 8 | CONTENT


def cut(request: web.BaseRequest) -> None:
    """Cut the TCP connection of a request, unless it is gone already."""
    if request.transport is not None:
        request.transport.abort()


class Session:
    def __init__(self, gw: Gateway, shard: tuple[int, int], intents: int) -> None:
        self.gw, self.shard, self.intents = gw, shard, intents
        self.id = f"{snowflake():032x}"
        self.seq = 0
        self.buffer: deque = deque(maxlen=gw.replay_size)  # (seq, bytes, rec)
        self.conn: Conn | None = None
        self.detached_at: float | None = None
        self.dead = False
        self.replay_extra = 0

    def push(self, event: str, data: bytes, rec: Interaction | None = None) -> None:
        self.seq += 1
        frame = b'{"op":0,"t":"%s","s":%d,"d":%s}' % (event.encode(), self.seq, data)
        self.buffer.append((self.seq, frame, rec))
        if self.conn:
            self.conn.send(frame, rec)


class Conn:
    """One websocket; its writer keeps order and stamps t_sent when a frame reaches the socket."""

    def __init__(
        self, gw: Gateway, ws: web.WebSocketResponse, request: web.BaseRequest, compress: str | None
    ) -> None:
        self.gw, self.ws, self.request = gw, ws, request
        self.session: Session | None = None
        self.out: deque = deque()
        self.wake = asyncio.Event()
        self.zombie = self.paused = False
        self.last_beat = time.perf_counter()
        self.sends: deque[float] = deque()
        self.pack: Any = None
        if compress == "zlib-stream":
            z = zlib.compressobj(1)
            self.pack = lambda b: z.compress(b) + z.flush(zlib.Z_SYNC_FLUSH)
        elif compress == "zstd-stream":
            c = zstandard.ZstdCompressor(level=1).compressobj()
            self.pack = lambda b: c.compress(b) + c.flush(zstandard.COMPRESSOBJ_FLUSH_BLOCK)

    def send(self, frame: bytes, rec: Interaction | None = None) -> None:
        self.out.append((time.perf_counter() + self.gw.delay, frame, rec))
        self.wake.set()

    def op(self, op: int, d: Any = None) -> None:
        self.send(orjson.dumps({"op": op, "d": d, "s": None, "t": None}))

    async def writer(self) -> None:
        out, ws = self.out, self.ws
        while not ws.closed:
            if not out or self.paused or self.zombie:
                self.wake.clear()
                await self.wake.wait()
                continue
            due, frame, rec = out[0]
            if self.gw.delay and (wait := due - time.perf_counter()) > 0:
                await asyncio.sleep(wait)
            out.popleft()
            if rec is not None:
                if rec.t_sent is None:
                    rec.t_sent = time.perf_counter()
                self.gw.server.deadlines.delivered(rec, self)
            try:
                if self.pack:
                    await ws.send_bytes(self.pack(frame))
                else:
                    await ws.send_str(frame.decode())
            except (ConnectionError, RuntimeError):
                return


class Gateway:
    def __init__(self, server: Server) -> None:
        self.server = server
        self.shards, self.max_concurrency, self.identify_interval = 1, 1, 5.0
        self.heartbeat_interval = 41.25
        self.replay_size, self.resume_window = 5000, 120.0
        self.delay = 0.0  # one-way latency of every dispatch
        self.enforce_identify, self.allowed_intents = True, ~0
        self.sessions: list[Session] = []
        self.conns: list[Conn] = []
        self.identifies: list[tuple[float, tuple]] = []
        self.resumes = 0
        self.presences: list[dict] = []
        self.closes: Counter = Counter()
        self.refuse: int | None = None  # answer websocket upgrades with this HTTP status
        self._identify_at: dict[int, float] = {}

    # -- dispatch ---------------------------------------------------------------------------------
    def live(self) -> list[Session]:
        now = time.perf_counter()
        for s in self.sessions:
            if s.detached_at and now - s.detached_at > self.resume_window:
                s.dead = True
        self.sessions = [s for s in self.sessions if not s.dead]
        return self.sessions

    def dispatch(
        self,
        event: str,
        data: dict,
        guild_id: int | None = None,
        intent: int = 0,
        rec: Interaction | None = None,
    ) -> int:
        raw, n = None, 0
        for s in self.sessions:
            if s.dead or (intent and not s.intents & intent):
                continue
            if ((guild_id >> 22) % s.shard[1] if guild_id else 0) != s.shard[0]:
                continue
            raw = raw or orjson.dumps(data)
            s.push(event, raw, rec)
            n += 1
        self.server.changed()
        return n

    # -- connection -------------------------------------------------------------------------------
    async def handle(self, request: web.BaseRequest) -> web.StreamResponse:
        if self.refuse:
            return web.Response(status=self.refuse)
        ws = web.WebSocketResponse(compress=False, max_msg_size=0, autoping=True)
        await ws.prepare(request)
        conn = Conn(self, ws, request, request.query.get("compress"))
        self.conns.append(conn)
        writer = asyncio.get_running_loop().create_task(conn.writer())
        conn.op(10, {"heartbeat_interval": int(self.heartbeat_interval * 1000), "_trace": []})
        try:
            async for msg in ws:
                if msg.type in (WSMsgType.TEXT, WSMsgType.BINARY) and not conn.zombie:
                    await self.receive(conn, orjson.loads(msg.data))
        finally:
            writer.cancel()
            self.conns.remove(conn)
            self.server.deadlines.disconnected(conn)
            self.closes[ws.close_code] += 1
            if (s := conn.session) and s.conn is conn:
                s.conn, s.detached_at = None, time.perf_counter()
                if ws.close_code in (1000, 1001):  # the client ended the session
                    s.dead = True
            self.server.changed()
        return ws

    async def receive(self, conn: Conn, msg: dict) -> None:
        op, d = msg["op"], msg.get("d")
        now = time.perf_counter()
        conn.sends.append(now)
        while conn.sends and now - conn.sends[0] > 60:
            conn.sends.popleft()
        if len(conn.sends) > 120:
            return await self._close(conn, 4008)
        if op == 1:
            conn.last_beat = now
            conn.op(11)
        elif op == 2:
            await self.identify(conn, d)
        elif op == 6:
            await self.resume(conn, d)
        elif conn.session is None:
            await self._close(conn, 4003)
        elif op == 3:
            self.presences.append(d)
        elif op == 8:
            self.members(conn.session, d)
        elif op != 4:
            await self._close(conn, 4001)
        return None

    async def identify(self, conn: Conn, d: dict) -> None:
        if conn.session:
            return await self._close(conn, 4005)
        if not self.server.token_ok(d["token"]):
            return await self._close(conn, 4004)
        shard = tuple(d.get("shard") or (0, 1))
        if d["intents"] & ~self.allowed_intents:
            return await self._close(conn, 4014)
        now, key = time.perf_counter(), shard[0] % self.max_concurrency
        if (
            self.enforce_identify
            and now - self._identify_at.get(key, -99) < self.identify_interval * 0.95
        ):
            return conn.op(9, False)
        self._identify_at[key] = now
        self.identifies.append((now, shard))
        for s in self.sessions:  # a new session for the shard replaces a cut-off one
            s.dead |= s.shard == shard and s.conn is None
        s = conn.session = Session(self, shard, d["intents"])
        s.conn = conn
        self.live().append(s)
        srv = self.server
        guilds = [
            g for g in srv.guilds.values() if g.bot_in and (g.id >> 22) % shard[1] == shard[0]
        ]
        s.push(
            "READY",
            orjson.dumps(
                {
                    "v": 10,
                    "user": srv.bot.json()
                    | {"email": None, "verified": True, "mfa_enabled": True, "flags": 0},
                    "shard": list(shard),
                    "guilds": [{"id": str(g.id), "unavailable": True} for g in guilds],
                    "session_id": s.id,
                    "session_type": "normal",
                    "resume_gateway_url": srv.ws_url,
                    "application": {"id": str(srv.app_id), "flags": srv.app_flags},
                    "private_channels": [],
                    "relationships": [],
                    "presences": [],
                    "user_settings": {},
                    "geo_ordered_rtc_regions": [],
                    "guild_join_requests": [],
                    "auth": {},
                }
            ),
        )
        if s.intents & GUILDS:
            for g in guilds:
                if not g.unavailable:
                    s.push("GUILD_CREATE", orjson.dumps(g.json()))
        srv.changed()
        return None

    async def resume(self, conn: Conn, d: dict) -> None:
        s = next((s for s in self.live() if s.id == d["session_id"]), None)
        if not self.server.token_ok(d["token"]):
            return await self._close(conn, 4004)
        seq = d["seq"] or 0
        if s is None or seq > s.seq or (s.buffer and seq + 1 < s.buffer[0][0]):
            return conn.op(9, False)
        conn.session, s.conn, s.detached_at = s, conn, None
        self.resumes += 1
        seq, s.replay_extra = seq - s.replay_extra, 0
        for n, frame, rec in list(s.buffer):
            if n > seq:
                conn.send(frame, rec)
        s.push("RESUMED", b'{"_trace":[]}')
        self.server.changed()
        return None

    def members(self, s: Session, d: dict) -> None:
        g = self.server.guilds.get(int(d["guild_id"]))
        if not g:
            return
        ids = d.get("user_ids")
        ids = {int(i) for i in (ids if isinstance(ids, list) else [ids])} if ids else None
        users = [
            u
            for u in g.users.values()
            if (u.id in ids if ids is not None else u.name.startswith(d.get("query") or ""))
        ]
        s.push(
            "GUILD_MEMBERS_CHUNK",
            orjson.dumps(
                {
                    "guild_id": str(g.id),
                    "members": [g.member(u) for u in users[: d.get("limit") or None]],
                    "chunk_index": 0,
                    "chunk_count": 1,
                    "not_found": [str(i) for i in (ids or set()) - {u.id for u in users}],
                    "nonce": d.get("nonce"),
                    "presences": [],
                }
            ),
        )

    async def _close(self, conn: Conn, code: int) -> None:
        log.warning("closing gateway connection with %s", code)
        await conn.ws.close(code=code, message=b"")

    # -- faults -----------------------------------------------------------------------------------
    async def close(self, code: int = 4000, shard: int | None = None) -> None:
        """Close with a code (4000 resumable; 4004/4010-4014 fatal; 4007/4009 invalid session)."""
        for c in self._pick(shard):
            if code in (4007, 4009) and c.session:
                c.session.dead = True
            await self._close(c, code)

    def drop(self, shard: int | None = None, duplicates: int = 0) -> None:
        """Cut TCP. `duplicates`: that many already delivered events come again after RESUME."""
        for c in self._pick(shard):
            if c.session:
                c.session.replay_extra = duplicates
            cut(c.request)

    def zombie(self, on: bool = True, shard: int | None = None) -> None:
        """Stop acking and dispatching while TCP stays open."""
        for c in self._pick(shard):
            c.zombie = on
            c.wake.set()

    def pause(self, on: bool = True, shard: int | None = None) -> None:
        """Hold back dispatches (acks too); they are all sent on pause(False)."""
        for c in self._pick(shard):
            c.paused = on
            c.wake.set()

    def reconnect(self, shard: int | None = None) -> None:
        for c in self._pick(shard):
            c.op(7)

    def invalidate(self, resumable: bool = False, shard: int | None = None) -> None:
        for c in self._pick(shard):
            if c.session and not resumable:
                c.session.dead = True
            c.op(9, resumable)

    def _pick(self, shard: int | None) -> list[Conn]:
        return [
            c for c in self.conns if shard is None or (c.session and c.session.shard[0] == shard)
        ]

    @property
    def ready(self) -> bool:
        return any(s.conn for s in self.sessions)
