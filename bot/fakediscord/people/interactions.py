"""Interactions on their way from people to the bot."""

from dataclasses import dataclass

from bot.fakediscord.model.interactions import Interaction
from bot.fakediscord.model.payloads import channel_payload, member_payload, user_payload
from bot.fakediscord.model.permissions import EVERYTHING
from bot.fakediscord.model.places import Channel, Message, User
from bot.fakediscord.types import Json
from bot.fakediscord.world import World


@dataclass(frozen=True, slots=True)
class NewInteraction:
    """An interaction that is to be sent. `trigger`: the one whose modal this one sends in."""

    type: int
    user: User
    channel: Channel
    name: str
    data: Json
    message: Message | None = None
    trigger: Interaction | None = None


class InteractionSender:
    """The sender of interactions from a world's people to the bot."""

    def __init__(self, world: World) -> None:
        self._world = world

    def send(self, new: NewInteraction) -> Interaction:
        """Deliver an interaction as it is, whatever a client would say to it."""
        world, channel = self._world, new.channel
        interaction = Interaction(
            world.ids(age=-world.settings.clock_skew),
            new.type,
            new.name,
            new.user,
            channel,
            new.message,
            world.settings.ack_deadline,
        )
        interaction.trigger = new.trigger
        interaction.payload = self._payload(interaction, new)
        world.remember(interaction)
        world.deliver(interaction)
        return interaction

    def redeliver(self, interaction: Interaction) -> None:
        """Deliver the same interaction once more. Once answered, this needs `keep_payloads`."""
        self._world.deliver(interaction)

    def _payload(self, interaction: Interaction, new: NewInteraction) -> Json:
        guild = interaction.channel.guild
        payload: Json = {
            "id": str(interaction.id),
            "application_id": str(self._world.app_id),
            "type": interaction.type,
            "token": interaction.token,
            "version": 1,
            "data": new.data,
            "channel_id": str(interaction.channel.id),
            "locale": interaction.user.locale,
            "entitlements": [],
            "entitlement_sku_ids": [],
            "attachment_size_limit": self._world.settings.max_file,
            "app_permissions": str(interaction.channel.bot_perms()),
            "context": 0 if guild else 1,
            "authorizing_integration_owners": {"0": str(guild.id if guild else 0)},
            **_place(interaction.user, interaction.channel),
        }
        if new.message is not None:
            payload["message"] = new.message.data
        return payload


def _place(user: User, channel: Channel) -> Json:
    """Return the fields that say who interacts, and where."""
    guild = channel.guild
    if guild is None:
        return {"user": user_payload(user), "channel": channel_payload(channel)}
    permissions = guild.perms_of(user)
    return {
        "guild_id": str(guild.id),
        "guild_locale": guild.locale,
        "guild": {"id": str(guild.id), "locale": guild.locale, "features": []},
        "member": member_payload(guild, user, permissions),
        "channel": channel_payload(channel, permissions),
    }


class Resolved:
    """The objects that values of an interaction refer to, as `payload`."""

    def __init__(self, channel: Channel) -> None:
        self.payload: dict[str, Json] = {}
        self._guild = channel.guild

    def add(self, value: object) -> str:
        """Take a user, a channel or an id. Return its id."""
        if isinstance(value, User):
            self._add_user(value)
        elif isinstance(value, Channel):
            self._put("channels", value.id, channel_payload(value, EVERYTHING))
        if isinstance(value, User | Channel):
            return str(value.id)
        return str(value)

    def _add_user(self, user: User) -> None:
        self._put("users", user.id, user_payload(user))
        if self._guild is not None and user.id in self._guild.members:
            member = member_payload(self._guild, user, self._guild.perms_of(user))
            del member["user"]
            self._put("members", user.id, member)

    def _put(self, kind: str, number: int, payload: Json) -> None:
        self.payload.setdefault(kind, {})[str(number)] = payload

    @property
    def key(self) -> Json:
        """The payload under its key, or nothing."""
        return {"resolved": self.payload} if self.payload else {}
