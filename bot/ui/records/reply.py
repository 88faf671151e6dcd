"""What every answer about the records needs: whose it is, which language, and how it is sent."""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Self, TypeVar

import discord
from discord import app_commands, ui

from bot.games import GAMES
from bot.games.screen import Choice, Name, Row, Screen, Text
from bot.i18n import FALLBACK, say
from bot.records.archive import Archive
from bot.records.figures import Person
from bot.ui.answers import Interaction, is_private, went_out
from bot.ui.components import view
from bot.ui.desk import NotOursError

GUILD_ONLY = app_commands.AppCommandContext(guild=True)
INSTALLED = app_commands.AppInstallationType(guild=True)
GAME_CHOICES = [
    app_commands.Choice(name=say(Text(f"game.{game}"), FALLBACK), value=game) for game in GAMES
]

T = TypeVar("T")
_NUMBER = re.compile(r"[0-9]{1,15}")
_ID = re.compile(r"[0-9]{1,20}")


def command(
    name: str, callback: Callable[..., Any], **options: str
) -> app_commands.Command[Any, Any, None]:
    """A command of a server's. `options`: the key of each option's description."""
    described = {option: say(Text(key), FALLBACK) for option, key in options.items()}
    if described:
        app_commands.describe(**described)(callback)
    return app_commands.Command(
        name=name,
        description=say(Text(f"command.{name}"), FALLBACK),
        callback=callback,
        allowed_contexts=GUILD_ONLY,
        allowed_installs=INSTALLED,
    )


# -- what a custom id says -------------------------------------------------------------------


def number(word: str) -> int:
    """A number that a button of ours carries; a made-up one raises NotOursError."""
    if not _NUMBER.fullmatch(word):
        raise NotOursError(word)
    return int(word)


def user_id(word: str) -> int:
    if not _ID.fullmatch(word) or int(word) >= 2**63:
        raise NotOursError(word)
    return int(word)


def one_of(words: Callable[[str], T], word: str) -> T:
    """A member of an enum, or a key of a table."""
    try:
        return words(word)
    except (ValueError, KeyError) as error:
        raise NotOursError(word) from error


def as_many(words: Sequence[str], number_: int) -> Sequence[str]:
    if len(words) != number_:
        raise NotOursError(":".join(words))
    return words


def game_key(word: str) -> str:
    if word not in GAMES:
        raise NotOursError(word)
    return word


# -- whose answer it is ----------------------------------------------------------------------


def guild_of(interaction: Interaction) -> int:
    assert interaction.guild_id is not None, "records are asked for in a server"
    return interaction.guild_id


class Names:
    """Names as they are now where Discord has told them, else as they were last known."""

    def __init__(self, told: Mapping[int, str], guild: discord.Guild | None = None) -> None:
        self._told = told
        self._guild = guild

    @classmethod
    def told_by(cls, interaction: Interaction, *users: discord.abc.User) -> Self:
        """`users` came with the interaction, as did the one who asks."""
        told = {user.id: user.display_name for user in (interaction.user, *users)}
        return cls(told, interaction.guild)

    def of(self, person: Person, width: int = 16) -> Name | Text:
        """No request is made: who is not in memory has the last name known."""
        if person.user is None:
            return Text("records.nameless")
        return Name(self.now(person.user) or person.name or str(person.user), width)

    def now(self, user: int) -> str | None:
        member = self._guild.get_member(user) if self._guild is not None else None
        return member.display_name if member is not None else self._told.get(user)


async def public_locale(interaction: Interaction, archive: Archive) -> str:
    """The language of what everybody reads here."""
    settings = await archive.settings(guild_of(interaction))
    return settings.language or str(interaction.guild_locale or FALLBACK)


async def locale_of(interaction: Interaction, archive: Archive) -> str:
    """The language of the message that was pressed: a private one is in its reader's."""
    if is_private(interaction):
        return str(interaction.locale)
    return await public_locale(interaction, archive)


# -- sending ---------------------------------------------------------------------------------


def paging(
    page: int, pages: int, to_id: Callable[[int], str], *, always: bool = False
) -> tuple[Row, ...]:
    """Buttons to the pages before and after. Without a second page there are none, unless
    `always`; each has an id of its own, also where it does nothing.
    """
    if pages == 1 and not always:
        return ()
    before, after = to_id(max(0, page - 1)), to_id(page + 1)
    return (
        Row(
            (
                Choice(Text("button.previous"), before, off=page == 0),
                Choice(Text("button.next"), after, off=page + 1 >= pages),
            )
        ),
    )


def _itself(word: str) -> str:
    return word


async def show(
    interaction: Interaction,
    screen: Screen,
    locale: str,
    *below: ui.Item[Any],
    files: Sequence[discord.File] = (),
    everybody: bool = False,
) -> None:
    """Answer with a screen whose words are whole custom ids. Nobody is pinged."""
    shown = view(screen, _itself, locale, *below)
    await went_out(
        lambda: interaction.response.send_message(
            view=shown,
            files=files,
            ephemeral=not everybody,
            allowed_mentions=discord.AllowedMentions.none(),
        )
    )


async def turn_to(interaction: Interaction, screen: Screen, locale: str) -> None:
    """The message that was pressed shows this screen instead."""
    shown = view(screen, _itself, locale)
    await went_out(
        lambda: interaction.response.edit_message(
            view=shown, allowed_mentions=discord.AllowedMentions.none()
        )
    )
