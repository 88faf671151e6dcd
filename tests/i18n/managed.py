"""What is said about settings, moderation and privacy, with the values it is given."""

from bot.games import GAMES
from bot.games.screen import Joined, Name, Text
from bot.records.figures import Settings
from bot.ui.privacy import asked_again, stored
from bot.ui.settings_pages import general, of_game

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
)
PERMISSIONS = ("manage_guild", "manage_messages")
SCREENS = (
    general(Settings()),
    *(of_game(Settings(), game) for game in GAMES.values()),
    stored(Settings()),
    stored(Settings(keep_logs=30)),
    asked_again(),
)
MATCH = (("match", 12),)
ACT = (("when", "<t:1:f>"), ("who", Text("moderate.nobody")), ("number", 3))
TEXTS: tuple[Text, ...] = (
    Text("plain.on"),
    Text("plain.off"),
    Text(
        "ping.said",
        (("gateway", "41"), ("database", "1"), ("version", "0.1.0"), ("since", "<t:1:R>")),
    ),
    *(Text(f"command.{name}") for name in COMMANDS),
    *(Text(f"permission.{name}") for name in PERMISSIONS),
    Text("door.refused.not_allowed", (("name", Text("permission.manage_guild")),)),
    Text("settings.refused.zone", (("zone", Name("Bielefeld")),)),
    Text("moderate.no_tables"),
    Text("moderate.no_table"),
    Text("moderate.which"),
    Text("moderate.table", (("game", Text("game.dice")), ("channel", "a"), ("host", "b"))),
    Text("moderate.closed", (("table", 3), ("where", "<#88>"))),
    *(Text(f"moderate.{key}", MATCH) for key in ("no_match", "voided", "void_already")),
    Text("moderate.acts"),
    Text("moderate.no_acts"),
    Text("moderate.nobody"),
    *(Text(f"moderate.act_{act}", ACT) for act in ("close", "void")),
    Text("table.closed.moderator"),
    Text("table.closed.server"),
    Text("privacy.export_about"),
    Text("privacy.forgotten"),
    Text("privacy.kept"),
    Text("privacy.refused.playing", (("where", Joined(("<#88>",))),)),
)
