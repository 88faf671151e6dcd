"""Lines that are kept once drawn: another player's, table's or moment's never stands for one."""

from dataclasses import replace

from bot.games.ligretto.model import State
from bot.games.values import Seat
from bot.i18n import say
from bot.screen import Bar, Line, Sentence
from bot.tables.state.session import Session
from bot.tables.state.session_values import Alarm, News
from bot.tables.views.lines import title
from bot.tables.views.news import panel_news, table_news
from bot.tables.views.still_left import all_left, own_left
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


def test_what_the_table_shows_follows_the_play_the_names_and_the_points() -> None:
    session = live(race())
    strangers = named(session, "Dora", "Maximilian", "Finn")

    def news(of: Session, seat: Seat, claim: str, alarms: tuple[Alarm, ...] = ()) -> str:
        return told(table_news(replace(of, news=(News(seat, claim),), alarms=alarms), 60_000)[0])

    def bars(of: Session) -> list[tuple[str, int | None, int | None]]:
        return [
            (one.name.text, one.left, one.points) for one in all_left(of) if isinstance(one, Bar)
        ]

    for _ in range(2):  # drawn, and kept
        assert news(session, ANNA, "r1") == "Anna R1"
        assert news(session, BEN, "g1") == "Ben G1"
        assert news(strangers, BEN, "g1") == "Maximilian G1"
        assert "Ben" in news(session, CHLOE, "g1", (Alarm(BEN, 2, None, 60_000),))
        assert "Maximilian" in news(strangers, CHLOE, "g1", (Alarm(BEN, 2, None, 60_000),))
        assert "2" in news(session, CHLOE, "g1", (Alarm(BEN, 2, "g1", 60_000),))
        assert "1" in news(session, CHLOE, "g1", (Alarm(BEN, 1, "g1", 60_000),))
        assert [name for name, _, _ in bars(strangers)] == ["Dora", "Maximilian", "Finn"]
        assert [name for name, _, _ in bars(session)] == list(session.names)
        assert told(title(session)).endswith("round 1 of 3")
        assert "to 99" in told(title(replace(session, options={"target": "99"})))
