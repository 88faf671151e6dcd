"""The messages that the bot posts by itself: the end of a season, and the week."""

from collections.abc import Sequence

from bot.records.feat_models import Feat
from bot.records.seasons.digest import RecordOfWeek, Week
from bot.records.seasons.season import Champion, SeasonOfGame
from bot.screen import Choice, Line, Look, Row, Screen, Words
from bot.tables.views.lines import sentence
from bot.text import Icon, Joined, Month, Number, Text, Value, Values, margin
from bot.ui.records.feats.server_records import Named, fallen_values
from bot.ui.toolkit.command_router import custom_id

MOST_RECORDS = 3
MOST_NAMES = 4
"""Records and champions of a game that a post names, so that a phone's screen shows all of it."""


def season_title(month: Month) -> Text:
    return Text("season.title", (("month", month),))


def season_screen(month: Month, games: Sequence[SeasonOfGame], named: Named) -> Screen:
    """Draw the end of a season: the champions of each game, in the order of its matches."""
    lines: list[Line] = [sentence("season.title", (("month", month),), Look.TITLE)]
    for game in sorted(games, key=lambda one: -one.matches):
        lines += _champions(game, named)
    values = (("month", month.after), ("icon", Icon("champion")))
    lines.append(sentence("season.next", values, Look.SMALL))
    return Screen((Words(tuple(lines)), _boards(games, month)))


def week_title() -> Text:
    return Text("week.title")


def week_screen(week: Week, named: Named) -> Screen:
    """Draw the weekly digest. A race or round that is told as a record is not told twice."""
    counted = (("n", week.matches), ("players", Text("week.players", (("n", week.players),))))
    lines: list[Line] = [sentence("week.title", look=Look.TITLE), sentence("week.played", counted)]
    for game in sorted(week.games, key=lambda one: -one.matches):
        lines += _champions(game, named)
    shown, more = week.records[:MOST_RECORDS], week.records[MOST_RECORDS:]
    lines += [_record(one, named) for one in shown]
    if more:
        lines.append(sentence("week.more_records", (("n", len(more)),), Look.SMALL))
    told = {(one.fallen.now.feat, one.fallen.now.match) for one in shown}
    if (race := week.race) is not None and (Feat.DUEL, race.match) not in told:
        values: Values = (
            ("icon", Icon("duel")),
            ("name", named(race.first)),
            ("late", named(race.late)),
            ("ms", margin(race.ms)),
            ("match", race.match),
        )
        lines.append(sentence("week.race", values))
    if (best := week.best) is not None and (Feat.POINTS, best.match) not in told:
        values = (
            ("icon", Icon("best")),
            ("name", named(best.person)),
            ("points", Number(best.points, signed=True)),
            ("game", Text(f"game.{best.game}")),
            ("match", best.match),
        )
        lines.append(sentence("week.best", values))
    return Screen((Words(tuple(lines)), _boards(week.games)))


def _record(one: RecordOfWeek, named: Named) -> Line:
    """Draw a record that has fallen, with its variant unless that is the standard one."""
    game, variant = Text(f"game.{one.game}"), one.fallen.now.variant
    called: Value = game
    if variant not in ("", "standard"):
        called = Joined((game, Text(f"variant.{variant}")))
    return sentence("week.record", (("game", called), *fallen_values(one.fallen, named)))


def _champions(game: SeasonOfGame, named: Named) -> tuple[Line, ...]:
    """Draw a game's line of champions. Those who share a title have the same wins and points."""
    called = Text(f"game.{game.game}")
    if not game.champions:
        return (sentence("season.nobody", (("game", called),)),)
    one: Champion = game.champions[0]
    names: list[Value] = [named(champion.person) for champion in game.champions[:MOST_NAMES]]
    if more := len(game.champions) - len(names):
        names.append(Text("season.others", (("n", more),)))
    values: Values = (
        ("icon", Icon("champion")),
        ("game", called),
        ("names", Joined(tuple(names), sentence=True)),
        ("wins", one.wins),
        ("points", Number(one.points, 2)),
    )
    return (sentence("season.champion", values),)


def _boards(games: Sequence[SeasonOfGame], month: Month | None = None) -> Row:
    """Draw a button for each game's leaderboard, which whoever presses it sees alone.

    `month`: the one of that season instead of all time.
    """
    return Row(
        tuple(
            Choice(
                Text("button.leaderboard" if len(games) == 1 else f"game.{one.game}"),
                custom_id("top", one.game, *(() if month is None else (str(month),))),
            )
            for one in games
        )
    )
