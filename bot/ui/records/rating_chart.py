"""A rating over time: its picture, and the same in words."""

import logging
from collections.abc import Sequence
from datetime import date
from io import BytesIO

import discord

from bot.art import rating
from bot.art.rating import Dated, RatingPoint
from bot.i18n import dated, say
from bot.records.date_ticks import day_of, ticks
from bot.records.models import RatedAt
from bot.screen import Line, Look
from bot.tables.views.lines import sentence
from bot.text import Day, Name, Text, Values
from bot.ui.render import marks
from bot.ui.render.image_worker import drawn

log = logging.getLogger(__name__)

ENOUGH = 2
"""Rated matches needed to draw a line."""
MOST_DATES = 3


async def picture(
    name: Name, game: str, ratings: Sequence[RatedAt], zone: str, locale: str
) -> discord.File | None:
    """Draw a rating over time; None with too few matches, or if drawing fails (logged).

    `zone`: the time zone of its dates, a known one.
    """
    if len(ratings) < ENOUGH:
        return None
    points = [RatingPoint(one.at, one.rating.points, one.rating.margin) for one in ratings]
    found = ticks(ratings[0].at, ratings[-1].at, zone, MOST_DATES)
    dates = [Dated(at, dated(_day(day), locale)) for at, day in found]
    try:
        png = await drawn(rating.png, name.text, str(ratings[-1].rating), points, dates)
    except Exception:
        log.exception("stats: rating chart not drawn")
        return None
    words = say(alt_text(name, game, ratings, zone), locale, marks.Code(marks.Reader(locale)))
    return discord.File(BytesIO(png), f"rating-{game}.png", description=words)


def alt_text(name: Name, game: str, ratings: Sequence[RatedAt], zone: str) -> Text:
    """Describe the picture for people who can't see it."""
    values: Values = (
        ("name", name),
        ("game", Text(f"game.{game}")),
        ("n", len(ratings)),
        ("last", str(ratings[-1].rating)),
        ("until", _day(day_of(ratings[-1].at, zone))),
    )
    return Text("stats.alt", (*values, *_course(ratings, zone)))


def course_lines(ratings: Sequence[RatedAt], zone: str) -> tuple[Line, ...]:
    """Draw a line that stands for the picture, where there is none; nothing of too few matches."""
    if len(ratings) < ENOUGH:
        return ()
    return (sentence("stats.course", _course(ratings, zone), Look.SMALL),)


def _course(ratings: Sequence[RatedAt], zone: str) -> Values:
    best = max((one.rating for one in ratings), key=lambda one: one.points)
    return (
        ("first", str(ratings[0].rating)),
        ("since", _day(day_of(ratings[0].at, zone))),
        ("best", str(best)),
    )


def _day(day: date) -> Day:
    return Day(day.year, day.month, day.day)
