"""Every screen of the records, made from figures of all kinds."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import cycle, product

from bot.games import GAMES
from bot.games.values import Reason
from bot.ids import UserId
from bot.records.badges.badges import Badge
from bot.records.feat_models import (
    Best,
    FallenRecord,
    Feat,
    Highlight,
    PersonalBests,
    Rivalry,
    ServerRecord,
    Side,
)
from bot.records.feats import Category, variants
from bot.records.models import (
    MATCHES,
    PAGE,
    History,
    LeaderboardPage,
    LeaderboardRow,
    MatchDetails,
    Order,
    Person,
    Place,
    PlayedMatch,
    PlayedSeat,
    RatedAt,
    Stats,
)
from bot.records.periods import Period
from bot.records.ratings import Shown
from bot.records.results import RoundRecord
from bot.screen import Line, Screen, Sentence, Words
from bot.tables.decisions.presence import Presence
from bot.tables.decisions.rated_or_practice import Standing, Unranked
from bot.tables.state.session import Session
from bot.tables.views.results.records import Records
from bot.tables.views.screens.panel import panel
from bot.tables.views.screens.table_message import public
from bot.text import Name, Text
from bot.ui.records.card import Card, card_screen, figures_screen, practice_screen
from bot.ui.records.feats.badges import badges_screen
from bot.ui.records.feats.server_records import fallen_lines, in_short, records_screen
from bot.ui.records.leaderboard_pages import LeaderboardRequest, leaderboard_screen
from bot.ui.records.match_pages import changes, history_screen, match_screen
from bot.ui.records.rating_chart import alt_text, course_lines
from bot.ui.toolkit.player_names import Names
from bot.ui.watch.watch_screens import WatchedMatch, own_screen, shared_screen
from bot.watch.messages import Watched
from bot.watch.rounds.facts import ClosestDuel, RoundFacts
from tests.ui.matches import AT, HOST, HOSTILE, TABLE, dramatic, lobby, match_over

LARGE = UserId(2**62)
"""A Discord id of 19 digits."""
WIDE = tuple("木" * 30 + name for name in "ABCDEFGHIJKL")
NOBODY = Person(None, None)
DAY = 24 * 3600 * 1000


def people(called: tuple[str, ...]) -> list[Person]:
    return [NOBODY, *(Person(UserId(LARGE + i), name) for i, name in enumerate(called))]


def names() -> Names:
    """One has another name by now."""
    return Names({UserId(LARGE): "Renamed"}, "en-US")


def leaderboard_screens(called: tuple[str, ...] = HOSTILE) -> Iterator[Screen]:
    for place in (1, 95, 1990):
        rows = tuple(
            LeaderboardRow(place + i, person, Shown(-1234, 234), 1000 + i, 999, -20.55)
            for i, person in enumerate(people(called)[:PAGE])
        )
        for order in Order:
            for period in Period:
                leaderboard = LeaderboardPage(rows, place // PAGE, 200, 2000, rows[1], is_due=True)
                ask = LeaderboardRequest("ligretto", LARGE, period, order, 199)
                yield leaderboard_screen(ask, leaderboard, names())
                yield leaderboard_screen(
                    ask, replace(leaderboard, own=None, page=0, pages=1), names()
                )
    for is_missing in (False, True):
        leaderboard = LeaderboardPage((), 0, 1, 0, None, is_missing=is_missing)
        yield leaderboard_screen(LeaderboardRequest("dice", LARGE), leaderboard, names())


MOST = Stats(
    NOBODY, Shown(1234, 0), 9999, 99, 9999, 1.0, -123.45, 999.9, 9999, 9999.9, 9999, 9999.9,
    -120, 999, 999,
)  # fmt: skip
NEW = replace(
    MOST, matches=0, rating=None, win_share=None, points=None, laid=None,
    firsts_ms=None, lates_ms=None, worst=None, practice=1,
)  # fmt: skip


def cards(called: tuple[str, ...] = HOSTILE) -> Iterator[Screen]:
    rival = names().of(people(called)[-1])
    for person, feat in zip(people(called), cycle(Feat)):
        name = names().of(person, champion=True)
        value = 123_456 if feat is Feat.STOP else 999
        best = Highlight(feat, value, 999_999, AT, is_record=feat is Feat.STOP)
        card = Card(LARGE, name, "dice", MOST, Place(49_999, 50_000), highlight=best)
        for game in GAMES:
            others = tuple(one for one in GAMES if one != game)
            full = replace(card, game=game, rival=(rival, MET), others=others)
            yield card_screen(full, course_lines(curve(), "UTC"))
        yield card_screen(replace(card, met=MET))
        yield card_screen(replace(card, met=replace(MET, matches=0)))
    for one in (
        *(MOST, NEW, replace(NEW, matches=1, practice=0)),
        *(replace(NEW, rating=Shown(1234, 234)), replace(NEW, practice=0)),
    ):
        yield card_screen(Card(LARGE, rival, "dice", one), course_lines(curve(), "UTC"))


def stats(called: tuple[str, ...] = HOSTILE) -> Iterator[Screen]:
    yield from cards(called)
    for person in people(called):
        name = names().of(person)
        for game in GAMES:
            yield figures_screen(name, game, MOST, bests(game))
            yield figures_screen(name, game, NEW)
            yield practice_screen(name, game, MOST, bests(game))


MET = Rivalry(9999, Side(4999, 99_999, 999, 999.9), Side(5000, -9999, 0, None))


def bests(game: str) -> tuple[PersonalBests, ...]:
    """As many lines as there can be."""
    return tuple(
        PersonalBests(variant, category, 9999, 999, best)
        for variant in variants(game)
        for category, best in zip(Category, cycle((Best(120, 123_456), Best())))
    )


def feats(called: tuple[str, ...] = HOSTILE) -> Iterator[Screen]:
    for person in people(called):
        for page in (0, 1, 99):
            found = {Badge.SWEEP: 1, Badge.MASTER: 99}
            yield badges_screen(LARGE, names().of(person), found, page)
    for variant in ("standard", ""):
        yield records_screen("ligretto", [(), broken(called, variant)], names())
    yield records_screen("dice", [()], names())


def broken(called: tuple[str, ...], variant: str) -> list[ServerRecord]:
    """A record of each kind, of hostile names."""
    values = {Feat.STOP: 123_456, Feat.POINTS: 120}
    holders = cycle(people(called))
    return [
        ServerRecord(
            feat, variant, values.get(feat, 999), next(holders), 999_999, AT, next(holders)
        )
        for feat in Feat
    ]


def curve() -> tuple[RatedAt, ...]:
    """The ratings after three matches, of three days."""
    found = (Shown(1000, 205), Shown(1100, 90), Shown(1050, 50))
    return tuple(RatedAt(match, AT + match * DAY, one) for match, one in enumerate(found))


def rated() -> Iterator[Text]:
    """The words of a picture."""
    yield alt_text(names().of(Person(UserId(1), "Anna")), "ligretto", curve(), "Europe/Zurich")


def details(
    called: tuple[str, ...],
    rounds: int,
    *,
    game: str = "ligretto",
    standing: Standing = Standing.RATED,
    winners: int = 1,
    unranked: Unranked | None = None,
) -> MatchDetails:
    rated_ = standing is Standing.RATED
    seats = [PlayedSeat("Robot 1", None, 1, won=winners > 0, left=False, points=-100)]
    seats += [
        PlayedSeat(
            name=None,
            person=one,
            place=2 + i,
            won=i + 1 < winners,
            left=False,
            points=-100 - i,
            rating=Shown(1234, 234) if rated_ else None,
            change=-12 if rated_ else None,
        )
        for i, one in enumerate(people(called)[:11])
    ]
    count = len(seats)
    reasons = ((Reason.LIGRETTO, 1), (Reason.DEAD, None), (Reason.ABORT, None))
    told = [
        RoundRecord(reason, by, 3_599_000, (10, None, *(0,) * (count - 2)),
                    (0, None, *(20,) * (count - 2)), (1,) * count)
        for reason, by in (reasons[i % 3] for i in range(rounds))
    ]  # fmt: skip
    match = PlayedMatch(
        999_999, TABLE, game, AT, AT + 9_000_000, {}, standing, rated_, tuple(seats), unranked,
        forfeited=not rounds,
    )  # fmt: skip
    return MatchDetails(match, tuple(told))


def walkover(won: MatchDetails) -> MatchDetails:
    """All others have left, with more points than the winner."""
    first, *others = won.match.seats
    left = tuple(replace(seat, left=True, points=0) for seat in others)
    return replace(won, match=replace(won.match, seats=(first, *left)))


def matches(called: tuple[str, ...] = HOSTILE) -> Iterator[Screen]:
    yield history_screen(History((), 0, 1), [], names())
    kinds = [
        details(called, 30),
        walkover(details(called, 3)),
        *(details(called, 1, standing=Standing.PRACTICE, unranked=why) for why in Unranked),
        details(called, 1, standing=Standing.PRACTICE, unranked=Unranked.TOO_SHORT, winners=0),
        details(called, 2, standing=Standing.VOID, game="dice", winners=12),
        details(called, 0, game="dice"),
    ]
    page = [
        MatchDetails(replace(one.match, number=999_990 + i), one.rounds)
        for i, one in enumerate((kinds * 2)[:MATCHES])
    ]
    history = History(tuple(one.match for one in page), 998, 1000)
    yield history_screen(history, page, names())
    yield history_screen(replace(history, page=0, pages=1), page, names())
    for one in kinds:
        for at in (0, 1, 99):
            yield match_screen(one, at, 999, names())


def ends(called: tuple[str, ...] = HOSTILE) -> Iterator[Screen]:
    session = match_over(lobby(called))
    for lines in (changes(details(called, 3).match, names()), ()):
        own, stops = dict.fromkeys(session.seats_in, -99), dict.fromkeys(session.seats_in, 10**9)
        for told in (dramatic(session), alone(dramatic(session))):
            for found in (Records(lines, own, stops), Records(lines, own, stops, fallen(called))):
                yield public(told, Presence(session.lived), None, found)
    for feat, value in product(Feat, (0, 999)):
        broken_here = dict.fromkeys(session.seats_in, in_short(feat, value))
        presence = Presence(session.lived, broken=broken_here)
        yield panel(dramatic(session), HOST, presence, None)


def alone(session: Session) -> Session:
    """The same match of one person among robots."""
    first, *others = session.chairs
    return replace(session, chairs=(first, *(replace(one, user=None) for one in others)))


def fallen(called: tuple[str, ...]) -> dict[str, Line]:
    pairs = zip(broken(called, "standard"), broken(called, "standard"), strict=True)
    return fallen_lines([FallenRecord(*pair) for pair in pairs], names())


def watched(called: tuple[str, ...] = HOSTILE) -> Iterator[Screen]:
    """Pictures of rounds that end in each way, with as many rounds as there can be."""
    one = details(called, 1, standing=Standing.VOID)
    seats = tuple(range(len(one.match.seats)))
    told = tuple(names().of(person) for person in people(called))[: len(seats)]
    told += (Name("Robot 1"),) * (len(seats) - len(told))
    duels = (ClosestDuel(0, 1, 999, "r10"), ClosestDuel(1, 0, 0, "bd6"), None)
    for reason, duel in zip((Reason.LIGRETTO, Reason.DEAD, Reason.ABORT), duels, strict=True):
        facts = RoundFacts(1, seats, reason, seats[0], (-120,) * len(seats), 3_599_000, 0, duel)
        facts = replace(facts, duels=999 if duel else 0)
        rounds = tuple(replace(facts, number=number) for number in range(1, 31))
        for gif, span in ((b"GIF", (0, 9)), (b"", (0, 3_599_000))):
            for every in (rounds, rounds[:1]):
                shown = WatchedMatch(Watched(facts, every, span, gif), one.match, told)
                yield own_screen(shown)
                yield own_screen(shown, is_shared=True)
                yield Screen((Words((Sentence(shown.story),)),))
                if gif:
                    yield shared_screen(shown, told[0])


def record_screens(called: tuple[str, ...] = HOSTILE) -> Iterator[Screen]:
    for kind in (leaderboard_screens, stats, feats, matches, ends, watched):
        yield from kind(called)
