"""What is said about settings, moderation and privacy, with the values it is given."""

from dataclasses import replace

from bot.games import GAMES
from bot.ids import ChannelId, MessageId
from bot.records.models import Settings
from bot.screen import Words
from bot.text import Joined, Name, Text
from bot.ui.commands.privacy import asked_again, stored
from bot.ui.commands.settings_pages import general, of_game, sure_logs
from bot.ui.limits.headers import Scope
from bot.ui.live_check.attempt import LIMITED, NO_ANSWER
from bot.ui.live_check.edit_probe import Edits
from bot.ui.live_check.leftovers import Left, Posted
from bot.ui.live_check.probes import Probe, ProbeKind
from bot.ui.live_check.report import Report, lines
from bot.ui.people.everywhere import Part, Why
from bot.ui.people.parts import not_in_it
from tests.i18n import announced, arenas, of_the_day

LEFT = {
    Part("2-3,6", 812): Why.AWAY,
    Part("4-5"): Why.PLAYING,
    Part("7", 1): Why.NEWER,
}
COMMANDS = (
    "settings",
    "settings_zone",
    "moderate",
    "moderate_close",
    "moderate_void",
    "moderate_match",
    "moderate_log",
    "privacy",
    "plain",
    "ping",
    "arena",
)
PERMISSIONS = ("manage_guild", "manage_messages")
MATCH = (("match", 12),)
ACT = (("when", "<t:1:f>"), ("who", Text("moderate.nobody")), ("number", 3))
LIVE_SAYS = (
    *("waiting", "started", "running", "table_here", "question", "picture", "thanks", "message"),
    *("over", "broken", "interrupted", "void", "late", "no_answer"),
)
TRIED = tuple(Text(f"live.what.{what}") for what in ProbeKind)
LIVE = Report(
    (
        Probe(ProbeKind.POST, 0.2),
        Probe(ProbeKind.EDIT, 0.3, "400/50035"),
        Probe(ProbeKind.THREAD, 10.0, NO_ANSWER),
        Probe(ProbeKind.DELETE, 10.0, LIMITED, 40.0),
        Probe(ProbeKind.EDIT, 0.2, LIMITED),
        Probe(ProbeKind.POST, 0.2, "403/50013"),
    ),
    Edits(1, [0.1, 0.2], Scope.CHANNEL, 31.0, (5, 2.0)),
    Left(kept=(Posted(ChannelId(1), MessageId(2)),)),
    moves=None,
)
UNLIMITED = Edits(seconds=[0.1])
REPORTS = (
    LIVE,
    replace(LIVE, edits=UNLIMITED, left=Left(), moves=True),
    replace(
        LIVE, edits=Edits(scope=Scope.TOKEN, wait=2.0), left=Left(is_archived=True), moves=False
    ),
    replace(LIVE, edits=Edits(problem="404/10008", failed=1, is_ended=True)),
    replace(LIVE, edits=Edits(problem=NO_ANSWER, failed=2)),
    replace(LIVE, edits=Edits(refused=2, wait=3.0)),
)
SCREENS = (
    *((Words(lines(report)),) for report in REPORTS),
    general(Settings()),
    sure_logs(30),
    *(of_game(Settings(), game) for game in GAMES.values()),
    stored(Settings(), {}),
    stored(Settings(keep_logs=30), LEFT),
    asked_again(),
    *(screen.blocks for screen in (*announced.SCREENS, *arenas.SCREENS, *of_the_day.SCREENS)),
)
TEXTS: tuple[Text, ...] = (
    *not_in_it({Part("2-3,6", 812): Why.AWAY, Part("4-5"): Why.LARGE}),
    Text("privacy.forgotten_partly"),
    *TRIED,
    *(Text(f"live.{said}") for said in LIVE_SAYS),
    Text("button.moves"),
    Text("button.still"),
    Text("live.progress", (("n", 12), ("of", 40))),
    Text("request.refused.tested"),
    Text("plain.on"),
    Text("plain.off"),
    Text(
        "ping.said",
        (("gateway", "41"), ("database", "1"), ("version", "0.1.0"), ("since", "<t:1:R>")),
    ),
    Text("ping.release", (("version", "0.2.0"), ("command", "`pipx upgrade ligretto-bot`"))),
    *(Text(f"command.{name}") for name in COMMANDS),
    *(Text(f"permission.{name}") for name in PERMISSIONS),
    Text("request.refused.not_allowed", (("name", Text("permission.manage_guild")),)),
    Text("settings.refused.zone", (("zone", Name("Bielefeld")),)),
    Text("moderate.no_tables"),
    Text("moderate.no_table"),
    Text("moderate.which"),
    Text("moderate.table", (("game", Text("game.dice")), ("channel", "a"), ("host", "b"))),
    Text("moderate.closed", (("table", 3), ("where", "<#88>"))),
    Text("board.season_alone"),
    Text("moderate.sure_close", (("table", 3), ("where", "<#88>"))),
    Text("moderate.sure_arena", (("where", "<#88>"),)),
    Text("moderate.sure_void", MATCH),
    Text("moderate.void_takes"),
    Text("answer.unchanged"),
    *(Text(f"button.{key}_really") for key in ("void", "close")),
    *(Text(f"moderate.{key}", MATCH) for key in ("voided", "voided_due", "void_already")),
    Text("moderate.acts"),
    Text("moderate.no_acts"),
    Text("moderate.nobody"),
    *(Text(f"moderate.act_{act}", ACT) for act in ("close", "void")),
    Text("table.closed.moderator"),
    Text("table.closed.server"),
    Text("privacy.export_about"),
    Text("privacy.forgotten"),
    Text("privacy.refused.playing", (("where", Joined(("<#88>",))),)),
    *announced.TEXTS,
    *of_the_day.TEXTS,
    *arenas.TEXTS,
)
