"""Discord's numbers for kinds and flags."""

from enum import IntEnum, IntFlag

EPOCH_MS = 1_420_070_400_000
"""Milliseconds from 1970 to the instant that snowflakes count from."""
TIMESTAMP_SHIFT = 22
"""Bits of a snowflake below its milliseconds. A guild's shard is read from what is above them."""

NONCE_KNOWN_FOR = 5 * 60
"""Seconds for which an enforced nonce finds its message: Discord's "past few minutes"."""


class MessageFlag(IntFlag):
    SUPPRESS_EMBEDS = 1 << 2
    EPHEMERAL = 1 << 6
    LOADING = 1 << 7
    SILENT = 1 << 12
    V2 = 1 << 15


class MessageType(IntEnum):
    DEFAULT = 0
    REPLY = 19
    COMMAND = 20


class ChannelType(IntEnum):
    TEXT = 0
    DIRECT = 1
    CATEGORY = 4
    NEWS = 5
    NEWS_THREAD = 10
    PUBLIC_THREAD = 11
    PRIVATE_THREAD = 12
    FORUM = 15
    MEDIA = 16


class ComponentType(IntEnum):
    ROW = 1
    BUTTON = 2
    TEXT_SELECT = 3
    TEXT_INPUT = 4
    USER_SELECT = 5
    ROLE_SELECT = 6
    MENTIONABLE_SELECT = 7
    CHANNEL_SELECT = 8
    SECTION = 9
    TEXT = 10
    THUMBNAIL = 11
    GALLERY = 12
    FILE = 13
    SEPARATOR = 14
    CONTAINER = 17
    LABEL = 18


SELECTS = (
    ComponentType.TEXT_SELECT,
    ComponentType.USER_SELECT,
    ComponentType.ROLE_SELECT,
    ComponentType.MENTIONABLE_SELECT,
    ComponentType.CHANNEL_SELECT,
)
CONTROLS = (ComponentType.BUTTON, *SELECTS)
"""Components that a person can use."""


class ButtonStyle(IntEnum):
    PRIMARY = 1
    LINK = 5
    PREMIUM = 6


class CommandType(IntEnum):
    SLASH = 1
    USER = 2
    MESSAGE = 3


class OptionType(IntEnum):
    SUBCOMMAND = 1
    GROUP = 2
    TEXT = 3
    INTEGER = 4
    BOOLEAN = 5
    USER = 6
    CHANNEL = 7
    ROLE = 8
    MENTIONABLE = 9
    NUMBER = 10
    ATTACHMENT = 11


class InteractionType(IntEnum):
    COMMAND = 2
    COMPONENT = 3
    AUTOCOMPLETE = 4
    MODAL = 5


class CallbackType(IntEnum):
    MESSAGE = 4
    DEFERRED_MESSAGE = 5
    DEFERRED_UPDATE = 6
    UPDATE = 7
    CHOICES = 8
    MODAL = 9


class Intent(IntFlag):
    GUILDS = 1 << 0
    MEMBERS = 1 << 1
    GUILD_MESSAGES = 1 << 9
    GUILD_REACTIONS = 1 << 10
    DIRECT_MESSAGES = 1 << 12
    DIRECT_REACTIONS = 1 << 13
    CONTENT = 1 << 15


class Opcode(IntEnum):
    HEARTBEAT = 1
    IDENTIFY = 2
    PRESENCE = 3
    VOICE_STATE = 4
    RESUME = 6
    RECONNECT = 7
    REQUEST_MEMBERS = 8
    INVALID_SESSION = 9
    HELLO = 10
    HEARTBEAT_ACK = 11


class CloseCode(IntEnum):
    NORMAL = 1000
    GOING_AWAY = 1001
    UNKNOWN_ERROR = 4000
    UNKNOWN_OPCODE = 4001
    NOT_AUTHENTICATED = 4003
    AUTHENTICATION_FAILED = 4004
    ALREADY_AUTHENTICATED = 4005
    INVALID_SEQUENCE = 4007
    RATE_LIMITED = 4008
    SESSION_TIMED_OUT = 4009
