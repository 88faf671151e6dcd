"""A press read from the gateway's JSON; discord.py builds the rest if something asks for it.

discord.py builds a message, a member and a channel for each press. Nearly every press on a table
needs two ids, a name and a language, so that cost more than deciding the press (docs/speed.md).
`KNOWN` compares with discord.py at the start. If they differ, all presses are discord.py's.
"""

import logging
from collections.abc import Callable, MutableMapping
from functools import lru_cache
from types import SimpleNamespace
from typing import Any, TypeAlias, cast

import discord

from bot.ui.connection import fast_path
from bot.ui.connection import press_payloads as payloads
from bot.ui.connection.fast_path import Payload
from bot.ui.connection.press_payloads import PRIVATE

log = logging.getLogger(__name__)

State: TypeAlias = Any
"""discord.py's connection state, which its objects are built from."""
COMPONENT = discord.InteractionType.component
LOCALES = {one.value: one for one in discord.Locale}
_CACHED = "_cs_"
"""The beginning of the names that discord.py sets by itself when they are first used."""
_SET = frozenset(one for one in discord.Interaction.__slots__ if not one.startswith(_CACHED))


class LazyInteraction(discord.Interaction[Any]):
    """A press on a component. What isn't set here, discord.py sets when it is first used.

    The interaction stays the same object then, so its response and its arrival do too. `data`: a
    trimmed press.
    """

    __slots__ = ("_channel", "_is_whole", "_payload")

    def __init__(self, *, data: Payload, state: State) -> None:
        self._payload, self._is_whole = data, False
        self._state = state
        self._client = state._get_client()  # noqa: SLF001 checked by KNOWN, as all that follow
        self._session = state.http._HTTPClient__session  # noqa: SLF001
        self.extras = {}
        self.id = int(data["id"])
        self.type = COMPONENT
        self.token = data["token"]
        self.data = cast("Any", data["data"])
        guild = data.get("guild_id")
        self.guild_id = int(guild) if guild else None
        self._channel = int(data["channel"]["id"])
        if (locale := LOCALES.get(data.get("locale", "en-US"))) is not None:
            self.locale = locale
        self.user = cast("discord.Member", Sender(data, state))
        self.message = cast("discord.Message", PressedMessage(data, state))
        self._cs_response = discord.InteractionResponse(cast("discord.Interaction[Any]", self))

    @property
    def channel_id(self) -> int | None:
        """The id of the channel in which the button was pressed."""
        return self._channel

    @property
    def is_private(self) -> bool:
        """True unless the pressed message is public."""
        return self.guild_id is None or bool(self._payload["message"].get("flags", 0) & PRIVATE)

    @property
    def is_on_its_message(self) -> bool:
        """True unless the pressed message is public and doesn't have the pressed component."""
        return bool(self._payload["message"].get("components") != [])

    def __getattr__(self, name: str) -> object:
        """Have discord.py set everything, and return what wasn't set here."""
        if name not in _SET or self._is_whole:
            raise AttributeError(name, name=name, obj=self)
        extras, self._is_whole = self.extras, True
        try:
            super().__init__(data=cast("Any", self._payload), state=self._state)
        except Exception:
            self._is_whole = False
            raise
        finally:
            self.extras = extras
        return cast("object", getattr(self, name))


class _Part:
    """A part of a press, with those fields that are read. discord.py is asked for any other.

    `isinstance` takes it for discord.py's own, as type checkers do.
    """

    __slots__ = ("_field", "_kind", "_payload", "_state", "id")

    def __init__(
        self, field: str, kind: type[object], number: str, payload: Payload, state: State
    ) -> None:
        self._field, self._kind, self.id = field, kind, int(number)
        self._payload, self._state = payload, state

    @property  # type: ignore[misc]
    def __class__(self) -> Any:  # noqa: ANN401 said above
        return self._kind

    def _whole(self) -> object:
        """Return discord.py's own: this field of the interaction."""
        whole = discord.Interaction[Any](data=cast("Any", self._payload), state=self._state)
        return cast("object", getattr(whole, self._field))

    def __getattr__(self, name: str) -> object:
        if name in _Part.__slots__:
            raise AttributeError(name, name=name, obj=self)
        return cast("object", getattr(self._whole(), name))

    def __eq__(self, other: object) -> bool:
        return self._whole() == other

    def __hash__(self) -> int:
        return hash(self._whole())

    def __str__(self) -> str:
        return str(self._whole())


class Sender(_Part):
    """The member or user who pressed: their id and name."""

    __slots__ = ("display_name",)

    def __init__(self, payload: Payload, state: State) -> None:
        user = payload["member"]["user"] if "member" in payload else payload["user"]
        kind = discord.Member if "member" in payload else discord.User
        super().__init__("user", kind, user["id"], payload, state)
        self.display_name = payloads.display_name(payload)


class PressedMessage(_Part):
    """The message with the pressed button: its id, its flags, and that it is nobody else's."""

    __slots__ = ("flags", "interaction_metadata")

    def __init__(self, payload: Payload, state: State) -> None:
        message = payload["message"]
        super().__init__("message", discord.Message, message["id"], payload, state)
        self.flags = _flags(message.get("flags", 0))
        if "interaction_metadata" not in message:
            self.interaction_metadata = None


@lru_cache(64)
def _flags(value: int) -> discord.MessageFlags:
    flags = discord.MessageFlags()
    flags.value = value
    return flags


def read_presses(client: discord.Client) -> None:
    """Read each press on a table from the gateway's JSON, from now on.

    Other presses, and unusual ones, are left to discord.py. Those outside tables have their whole
    message then.
    """
    state: State = client._connection  # noqa: SLF001 discord.py has no hook
    parsers: MutableMapping[str, Callable[[Payload], None]] | None
    parsers = getattr(state, "parsers", None)
    ordinary = parsers.get("INTERACTION_CREATE") if parsers is not None else None
    if not fast_path.KNOWN or parsers is None or ordinary is None:
        log.info("Unsupported discord.py version: fast path disabled")
        return
    if not KNOWN:
        log.info("Unsupported discord.py version: it reads each press")

    def read(press: Payload) -> None:
        if press.get("message") is None or payloads.is_beside(press):
            ordinary(press)
            return
        trimmed = payloads.trimmed(press)
        if KNOWN and payloads.is_complete(press):
            client.dispatch("interaction", LazyInteraction(data=trimmed, state=state))
        else:
            ordinary(trimmed)

    parsers["INTERACTION_CREATE"] = read


def is_known() -> bool:
    """Return whether this discord.py reads a press in a server, and a direct one, as we do."""
    try:
        return all(map(_is_read_alike, (_SAMPLE | _DIRECT, _SAMPLE | _IN_SERVER)))
    except (AttributeError, LookupError, TypeError, ValueError):
        return False


def _is_read_alike(press: Payload) -> bool:
    state, trimmed = _sample_state(), payloads.trimmed(press)
    whole = discord.Interaction(data=cast("Any", trimmed), state=state)
    lazy = LazyInteraction(data=trimmed, state=state)
    return payloads.is_complete(press) and _said(lazy) == _said(whole)


def _said(press: discord.Interaction[Any]) -> list[object]:
    """Return what is read of a press on a table, and at last what discord.py sets."""
    message = press.message
    assert message is not None
    ids = [press.id, press.token, press.guild_id, press.channel_id, press.user.id, message.id]
    read = [press.type, str(press.locale), press.user.display_name, message.flags.value]
    answers = [press.client, press._session, press.response.is_done()]  # noqa: SLF001 said above
    return [*ids, *read, *answers, message.interaction_metadata, press.app_permissions.value]


def _sample_state() -> State:
    guild = SimpleNamespace(
        me=True, id=7, _resolve_channel=lambda number: SimpleNamespace(id=number, guild=None)
    )
    client = SimpleNamespace(user=None)
    state = SimpleNamespace(
        _get_client=lambda: client,
        http=SimpleNamespace(_HTTPClient__session=object()),
        _get_or_create_unavailable_guild=lambda *_, **__: guild,
    )
    state.store_user = lambda data: discord.User(state=cast("Any", state), data=data)
    return state


_USER = {"id": "5", "username": "ann", "global_name": "Ann", "discriminator": "0", "avatar": None}
_SAMPLE: Payload = {
    "id": "175928847299117063",
    "application_id": "2",
    "type": COMPONENT.value,
    "token": "token",
    "version": 1,
    "attachment_size_limit": 0,
    "app_permissions": "8",
    "locale": "de",
    "data": {"custom_id": "flip", "component_type": 2},
    "message": {"id": "3", "type": 0, "flags": 1 << 6},
}
_DIRECT: Payload = {"user": _USER, "channel": {"id": "4", "type": 1}}
_IN_SERVER: Payload = {
    "guild_id": "7",
    "channel": {"id": "6", "type": 0},
    "member": {"user": _USER, "nick": "Annie", "roles": [], "flags": 0, "permissions": "0"},
}
KNOWN = is_known()
