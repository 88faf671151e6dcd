"""What is said about seasons and posts, with the values it is given."""

from bot.ids import ChannelId
from bot.records.models import Person, Settings
from bot.records.post_settings import Posts
from bot.records.seasons.digest import BestRound, ClosestRace, Week
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
WEEK = Week(GAMES, 3, ClosestRace(7, "dice", ANNA, BEN, 12), BestRound(8, "dice", BEN, 31))


def named(person: Person) -> Name:
    return Name(str(person.name), champion=True)


SCREENS = (
    season_screen(Month(2026, 11), GAMES, named),
    week_screen(WEEK, named),
    Screen(posts_page(Settings(), None, ())),
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
