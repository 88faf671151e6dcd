"""Answers that everybody in the channel sees, unless somebody posts too many of them."""

from collections.abc import Awaitable, Callable
from dataclasses import replace

from bot.ids import UserId
from bot.screen import Look, Screen, Words
from bot.tables.views.lines import sentence
from bot.ui.connection.responses import Interaction
from bot.ui.toolkit.command_router import CommandRouter
from bot.ui.toolkit.screen_replies import public_locale_of, show


async def post(
    interaction: Interaction, router: CommandRouter, draw: Callable[[str], Awaitable[Screen]]
) -> None:
    """Answer a command for everybody, in the server's language.

    Beyond a person's limit the answer is private, in their own language, and says why, so that
    nobody can flood a channel. `draw` gets the locale.
    """
    if router.public.allows(UserId(interaction.user.id)):
        locale = await public_locale_of(interaction, router.archive)
        await show(interaction, await draw(locale), locale, everybody=True)
        return
    own = str(interaction.locale)
    screen = await draw(own)
    why = Words((sentence("answer.private", look=Look.SMALL),))
    await show(interaction, replace(screen, blocks=(*screen.blocks, why)), own)
