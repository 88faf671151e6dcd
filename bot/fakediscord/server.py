"""The server object: HTTP front, world-building, and the driver that plays the users."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import ssl
import subprocess
import tempfile
import time
from collections import Counter, deque
from email.utils import formatdate
from pathlib import Path
from typing import TYPE_CHECKING, Any

import orjson
from aiohttp import web

from bot.fakediscord import rest
from bot.fakediscord.control import control
from bot.fakediscord.deadlines import Deadlines
from bot.fakediscord.gateway import (
    CONTENT,
    DIRECT_MESSAGES,
    GUILD_MESSAGES,
    GUILDS,
    Gateway,
    cut,
)
from bot.fakediscord.limits import Fault, Limiter
from bot.fakediscord.model import (
    ALL_PERMS,
    EVERYONE,
    Channel,
    Guild,
    Interaction,
    Message,
    User,
    iso,
    perms,
    snowflake,
)
from bot.fakediscord.validate import ApiError

if TYPE_CHECKING:
    from collections.abc import Callable

log = logging.getLogger("fakediscord")
PNG = bytes.fromhex(
    "89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c4890000000d49444154789c6360000002000100"
    "05fe02fea7359d810000000049454e44ae426082"
)
OPTION_RESOLVED = {6: "users", 7: "channels", 8: "roles", 9: "users"}


class Server:
    """One loopback Discord: `async with Server() as server`."""

    def __init__(
        self,
        port: int = 0,
        *,
        guilds: int = 1,
        channels: int = 1,
        token: str | None = None,
        ratelimits: bool = True,
        rtt: float = 0.0,
        tls: bool = False,
        clock_skew: float = 0.0,
        bot: User | None = None,
        owner: User | None = None,
    ) -> None:
        self.port, self.token, self.tls = port, token, tls
        self.cert: str | None = None
        # REST round trip added to every call (half before, half after)
        self.rtt: float | Callable[[], float] = rtt
        self.clock_skew = clock_skew  # seconds by which interaction ids run ahead of the clock
        self.ack_deadline, self.token_ttl = 3.0, 900.0  # seconds; shorten for tests
        self.max_file = 10 * 2**20
        self.lax_tokens = False  # True: any live token of the user may edit that user's ephemerals
        self.keep_payloads = False  # keep payloads after the answer (needed by redeliver)
        self.keep_interactions = 300_000
        self.bot = bot or User("gamebot", bot=True)
        self.owner = owner or User("owner")
        self.app_id, self.app_flags = self.bot.id, 1 << 23
        self.code_grant = False  # these two are set in the developer portal
        self.endpoint: str | None = None
        self.users: dict[int, User] = {u.id: u for u in (self.bot, self.owner)}
        self.names: dict[str, User] = {self.owner.name: self.owner}
        self.guilds: dict[int, Guild] = {}
        self.channels: dict[int, Channel] = {}
        self.tokens: dict[str, Interaction] = {}
        self.commands: dict[str, dict] = {}
        self.emojis: dict[int, dict] = {}
        self.most_emojis = 2000
        self.pictures: dict[int, str] = {}  # data URIs of the emojis
        self.blobs: dict[str, bytes] = {}
        self.limiter = Limiter()
        self.limiter.enabled = ratelimits
        self.gateway = Gateway(self)
        self.rest = rest.Rest(self)
        self.deadlines = Deadlines()
        self.faults: list[Fault] = []
        self.log: deque[tuple] = deque(maxlen=50_000)  # (time, kind, fields)
        self.calls: deque[tuple] = deque(maxlen=50_000)  # (time, method, path, status, seconds)
        self.statuses: Counter = Counter()  # (template, status) -> count
        self.codes: Counter = Counter()  # (template, Discord error code) -> count
        self.unknown: Counter = Counter()
        self.crashes: list[str] = []
        self.inflight = self.peak_inflight = 0
        self.listeners: list[Callable[[], None]] = []  # called after every change
        self._waiters: list[tuple[Callable, asyncio.Future]] = []
        self._held: list[web.BaseRequest] = []
        self._keys: tempfile.TemporaryDirectory | None = None
        self._runner: web.ServerRunner | None = None
        for _ in range(guilds):
            self.add_guild(channels=channels)

    # -- life -------------------------------------------------------------------------------------
    async def start(self) -> Server:
        loop = asyncio.get_running_loop()

        def make(msg, payload, proto, writer, task):
            return web.BaseRequest(
                msg, payload, proto, writer, task, loop, client_max_size=64 * 2**20
            )

        self._runner = web.ServerRunner(
            web.Server(self._handle, request_factory=make, access_log=None),
            shutdown_timeout=1.0,  # the bot may be in the middle of a call
        )
        await self._runner.setup()
        site = web.TCPSite(
            self._runner,
            "127.0.0.1",
            self.port,
            backlog=1024,
            ssl_context=self._ssl() if self.tls else None,
        )
        await site.start()
        self.port = self._runner.addresses[0][1]
        return self

    async def stop(self) -> None:
        for request in [*(c.request for c in self.gateway.conns), *self._held]:
            cut(request)
        await self._runner.cleanup()
        if self._keys is not None:
            self._keys.cleanup()

    async def __aenter__(self) -> Server:
        return await self.start()

    async def __aexit__(self, *exc: Any) -> None:
        await self.stop()

    def _ssl(self) -> ssl.SSLContext:
        self._keys = tempfile.TemporaryDirectory(prefix="fakediscord-")
        self.cert, key = f"{self._keys.name}/cert.pem", f"{self._keys.name}/key.pem"
        subprocess.run(
            [
                "openssl",
                "req",
                "-x509",
                "-newkey",
                "ec",
                "-pkeyopt",
                "ec_paramgen_curve:prime256v1",
                "-nodes",
                "-days",
                "2",
                "-subj",
                "/CN=127.0.0.1",
                "-addext",
                "subjectAltName=IP:127.0.0.1",
                "-keyout",
                key,
                "-out",
                self.cert,
            ],
            check=True,
            capture_output=True,
        )
        ctx = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        ctx.load_cert_chain(self.cert, key)
        return ctx

    url = property(lambda s: f"http{'s' * s.tls}://127.0.0.1:{s.port}")
    ws_url = property(lambda s: f"ws{'s' * s.tls}://127.0.0.1:{s.port}/gateway")

    @property
    def env(self) -> dict[str, str]:
        """Environment that points an unmodified discord.py process here (add it to os.environ)."""
        here = str(Path(__file__).resolve().parent / "site")
        return {
            "FAKE_DISCORD": self.url,
            "DISCORD_TOKEN": self.token or "MTIz.fake.token",
            **({"SSL_CERT_FILE": self.cert} if self.cert else {}),
            "PYTHONPATH": os.pathsep.join(filter(None, [here, os.environ.get("PYTHONPATH")])),
        }

    def token_ok(self, token: str) -> bool:
        return self.token is None or token == self.token

    def known_emojis(self, guild: Guild | None) -> Any:
        return self.emojis if not guild or not guild.emojis else self.emojis | guild.emojis

    # -- HTTP -------------------------------------------------------------------------------------
    async def _handle(self, request: web.BaseRequest) -> web.StreamResponse:
        path, t0 = request.path, time.perf_counter()
        if path.startswith("/gateway"):
            return await self.gateway.handle(request)
        if not path.startswith("/api"):
            return await self._other(request, path)
        template, args, major = rest.parse(request.method, path)
        self.inflight += 1
        self.peak_inflight = max(self.peak_inflight, self.inflight)
        headers, code = None, 0
        try:
            rtt = self.rtt() if callable(self.rtt) else self.rtt
            if rtt:
                await asyncio.sleep(rtt / 2)
            spoilers = await self._fail_before(request)
            handler = self._handler(template, request)
            interaction = "*" in template and "reactions" not in template
            if not interaction:
                self._authorize(request)
            headers = self.limiter.check(template, major, True, interaction)
            req = await rest.read(request)
            try:
                body = handler(self.rest, req, *args)
            except (KeyError, TypeError, AttributeError, ValueError) as e:
                log.exception("cannot handle %s %s body=%r", request.method, path, req.json)
                self.crashes.append(f"{template}: {e!r}")
                raise ApiError(50035) from e
            await self._fail_after(request, spoilers)
            status = 204 if body is None else 200
            response = web.Response(
                status=status,
                body=None if body is None else orjson.dumps(body),
                headers=headers,
                content_type=None if body is None else "application/json",
            )
        except ApiError as e:
            status, code = e.status, e.body.get("code", 0) if isinstance(e.body, dict) else 0
            html = isinstance(e.body, str)
            response = web.Response(
                status=status,
                body=e.body.encode() if html else orjson.dumps(e.body),
                headers={**(headers or {}), **(e.headers or {})},
                content_type="text/html" if html else "application/json",
            )
        finally:
            self.inflight -= 1
        response.headers["Date"] = formatdate(time.time() + self.clock_skew, usegmt=True)
        if rtt:
            await asyncio.sleep(rtt / 2)
        now = time.perf_counter()
        self.statuses[template, status] += 1
        if code:
            self.codes[template, code] += 1
        self.calls.append((now, request.method, path, status, now - t0))
        self.changed()
        return response

    async def _fail_before(self, request: web.BaseRequest) -> list[Fault]:
        """Play the fault rules that match. Those that act on the answer are handed back."""
        spoilers = []
        for f in self.faults:
            if not f.matches(f"{request.method} {request.path}"):
                continue
            if f.latency:
                await asyncio.sleep(f.latency() if callable(f.latency) else f.latency)
            if f.when == "after":
                spoilers.append(f)
                continue
            if not await self._released(f, request):
                raise ApiError(status=499, message="499: Client Closed Request")
            if f.drop:
                cut(request)
                raise ApiError(status=599)
            if err := f.error():
                raise err
        return spoilers

    async def _fail_after(self, request: web.BaseRequest, spoilers: list[Fault]) -> None:
        for f in spoilers:
            await self._released(f, request)
        if spoilers:
            if spoilers[-1].drop:
                cut(request)
            elif err := spoilers[-1].error():
                raise err

    async def _released(self, fault: Fault, request: web.BaseRequest) -> bool:
        """Wait for the event of the rule, if it has one. False if the client has gone meanwhile."""
        if fault.hold is None:
            return True
        fault.reached.set()
        self._held.append(request)
        self.changed()
        try:
            while not fault.hold.is_set() and request.transport is not None:
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(0.02):
                        await fault.hold.wait()
        finally:
            self._held.remove(request)
        return request.transport is not None

    def _handler(self, template: str, request: web.BaseRequest) -> Callable:
        handler = rest.ROUTES.get(template)
        if handler is None:
            self.unknown[template] += 1
            log.error("UNKNOWN ROUTE %s %s", request.method, request.path_qs)
            raise ApiError(status=404, message="404: Not Found")
        return handler

    def _authorize(self, request: web.BaseRequest) -> None:
        auth = request.headers.get("Authorization", "")
        if not (auth.startswith("Bot ") and self.token_ok(auth[4:])):
            raise ApiError(status=401, message="401: Unauthorized")

    async def _other(self, request: web.BaseRequest, path: str) -> web.Response:
        # Drive a stand-alone server: {"do": "click", "args": [...], "kw": {...}}
        if path == "/__ctl" and request.method == "POST":
            return await control(self, orjson.loads(await request.read()))
        if (
            path.startswith("/attachments/")
            and (blob := self.blobs.get(path.split("/")[3])) is not None
        ):
            return web.Response(body=blob)
        if path.startswith(("/avatars", "/embed", "/emojis", "/icons", "/app-icons")):
            return web.Response(body=PNG, content_type="image/png")
        self.unknown[path] += 1
        log.error("UNKNOWN PATH %s %s", request.method, path)
        return web.Response(status=404)

    # -- waiting and recording --------------------------------------------------------------------
    def record(self, kind: str, **fields: Any) -> None:
        self.log.append((time.perf_counter(), kind, fields))

    def changed(self) -> None:
        for listener in self.listeners:
            listener()
        if self._waiters:
            for pred, fut in list(self._waiters):
                if not fut.done() and (v := pred()):
                    fut.set_result(v)

    async def wait_for(self, predicate: Callable[[], Any], within: float = 5.0) -> Any:
        """First truthy value of predicate(), evaluated after every change; else TimeoutError."""
        if v := predicate():
            return v
        entry = (predicate, asyncio.get_running_loop().create_future())
        self._waiters.append(entry)
        try:
            return await asyncio.wait_for(entry[1], within)
        finally:
            self._waiters.remove(entry)

    async def wait_ready(self, within: float = 30.0, commands: bool = False) -> None:
        await self.wait_for(lambda: self.gateway.ready and (self.commands or not commands), within)

    @property
    def ratelimited(self) -> int:
        return sum(n for (_, s), n in self.statuses.items() if s == 429)

    @property
    def late(self) -> int:
        """Interactions that a connected bot did not answer by their deadline."""
        return self.deadlines.late

    # -- world ------------------------------------------------------------------------------------
    def user(self, name: str, locale: str = "en-US") -> User:
        if name not in self.names:
            u = self.names[name] = User(name, locale)
            self.users[u.id] = u
        return self.names[name]

    def add_guild(
        self,
        name: str = "",
        channels: int = 1,
        locale: str = "en-US",
        bot_perms: int = EVERYONE,
        id: int | None = None,
    ) -> Guild:
        g = Guild(name or f"guild{len(self.guilds)}", self.owner, locale, bot_perms, id)
        self.guilds[g.id] = g
        g.join(self.bot)
        g.join(self.owner)
        for i in range(channels):
            self.add_channel(g, f"table-{i}")
        self._joined(g)
        return g

    def _joined(self, guild: Guild) -> None:
        """A new server comes without `unavailable`: that is how discord.py tells it from one
        that is back from an outage.
        """
        data = guild.json()
        del data["unavailable"]
        self.gateway.dispatch("GUILD_CREATE", data, guild.id, GUILDS)

    def add_channel(self, guild: Guild, name: str, type: int = 0, id: int | None = None) -> Channel:
        ch = Channel(name, guild, type, id=id)
        self.channels[ch.id] = ch
        self.gateway.dispatch("CHANNEL_CREATE", ch.json(), guild.id, GUILDS)
        return ch

    def add_emoji(self, name: str, image: str = "data:image/png;base64,") -> dict:
        """An emoji of the application."""
        emoji = {
            "id": str(snowflake()),
            "name": name,
            "roles": [],
            "user": self.bot.json(),
            "require_colons": True,
            "managed": False,
            "animated": image.startswith("data:image/gif"),
            "available": True,
        }
        self.emojis[int(emoji["id"])] = emoji
        self.pictures[int(emoji["id"])] = image
        return emoji

    def dm(self, user: User) -> Channel:
        if user.dm is None:
            user.dm = Channel(f"dm-{user.name}", type=1, user=user)
            self.channels[user.dm.id] = user.dm
        return user.dm

    @property
    def all_channels(self) -> list[Channel]:
        return [c for c in self.channels.values() if c.guild and not c.thread and not c.deleted]

    def delete_message(self, m: Message) -> None:
        self.rest.delete(m)

    def delete_channel(self, ch: Channel) -> None:
        ch.deleted = True
        for m in ch.messages.values():
            m.deleted = True
        self.gateway.dispatch(
            "THREAD_DELETE" if ch.thread else "CHANNEL_DELETE", ch.json(), ch.guild.id, GUILDS
        )

    def kick_bot(self, guild: Guild) -> None:
        guild.bot_in = False
        self.gateway.dispatch("GUILD_DELETE", {"id": str(guild.id)}, guild.id, GUILDS)

    def invite_bot(self, guild: Guild) -> None:
        guild.bot_in = True
        self._joined(guild)

    def outage(self, guild: Guild, on: bool = True) -> None:
        guild.unavailable = on
        self.gateway.dispatch(
            *(
                ("GUILD_DELETE", {"id": str(guild.id), "unavailable": True})
                if on
                else ("GUILD_CREATE", guild.json())
            ),
            guild.id,
            GUILDS,
        )

    def deny(self, ch: Channel, *names: str) -> None:
        """Permission overwrite against the bot in a channel; no names lifts it."""
        ch.deny = perms(*names)
        self.gateway.dispatch("CHANNEL_UPDATE", ch.json(), ch.guild.id, GUILDS)

    def remove_member(self, guild: Guild, user: User) -> None:
        guild.users.pop(user.id, None)
        guild.members.pop(user.id, None)
        self.gateway.dispatch(
            "GUILD_MEMBER_REMOVE",
            {"guild_id": str(guild.id), "user": user.json()},
            guild.id,
            1 << 1,
        )

    def fault(self, route: str = ".*", **kw: Any) -> Fault:
        """Add a fault rule. `server.faults` is a list: remove the rule there, or clear() it."""
        self.faults.append(Fault(route, **kw))
        return self.faults[-1]

    def age_tokens(self, seconds: float) -> None:
        """Let the past of every interaction token grow (e.g. 900 kills them all)."""
        for rec in self.tokens.values():
            rec.born -= seconds

    # -- the users' side --------------------------------------------------------------------------
    def view(self, user: User, ch: Channel) -> list[Message]:
        """Messages this user sees in the channel, oldest first, ephemerals included."""
        return [
            m
            for m in ch.messages.values()
            if m.ephemeral_for in (None, user) and m.id not in user.hidden
        ]

    def panels(self, user: User, ch: Channel) -> list[Message]:
        return [m for m in self.view(user, ch) if m.ephemeral]

    def public(self, ch: Channel) -> list[Message]:
        return [m for m in ch.messages.values() if not m.ephemeral]

    def dismiss(self, user: User, m: Message) -> None:
        user.hidden.add(m.id)
        self.changed()

    def restart_client(self, user: User) -> None:
        """Ephemeral messages are gone after a client restart."""
        user.hidden |= {
            m.id
            for c in self.channels.values()
            for m in c.messages.values()
            if m.ephemeral_for is user
        }

    def say(self, user: User, ch: Channel, content: str) -> Message:
        """A user writes.

        The content reaches the bot only with the MESSAGE_CONTENT intent, in DMs or on mention.
        """
        m = Message(
            snowflake(),
            ch,
            user,
            {
                "id": "",
                "channel_id": str(ch.id),
                "author": user.json(),
                "content": content,
                "embeds": [],
                "components": [],
                "attachments": [],
                "flags": 0,
                "timestamp": iso(),
                "edited_timestamp": None,
                "tts": False,
                "mention_everyone": False,
                "mentions": [],
                "mention_roles": [],
                "pinned": False,
                "type": 0,
            },
            None,
            None,
        )
        m.data["id"] = str(m.id)
        ch.messages[m.id] = m
        for s in self.gateway.sessions:
            data = m.event()
            if ch.guild and not s.intents & CONTENT and f"<@{self.bot.id}>" not in content:
                data = {**data, "content": ""}
            if (
                s.intents & (GUILD_MESSAGES if ch.guild else DIRECT_MESSAGES)
                and ((ch.guild.id >> 22) % s.shard[1] if ch.guild else 0) == s.shard[0]
            ):
                s.push("MESSAGE_CREATE", orjson.dumps(data))
        self.changed()
        return m

    def react(self, user: User, m: Message, emoji: str, add: bool = True) -> None:
        g = m.channel.guild
        self.gateway.dispatch(
            f"MESSAGE_REACTION_{'ADD' if add else 'REMOVE'}",
            {
                "user_id": str(user.id),
                "channel_id": str(m.channel.id),
                "message_id": str(m.id),
                "emoji": {"id": None, "name": emoji},
                "type": 0,
                "burst": False,
                **({"guild_id": str(g.id), "member": g.member(user)} if g else {}),
            },
            g and g.id,
            (1 << 10) if g else (1 << 13),
        )

    def _interact(
        self,
        type: int,
        user: User,
        ch: Channel,
        name: str,
        data: dict,
        message: Message | None = None,
        age: float = 0.0,
    ) -> Interaction:
        rec = Interaction(type, user, ch, message, name, age, self.ack_deadline, self.clock_skew)
        g = ch.guild
        p = {
            "id": str(rec.id),
            "application_id": str(self.app_id),
            "type": type,
            "token": rec.token,
            "version": 1,
            "data": data,
            "channel_id": str(ch.id),
            "locale": user.locale,
            "entitlements": [],
            "entitlement_sku_ids": [],
            "attachment_size_limit": self.max_file,
            "app_permissions": str(ch.bot_perms()),
            "context": 0 if g else 1,
            "authorizing_integration_owners": {"0": str(g.id if g else 0)},
        }
        if g:
            pm = g.perms_of(user)
            p |= {
                "guild_id": str(g.id),
                "guild_locale": g.locale,
                "guild": {"id": str(g.id), "locale": g.locale, "features": []},
                "member": g.member(user, pm),
                "channel": ch.json(pm),
            }
        else:
            p |= {"user": user.json(), "channel": ch.json()}
        if message is not None:
            p["message"] = message.data
        rec.payload = p
        if len(self.tokens) >= self.keep_interactions:
            for t in list(self.tokens)[: self.keep_interactions // 10]:
                del self.tokens[t]
        self.tokens[rec.token] = rec
        if g is None or g.bot_in:
            self.gateway.dispatch("INTERACTION_CREATE", p, g and g.id, 0, rec)
        return rec

    def redeliver(self, rec: Interaction) -> None:
        """Deliver the same interaction once more (needs keep_payloads once answered)."""
        self.gateway.dispatch(
            "INTERACTION_CREATE", rec.payload, rec.channel.guild and rec.channel.guild.id, 0, rec
        )

    def command(self, name: str, guild: Guild | None, type: int = 1) -> dict:
        pool = [*(guild.commands.values() if guild else []), *self.commands.values()]
        for c in pool:
            if c["name"] == name and c["type"] == type:
                return c
        raise LookupError(
            f"the bot registered no command {name!r}; it has {[c['name'] for c in pool]}"
        )

    def slash(
        self,
        user: User,
        ch: Channel,
        name: str,
        options: dict | None = None,
        *,
        focused: str | None = None,
    ) -> Interaction:
        """`name` may be 'cmd', 'cmd sub' or 'cmd group sub'.

        Options are checked as a Discord client would.
        """
        root, *subs = name.split()
        if ch.guild:
            ch.guild.join(user)
        cmd = node = self.command(root, ch.guild)
        path = []
        for s in subs:
            node = next(
                (o for o in node["options"] if o["name"] == s and o["type"] in (1, 2)), None
            )
            if node is None:
                raise LookupError(f"no subcommand {s!r} in {name!r}")
            path.append(node)
        resolved: dict[str, dict] = {}
        values = [
            self._option(node, k, v, ch, resolved, k == focused) for k, v in (options or {}).items()
        ]
        missing = [
            o["name"]
            for o in node.get("options", [])
            if o.get("required") and o["name"] not in (options or {})
        ]
        if missing and focused is None:
            raise ValueError(f"/{name} needs {missing}")
        for sub in reversed(path):
            values = [{"type": sub["type"], "name": sub["name"], "options": values}]
        data = {
            "id": cmd["id"],
            "name": root,
            "type": 1,
            "options": values,
            **({"resolved": resolved} if resolved else {}),
        }
        return self._interact(4 if focused else 2, user, ch, name, data)

    def autocomplete(
        self, user: User, ch: Channel, name: str, options: dict, focused: str
    ) -> Interaction:
        return self.slash(user, ch, name, options, focused=focused)

    def context(self, user: User, ch: Channel, name: str, target: User | Message) -> Interaction:
        """User or message context-menu command."""
        kind = 3 if isinstance(target, Message) else 2
        resolved: dict = {"messages": {str(target.id): target.data}} if kind == 3 else {}
        if kind == 2:
            self._resolve(target, ch, resolved)
        return self._interact(
            2,
            user,
            ch,
            name,
            {
                "id": self.command(name, ch.guild, kind)["id"],
                "name": name,
                "type": kind,
                "target_id": str(target.id),
                "resolved": resolved,
            },
        )

    def _resolve(self, v: Any, ch: Channel, resolved: dict) -> str:
        if isinstance(v, User):
            resolved.setdefault("users", {})[str(v.id)] = v.json()
            if ch.guild and v.id in ch.guild.members:
                m = ch.guild.member(v, ch.guild.perms_of(v))
                m.pop("user")
                resolved.setdefault("members", {})[str(v.id)] = m
        elif isinstance(v, Channel):
            resolved.setdefault("channels", {})[str(v.id)] = v.json(ALL_PERMS)
        return str(getattr(v, "id", v))

    def _option(
        self, node: dict, k: str, v: Any, ch: Channel, resolved: dict, focused: bool
    ) -> dict:
        o = next((o for o in node.get("options", []) if o["name"] == k), None)
        if o is None:
            raise LookupError(
                f"no option {k!r}; there are {[o['name'] for o in node.get('options', [])]}"
            )
        t = o["type"]
        if t in OPTION_RESOLVED:
            v = self._resolve(v, ch, resolved)
        elif not focused:
            if o.get("choices") and v not in [c["value"] for c in o["choices"]]:
                raise ValueError(f"{v!r} is no choice of {k!r}")
            size = len(v) if t == 3 else v
            low, high = (
                (o.get("min_length"), o.get("max_length"))
                if t == 3
                else (o.get("min_value"), o.get("max_value"))
            )
            if (low is not None and size < low) or (high is not None and size > high):
                raise ValueError(f"{v!r} is out of range for {k!r}")
        return {"type": t, "name": k, "value": v, **({"focused": True} if focused else {})}

    def _component(
        self,
        user: User,
        m: Message | int,
        stale: bool,
        custom_id: Any,
        label: str | None,
        emoji: str | None,
    ) -> tuple[Message, dict]:
        if not isinstance(m, Message):
            m = next(c.messages[m] for c in self.channels.values() if m in c.messages)
        if not stale:
            if m.deleted or m.ephemeral_for not in (None, user) or m.id in user.hidden:
                raise LookupError(f"{user.name} does not see {m}")
            item = m.find(custom_id, label, emoji)
            if item.disabled:
                raise LookupError(f"{item} is disabled")
            return m, item.raw
        try:
            return m, m.find(custom_id, label, emoji).raw
        except LookupError:
            return m, {"type": 2, "id": 1, "custom_id": custom_id}

    def click(
        self,
        user: User,
        m: Message | int,
        custom_id: Any = None,
        *,
        label: str | None = None,
        emoji: str | None = None,
        stale: bool = False,
        age: float = 0.0,
    ) -> Interaction:
        """Press a button. custom_id: exact string or predicate on Item.

        stale=True skips what the client would prevent (disabled or vanished button, deleted
        message). age: seconds by which the token is already old.
        """
        m, raw = self._component(user, m, stale, custom_id, label, emoji)
        return self._interact(
            3,
            user,
            m.channel,
            raw["custom_id"],
            {"component_type": 2, "custom_id": raw["custom_id"], "id": raw.get("id", 1)},
            m,
            age,
        )

    def select(
        self, user: User, m: Message | int, custom_id: Any, values: list, *, stale: bool = False
    ) -> Interaction:
        m, raw = self._component(user, m, stale, custom_id or (lambda i: i.type != 2), None, None)
        if raw["type"] == 3 and not stale:
            known = [o["value"] for o in raw["options"]]
            if not set(values) <= set(known) or not raw.get("min_values", 1) <= len(
                values
            ) <= raw.get("max_values", 1):
                raise ValueError(f"{values} cannot be chosen from {known}")
        resolved: dict = {}
        vals = [self._resolve(v, m.channel, resolved) for v in values]
        data = {
            "component_type": raw["type"],
            "custom_id": raw["custom_id"],
            "id": raw.get("id", 1),
            "values": vals,
            **({"resolved": resolved} if resolved else {}),
        }
        return self._interact(3, user, m.channel, raw["custom_id"], data, m)

    def modal_submit(self, user: User, rec: Interaction, values: dict[str, Any]) -> Interaction:
        """Send in the modal that the bot opened as its answer to `rec`.

        values: custom_id -> text or list.
        """
        modal = rec.modal
        if not modal:
            raise LookupError(f"{rec} opened no modal")

        def fill(c: dict) -> dict:
            v = values.get(c["custom_id"], c.get("value", "") if c["type"] == 4 else [])
            if c["type"] == 4 and not c.get(
                "min_length", 1 if c.get("required", True) else 0
            ) <= len(v) <= c.get("max_length", 4000):
                raise ValueError(f"{v!r} does not fit {c['custom_id']!r}")
            return {
                "type": c["type"],
                "id": c.get("id", 1),
                "custom_id": c["custom_id"],
                ("values" if isinstance(v, list) else "value"): v,
            }

        out = []
        for i, c in enumerate(modal["components"]):
            if c["type"] == 18:
                out.append({"type": 18, "id": i + 1, "component": fill(c["component"])})
            elif c["type"] == 1:
                out.append(
                    {"type": 1, "id": i + 1, "components": [fill(k) for k in c["components"]]}
                )
            else:
                out.append({"type": c["type"], "id": i + 1})
        return self._interact(
            5,
            user,
            rec.channel,
            modal["custom_id"],
            {"custom_id": modal["custom_id"], "components": out},
            rec.message,
        )
