"""World state (users, guilds, channels, messages, interactions) and Discord-shaped payloads."""

from __future__ import annotations

import asyncio
import itertools
import time
from collections import deque
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator

EPOCH_MS = 1420070400000
SUPPRESS_EMBEDS, EPHEMERAL, LOADING, SILENT, V2 = 1 << 2, 1 << 6, 1 << 7, 1 << 12, 1 << 15
PERMS = {
    "administrator": 1 << 3,
    "manage_channels": 1 << 4,
    "manage_guild": 1 << 5,
    "add_reactions": 1 << 6,
    "view_channel": 1 << 10,
    "send_messages": 1 << 11,
    "manage_messages": 1 << 13,
    "embed_links": 1 << 14,
    "attach_files": 1 << 15,
    "read_message_history": 1 << 16,
    "mention_everyone": 1 << 17,
    "use_external_emojis": 1 << 18,
    "use_application_commands": 1 << 31,
    "manage_threads": 1 << 34,
    "create_public_threads": 1 << 35,
    "create_private_threads": 1 << 36,
    "send_messages_in_threads": 1 << 38,
    "pin_messages": 1 << 51,
}
ALL_PERMS = (1 << 52) - 1


def perms(*names: str) -> int:
    return sum(PERMS[n] for n in names)


EVERYONE = perms(
    "add_reactions",
    "view_channel",
    "send_messages",
    "embed_links",
    "attach_files",
    "read_message_history",
    "use_external_emojis",
    "use_application_commands",
    "create_public_threads",
    "send_messages_in_threads",
)


class Snowflakes:
    """Source of ids."""

    def __init__(self) -> None:
        self._last = 0
        self._shifted = itertools.count()

    def __call__(self, age: float = 0.0, step: int = 1) -> int:
        """Unique, increasing id stamped with the wall clock (`age` seconds ago)."""
        stamp = (int((time.time() - age) * 1000) - EPOCH_MS) << 22
        if age:
            return stamp | 1 << 21 | next(self._shifted) & 0xFFFFF
        self._last = max(stamp, self._last + step)
        return self._last


snowflake = Snowflakes()


def iso(ts: float | None = None) -> str:
    return datetime.fromtimestamp(time.time() if ts is None else ts, UTC).isoformat()


class User:
    def __init__(
        self, name: str, locale: str = "en-US", bot: bool = False, id: int | None = None
    ) -> None:
        self.id, self.name, self.locale, self.bot = id or snowflake(), name, locale, bot
        self.dm_closed = False
        self.dm: Channel | None = None
        self.hidden: set[int] = set()  # ephemeral messages dismissed or lost by a client restart

    def __repr__(self) -> str:
        return f"<User {self.name}>"

    def json(self) -> dict:
        return {
            "id": str(self.id),
            "username": self.name,
            "global_name": self.name.title(),
            "discriminator": "0",
            "avatar": None,
            "bot": self.bot,
            "public_flags": 0,
            "avatar_decoration_data": None,
            "primary_guild": None,
            "clan": None,
        }


class Guild:
    def __init__(
        self,
        name: str,
        owner: User,
        locale: str = "en-US",
        bot_perms: int = EVERYONE,
        id: int | None = None,
    ) -> None:
        self.id = id or snowflake(step=1 << 22)
        self.name, self.owner, self.locale = name, owner, locale
        self.bot_perms, self.bot_role = bot_perms, snowflake()
        self.channels: dict[int, Channel] = {}
        self.members: dict[int, dict] = {}
        self.users: dict[int, User] = {}
        self.member_perms: dict[int, int] = {}
        self.emojis: dict[int, dict] = {}
        self.commands: dict[str, dict] = {}
        self.bot_in = True
        self.unavailable = False

    def __repr__(self) -> str:
        return f"<Guild {self.name}>"

    def join(self, user: User, nick: str | None = None) -> dict:
        if user.id not in self.members:
            roles = [str(self.bot_role)] if user.bot else []
            self.users[user.id] = user
            self.members[user.id] = {
                "nick": nick,
                "avatar": None,
                "banner": None,
                "roles": roles,
                "flags": 0,
                "mute": False,
                "joined_at": iso(),
                "premium_since": None,
                "deaf": False,
                "pending": False,
                "communication_disabled_until": None,
            }
        return self.members[user.id]

    def member(self, user: User, permissions: int | None = None) -> dict:
        data = {**self.join(user), "user": user.json()}
        if permissions is not None:
            data["permissions"] = str(permissions)
        return data

    def perms_of(self, user: User) -> int:
        return ALL_PERMS if user is self.owner else self.member_perms.get(user.id, EVERYONE)

    def role_json(self, id: int, name: str, permissions: int, position: int, managed: bool) -> dict:
        return {
            "id": str(id),
            "name": name,
            "color": 0,
            "colors": {"primary_color": 0, "secondary_color": None, "tertiary_color": None},
            "hoist": False,
            "position": position,
            "permissions": str(permissions),
            "managed": managed,
            "mentionable": False,
            "flags": 0,
            "icon": None,
            "unicode_emoji": None,
        }

    def roles(self) -> list[dict]:
        return [
            self.role_json(self.id, "@everyone", EVERYONE, 0, False),
            self.role_json(self.bot_role, "bot", self.bot_perms, 1, True),
        ]

    def json(self, full: bool = True, max_members: int = 50) -> dict:
        data = {
            "id": str(self.id),
            "name": self.name,
            "icon": None,
            "owner_id": str(self.owner.id),
            "features": [],
            "preferred_locale": self.locale,
            "verification_level": 0,
            "default_message_notifications": 1,
            "explicit_content_filter": 0,
            "mfa_level": 0,
            "nsfw_level": 0,
            "premium_tier": 0,
            "afk_timeout": 300,
            "system_channel_flags": 0,
            "max_members": 500000,
            "roles": self.roles(),
            "stickers": [],
            "emojis": list(self.emojis.values()),
            "premium_progress_bar_enabled": False,
            "premium_subscription_count": 0,
            **dict.fromkeys(
                (
                    "afk_channel_id",
                    "application_id",
                    "banner",
                    "description",
                    "discovery_splash",
                    "splash",
                    "hub_type",
                    "vanity_url_code",
                    "public_updates_channel_id",
                    "rules_channel_id",
                    "safety_alerts_channel_id",
                    "system_channel_id",
                    "max_presences",
                )
            ),
            "max_video_channel_users": 25,
            "max_stage_video_channel_users": 50,
            "region": "deprecated",
            "widget_enabled": False,
        }
        if full:
            chans = [c for c in self.channels.values() if not c.deleted]
            users = sorted(self.users.values(), key=lambda u: not u.bot)[:max_members]
            data |= {
                "joined_at": iso(),
                "large": False,
                "unavailable": False,
                "member_count": len(self.members),
                "channels": [c.json() for c in chans if not c.thread],
                "voice_states": [],
                "presences": [],
                "threads": [c.json() for c in chans if c.thread],
                "members": [self.member(u) for u in users],
                "stage_instances": [],
                "guild_scheduled_events": [],
                "soundboard_sounds": [],
            }
        return data


class Channel:
    def __init__(
        self,
        name: str,
        guild: Guild | None = None,
        type: int = 0,
        parent: Channel | None = None,
        id: int | None = None,
        user: User | None = None,
    ) -> None:
        self.id, self.name, self.guild, self.type, self.parent, self.user = (
            id or snowflake(),
            name,
            guild,
            type,
            parent,
            user,
        )
        self.messages: dict[int, Message] = {}
        self.deny = 0
        self.deleted = self.archived = self.locked = False
        self.pins: list[int] = []
        self.nonces: dict[str, Message] = {}
        if guild:
            guild.channels[self.id] = self

    def __repr__(self) -> str:
        return f"<Channel {self.name}>"

    @property
    def thread(self) -> bool:
        return self.type in (10, 11, 12)

    def bot_perms(self) -> int:
        if not self.guild:
            return ALL_PERMS
        base = self.parent if self.thread and self.parent else self
        return (
            self.guild.bot_perms if self.guild.bot_perms & 8 else self.guild.bot_perms & ~base.deny
        )

    def json(self, permissions: int | None = None) -> dict:
        data: dict[str, Any] = {
            "id": str(self.id),
            "type": self.type,
            "flags": 0,
            "last_message_id": str(next(reversed(self.messages))) if self.messages else None,
        }
        if self.user:
            return data | {"recipients": [self.user.json()]}
        data |= {
            "guild_id": str(self.guild.id),
            "name": self.name,
            "parent_id": self.parent and str(self.parent.id),
            "rate_limit_per_user": 0,
        }
        if permissions is not None:
            data["permissions"] = str(permissions)
        if self.thread:
            return data | {
                "owner_id": str(self.id),
                "message_count": len(self.messages),
                "member_count": 1,
                "total_message_sent": len(self.messages),
                "thread_metadata": {
                    "archived": self.archived,
                    "auto_archive_duration": 1440,
                    "locked": self.locked,
                    "archive_timestamp": iso(),
                    "create_timestamp": iso(),
                },
            }
        over = (
            [{"id": str(self.guild.bot_role), "type": 0, "allow": "0", "deny": str(self.deny)}]
            if self.deny
            else []
        )
        return data | {"position": 0, "nsfw": False, "topic": None, "permission_overwrites": over}


class Item:
    """One flattened component of a message or modal, as a user sees it."""

    __slots__ = ("path", "raw")

    def __init__(self, raw: dict, path: str) -> None:
        self.raw, self.path = raw, path

    type = property(lambda s: s.raw["type"])
    custom_id = property(lambda s: s.raw.get("custom_id"))
    label = property(lambda s: s.raw.get("label"))
    style = property(lambda s: s.raw.get("style"))
    disabled = property(lambda s: bool(s.raw.get("disabled")))
    options = property(lambda s: s.raw.get("options") or [])
    content = property(lambda s: s.raw.get("content"))
    url = property(lambda s: s.raw.get("url"))

    @property
    def emoji(self) -> str | None:
        e = self.raw.get("emoji")
        return e and (f"<:{e.get('name')}:{e['id']}>" if e.get("id") else e.get("name"))

    def __repr__(self) -> str:
        face = f"{self.emoji or ''}{self.label or ''}{' off' if self.disabled else ''}"
        return f"<Item {self.type} {self.custom_id or self.content!r} {face}>"


def flatten(components: list[dict], path: str = "") -> Iterator[Item]:
    for i, c in enumerate(components):
        here = f"{path}{i}"
        yield Item(c, here)
        yield from flatten(c.get("components") or [], here + ".")
        for key in ("accessory", "component"):
            if c.get(key):
                yield from flatten([c[key]], f"{here}.{key}.")


class Message:
    __slots__ = (
        "_items",
        "author",
        "channel",
        "data",
        "deleted",
        "ephemeral_for",
        "history",
        "id",
        "pings",
        "t_created",
        "t_edited",
        "token",
        "version",
    )

    def __init__(
        self,
        id: int,
        channel: Channel,
        author: User,
        data: dict,
        ephemeral_for: User | None,
        token: str | None,
    ) -> None:
        self.id, self.channel, self.author, self.data = id, channel, author, data
        self.ephemeral_for, self.token, self.deleted, self.version = ephemeral_for, token, False, 0
        self.history: deque[dict] = deque(maxlen=20)
        self.pings: set[str] = set()
        self.t_created = self.t_edited = time.perf_counter()
        self._items: list[Item] | None = None

    def set(self, data: dict) -> None:
        self.history.append(self.data)
        self.data, self._items = data, None
        self.version += 1
        self.t_edited = time.perf_counter()

    flags = property(lambda s: s.data["flags"])
    content = property(lambda s: s.data["content"])
    embeds = property(lambda s: s.data["embeds"])
    ephemeral = property(lambda s: s.ephemeral_for is not None)
    loading = property(lambda s: bool(s.data["flags"] & LOADING))

    @property
    def items(self) -> list[Item]:
        if self._items is None:
            self._items = list(flatten(self.data["components"]))
        return self._items

    @property
    def controls(self) -> list[Item]:
        return [i for i in self.items if i.type in (2, 3, 5, 6, 7, 8)]

    @property
    def text(self) -> str:
        """All text a user reads: content, embeds and text displays."""
        out = [self.content] if self.content else []
        for e in self.embeds:
            out += [e.get("author", {}).get("name"), e.get("title"), e.get("description")]
            for f in e.get("fields", []):
                out += [f["name"], f["value"]]
            out.append(e.get("footer", {}).get("text"))
        out += [i.content for i in self.items if i.type == 10]
        return "\n".join(t for t in out if t)

    def find(
        self, custom_id: Any = None, label: str | None = None, emoji: str | None = None
    ) -> Item:
        """Control by custom_id (exact string or predicate on Item), label substring or emoji.

        LookupError if there is none.
        """
        for i in self.controls:
            if callable(custom_id):
                if custom_id(i):
                    return i
            elif (
                (custom_id is not None and i.custom_id == custom_id)
                or (label is not None and label in (i.label or ""))
                or (emoji is not None and emoji == i.emoji)
            ):
                return i
        raise LookupError(
            f"no control {custom_id or label or emoji!r} in message {self.id}: {self.controls}"
        )

    def event(self) -> dict:
        """Payload as the gateway dispatches it (ephemerals without guild_id and member)."""
        g = self.channel.guild
        if not g or self.ephemeral:
            return self.data
        member = dict(g.join(self.author))
        return {**self.data, "guild_id": str(g.id), "member": member}

    def __repr__(self) -> str:
        whose = f" eph {self.ephemeral_for.name}" if self.ephemeral else ""
        return f"<Message {self.id}{whose} v{self.version} {self.text[:60]!r} {self.controls}>"

    def summary(self) -> dict:
        return {
            "id": str(self.id),
            "ephemeral": self.ephemeral,
            "version": self.version,
            "text": self.text,
            "loading": self.loading,
            "controls": [
                {
                    "type": i.type,
                    "custom_id": i.custom_id,
                    "label": i.label,
                    "emoji": i.emoji,
                    "disabled": i.disabled,
                    "style": i.style,
                    "options": i.options,
                    "url": i.url,
                }
                for i in self.controls
            ],
        }


class Interaction:
    """Record of one interaction. Awaiting it waits for the bot's first answer or the deadline."""

    __slots__ = (
        "_fut",
        "attempts",
        "born",
        "cb_type",
        "channel",
        "choices",
        "created",
        "dead",
        "deadline",
        "deferred",
        "error",
        "id",
        "late",
        "made",
        "message",
        "modal",
        "name",
        "original",
        "payload",
        "status",
        "t_callback",
        "t_done",
        "t_sent",
        "token",
        "type",
        "user",
    )

    def __init__(
        self,
        type: int,
        user: User,
        channel: Channel,
        message: Message | None,
        name: str,
        age: float,
        deadline: float,
        clock_skew: float = 0.0,
    ) -> None:
        self.id = snowflake(age - clock_skew)
        self.type, self.user, self.channel = type, user, channel
        self.message, self.name = message, name
        self.token = f"aW50ZXJhY3Rpb246{self.id}{'x' * 160}"
        self.created = time.perf_counter()
        self.born = self.created - age  # token life counts from here
        self.deadline = deadline
        self.payload: dict | None = None
        self.t_sent = self.t_callback = self.t_done = self.status = self.error = self.cb_type = None
        self.attempts: list[tuple[float, int, int]] = []  # (time, callback type, http status)
        self.original: Message | None = None
        self.deferred: int | None = None
        self.modal: dict | None = None
        self.choices: list | None = None
        self.made: set[int] = set()
        self.dead = self.late = False
        self._fut: asyncio.Future = asyncio.get_running_loop().create_future()

    @property
    def latency(self) -> float | None:
        """Seconds from the frame written to the websocket to the arrival of the callback POST."""
        return (
            None
            if self.t_callback is None or self.t_sent is None
            else self.t_callback - self.t_sent
        )

    ok = property(lambda s: s.cb_type is not None)

    def __await__(self) -> Generator[Any, None, Any]:
        return self.wait().__await__()

    async def wait(self) -> Interaction:
        left = self.created + self.deadline + 0.2 - time.perf_counter()
        if not self._fut.done():
            await asyncio.wait([self._fut], timeout=max(left, 0))
        return self

    def resolve(self) -> None:
        if not self._fut.done():
            self._fut.set_result(None)

    def __repr__(self) -> str:
        lat = f"{self.latency * 1e3:.1f}ms" if self.latency is not None else "no answer"
        state = f"cb={self.cb_type} status={self.status} {lat} {self.error or ''}"
        return f"<Interaction {self.name} by {self.user.name} {state}>"
