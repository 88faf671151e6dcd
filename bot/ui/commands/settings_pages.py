"""The pages of a server's settings: one of lists for the server, and one for each game."""

from bot.games import GAMES
from bot.games.contract import AnyGame
from bot.i18n import languages
from bot.records.models import Settings
from bot.records.periods import known_zone
from bot.screen import Block, Choice, Look, Pick, Row, Style, Words
from bot.tables.decisions.option_lists import lists_of
from bot.tables.views.host_options import pick
from bot.tables.views.lines import sentence
from bot.text import Text, bare
from bot.ui.caches.guild_settings import opening_options

SERVER = "server"
"""The language that the server itself has."""
EVER = "ever"
KEPT = ("30", "90", "365", EVER)
"""Days that logs can be kept."""
PINGS = ("off", "on")
PINGS_SAID = (Text("settings.ping_off"), Text("settings.ping_on"))
"""The lines for a server that mentions nobody, and for one that mentions who is missing."""


def general(settings: Settings) -> tuple[Block, ...]:
    """Return the first page: language, time zone and logs, the games' buttons and the live test."""
    zone = (("zone", known_zone(settings.time_zone)),)
    head = Words(
        (
            sentence("settings.title", look=Look.HEAD),
            sentence("settings.zone", zone),
            sentence("settings.zone_how", look=Look.SMALL),
        )
    )
    games = tuple(Choice(Text(f"game.{game}"), f"game:{game}") for game in GAMES)
    return (
        head,
        Words((sentence("settings.language"),)),
        Pick("language", _languages(), _language(settings)),
        Words((sentence("settings.logs_kept"),)),
        Pick("logs", tuple((days, _days(days)) for days in KEPT), _kept(settings)),
        Words((sentence("settings.ping"),)),
        Pick("ping", tuple(zip(PINGS, PINGS_SAID, strict=True)), _ping(settings)),
        Words((sentence("settings.games"),)),
        Row(games),
        Words((sentence("settings.posts"),)),
        Row((Choice(Text("button.posts"), "posts"),)),
        Words((sentence("settings.live"),)),
        Row((Choice(Text("button.live"), "live"),)),
    )


def deletes_logs(settings: Settings, chosen: str) -> bool:
    """Return whether a choice of the list would delete logs that are kept now."""
    if chosen not in KEPT or chosen == EVER:
        return False
    return settings.keep_logs is None or int(chosen) < settings.keep_logs


def sure_logs(days: int) -> tuple[Block, ...]:
    """Ask whether logs older than this are to be deleted."""
    yes = Choice(Text("button.logs_really"), f"logs:{days}")
    no = Choice(Text("button.keep"), "general", style=Style.PRIMARY)
    return (Words((sentence("settings.sure_logs", (("n", days),)),)), Row((yes, no)))


def _ping(settings: Settings) -> str:
    return PINGS[settings.ping]


def of_game(settings: Settings, game: AnyGame) -> tuple[Block, ...]:
    """Return the page of one game: the lists that its next lobby opens with."""
    now = opening_options(settings, game)
    picks = (pick(game, now, one, f"set:{game.key}:{one.key}") for one in lists_of(game, now))
    title = sentence("settings.game", (("game", Text(f"game.{game.key}")),), Look.HEAD)
    head = Words((title, sentence("settings.next_table", look=Look.SMALL)))
    return (head, *picks, Row((Choice(Text("button.back"), "general"),)))


def _languages() -> tuple[tuple[str, Text], ...]:
    named = tuple((code, bare(name)) for code, name in languages().items())
    return ((SERVER, Text("settings.language_server")), *named)


def _language(settings: Settings) -> str:
    return settings.language if settings.language in languages() else SERVER


def _days(days: str) -> Text:
    if days == EVER:
        return Text("settings.logs_ever")
    return Text("settings.logs_days", (("n", int(days)),))


def _kept(settings: Settings) -> str:
    return EVER if settings.keep_logs is None else str(settings.keep_logs)
