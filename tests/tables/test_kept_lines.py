"""Lines that are kept once drawn: another player's, table's or moment's never stands for one."""

from dataclasses import replace

from bot.games.ligretto.model import State
from bot.games.values import Seat
from bot.i18n import say
from bot.screen import Line, Sentence
from bot.tables.state.session import Session
from bot.tables.state.session_values import News
from bot.tables.views.news import panel_news
from bot.tables.views.still_left import own_left
from tests.tables.table import ANNA, BEN, CHLOE, live, own, race


def named(session: Session, *names: str) -> Session:
    chairs = zip(session.chairs, names, strict=True)
    return replace(session, chairs=tuple(replace(one, name=name) for one, name in chairs))


def told(line: Line) -> str:
    """The words of a line, without what makes some of them stand out."""
    assert isinstance(line, Sentence)
    return say(line.text, "en").replace("**", "").replace("🚨 ", "")


def test_own_count_follows_the_cards_the_seat_and_the_names() -> None:
    session = live(race())
    anna, _, chloe = race().seats
    fewer = replace(session, state=State((anna, own("r2 b6 b7", "y9"), chloe)))
    strangers = named(session, "Dora", "Maximilian", "Finn")
    for _ in range(2):  # drawn, and kept
        assert told(own_left(session, ANNA)) == "Pile: 2 you · 2 Ben"
        assert told(own_left(session, BEN)) == "Pile: 2 you · 2 Anna"
        assert told(own_left(fewer, ANNA)) == "Pile: 2 you #2/3 · 1 Ben"
        assert told(own_left(strangers, ANNA)) == "Pile: 2 you · 2 Maximilian"


def test_plays_follow_the_seat_the_card_and_the_names() -> None:
    session = live(race())

    def heard(of: Session, *plays: tuple[Seat, str]) -> str:
        news = tuple(News(seat, claim) for seat, claim in plays)
        return told(panel_news(replace(of, news=news), CHLOE, now=60_000))

    strangers = named(session, "Dora", "Maximilian", "Finn")
    for _ in range(2):  # drawn, and kept
        assert heard(session, (ANNA, "r1"), (BEN, "g1")) == "Ben G1 · Anna R1"
        assert heard(session, (BEN, "g1"), (ANNA, "r1")) == "Anna R1 · Ben G1"
        assert heard(session, (ANNA, "r1"), (BEN, "g2")) == "Ben G2 · Anna R1"
        assert heard(strangers, (ANNA, "r1"), (BEN, "g1")) == "Maximilian G1 · Dora R1"
