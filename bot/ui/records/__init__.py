"""The record commands: leaderboards, statistics, match history and replays."""

from bot.ui.records.feats.badges import BadgeList
from bot.ui.records.feats.server_records import ServerRecords
from bot.ui.records.history import Histories
from bot.ui.records.leaderboards import Leaderboards
from bot.ui.records.match_summary import MatchSummary
from bot.ui.records.stats import Statistics
from bot.ui.toolkit.command_router import CommandRouter

__all__ = ["MatchSummary", "register"]


def register(router: CommandRouter) -> None:
    """Register all record commands and their buttons."""
    Leaderboards(router)
    Statistics(router)
    Histories(router)
    ServerRecords(router)
    BadgeList(router)
