"""The `/leaderboard` command: a server's best players, page by page."""

from collections.abc import Sequence
from dataclasses import dataclass

from discord import app_commands

from bot.ids import UserId
from bot.records.models import PAGE, LeaderboardPage, LeaderboardRow, Order, Wanted
from bot.records.periods import Period, bounds, known_zone
from bot.screen import Line, Look, Screen, Words
from bot.tables.views.lines import sentence
from bot.tables.views.results.standings import medal
from bot.text import Name, Number, Text, Value
from bot.ui.connection.responses import Interaction
from bot.ui.toolkit.command_answers import guild_of
from bot.ui.toolkit.command_router import CommandRouter, custom_id
from bot.ui.toolkit.command_words import command, game_choices
from bot.ui.toolkit.command_words import words as said
from bot.ui.toolkit.custom_id_words import exactly, game_key, number, one_of, user_id
from bot.ui.toolkit.latest_game import latest_game
from bot.ui.toolkit.player_names import Names
from bot.ui.toolkit.screen_replies import locale_of, paging, public_locale_of, show, turn_to

SUBJECT = "board"
TOP = "top"
"""The subject of a button that shows the first page privately."""
PERIODS = [app_commands.Choice(name=said(f"period.{one}"), value=one.value) for one in Period]
ORDERS = [app_commands.Choice(name=said(f"order.{one}"), value=one.value) for one in Order]


@dataclass(frozen=True, slots=True)
class LeaderboardRequest:
    """A request for a page of a leaderboard. `asker`: the user whose own row is added."""

    game: str
    asker: UserId
    period: Period = Period.ALL
    order: Order = Order.RATING
    page: int = 0

    def to_id(self, page: int) -> str:
        return custom_id(SUBJECT, self.game, self.period, self.order, page, self.asker)


def request_of(words: Sequence[str]) -> LeaderboardRequest:
    """Parse the custom id of a button, as `to_id` writes it. Raises NotOursError."""
    game, period, order, page, asker = exactly(words, 5)
    return LeaderboardRequest(
        game_key(game),
        user_id(asker),
        one_of(Period, period),
        one_of(Order, order),
        number(page),
    )


class Leaderboards:
    """The `/leaderboard` command. Its answer is public, and anybody may turn its pages.

    Beyond three public answers per person per minute, answers are private, so that nobody
    can flood a channel.
    """

    def __init__(self, router: CommandRouter) -> None:
        self._router = router

        @app_commands.choices(game=game_choices(), period=PERIODS, order=ORDERS)
        async def leaderboard(
            interaction: Interaction,
            game: app_commands.Choice[str] | None = None,
            period: app_commands.Choice[str] | None = None,
            order: app_commands.Choice[str] | None = None,
        ) -> None:
            request = LeaderboardRequest(
                game.value if game else await latest_game(router.archive, guild_of(interaction)),
                UserId(interaction.user.id),
                Period(period.value) if period else Period.ALL,
                Order(order.value) if order else Order.RATING,
            )
            public = router.public.allows(UserId(interaction.user.id))
            own = str(interaction.locale)
            locale = await public_locale_of(interaction, router.archive) if public else own
            screen = await self._page(interaction, request, locale)
            await show(interaction, screen, locale, everybody=public)

        router.offer(
            command(
                "leaderboard",
                leaderboard,
                game="command.leaderboard.game",
                period="command.leaderboard.period",
                order="command.leaderboard.order",
            )
        )
        router.on_press(SUBJECT, self._turn)
        router.on_press(TOP, self._top)

    async def _turn(self, interaction: Interaction, words: Sequence[str]) -> None:
        request, locale = request_of(words), await locale_of(interaction, self._router.archive)
        await turn_to(interaction, await self._page(interaction, request, locale), locale)

    async def _top(self, interaction: Interaction, words: Sequence[str]) -> None:
        (game,) = exactly(words, 1)
        request = LeaderboardRequest(game_key(game), UserId(interaction.user.id))
        locale = str(interaction.locale)
        await show(interaction, await self._page(interaction, request, locale), locale)

    async def _page(
        self, interaction: Interaction, request: LeaderboardRequest, locale: str
    ) -> Screen:
        archive, guild = self._router.archive, guild_of(interaction)
        zone = known_zone((await archive.settings(guild)).time_zone)
        within = bounds(request.period, int(self._router.clock.wall() * 1000), zone)
        wanted = Wanted(guild, request.game, request.order, within, request.page)
        leaderboard = await archive.leaderboard(wanted, request.asker)
        return leaderboard_screen(request, leaderboard, Names.told_by(interaction, locale))


def leaderboard_screen(
    request: LeaderboardRequest, leaderboard: LeaderboardPage, names: Names
) -> Screen:
    title = sentence("board.title", (("game", Text(f"game.{request.game}")),), Look.TITLE)
    order = Text(f"order.{request.order}")
    period = Text(f"period.{request.period}")
    values = (("period", period), ("order", order), ("n", leaderboard.players))
    if not leaderboard.rows:
        empty = sentence("board.empty", (("period", period),))
        return Screen((Words((title, empty, sentence("board.rated", look=Look.SMALL))),))
    lines: list[Line] = [title, sentence("board.what", values, Look.SMALL)]
    lines += (_line(row, request.order, names) for row in leaderboard.rows[:PAGE])
    if request.order is Order.RATING and not all(row.rating.is_sure for row in leaderboard.rows):
        lines.append(sentence("board.sure", look=Look.SMALL))
    lines += _own(request, leaderboard, names)
    if leaderboard.pages > 1:
        where = (("page", leaderboard.page + 1), ("pages", leaderboard.pages))
        lines.append(sentence("records.page", where, Look.SMALL))
    return Screen(
        (
            Words(tuple(lines)),
            *paging(leaderboard.page, leaderboard.pages, request.to_id, always=True),
        )
    )


def _line(row: LeaderboardRow, order: Order, names: Names) -> Line:
    """Draw a player: place, name, and the figure that the order goes by."""
    values: tuple[tuple[str, Value], ...] = (
        ("place", medal(row.place)),
        ("name", names.of(row.person)),
        ("figure", _figure(row, order)),
    )
    return sentence("board.line", values)


def _figure(row: LeaderboardRow, order: Order) -> Value:
    """Return a rating with its margin, the matches won of those played, or points per round."""
    match order:
        case Order.RATING:
            return str(row.rating)
        case Order.WINS:
            return f"{row.wins}/{row.matches}"
        case Order.POINTS:
            return Number(row.points, 2)


def _own(
    request: LeaderboardRequest, leaderboard: LeaderboardPage, names: Names
) -> tuple[Line, ...]:
    """Return the line with the asking player's own place, whatever page it is on."""
    own = leaderboard.own
    if own is None:
        name = names.now(request.asker)
        return () if name is None else (sentence("board.not_yet", (("name", Name(name)),)),)
    values: tuple[tuple[str, Value], ...] = (
        ("name", names.of(own.person)),
        ("place", own.place),
        ("players", leaderboard.players),
        ("rating", str(own.rating)),
        ("wins", own.wins),
        ("points", Number(own.points, 2)),
        ("n", own.matches),
    )
    return (sentence("board.own", values),)
