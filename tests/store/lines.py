"""Journal lines, short to write."""

from bot.games.values import Reason
from bot.ids import ChannelId, GuildId, UserId
from bot.tables.state import events as e
from bot.tables.state.journal import JournalLine, TableId

OPENED = e.Opened(
    game="ligretto",
    rules_version=1,
    guild=GuildId(77),
    channel=ChannelId(88),
    host=UserId(1001),
    locale="de",
    options={"rounds": "3", "target": "off", "refill": "auto"},
    held=(e.Held(UserId(1002), "Ben „the“ 木"), e.Held(UserId(1003), "🎉")),
)
ROUND_ENDED = e.RoundEnded(Reason.LIGRETTO, 0, (12, 9), (0, 6))


def line(table: int, seq: int, entry: e.Entry, interaction: int | None = None) -> JournalLine:
    return JournalLine(TableId(table), seq, 1_800_000_000_000 + seq, entry, interaction)


def lines(table: int, *entries: e.Entry) -> list[JournalLine]:
    return [line(table, seq, entry) for seq, entry in enumerate(entries)]


def opening(table: int) -> list[JournalLine]:
    return lines(table, OPENED)
