"""The state of users, guilds, channels and messages.

Only `World` and the REST handlers change it: a change and its announcement stand together.
"""

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from bot.fakediscord.constants import CONTROLS, ChannelType, ComponentType, MessageFlag
from bot.fakediscord.model.ids import timestamp
from bot.fakediscord.model.items import Item, walk
from bot.fakediscord.model.permissions import ADMINISTRATOR, EVERYONE, EVERYTHING
from bot.fakediscord.types import Json

VERSIONS = 20
"""Earlier payloads that a message remembers."""
THREADS = (ChannelType.NEWS_THREAD, ChannelType.PUBLIC_THREAD, ChannelType.PRIVATE_THREAD)


@dataclass(eq=False, slots=True)
class User:
    """A person or a bot. `hidden`: private messages dismissed, or lost by a client's restart."""

    name: str
    locale: str = "en-US"
    bot: bool = False
    id: int = field(kw_only=True)
    dm_closed: bool = False
    dm: "Channel | None" = None
    hidden: set[int] = field(default_factory=set)

    def __repr__(self) -> str:
        return f"<User {self.name}>"


@dataclass(eq=False, slots=True)
class Guild:
    """A server of Discord. `bot_in`: whether the bot is a member."""

    id: int
    name: str
    owner: User
    bot_role: int
    locale: str = "en-US"
    bot_perms: int = EVERYONE
    channels: "dict[int, Channel]" = field(default_factory=dict)
    members: dict[int, Json] = field(default_factory=dict)
    users: dict[int, User] = field(default_factory=dict)
    member_perms: dict[int, int] = field(default_factory=dict)
    emojis: dict[int, Json] = field(default_factory=dict)
    commands: dict[str, Json] = field(default_factory=dict)
    bot_in: bool = True
    unavailable: bool = False

    def __repr__(self) -> str:
        return f"<Guild {self.name}>"

    def join(self, user: User) -> Json:
        """Make a user a member, unless they are one. Return the membership."""
        if user.id not in self.members:
            self.users[user.id] = user
            self.members[user.id] = {
                "nick": None,
                "avatar": None,
                "banner": None,
                "roles": [str(self.bot_role)] if user.bot else [],
                "flags": 0,
                "mute": False,
                "joined_at": timestamp(),
                "premium_since": None,
                "deaf": False,
                "pending": False,
                "communication_disabled_until": None,
            }
        return self.members[user.id]

    def perms_of(self, user: User) -> int:
        return EVERYTHING if user is self.owner else self.member_perms.get(user.id, EVERYONE)


@dataclass(eq=False, slots=True)
class Channel:
    """A guild's channel, a thread in one, or the direct messages with `user`.

    `owner`: who began a thread, where that is known. `deny`: permissions that an overwrite takes
    from the bot. `nonces`: messages by the nonce they were sent with.
    """

    id: int
    name: str
    guild: Guild | None = None
    type: int = ChannelType.TEXT
    parent: "Channel | None" = None
    user: User | None = None
    messages: "dict[int, Message]" = field(default_factory=dict)
    nonces: "dict[str, Message]" = field(default_factory=dict)
    pins: list[int] = field(default_factory=list)
    deny: int = 0
    deleted: bool = False
    archived: bool = False
    locked: bool = False
    owner: User | None = None

    def __repr__(self) -> str:
        return f"<Channel {self.name}>"

    @property
    def guild_id(self) -> int | None:
        return self.guild.id if self.guild else None

    @property
    def thread(self) -> bool:
        return self.type in THREADS

    def bot_perms(self) -> int:
        """Return the bot's permissions here. A thread has those of its channel."""
        if self.guild is None:
            return EVERYTHING
        if self.guild.bot_perms & ADMINISTRATOR:
            return self.guild.bot_perms
        base = self.parent if self.thread and self.parent else self
        return self.guild.bot_perms & ~base.deny


@dataclass(eq=False, slots=True)
class Message:
    """One message. `data` is its payload; `pings` whom it notified, as `user:ID` or `@everyone`.

    `ephemeral_for`: the only person who sees it. `files`: all attachments, those that components
    show included, which Discord does not list in its payload.
    """

    id: int
    channel: Channel
    author: User
    data: Json
    ephemeral_for: User | None = None
    deleted: bool = False
    version: int = 0
    history: deque[Json] = field(default_factory=lambda: deque(maxlen=VERSIONS))
    pings: set[str] = field(default_factory=set)
    files: Sequence[Json] = ()
    _items: list[Item] | None = None
    _text: str | None = None

    def __post_init__(self) -> None:
        self.files = self.files or self.data.get("attachments") or ()

    def change(self, data: Json) -> None:
        """Take a new payload. The old one becomes part of `history`."""
        self.history.append(self.data)
        self.data, self._items, self._text = data, None, None
        self.version += 1

    @property
    def flags(self) -> int:
        return int(self.data["flags"])

    @property
    def content(self) -> str:
        return str(self.data["content"])

    @property
    def embeds(self) -> Sequence[Json]:
        return list(self.data["embeds"])

    @property
    def ephemeral(self) -> bool:
        return self.ephemeral_for is not None

    @property
    def loading(self) -> bool:
        return bool(self.flags & MessageFlag.LOADING)

    @property
    def items(self) -> Sequence[Item]:
        """Every component, each before those inside it."""
        if self._items is None:
            self._items = [Item(raw) for raw in walk(self.data["components"])]
        return self._items

    @property
    def controls(self) -> Sequence[Item]:
        """The components that a person can use."""
        return [item for item in self.items if item.type in CONTROLS]

    @property
    def text(self) -> str:
        """All text that a person reads: content, embeds and text displays."""
        if self._text is None:
            self._text = self._read()
        return self._text

    def _read(self) -> str:
        texts: list[str | None] = [self.content]
        for embed in self.embeds:
            texts += [embed.get("author", {}).get("name"), embed.get("title")]
            texts.append(embed.get("description"))
            for one in embed.get("fields", []):
                texts += [one["name"], one["value"]]
            texts.append(embed.get("footer", {}).get("text"))
        texts += [item.content for item in self.items if item.type == ComponentType.TEXT]
        return "\n".join(filter(None, texts))

    def find(
        self,
        custom_id: str | Callable[[Item], bool] | None = None,
        label: str | None = None,
        emoji: str | None = None,
    ) -> Item:
        """Return the control with this custom id, label (a part will do) or emoji.

        `custom_id` may be a condition. LookupError if there is no such control.
        """
        for item in self.controls:
            if callable(custom_id):
                if custom_id(item):
                    return item
            elif (
                (custom_id is not None and item.custom_id == custom_id)
                or (label is not None and label in (item.label or ""))
                or (emoji is not None and emoji == item.emoji)
            ):
                return item
        wanted = custom_id or label or emoji
        raise LookupError(f"no control {wanted!r} in message {self.id}: {self.controls}")

    def __repr__(self) -> str:
        whose = f" for {self.ephemeral_for.name}" if self.ephemeral_for else ""
        return f"<Message {self.id}{whose} v{self.version} {self.text[:60]!r} {self.controls}>"
