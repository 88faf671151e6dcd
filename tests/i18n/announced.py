"""What is said about seasons and posts, with the values it is given."""

from dataclasses import replace

from bot.ids import ChannelId
from bot.records.feat_models import FallenRecord, Feat, ServerRecord
from bot.records.models import Person, Settings
from bot.records.post_settings import Posts
from bot.records.seasons.digest import BestRound, ClosestRace, RecordOfWeek, Week
from bot.records.seasons.season import Champion, SeasonOfGame
from bot.screen import Screen
from bot.text import Month, Name, Text
from bot.ui.announcements.screens import season_screen, week_screen
from bot.ui.commands.settings_posts import SWITCH, posts_page
from bot.ui.records.season_choices import no_season

ANNA, BEN = Person(None, "Anna"), Person(None, "Ben")
GAMES = (
    SeasonOfGame("dice", 3, 2, (Champion(ANNA, 3, 2, 4.5), Champion(BEN, 3, 2, 4.5))),
    SeasonOfGame("ligretto", 1, 2, ()),
)
DUEL = ServerRecord(Feat.DUEL, "expert", 4, ANNA, 7, 0, BEN)
STREAK = ServerRecord(Feat.STREAK, "standard", 5, BEN, 6, 0)
BROKEN = tuple(
    RecordOfWeek("ligretto", FallenRecord(one, replace(one, value=one.value + 9)))
    for one in (DUEL, STREAK)
)
WEEK = Week(GAMES, 3, ClosestRace(7, "dice", ANNA, BEN, 12), BestRound(8, "dice", BEN, 31))


def longest_week() -> Screen:
    """Draw a week of all games in which every record fell, and many share each title."""
    long = "W" * 32
    one = Person(None, long)
    best = Champion(one, 3, 2, 4.5)
    games = tuple(SeasonOfGame(game, 999, 99, (best,) * 40) for game in ("ligretto", "dice"))
    duel = ServerRecord(Feat.DUEL, "expert", 14, one, 9999, 0, one)
    records = (RecordOfWeek("ligretto", FallenRecord(duel, duel)),) * 15
    race = ClosestRace(9998, "dice", one, one, 12)
    week = Week(games, 99, race, BestRound(9998, "dice", one, 31), records)
    return week_screen(week, lambda person: Name(str(person.name)))


def named(person: Person) -> Name:
    return Name(str(person.name), champion=True)


SCREENS = (
    season_screen(Month(2026, 11), GAMES, named),
    week_screen(WEEK, named),
    week_screen(replace(WEEK, records=BROKEN), named),
    week_screen(replace(WEEK, records=3 * BROKEN), named),
    longest_week(),
    Screen(posts_page(Settings(), None, ())),
    Screen(posts_page(Settings(posts=Posts(day=0)), None, ())),
    Screen(posts_page(Settings(posts=Posts(ChannelId(88))), ChannelId(88), ())),
    Screen(posts_page(Settings(posts=Posts(ChannelId(88))), None, ("send_messages",))),
)
TEXTS: tuple[Text, ...] = (
    Text("name.champion", (("name", "Anna"),)),
    Text("command.leaderboard.season"),
    Text("order.season"),
    Text("season.how"),
    *(Text(f"settings.switch.{one}") for one in SWITCH),
    no_season("Smarch"),
)
