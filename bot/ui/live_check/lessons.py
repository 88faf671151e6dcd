"""The lessons of a live check, remembered for its server."""

from bot.ids import GuildId
from bot.ui.limits.edit_budget import Budget, CountedChannel
from bot.ui.limits.picture_lessons import Lesson, ServerLessons
from bot.ui.live_check.edit_probe import Edits
from bot.ui.live_check.probes import Probes


def learn_pace(budget: Budget, where: CountedChannel, edits: Edits, now: float) -> None:
    """Remember how many edits this channel takes, if these edits have shown it.

    `now`: monotonic seconds.
    """
    if (pace := edits.pace(now)) is not None:
        budget.rehearsed(where, pace)


def learn_pictures(learned: ServerLessons, guild: GuildId, probes: Probes) -> None:
    """Remember whether a score's picture is a message of its own in this server."""
    if (apart := probes.pictures_apart) is not None:
        learn(learned, guild, Lesson.PICTURES_APART, holds=apart)


def learn(learned: ServerLessons, guild: GuildId, lesson: Lesson, *, holds: bool) -> None:
    """Remember whether this lesson holds in this server."""
    (learned.learn if holds else learned.unlearn)(guild, lesson)
