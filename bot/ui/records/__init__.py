"""The record commands: leaderboards, statistics, match history and replays."""

from bot.ui.desk import Desk
from bot.ui.records.boards import Leaderboards
from bot.ui.records.epilogue import Epilogue
from bot.ui.records.histories import Histories
from bot.ui.records.stats import Statistics

__all__ = ["Epilogue", "furnish"]


def furnish(desk: Desk) -> None:
    """Register all record commands and their buttons."""
    Leaderboards(desk)
    Statistics(desk)
    Histories(desk)
