"""Chat messages."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from bot.fakediscord.constants import MessageFlag, MessageType
from bot.fakediscord.model.ids import age_of, timestamp
from bot.fakediscord.model.interactions import Interaction
from bot.fakediscord.model.payloads import new_message, user_payload
from bot.fakediscord.model.places import Channel, Message, User
from bot.fakediscord.rest.requests.message_fields import Fields, message_fields
from bot.fakediscord.rest.requests.routing import File
from bot.fakediscord.types import Json
from bot.fakediscord.validation.errors import Form
from bot.fakediscord.world import World

MENTION = re.compile(r"<@!?(\d+)>|<@&(\d+)>|(@everyone|@here)")
NO_FILES: Mapping[str, File] = {}


@dataclass(frozen=True, slots=True)
class Reply:
    """Further fields of a message that is made with an interaction's token."""

    interaction: Interaction
    ephemeral: bool
    type: int = MessageType.REPLY
    extra: Json = field(default_factory=dict)


class Messages:
    """The messages of a world, made and edited as the bot asks."""

    def __init__(self, world: World) -> None:
        self.world = world

    def fields(
        self,
        channel: Channel,
        given: Json,
        files: Mapping[str, File],
        old: Message | None,
        *,
        keeps: bool = True,
    ) -> Fields:
        """Return the checked fields of a new message, or of an `old` one that is edited.

        `keeps`: whether files stay that the request does not speak of.
        """
        return message_fields(self.world, channel, given, files, old, keeps=keeps)

    def create(
        self,
        channel: Channel,
        given: Json,
        files: Mapping[str, File] = NO_FILES,
        reply: Reply | None = None,
        fields: Json | None = None,
    ) -> Message:
        """Make a message of the bot and announce it. `fields`: in place of the checked ones.

        A message that was sent with an enforced nonce is not sent twice within a few minutes.
        """
        nonce = given.get("nonce")
        if nonce and given.get("enforce_nonce") and (same := self._sent(channel, nonce)):
            return same
        payload, stored = Fields(fields, ()) if fields else self.fields(channel, given, files, None)
        message_id = self.world.ids()
        data = payload | new_message(message_id, channel, self.world.bot)
        data["tts"] = bool(given.get("tts"))
        whose: User | None = None
        if reply is not None:
            data |= {"type": reply.type, **reply.extra}
            whose = reply.interaction.user if reply.ephemeral else None
            reply.interaction.made.add(message_id)
        if nonce:
            data["nonce"] = nonce
        if given.get("message_reference"):
            data |= self._reference(channel, given["message_reference"])
        message = Message(message_id, channel, self.world.bot, data, whose, files=stored)
        self._mention(message, given)
        channel.messages[message_id] = message
        if nonce:
            channel.nonces[nonce] = message
        self.world.tell_of_message("MESSAGE_CREATE", message)
        return message

    def edit(
        self,
        message: Message,
        given: Json,
        files: Mapping[str, File] = NO_FILES,
        *,
        keeps: bool = True,
    ) -> Message:
        """Change a message and announce it. `keeps`: whether files stay that are not spoken of."""
        fields = self.fields(message.channel, given, files, message, keeps=keeps)
        edited = message.data["edited_timestamp"] if message.loading else timestamp()
        message.change({**message.data, **fields.payload, "edited_timestamp": edited})
        message.files = fields.files
        self.world.tell_of_message("MESSAGE_UPDATE", message)
        return message

    def _sent(self, channel: Channel, nonce: str) -> Message | None:
        """Return the message of this nonce, as long as Discord remembers it."""
        message, life = channel.nonces.get(nonce), self.world.settings.nonce_life
        return message if message and age_of(message.id) < life else None

    def _reference(self, channel: Channel, reference: Json) -> Json:
        """Return the fields of a message that answers another one."""
        where = self.world.channels.get(int(reference.get("channel_id") or channel.id), channel)
        target = where.messages.get(int(reference["message_id"]))
        if target is None or target.deleted:
            if reference.get("fail_if_not_exists", True):
                form = Form()
                form.add("message_reference", "REPLIES_UNKNOWN_MESSAGE", "Unknown message")
                form.check()
            return {}
        return {
            "type": MessageType.REPLY,
            "message_reference": refer(target.id, channel),
            "referenced_message": target.data,
        }

    def _mention(self, message: Message, given: Json) -> None:
        text = message.text
        named = dict.fromkeys(int(user) for user, _, _ in MENTION.findall(text) if user)
        known = [self.world.users[user] for user in named if user in self.world.users]
        message.data["mentions"] = [user_payload(user) for user in known]
        if not message.flags & MessageFlag.SILENT:
            message.pings = _pings(text, given.get("allowed_mentions"))


def refer(message_id: int, channel: Channel) -> Json:
    """Refer to another message."""
    return {"type": 0, "message_id": str(message_id), "channel_id": str(channel.id)}


def _pings(text: str, allowed: Json | None) -> set[str]:
    """Return the mentions in a text that notify somebody."""
    allowed = {"parse": ["users", "roles", "everyone"]} if allowed is None else allowed
    kinds = allowed.get("parse") or []
    users, roles = ([str(one) for one in allowed.get(key) or []] for key in ("users", "roles"))
    pings = set()
    for user, role, everyone in MENTION.findall(text):
        if user and ("users" in kinds or user in users):
            pings.add(f"user:{user}")
        if role and ("roles" in kinds or role in roles):
            pings.add(f"role:{role}")
        if everyone and "everyone" in kinds:
            pings.add(everyone)
    return pings
