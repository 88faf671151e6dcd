"""The demo's Discord: one server, one channel and four people, with the same ids in every run."""

from collections import Counter
from dataclasses import dataclass, field

from bot import fakediscord
from bot.demo.backend.words import said
from bot.fakediscord import Channel, Server, Settings, User
from bot.i18n import languages

FIRST_ID = 1_300_000_000_000_000_000
"""The first fixed id, so a kept database finds its people. All other ids come from the clock."""
BOT, GUILD, CHANNEL = FIRST_ID + 1, FIRST_ID + 2, FIRST_ID + 3
PEOPLE = (("anna", "en-US"), ("ben", "en-US"), ("clara", "de"), ("dawid", "pl"))
"""People's names, and the locales of their clients."""
LOCALES = {"en": "en-US", "es": "es-ES"}
"""Discord's locale for each language that it has several of."""
RECORDS = 500
"""API calls the stand-in keeps for debugging."""
TOKENS = 5_000
"""Interaction tokens it keeps: more than people press in the 15 minutes that a token lives."""
REPLAY = 100
"""Events it keeps for a bot that resumes its connection."""


@dataclass(frozen=True, slots=True)
class DemoWorld:
    server: Server
    channel: Channel
    people: dict[str, User]
    pages: Counter[int] = field(default_factory=Counter)
    """Open pages by their person's id."""

    @property
    def online(self) -> bool:
        """True once the bot is connected and has registered its commands."""
        return bool(self.server.gateway.ready and self.server.commands)

    def speak(self, language: str) -> None:
        """Let the server and everybody in it use a language, as `--language` does.

        A language that there isn't changes nothing.
        """
        if language not in languages():
            return
        locale = LOCALES.get(language, language)
        for user in self.people.values():
            user.locale = locale
        if self.channel.guild is not None:
            self.channel.guild.locale = locale
        self.server.changed()


def build(language: str | None = None) -> DemoWorld:
    """Build the world before anything has happened in it. Its server is not started yet.

    With a `language`, the server and everybody in it use that one.
    """
    spoken = language and LOCALES.get(language, language)
    people = {
        name: User(name, spoken or locale, id=FIRST_ID + 10 + number)
        for number, (name, locale) in enumerate(PEOPLE)
    }
    bot = User("ligretto", bot=True, id=BOT)
    settings = Settings(keep_interactions=TOKENS, keep_calls=RECORDS)
    discord = fakediscord.World(settings, bot=bot, owner=people["anna"])
    discord.users |= {user.id: user for user in people.values()}
    discord.names |= people
    server = Server(guilds=0, world=discord)
    server.gateway.replay_size = REPLAY
    guild = server.add_guild(said("server", spoken or "en"), channels=0, guild_id=GUILD)
    guild.locale = spoken or guild.locale
    for user in people.values():
        guild.join(user)
    name = said("channel", spoken or "en")
    return DemoWorld(server, server.add_channel(guild, name, CHANNEL), people)
