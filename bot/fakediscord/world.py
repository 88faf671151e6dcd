"""One Discord: its state, its changes, and the events that tell of them."""

from collections.abc import Callable, Mapping

from bot.fakediscord.changes import Changes
from bot.fakediscord.constants import ChannelType, Intent
from bot.fakediscord.deadlines import Deadlines
from bot.fakediscord.model.events import Event
from bot.fakediscord.model.ids import GUILD_STEP, Snowflakes
from bot.fakediscord.model.interactions import Interaction
from bot.fakediscord.model.payloads import (
    channel_payload,
    emoji_payload,
    guild_create_payload,
    message_event,
    reaction_event,
)
from bot.fakediscord.model.permissions import EVERYONE, permissions
from bot.fakediscord.model.places import Channel, Guild, Message, User
from bot.fakediscord.settings import Settings
from bot.fakediscord.types import Json

GATEWAY_PATH = "/gateway"
APPLICATION_FLAGS = 1 << 23
"""Of an application with commands."""


class World:
    """The state of one Discord. Every change here is announced to `audience`.

    `bot` and `owner` of the application are made up unless they are given. Two worlds that live at
    the same time need two `worker` numbers, or they give the same ids.
    """

    def __init__(
        self,
        settings: Settings | None = None,
        *,
        bot: User | None = None,
        owner: User | None = None,
        worker: int = 0,
    ) -> None:
        self.settings = settings or Settings()
        self.ids = Snowflakes(worker)
        self.changes = Changes()
        self.deadlines = Deadlines()
        self.audience: list[Callable[[Event], object]] = []
        self.bot = bot or User("gamebot", bot=True, id=self.ids())
        self.owner = owner or User("owner", id=self.ids())
        self.app_id, self.app_flags = self.bot.id, APPLICATION_FLAGS
        self.users: dict[int, User] = {user.id: user for user in (self.bot, self.owner)}
        self.names: dict[str, User] = {self.owner.name: self.owner}
        self.guilds: dict[int, Guild] = {}
        self.channels: dict[int, Channel] = {}
        self.commands: dict[str, Json] = {}
        self.tokens: dict[str, Interaction] = {}
        self.emojis: dict[int, Json] = {}
        self.pictures: dict[int, str] = {}  # data URIs of the emojis
        self.blobs: dict[str, bytes] = {}  # files by their attachments' ids
        self.port = 0

    @property
    def url(self) -> str:
        return f"http{'s' * self.settings.tls}://127.0.0.1:{self.port}"

    @property
    def ws_url(self) -> str:
        return f"ws{'s' * self.settings.tls}://127.0.0.1:{self.port}{GATEWAY_PATH}"

    @property
    def all_channels(self) -> list[Channel]:
        """Every channel of every guild, without threads."""
        channels = self.channels.values()
        return [one for one in channels if one.guild and not one.thread and not one.deleted]

    def token_ok(self, token: str) -> bool:
        return self.settings.token in {None, token}

    def known_emojis(self, guild: Guild | None) -> Mapping[int, Json]:
        return self.emojis | guild.emojis if guild and guild.emojis else self.emojis

    def announce(self, event: Event) -> None:
        """Tell the gateway, then wake all that wait."""
        for tell in self.audience:
            tell(event)
        self.changes.happened()

    # -- people ---------------------------------------------------------------------------------

    def user(self, name: str, locale: str = "en-US") -> User:
        """Return the person with this name, who begins to exist when first asked for."""
        if name not in self.names:
            user = self.names[name] = User(name, locale, id=self.ids())
            self.users[user.id] = user
        return self.names[name]

    def dm(self, user: User) -> Channel:
        """Return the direct messages between the bot and a user."""
        if user.dm is None:
            name = f"dm-{user.name}"
            user.dm = Channel(self.ids(), name, type=ChannelType.DIRECT, user=user)
            self.channels[user.dm.id] = user.dm
        return user.dm

    # -- guilds ---------------------------------------------------------------------------------

    def add_guild(
        self,
        name: str = "",
        channels: int = 1,
        locale: str = "en-US",
        bot_perms: int = EVERYONE,
        guild_id: int | None = None,
    ) -> Guild:
        """Make a guild with the bot and the owner in it."""
        guild = Guild(
            guild_id or self.ids(step=GUILD_STEP),
            name or f"guild{len(self.guilds)}",
            self.owner,
            bot_role=self.ids(),
            locale=locale,
            bot_perms=bot_perms,
        )
        self.guilds[guild.id] = guild
        guild.join(self.bot)
        guild.join(self.owner)
        for number in range(channels):
            self.add_channel(guild, f"table-{number}")
        self._joined(guild)
        return guild

    def _joined(self, guild: Guild) -> None:
        """Tell the bot of a guild that is new to it.

        It comes without `unavailable`, unlike a guild whose outage is over.
        """
        data = guild_create_payload(guild)
        del data["unavailable"]
        self.announce(Event("GUILD_CREATE", data, guild.id, Intent.GUILDS))

    def kick_bot(self, guild: Guild) -> None:
        guild.bot_in = False
        data = {"id": str(guild.id)}
        self.announce(Event("GUILD_DELETE", data, guild.id, Intent.GUILDS))

    def invite_bot(self, guild: Guild) -> None:
        guild.bot_in = True
        self._joined(guild)

    def outage(self, guild: Guild, *, on: bool = True) -> None:
        """Make a guild unavailable, or available again."""
        guild.unavailable = on
        gone = {"id": str(guild.id), "unavailable": True}
        name, data = ("GUILD_DELETE", gone) if on else ("GUILD_CREATE", guild_create_payload(guild))
        self.announce(Event(name, data, guild.id, Intent.GUILDS))

    def add_emoji(self, name: str, image: str = "data:image/png;base64,") -> Json:
        """Add an emoji of the application. `image`: a data URI."""
        number = self.ids()
        self.pictures[number] = image
        self.emojis[number] = emoji_payload(number, name, image, self.bot)
        return self.emojis[number]

    # -- channels and messages ------------------------------------------------------------------

    def add_channel(self, guild: Guild, name: str, channel_id: int | None = None) -> Channel:
        channel = Channel(channel_id or self.ids(), name, guild)
        self.keep(channel)
        self.tell_of(channel, "CHANNEL_CREATE")
        return channel

    def keep(self, channel: Channel) -> None:
        """Make a channel known, without an announcement."""
        self.channels[channel.id] = channel
        if channel.guild is not None:
            channel.guild.channels[channel.id] = channel

    def tell_of(self, channel: Channel, event: str, data: Json | None = None) -> None:
        """Announce an event about a guild's channel. `data`: in place of its payload."""
        data = data or channel_payload(channel)
        self.announce(Event(event, data, channel.guild_id, Intent.GUILDS))

    def delete_channel(self, channel: Channel) -> None:
        channel.deleted = True
        for message in channel.messages.values():
            message.deleted = True
        self.tell_of(channel, "THREAD_DELETE" if channel.thread else "CHANNEL_DELETE")

    def deny(self, channel: Channel, *names: str) -> None:
        """Take permissions from the bot in a channel. Without names it has all of them again."""
        channel.deny = permissions(*names)
        self.tell_of(channel, "CHANNEL_UPDATE")

    def delete_message(self, message: Message) -> None:
        message.deleted = True
        message.channel.messages.pop(message.id, None)
        data = {"id": str(message.id), "channel_id": str(message.channel.id)}
        if message.channel.guild is not None and not message.ephemeral:
            data["guild_id"] = str(message.channel.guild.id)
        self._tell_of_message("MESSAGE_DELETE", message, data)

    def tell_of_message(self, event: str, message: Message) -> None:
        """Announce a message that is new or changed."""
        self._tell_of_message(event, message, message_event(message))

    def _tell_of_message(self, event: str, message: Message, data: Json) -> None:
        guild = message.channel.guild
        if guild is None or message.ephemeral:
            if guild is None or guild.bot_in:
                self.announce(Event(event, data, intent=Intent.DIRECT_MESSAGES))
        elif guild.bot_in:
            self.announce(Event(event, data, guild.id, Intent.GUILD_MESSAGES))

    def react(self, user: User, message: Message, emoji: str, *, on: bool = True) -> None:
        """Put a reaction on a message, or take it away. `emoji`: a Unicode one."""
        guild = message.channel.guild
        data = reaction_event(user, message, emoji, is_bots=user is self.bot)
        name = f"MESSAGE_REACTION_{'ADD' if on else 'REMOVE'}"
        intent = Intent.GUILD_REACTIONS if guild else Intent.DIRECT_REACTIONS
        self.announce(Event(name, data, message.channel.guild_id, intent))

    # -- interactions ---------------------------------------------------------------------------

    def deliver(self, interaction: Interaction) -> None:
        """Announce an interaction. Again, if it was announced before."""
        if interaction.payload is None:
            raise LookupError(f"{interaction} is answered and its payload was not kept")
        guild_id = interaction.channel.guild_id
        event = "INTERACTION_CREATE"
        self.announce(Event(event, interaction.payload, guild_id, interaction=interaction))

    def remember(self, interaction: Interaction) -> None:
        """Make its token known, and forget a tenth of the tokens when there are too many."""
        most = self.settings.keep_interactions
        if len(self.tokens) >= most:
            for token in list(self.tokens)[: most // 10]:
                del self.tokens[token]
        self.tokens[interaction.token] = interaction

    def age_tokens(self, seconds: float) -> None:
        """Make every interaction's token older."""
        for interaction in self.tokens.values():
            interaction.born -= seconds
