"""The names of people in the records."""

from collections.abc import Mapping
from typing import Self

import discord

from bot.i18n import say
from bot.ids import UserId
from bot.records.models import Person
from bot.text import Name, Text
from bot.ui.connection.responses import Interaction


class Names:
    """Current names where Discord has sent them, else the last known ones."""

    def __init__(
        self, told: Mapping[UserId, str], locale: str, guild: discord.Guild | None = None
    ) -> None:
        self._told = told
        self._nameless = say(Text("records.nameless"), locale)
        self._guild = guild

    @classmethod
    def told_by(cls, interaction: Interaction, locale: str, *users: discord.abc.User) -> Self:
        """Take names from an interaction: its user's, and those of `users` resolved in it."""
        told = {UserId(user.id): user.display_name for user in (interaction.user, *users)}
        return cls(told, locale, interaction.guild)

    def of(self, person: Person, width: int = 16, *, champion: bool = False) -> Name:
        """Return a person's name without asking Discord; the last known one if not in memory.

        Somebody whose name is nowhere known is drawn as any name that shows nothing: `Player`.
        """
        if person.user is None:
            return Name(self._nameless, width, champion)
        return Name(self.now(person.user) or person.name or "", width, champion)

    def now(self, user: UserId) -> str | None:
        member = self._guild.get_member(user) if self._guild is not None else None
        return member.display_name if member is not None else self._told.get(user)
