"""The demo's Discord: one server, one channel, four people. Their ids are the same in every run."""

from dataclasses import dataclass

from bot import fakediscord
from bot.fakediscord import Channel, Server, Settings, User

FIRST_ID = 1_300_000_000_000_000_000
"""A kept database finds its tables and people again by these; all other ids come from the clock."""
BOT, GUILD, CHANNEL = FIRST_ID + 1, FIRST_ID + 2, FIRST_ID + 3
PEOPLE = (("anna", "en-US"), ("ben", "en-US"), ("clara", "de"), ("dawid", "pl"))
"""Names, and the languages their clients speak."""
LOCALES = {"en": "en-US", "es": "es-ES"}
"""What Discord calls a language, where it has more than one of it."""
RECORDS = 500
"""Calls the stand-in remembers, for who debugs it."""
TOKENS = 5_000
"""Interactions whose tokens it remembers: more than people press in the 15 minutes these live."""
REPLAY = 100
"""Events kept for a bot that resumes its connection."""


@dataclass(frozen=True, slots=True)
class World:
    server: Server
    channel: Channel
    people: dict[str, User]

    @property
    def online(self) -> bool:
        """Return whether the bot is connected and has registered its commands."""
        return bool(self.server.gateway.ready and self.server.commands)


def build(language: str | None = None) -> World:
    """The world as it is before anything has happened. Its server is not started yet.

    With a `language` the server and everybody in it speak that one.
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
    guild = server.add_guild("Ligretto demo", channels=0, guild_id=GUILD)
    guild.locale = spoken or guild.locale
    for user in people.values():
        guild.join(user)
    return World(server, server.add_channel(guild, "game-night", CHANNEL), people)
