"""What is said about the deal of the day, with the values it is given."""

from bot.daily.chain import Chain
from bot.daily.dates import DayNumber
from bot.daily.fair_screen import fair_screen
from bot.daily.recap_screen import recap_screen, recap_title
from bot.daily.result import Quarter, Result
from bot.daily.round import DailyRefusal
from bot.daily.screens import Entry, daily_page, over, playing, share_screen
from bot.daily.store import (
    GameRecap,
    Leaderboard,
    LeaderboardRow,
    RoundKey,
    StoredRound,
    Winners,
)
from bot.games.values import Refused
from bot.ids import UserId
from bot.text import Icon, Name, Text
from tests.daily.played import DAY, after, whole

ROBOTS = ("Robot 1", "Robot 2")
CARDS, DICE = whole("ligretto"), whole("dice")
LOST = whole("dice", 2)
ROW = LeaderboardRow(1, UserId(5), "Anna", Result(12, 40))
OWN = LeaderboardRow(12, UserId(6), "Ben", Result(-3, 1))
FULL = Leaderboard((ROW,), 12, OWN)
CHAIN = Chain(DAY, b"\1" * 32, 3)
STORED = StoredRound(RoundKey(UserId(5), DAY, "dice"), 1, (), 3)
RECAP = GameRecap(
    "dice",
    10_000,
    (
        Winners(1, Result(8, 9), ("Anna", "Ben", "Cleo"), 5),
        Winners(3, Result(7, 9), ("Dora",), 1),
    ),
)
SCREENS = (
    daily_page(DAY, [Entry("ligretto", DAY, None), Entry("dice", DAY, DICE)], (), 0),
    daily_page(DAY, [Entry("ligretto", DAY, None, is_used=True)], (), 0),
    daily_page(
        DAY,
        [Entry("dice", DAY, after(DICE, 2))],
        [
            Entry("ligretto", DayNumber(DAY - 1), after(CARDS, 1)),
            Entry("dice", DayNumber(DAY - 1), after(DICE, 1)),
        ],
        3,
    ),
    playing(after(CARDS, 0), None, ROBOTS),
    *(
        playing(after(CARDS, number), Text("ligretto.laid", (("card", Icon("r7")),)), ROBOTS)
        for number in range(9)
    ),
    playing(after(DICE, 3), Refused(DailyRefusal.NOT_BEGUN), ROBOTS),
    over(CARDS, ROBOTS, FULL, streak=2, said=Refused(DailyRefusal.OVER), shares=True),
    over(whole("ligretto", 1), ROBOTS, None),
    *(over(whole("ligretto", number), ROBOTS, None) for number in range(2, 5)),
    over(after(CARDS, 5), ROBOTS, None),
    share_screen(DICE, Name("Anna")),
    fair_screen((CHAIN,), None, DayNumber(CHAIN.first), ()),
    fair_screen((CHAIN,), (DayNumber(DAY - 2), b"\2" * 32), DAY, (STORED,)),
    recap_screen(DAY, (RECAP,)),
)
TEXTS: tuple[Text, ...] = (
    *(Text(one) for one in DailyRefusal),
    *(Text(f"daily.quarter.{one.name.lower()}") for one in Quarter),
    recap_title(DAY),
    Text("command.daily.game"),
    Text("daily.refused.not_published"),
    Text("daily.refused.broken"),
)
