"""Questions that moderators are asked, and what they are told."""

from bot.groups.numbers import short
from bot.records.models import MatchDetails, Moderated
from bot.screen import Block, Choice, Line, Look, Row, Style, Words
from bot.tables.arenas.running import RunningArena
from bot.tables.running.table import Table
from bot.tables.state.session import Phase
from bot.tables.views.lines import game_name, sentence
from bot.text import Text
from bot.ui.connection.responses import Interaction
from bot.ui.records.match_pages import in_short
from bot.ui.render import names
from bot.ui.toolkit.player_names import Names

KEEP = "keep"
"""The button that leaves everything as it is."""


def sure_void(details: MatchDetails, names: Names) -> tuple[Block, ...]:
    """Ask whether this match is meant, as the history shows it, and tell what goes with it."""
    number = details.match.number
    lines = (
        sentence("moderate.sure_void", (("match", number),), Look.HEAD),
        *in_short(details, names),
        sentence("moderate.void_takes"),
    )
    return (Words(lines), yes_or_no(Text("button.void_really"), f"void:{number}"))


def yes_or_no(yes: Text, wanted: str) -> Row:
    """Return the buttons of a question. `wanted`: the words of the custom id of the Yes."""
    no = Choice(Text("button.keep"), KEEP, style=Style.PRIMARY)
    return Row((Choice(yes, wanted), no))


def has_match(table: Table) -> bool:
    """Return whether closing the table would end a match. In a lobby nothing is lost."""
    return table.session.phase is not Phase.LOBBY


def sure_close(table: Table) -> tuple[Block, ...]:
    """Ask whether this table is meant."""
    said = sentence("moderate.sure_close", (("table", short(table.id)), ("where", table.link)))
    return (Words((said,)), yes_or_no(Text("button.close_really"), f"close:{table.id}"))


def sure_arena(arena: RunningArena) -> tuple[Block, ...]:
    """Ask whether this arena is meant: its rounds stop, unlike when its host ends it."""
    said = sentence("moderate.sure_arena", (("where", arena.link),))
    return (Words((said,)), yes_or_no(Text("button.stop_arena_really"), f"arena:{arena.id}"))


def closed(table: Table) -> Text:
    return Text("moderate.closed", (("table", short(table.id)), ("where", table.link)))


def label(table: Table, interaction: Interaction) -> Text:
    """Return a list label such as `Ligretto in game-night, host Anna`. Lists can't show links."""
    session = table.session
    guild = interaction.guild
    channel = guild.get_channel_or_thread(session.channel) if guild is not None else None
    host = next((chair.name for chair in session.chairs if chair.user == session.host), "")
    values = (
        ("game", game_name(session)),
        ("channel", names.plain(channel.name if channel is not None else "?", 32)),
        ("host", names.label(host, 24, str(interaction.locale))),
    )
    return Text("moderate.table", values)


def act(done: Moderated) -> Line:
    who = Text("moderate.nobody") if done.moderator is None else f"<@{done.moderator}>"
    key = "moderate.act_void" if done.action == "void" else "moderate.act_close"
    values = (("when", f"<t:{done.at // 1000}:f>"), ("who", who), ("number", short(done.subject)))
    return sentence(key, values)
