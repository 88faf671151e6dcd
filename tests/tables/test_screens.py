"""What a table says to everybody and to each player, in its English words."""

import hmac
from base64 import b32encode
from collections.abc import Iterable, Iterator
from copy import copy
from dataclasses import replace
from hashlib import sha256
from math import ceil
from typing import Any

import pytest

from bot.games import GAMES
from bot.games.ligretto.model import Card, Colour
from bot.games.values import Reason, Refused, Seat
from bot.i18n import PLAIN, say
from bot.ids import ChannelId, MessageId, UserId
from bot.screen import (
    Bar,
    Block,
    Cell,
    Choice,
    Column,
    Grid,
    Letters,
    Line,
    Pick,
    PickChannel,
    Picture,
    Piles,
    Row,
    Rule,
    Screen,
    Sentence,
    Style,
    Track,
    Words,
)
from bot.tables.decisions import decide as d
from bot.tables.decisions import lobby as in_lobby
from bot.tables.decisions import votes
from bot.tables.decisions.consequences import is_finished
from bot.tables.decisions.decide import Done
from bot.tables.decisions.lobby import begin_posting, publish, start
from bot.tables.decisions.option_lists import lists_of
from bot.tables.decisions.presence import Presence
from bot.tables.decisions.refusal_reasons import TableRefusal
from bot.tables.state import events as e
from bot.tables.state import match_seed
from bot.tables.state.evolve import apply
from bot.tables.state.session import Phase, Session
from bot.tables.state.session_values import RoundResult
from bot.tables.views.host_options import options
from bot.tables.views.lines import options_in_words
from bot.tables.views.news import HELD_MS
from bot.tables.views.results import standings
from bot.tables.views.results.standings import Pictured
from bot.tables.views.screens import table_message
from bot.tables.views.screens.panel import asleep, note
from bot.tables.views.screens.table_message import linked
from bot.text import Icon, Name, Text, bare
from bot.ui.records.fairness import promised as fairness
from tests.games.states import dice_state, ligretto_state, seat_cards
from tests.tables.views import panel, public
from tests.ui.limits import table_lines
from tests.ui.matches import (
    AT,
    HOST,
    PEOPLE,
    SECRET,
    accepted,
    after,
    after_moves,
    all_ready,
    live,
    lobby,
    match_over,
    moments,
    plays,
    round_over,
    screens,
    started,
    unpublished,
    user,
)

STRANGER = UserId(5)
ROUNDS_4 = "rounds=4,target=off"
TARGETS = (50, 75, 99, 150, 200, 300)
ALONE = "Solo, so it’s practice: no rating, no leaderboard."
SHORT = "Fewer than three rounds, so it’s practice: no rating, no leaderboard."
TOO_SHORT = "Too short for the leaderboard, but finished rounds are rated."


def words(screen: Screen) -> list[str]:
    """The lines of a screen, top to bottom, with spaces that may break."""
    return [
        text.replace("\N{NO-BREAK SPACE}", " ") for block in screen.blocks for text in _block(block)
    ]


def _block(block: Block) -> Iterator[str]:
    match block:
        case Words(lines):
            for line in lines:
                yield from _line(line)
        case Row(choices):
            yield " ".join(f"[{_cell(choice.label)}]" for choice in choices)
        case Pick(_, values, chosen):
            yield " ".join(("*" if value == chosen else "") + _cell(t) for value, t in values)
        case PickChannel(word):
            yield f"<{word}>"
        case Rule():
            yield "---"
        case Picture(file):
            yield f"<{file}>"


def _line(line: Line) -> Iterator[str]:
    match line:
        case Sentence(text):
            yield say(text, "en-US")
        case Track(colour, icons):
            yield f"{colour}: {' '.join(icons)}"
        case Piles(groups):
            yield " | ".join(" ".join(group) for group in groups)
        case Column(number, icons):
            yield f"{number} {' '.join(icons)}"
        case Letters():
            yield from ()  # in English each is its colour's first
        case Bar(left, top, name, points):
            yield f"{name.text} {left}/{top} {points}"
        case Grid(rows):
            for row in rows:
                yield " ".join(_cell(cell) for cell in row).strip()


def _cell(cell: Cell) -> str:
    match cell:
        case Text():
            return say(cell, "en-US")
        case Name():
            return PLAIN.name(cell)
        case _:
            return str(cell)


def choices(screen: Screen) -> dict[str, Choice]:
    rows = (block for block in screen.blocks if isinstance(block, Row))
    return {choice.word: choice for row in rows for choice in row.choices}


def ended(session: Session, *rounds: tuple[tuple[int, int], ...]) -> Session:
    """A started match with finished rounds of (plus, minus) by seat; the first seat stopped."""
    for points in rounds:
        session = live(session)
        plus, minus = zip(*points, strict=True)
        entry = e.RoundEnded(Reason.LIGRETTO, 0, plus, minus)
        session = apply(session, entry, session.at + 61_400)
    if is_finished(session):
        session = apply(session, e.MatchEnded(counts=True), session.at)
    return session


# -- the lobby -----------------------------------------------------------------------------


def test_a_lobby_shows_its_seats_its_host_and_when_it_closes() -> None:
    assert words(public(lobby(["Anna", "Ben"], computers=1), 0)) == [
        "Ligretto",
        "3 rounds · standard rules",
        "S1 **Anna** hosts",
        "S2 Ben",
        "COMPUTER Robot 1, medium",
        "9 more can join",
        "[Join] [Start] [Leave]",
        "[Add robot] [Remove robot]",
        "[Options] [Rules]",
        "[Fair deal?]",
        f"Closes <t:{AT // 1000 + 14 * 60}:R> unless someone starts",
        "Fingerprint: mmg42klgyqzwneiskrelxms3j72bfje4",
    ]


def test_when_the_host_leaves_the_next_human_is_host() -> None:
    session = lobby(["Anna", "Ben"], computers=1)
    session = accepted(session, d.leave(session, HOST))
    seats = words(public(session, 0))[2:4]
    assert seats == ["S1 **Ben** hosts", "COMPUTER Robot 1, medium"]


def test_a_seat_is_held_for_who_played_before() -> None:
    session = replace(lobby(["Anna"]), held=(e.Held(UserId(1002), "Ben"),))
    assert "Seat held for Ben: press Join" in words(public(session, 0))


def test_a_person_in_the_lobby_is_told_who_starts() -> None:
    session = lobby(["Anna", "Ben"])
    assert words(panel(session, user(1), 0)) == [
        "Anna presses Start when everyone’s in. Then press Ready.",
        "[Ready]",
    ]
    early, due = (choices(panel(one, user(1), 0))["ready"] for one in (session, started(session)))
    assert (early.style, due.style) == (Style.SECONDARY, Style.SUCCESS), "nobody waits for it yet"


def test_options_are_said_in_words_and_a_target_hides_the_rounds() -> None:
    def said(**chosen: str) -> str:
        joined = options_in_words(lobby(["Anna"], 0, **chosen))
        return say(bare(joined), "en-US")

    assert said(rounds="1") == "1 round · standard rules"
    assert said(rounds="5", refill="hand") == "5 rounds · standard rules · gaps by hand"
    assert said(rounds="5", target="99") == "to 99 points · standard rules"
    assert said(variant="expert", assist="on", panels="dm", place="thread", level="hard") == (
        "3 rounds · expert: play onto your row · hints show what fits · "
        "panels as direct messages · table in its own thread"
    )


def test_a_handicap_tells_who_gets_what_and_nothing_when_nobody_does() -> None:
    """Grown-ups have more than children. Without a child at the table nobody has."""

    def seats(choice: str) -> list[str]:
        session = lobby(["Anna", "Ben"], game="dice", extra="2")
        chosen = in_lobby.set_seat_option(session, HOST, 1, "dice", choice)
        lines = words(public(accepted(session, chosen), 0))
        assert not any("per grown-up" in line for line in lines)
        return lines[2:4]

    assert seats("child") == ["S1 **Anna** hosts (13 dice)", "S2 Ben (as a child, 11 dice)"]
    assert seats("even") == ["S1 **Anna** hosts", "S2 Ben"]


def test_no_two_choices_of_the_lists_contradict_each_other() -> None:
    """Rounds and a target are one list; so are the expert game and how gaps are filled."""
    session = lobby(["Anna"], rounds="20")
    for chosen in ({"target": "99"}, {"variant": "expert", "refill": "hand"}, {"rounds": "19"}):
        for one in lists_of(session.game, {**session.options, **chosen}):
            now = in_lobby.set_option(session, HOST, one.key, one.values[-1])
            assert isinstance(now, d.Done)
    after_all = accepted(session, in_lobby.set_option(session, HOST, "length", "target=99"))
    assert words(public(after_all, 0))[1] == "to 99 points · standard rules"
    back = accepted(after_all, in_lobby.set_option(after_all, HOST, "length", ROUNDS_4))
    assert words(public(back, 0))[1] == "4 rounds · standard rules"
    by_hand = accepted(back, in_lobby.set_option(back, HOST, "refill", "hand"))
    expert = accepted(by_hand, in_lobby.set_option(by_hand, HOST, "rules", "variant=expert"))
    assert "by hand" not in words(public(expert, 0))[1]
    by_itself = in_lobby.set_option(after_all, HOST, "rounds", "4")
    told = words(public(accepted(after_all, by_itself), 0))[1]
    assert told == "4 rounds · standard rules", "a list of an earlier version"
    for refused in ("rounds=4", "rounds=99,target=off", "place=thread", ""):
        assert in_lobby.set_option(session, HOST, "length", refused) == Refused(
            TableRefusal.BAD_OPTION
        )


def test_the_list_of_options_shows_what_holds() -> None:
    title, hint, *lists = words(options(lobby(["Anna"], rounds="2", level="hard")))
    assert [*lists[:6:2], lists[6]] == ["Length", "Rules", "Robots", "More"]
    length, rules, level, assist, panels, place = [*lists[1:6:2], *lists[7:]]
    assert (title, hint.partition(":")[0]) == ("Options", "Expert")
    assert length.startswith("1 round *2 rounds 3 rounds")
    assert length.endswith("18 rounds to 25 points " + " ".join(f"to {n} points" for n in TARGETS))
    assert rules == ("*standard rules standard rules, gaps by hand expert: play onto your row")
    assert assist == "*no hints hints show what fits"
    assert level == "robots: easy robots: medium *robots: hard robots: master"
    assert panels == "*panels in this channel panels as direct messages"
    assert place == "*table in this channel table in its own thread"


def test_a_game_of_one_length_offers_no_list_of_lengths() -> None:
    one_length = copy(GAMES["dice"])
    one_length.options = ()
    assert lists_of(GAMES["dice"], {})[0].key == "length"
    assert [one.key for one in lists_of(one_length, {})] == ["level", "assist", "panels", "place"]


def test_a_lobby_says_how_many_more_can_join() -> None:
    assert "1 more can join" in words(public(lobby(PEOPLE[:11]), 0))
    assert "No more seats" in words(public(lobby(PEOPLE), 0))


# -- waiting -------------------------------------------------------------------------------


def test_a_table_says_whom_it_waits_for_and_promises_its_deals() -> None:
    session = started(lobby(["Anna", "Ben", "Cem"], computers=1))
    session = accepted(session, d.ready(session, user(1)))
    assert words(public(session, 0)) == [
        "Ligretto · round 1 of 3",
        "3 rounds · standard rules",
        "READY Ben",
        "WAITING **Anna, Cem**",
        f"Anna can start <t:{AT // 1000 + 30}:R>",
        "[My cards] [Ready]",
        "[Rules] [Leave]",
        "[Move down] [Start]",
        "[Join next match]",
        "Fingerprint: mmg42klgyqzwneiskrelxms3j72bfje4",
    ]


def test_whoever_sits_out_a_paused_round_is_neither_ready_nor_missing() -> None:
    session = started(lobby(["Anna", "Ben", "Cem"]))
    for person in (HOST, user(1)):
        session = accepted(session, d.ready(session, person))
    session = after(session, d.START_AFTER)
    session = accepted(session, d.deal(session, HOST))
    paused = accepted(session, d.pause(session))
    paused = accepted(paused, d.ready(paused, user(1)))
    assert [line for line in words(public(paused, 0)) if line.startswith(("READY", "WAITING"))] == [
        "READY Ben",
        "WAITING **Anna**",
    ]


def test_a_round_of_dice_that_an_earlier_version_stopped_is_dealt_again() -> None:
    """Its journal doesn't say who asked for the end."""
    session = live(lobby(["Anna", "Ben"], game="dice"))
    stopped = apply(session, e.RoundEnded(Reason.ABORT, None, (0, 0), (0, 0)), session.at)
    told = "The round was cut short and doesn’t count. It’s dealt again."
    assert told in words(public(stopped, 0))


def test_the_host_can_start_half_a_minute_after_the_first_ready_of_each_round() -> None:
    session = after(round_over(live(lobby(["Anna", "Ben"]))), 2_000_000)
    session = accepted(session, d.ready(session, user(1)))
    ready_at = AT // 1000 + session.lived / 1000
    assert f"Anna can start <t:{ceil(ready_at + 30)}:R>" in words(public(session, session.lived))


def test_the_promise_is_one_line_from_the_lobby_to_the_end() -> None:
    """In play, when every line counts, it stands on the lobby's message alone."""
    over = ended(lobby(["Anna", "Ben"], rounds="1"), ((12, 0), (3, 8)))
    for session in (lobby(["Anna"]), round_over(live(lobby(["Anna", "Ben"]))), over):
        assert sum("Fingerprint: " in line for line in words(public(session, 0))) == 1
    assert not any("Fingerprint: " in line for line in words(public(live(lobby(["Anna"], 1)), 0)))


def test_a_panel_asks_for_ready_and_then_tells_who_is_missing() -> None:
    session = started(lobby(["Anna", "Ben"]))
    before = panel(session, HOST, 0)
    assert words(before) == [
        "Ligretto · round 1 of 3",
        "**Press Ready.** The round starts when everyone has.",
        "[Ready]",
    ]
    assert not choices(before)["ready"].off
    done = d.ready(session, HOST)
    session = accepted(session, done)
    assert isinstance(done, d.Done)
    after = panel(session, HOST, 0, note(done))
    assert words(after)[1:] == [
        "READY **You’re ready** · WAITING Ben",
        f"You can start <t:{AT // 1000 + 30}:R>",
        "[Ready]",
    ]
    assert choices(after)["ready"].off


def test_the_waiting_tables_start_works_half_a_minute_after_the_first_ready() -> None:
    session = started(lobby(["Anna", "Ben", "Cem"]))
    assert choices(public(session, 0))["deal"].off
    for seat in (0, 1):
        session = accepted(session, d.ready(session, user(seat)))
    nearly = after(session, 29_999)
    assert choices(public(nearly, 0))["deal"].off
    assert not choices(public(after(nearly, 1), 0))["deal"].off


def test_the_count_is_a_number_for_everybody() -> None:
    session = all_ready(started(lobby(["Anna", "Ben"])))
    assert session.phase is Phase.COUNT
    assert words(public(session, 3))[:2] == ["Ligretto · round 1 of 3", "3 …"]
    screen = panel(session, HOST, 2)
    assert words(screen)[:5] == [
        "Pile: **10** you · **10** Ben",
        "r0 r0 | y0 y0",
        "g0 g0 | b0 b0",
        "Any 1 opens a pile: R1 Y1 G1 B1",
        "**2 …**",
    ]
    assert all(choice.off for choice in choices(screen).values())


@pytest.mark.parametrize(
    "chosen", [{}, {"variant": "expert", "assist": "on"}, {"refill": "hand"}], ids=str
)
def test_while_it_counts_a_panel_shows_nothing_of_the_hand(chosen: dict[str, Any]) -> None:
    """The cards are dealt already: whoever saw them first would be ahead."""
    session = all_ready(started(lobby(["Anna", "Ben"], **chosen)))
    own = seat_cards(session, 0)
    row = tuple((card,) for card in own.hand[: len(own.row)])
    other = replace(own, row=row, ligretto=own.hand[-len(own.ligretto) :])
    swapped = replace(ligretto_state(session), seats=(other, seat_cards(session, 1)))
    dealt_otherwise = replace(session, state=swapped)
    assert dealt_otherwise.state != session.state
    assert panel(session, HOST, 3) == panel(dealt_otherwise, HOST, 3)


def test_while_it_counts_a_panel_shows_no_dice() -> None:
    session = all_ready(started(lobby(["Anna", "Ben"], game="dice", assist="on")))
    state = dice_state(session)
    swapped = replace(state, seats=(state.seats[1], state.seats[0]))
    assert panel(session, HOST, 3) == panel(replace(session, state=swapped), HOST, 3)


def test_after_a_restart_the_round_waits_for_its_players() -> None:
    session = after_moves(live(lobby(["Anna", "Ben"])), 4)
    session = accepted(session, d.pause(session))
    assert words(public(session, 0))[:3] == [
        "Ligretto · round 1 of 3",
        "The bot restarted. The round continues where it was.",
        "WAITING **Anna, Ben**",
    ]


# -- playing -------------------------------------------------------------------------------


def test_a_live_table_shows_piles_bars_and_news_in_fixed_places() -> None:
    session = live(lobby(["Anna", "Ben"]))
    lines = words(public(session, 0))
    assert lines == [
        "Ligretto · round 1 of 3",
        *("r0 r0 | y0 y0", "g0 g0 | b0 b0"),
        "Ligretto cards left · points",
        *("Anna 10/10 0", "Ben 10/10 0"),
        "---",
        *("**Go!**", "Any 1 opens a pile: R1 Y1 G1 B1"),
        "[My cards] [End round]",
        "[Rules] [Leave]",
        "[Move down] [Fair deal?]",
        "[Join next match]",
    ]
    for later in plays(session):
        if later.phase is Phase.LIVE:
            assert len(words(public(later, 0))) == len(lines)


def test_a_bar_goes_down_with_the_ligretto_pile_and_keeps_the_points_so_far() -> None:
    session = live(ended(lobby(["Anna", "Ben"]), ((12, 0), (3, 8))))
    own = seat_cards(session, 1)
    less = replace(own, ligretto=own.ligretto[4:])
    state = replace(ligretto_state(session), seats=(seat_cards(session, 0), less))
    lines = words(public(replace(session, state=state), 0))
    assert lines[4:6] == ["Anna 10/10 12", "Ben 6/10 -5"]


def test_seven_players_are_shown_two_in_a_line() -> None:
    lines = words(public(live(lobby(PEOPLE[:7])), 0))
    assert lines[6:10] == ["10 Anna 10 Ben", "10 Cem 10 Dora", "10 Emil 10 Frida", "10 Gül"]


def test_cells_of_twelve_hold_their_columns_to_the_last_card() -> None:
    session = live(lobby(PEOPLE))
    few = tuple(
        replace(own := seat_cards(session, i), ligretto=own.ligretto[:4]) for i in range(12)
    )
    less = replace(session, state=replace(ligretto_state(session), seats=few))
    lines = [list(table_lines(public(one, 0))) for one in (session, less)]
    for before, now in zip(*lines, strict=True):
        assert before.replace("10", " 4") == now


def test_the_table_tells_the_newest_play_and_below_it_those_before() -> None:
    session = live(lobby(["Anna", "Ben"]))
    session = next(later for later in plays(session) if len(later.news) == 3)
    (card, name), *before = (
        (one.claim.upper(), session.chairs[one.seat].name) for one in reversed(session.news)
    )
    assert words(public(after(session, HELD_MS), 0))[7:9] == [
        f"**{name}** {card}",
        " · ".join(f"{who} {one}" for one, who in before),
    ]


def beaten(session: Session, ms: int) -> tuple[Session, Seat, Seat]:
    """Somebody pressed for the newest card as well, so much later: who was first, and who not."""
    session = next(later for later in plays(session) if later.news)
    newest = session.news[-1]
    loser = next(seat for seat in session.seats_in if seat != newest.seat)
    late = e.Rejected(loser, newest.claim, ("play", "row0"), "R1", newest.seat, ms)
    return apply(session, late, session.at), newest.seat, loser


def test_a_duel_is_told_to_both_and_to_the_table_for_three_seconds() -> None:
    session, winner, loser = beaten(live(lobby(["Anna", "Ben", "Cem"])), 84)
    first, second = (session.chairs[one].name for one in (winner, loser))
    (other,) = {0, 1, 2} - {winner, loser}
    card = session.news[-1].claim.upper()
    for wait, is_told in ((0, True), (2_999, True), (3_000, False)):
        then = after(session, wait)
        assert (
            f"⚡ {card} **{first}** beat {second} by 84 ms" in words(public(then, 0))
        ) is is_told
        won = words(panel(then, user(winner), 0))
        assert (f"⚡ You beat {second} by 84 ms {card}" in won) is is_told
        lost = words(panel(then, user(loser), 0))
        assert (f"⚡ {first} beat you by 84 ms {card}" in lost) is is_told
        assert not any("beat" in line for line in words(panel(then, user(other), 0)))


def test_a_race_lost_by_more_than_a_second_is_told_to_its_loser_alone() -> None:
    """A slow connection makes no heroes."""
    session, winner, loser = beaten(live(lobby(["Anna", "Ben"])), 1001)
    assert any("by 1001 ms" in line for line in words(panel(session, user(loser), 0)))
    for screen in (public(session, 0), panel(session, user(winner), 0)):
        assert not any("1001" in line for line in words(screen))


def test_others_are_alarmed_when_somebody_has_three_cards_left() -> None:
    told = set()
    for later in plays(live(lobby(["Anna", "Ben"]))):
        if later.phase is not Phase.LIVE or not later.alarms:
            continue
        last = later.alarms[-1]
        if last.at != later.lived:
            continue
        told.add(last.left)
        alarm = f"🚨 **{later.chairs[last.seat].name} has {last.left} left!**"
        assert alarm in words(public(later, 0))
        heard = words(panel(later, user(1 - last.seat), 0))
        assert any(line.startswith(alarm) for line in heard)
        own = words(panel(later, user(last.seat), 0))
        assert not any(line.startswith(alarm) for line in own)
        assert not any("left!" in line for line in words(public(after(later, HELD_MS), 0)))
    assert told >= {1, 2, 3}


def test_a_panel_shows_own_cards_in_zones_and_how_the_closest_rival_stands() -> None:
    session = live(lobby(["Anna", "Ben", "Cem"]))
    own = seat_cards(session, 0)
    less = replace(other := seat_cards(session, 1), ligretto=other.ligretto[6:])
    state = replace(ligretto_state(session), seats=(own, less, seat_cards(session, 2)))
    lines = words(panel(replace(session, state=state), HOST, 0))
    row = [f"[{str(column[0]).upper()}]" for column in own.row]
    assert lines == [
        "Pile: **10** you #2/3 · **4** Ben",
        *("r0 r0 r0 | y0 y0 y0", "g0 g0 g0 | b0 b0 b0"),
        "Any 1 opens a pile: R1 Y1 G1 B1",
        "**Go!**",
        "**Your row**",
        " ".join(row[:3]),
        " ".join(row[3:]),
        "**Ligretto pile** · 10 left",
        f"[{str(own.ligretto[0]).upper()}]",
        "**Discard pile** · 26 in hand",
        "[– –] [Flip]",
    ]


def test_the_fewest_cards_left_are_an_alarm_from_three_on() -> None:
    def head(*left: int) -> str:
        session = live(lobby(["Anna", "Ben", "Cem"][: len(left)]))
        seats = tuple(
            replace(own := seat_cards(session, i), ligretto=own.ligretto[10 - n :])
            for i, n in enumerate(left)
        )
        session = replace(session, state=replace(ligretto_state(session), seats=seats))
        return words(panel(session, HOST, 0))[0]

    assert head(4, 5) == "Pile: **4** you · **5** Ben"
    assert head(3, 4) == "Pile: 🚨 **3** you · **4** Ben"
    assert head(3, 2) == "Pile: **3** you · 🚨 **2** Ben"
    assert head(9, 2, 1) == "Pile: **9** you #3/3 · 🚨 **1** Cem"
    assert head(2, 2, 7) == "Pile: 🚨 **2** you #1/3 · **2** Ben"
    assert head(10, 10, 10) == "Pile: **10** you · **10** Ben", "nobody is first yet"


def last_card(card: Card, *, gap: bool, said: Line | None = None) -> tuple[list[str], Screen]:
    """Anna's panel with this card alone in her Ligretto pile."""
    session = live(lobby(["Anna", "Ben"]))
    own = seat_cards(session, 0)
    poor = replace(own, row=(*own.row[:4], ()) if gap else own.row, ligretto=(card,))
    state = replace(ligretto_state(session), seats=(poor, seat_cards(session, 1)))
    screen = panel(replace(session, state=state), HOST, 0, said)
    return words(screen), screen


def test_the_press_that_ends_the_round_says_so_in_the_piles_own_row() -> None:
    fits, screen = last_card(Card(Colour.RED, 1), gap=False)
    assert "**Last card:** R1 fits" in fits
    assert "[Ligretto! R1]" in fits
    assert choices(screen)["r1"].style is Style.SUCCESS
    into, screen = last_card(Card(Colour.RED, 9), gap=True)
    assert "**Last card:** R9 into the gap" in into
    assert "[Ligretto! ↓]" in into
    assert choices(screen)["r9>4"].style is Style.SUCCESS
    neither, _ = last_card(Card(Colour.RED, 9), gap=False)
    assert not any("Ligretto!" in line for line in neither)


def test_the_last_card_hides_no_reason_why_a_press_was_refused() -> None:
    """Somebody was quicker in that very moment: then the reason counts, and the button is green."""
    values = (("card", Icon("b4")), ("who", Name("Ben")), ("ms", 23))
    said = note(Refused(TableRefusal.TOO_LATE, values))
    for card, gap in ((Card(Colour.RED, 1), False), (Card(Colour.RED, 9), True)):
        shown, _ = last_card(card, gap=gap, said=said)
        assert "✖ Too late for B4" in shown
        assert not any("Last card" in line for line in shown)
        assert any("Ligretto!" in line for line in shown)


def test_with_a_target_the_title_tells_it() -> None:
    session = live(lobby(["Anna", "Ben"], target="99"))
    assert words(public(session, 0))[0] == "Ligretto · round 1, play to 99"


def test_who_has_left_or_never_sat_here_sees_no_cards() -> None:
    session = live(lobby(["Anna", "Ben", "Cem"]))
    session = accepted(session, d.leave(session, user(1)))
    left_it = ["You left this match. You can join the next one.", "[Join next match]"]
    assert words(panel(session, user(1), 0)) == left_it
    never = words(panel(session, STRANGER, 0))
    assert never == ["You’re no longer at this table."]


def test_a_sleeping_panel_says_how_to_wake_it() -> None:
    session = live(lobby(["Anna", "Ben"]))
    awake = panel(session, HOST, 0)
    assert words(asleep(session, awake)) == [
        "This panel timed out. Press any button here, or My cards under the table.",
        *words(awake),
    ]


# -- score and end -------------------------------------------------------------------------


def test_a_score_says_who_won_who_leads_and_what_comes_next() -> None:
    session = ended(lobby(["Anna", "Ben", "Cem"]), ((12, 0), (3, 8), (20, 2)))
    below = [
        "**Cem leads by 6**, 2 rounds to go",
        "WAITING **Anna, Ben, Cem**",
        "[My cards] [Next round]",
        "[Rules] [Leave]",
        "[Move down] [Start]",
        "[Join next match]",
        "Fingerprint: mmg42klgyqzwneiskrelxms3j72bfje4",
    ]
    assert words(public(session, 0)) == [
        "ROUND Cem wins round 1",
        "1:01 · STOP Anna called Ligretto stop!",
        "GOLD **Cem** +18 → 18 ",
        "SILVER **Anna** +12 → 12 STOP",
        "BRONZE **Ben** −5 → −5 ",
        *below,
    ]
    assert words(table_message.public(session, Presence(0), Pictured("score-1.png"))) == [
        "ROUND Cem wins round 1",
        "1:01 · STOP Anna called Ligretto stop!",
        "<score-1.png>",
        *below,
    ]


def test_names_that_a_picture_cannot_write_stand_below_it() -> None:
    session = ended(lobby(["Anna", "Ben", "Cem"]), ((12, 0), (3, 8), (20, 2)))
    picture = Pictured("score-1.png", nameless=(Seat(1), Seat(2)))
    assert "S2 Ben · S3 Cem" in words(table_message.public(session, Presence(0), picture))


def test_who_leads_is_told_by_totals_and_who_has_won_by_the_round() -> None:
    session = ended(lobby(["Anna", "Ben"]), ((12, 0), (3, 8)), ((0, 4), (9, 0)))
    assert words(public(session, 0))[:5] == [
        "ROUND Ben wins round 2",
        "1:01 · STOP Anna called Ligretto stop!",
        "GOLD **Anna** −4 → 8 STOP",
        "SILVER **Ben** +9 → 4 ",
        "**Anna leads by 4**, one round to go",
    ]
    assert words(panel(session, user(1), 0))[:4] == [
        "ROUND You win round 2",
        "+9 points, 4 in total",
        "STOP Anna called Ligretto stop!",
        "Ligretto · round 3 of 3",
    ]
    assert words(panel(session, HOST, 0))[:3] == [
        "SILVER Place 2 of 2 in round 2",
        "−4 points, 8 in total",
        "STOP You called Ligretto stop!",
    ]


def test_a_target_says_how_far_it_is_and_equal_points_share_the_lead() -> None:
    session = ended(lobby(["Anna", "Ben", "Cem"], target="50"), ((12, 0), (12, 0), (3, 8)))
    assert "**Anna and Ben share the lead**, 38 points to go" in words(public(session, 0))
    level = ended(lobby(["Anna", "Ben"]), ((4, 0), (4, 0)))
    assert words(public(level, 0))[0] == "Round 1 is a draw"


def test_a_panel_says_who_has_won_as_the_table_does() -> None:
    """A round that all have tied is nobody's; one that some have tied is won by each of them."""
    draw = ended(lobby(["Anna", "Ben"]), ((0, 20), (0, 20)))
    assert words(public(draw, 0))[0] == "Round 1 is a draw"
    for person in (HOST, user(1)):
        shown = words(panel(draw, person, 0))
        assert shown[:2] == ["Round 1 is a draw", "−20 points, −20 in total"]
    tied = ended(lobby(["Anna", "Ben", "Cem"]), ((9, 0), (9, 0), (3, 0)))
    assert words(public(tied, 0))[0] == "ROUND Anna and Ben win round 1"
    heads = [words(panel(tied, person, 0))[0] for person in (HOST, user(1), user(2))]
    assert heads == ["ROUND You win round 1"] * 2 + ["BRONZE Place 3 of 3 in round 1"]


def test_a_round_that_nobody_stopped_says_why_it_was_over() -> None:
    session = live(lobby(["Anna", "Ben"]))
    for entry, line in (
        (e.RoundEnded(Reason.DEAD, None, (1, 2), (2, 2)), "Nobody can play anything any more"),
        (e.RoundEnded(Reason.ABORT, None, (1, 2), (2, 2)), "The round was cut short"),
        (
            e.RoundEnded(Reason.ABORT, None, (1, 2), (2, 2), agreed=True),
            "AGREED Everyone agreed to end the round",
        ),
        (
            e.RoundEnded(Reason.ABORT, None, (1, 2), (2, 2), agreed=True, voters=(1,)),
            "HAND Ben ended the round",
        ),
    ):
        over = apply(session, entry, session.at)
        assert words(public(over, 0))[1] == f"0:00 · {line}"


def test_players_who_agree_to_end_a_round_are_told_that_they_did() -> None:
    session = live(lobby(["Anna", "Ben"]))
    for person in (HOST, user(1)):
        session = accepted(session, votes.end_round(session, person, ()))
    assert session.history[-1].ended.agreed
    assert "AGREED" in words(public(session, 0))[1]


def test_whoever_ends_a_round_alone_is_told_of_by_name() -> None:
    """The others in it are robots: nobody agreed on anything."""
    session = live(lobby(["Anna"], computers=2))
    session = accepted(session, votes.end_round(session, HOST, (), sure=True))
    assert words(public(session, 0))[1].endswith("· HAND Anna ended the round")
    assert "HAND You ended the round" in words(panel(session, HOST, 0))
    described = say(standings.described(session), "en-US")
    assert described.endswith(" Anna ended the last round.")


def test_a_round_of_dice_that_one_person_ended_says_who() -> None:
    session = live(lobby(["Anna"], computers=1, game="dice"))
    session = accepted(session, votes.end_round(session, HOST, (), sure=True))
    again = ". It doesn’t count and is dealt again."
    assert f"HAND Anna ended the round{again}" in words(public(session, 0))
    assert f"HAND You ended the round{again}" in words(panel(session, HOST, 0))


def test_whoever_asks_to_end_a_round_is_told_what_that_means() -> None:
    """Ten Ligretto cards are left, at two points each. With the last round the match ends."""
    first, last = (live(lobby(["Anna"], computers=1, rounds=n)) for n in ("2", "1"))
    dice = live(lobby(["Anna"], computers=1, game="dice"))
    asked = [say(votes.ask_to_end(one, Seat(0)), "en-US") for one in (first, last, dice)]
    assert asked == [
        "End this round? It counts as it stands: −20 points for you.",
        "End this round, and the match with it? It counts as it stands: −20 points for you.",
        "End this round? It won’t count and is dealt again.",
    ]


def test_own_votes_are_told_in_the_second_person() -> None:
    session = live(lobby(["Anna", "Ben"]))
    session = accepted(session, votes.end_round(session, HOST, ()))
    own, others = (words(panel(session, one, 0)) for one in (HOST, user(1)))
    assert any(line.startswith("You want to end the round.") for line in own)
    assert any(line.startswith("Anna wants to end the round.") for line in others)


# -- who has left --------------------------------------------------------------------------


ROUND = e.RoundEnded(Reason.LIGRETTO, 0, (9, 7, 0, 0), (0, 0, 0, 0))


def test_whoever_left_is_news_and_no_player_any_more() -> None:
    """Ben had the fewest left: he is nobody's rival once he has gone."""
    session = left(live(lobby(["Anna", "Ben"], computers=2)), user(1))
    table, own = words(public(session, 0)), words(panel(session, HOST, 0))
    assert "FLAG **Ben** left" in table
    assert "FLAG **Ben** left" in own
    assert "FLAG Ben left · 0" in table
    assert not any("10 Ben" in line or "**10** Ben" in line for line in (*table, *own))
    later = after(session, 10_100)
    assert "FLAG **Ben** left" not in words(public(later, 0)), "it was news for 10 s"
    assert "FLAG Ben left · 0" in words(public(later, 0))
    ahead = replace(later, history=(RoundResult(ROUND, 1000, (Seat(0), Seat(1))),))
    assert "FLAG Ben left · +7" in words(public(ahead, 0)), "with a sign, as in a bar"
    over = round_over(later)
    assert "FLAG **Ben** left" in words(public(over, 0))
    assert "FLAG **Ben** left" in words(panel(over, HOST, 0))


def test_whoever_was_released_was_away() -> None:
    session = live(lobby(["Anna", "Ben", "Cem"]))
    gone = apply(session, e.Left(1, away=True), session.at)
    assert "FLAG **Ben** was away and is out" in words(public(gone, 0))
    assert words(panel(gone, user(1), 0)) == [
        "You were away, so the match continues without you. You can join the next one.",
        "[Join next match]",
    ]


def test_leavers_have_a_way_to_the_next_match_on_their_panel() -> None:
    session = left(live(lobby(["Anna", "Ben", "Cem"])), user(1))
    lines = ["You left this match. You can join the next one.", "[Join next match]"]
    assert words(panel(session, user(1), 0)) == lines
    queued = accepted(session, in_lobby.next_match(session, user(1), "Ben"))
    waits = "You have a seat in the next match. You’re watching until then."
    assert words(panel(queued, user(1), 0)) == [waits]


@pytest.mark.parametrize(
    ("people", "computers", "key"),
    [(2, 2, "leave.sure"), (1, 2, "leave.sure_alone"), (2, 0, "leave.sure_ends")],
)
def test_leaving_asks_by_what_becomes_of_the_match(people: int, computers: int, key: str) -> None:
    session = live(lobby(["Anna", "Ben"][:people], computers=computers))
    asked = d.ask_to_leave(session, HOST)
    assert isinstance(asked, Done)
    assert asked.said.key == key
    over = accepted(session, d.leave(session, HOST))
    assert (over.phase is Phase.OVER) == (key != "leave.sure")


@pytest.mark.parametrize("game", ["ligretto", "dice"])
def test_nobody_wins_a_match_that_everybody_was_away_from(game: str) -> None:
    """Anna was ahead when nobody pressed any more: no robot has beaten her by staying."""
    session = lobby(["Anna"], computers=2, game=game, rounds="9")
    session = ended(session, ((0, 8), (20, 0), (12, 0)), ((24, 0), (0, 22), (0, 14)))
    over = accepted(session, d.abandon(session))
    assert over.phase is Phase.OVER
    lines = words(public(over, 0))
    assert lines[0] == "AWAY Anna was away: match closed"
    assert lines[1].startswith("16 : −2 : −2 ·")
    assert not any(word in line for line in lines for word in ("CROWN", "RISE", "share first"))
    assert "GOLD" not in "\n".join(lines), "a medal is a winner's"
    assert any(line.startswith("#1 **Anna** · 16 points") for line in lines)
    assert words(panel(over, HOST, 0)) == [
        "You were away, so the match was closed. Press Rematch to play again.",
        "16 points, 18 ahead of Robot 1",
        "[Rematch]",
    ]


def test_no_robot_comes_back_by_staying() -> None:
    """It was 30 points behind, and ahead of Anna when nobody pressed any more."""
    session = ended(lobby(["Anna"], computers=1), ((20, 0), (0, 10)), ((0, 10), (30, 0)))
    over = accepted(session, d.abandon(session))
    assert not any("RISE" in line for line in words(public(over, 0)))


def test_all_people_who_were_away_are_named() -> None:
    session = ended(lobby(["Anna", "Ben"]), ((12, 0), (3, 0)))
    over = accepted(session, d.abandon(session))
    assert words(public(over, 0))[0] == "AWAY Anna and Ben were away: match closed"
    dice = live(lobby(["Anna"], computers=1, game="dice"))
    assert words(public(accepted(dice, d.abandon(dice)), 0))[:2] == [
        "AWAY Anna was away: match closed",
        "The match ended before any round was finished",
    ]


def left(session: Session, person: UserId) -> Session:
    return accepted(session, d.leave(session, person))


def test_whoever_sat_a_round_out_does_not_win_it() -> None:
    """They have 0 points, which can be more than all others have."""
    session = ended(lobby(["Anna", "Ben", "Cem"], rounds="3"), ((1, 0), (0, 0), (0, 0)))
    session = accepted(session, d.leave(session, user(2)))
    session = ended(session, ((0, 4), (0, 9), (0, 0)))
    assert words(public(session, 0))[2:5] == [
        "GOLD **Anna** −4 → −3 STOP",
        "SILVER **Ben** −9 → −9 ",
        "BRONZE **Cem** 0 → 0 ",
    ]


def test_a_place_in_a_round_is_among_all_who_were_dealt_in() -> None:
    """Cem left late, with more points than Anna. He comes last, as at the table."""
    session = left(live(lobby(["Anna", "Ben", "Cem"])), user(2))
    session = apply(session, e.RoundEnded(Reason.LIGRETTO, 1, (5, 9, 7), (0, 0, 0)), session.at)
    assert "SILVER Place 2 of 3 in round 1" in words(panel(session, HOST, 0))
    session = live(session)
    session = apply(session, e.RoundEnded(Reason.LIGRETTO, 1, (5, 9, 0), (0, 0, 0)), session.at)
    assert "SILVER Place 2 of 2 in round 2" in words(panel(session, HOST, 0))


def test_equal_points_share_a_place_and_the_win() -> None:
    session = ended(lobby(["Anna", "Ben", "Cem"], rounds="1"), ((12, 0), (14, 2), (3, 8)))
    assert session.places == (1, 1, 3)
    assert words(public(session, 0)) == [
        "CROWN Anna and Ben win!",
        "12 : 12 : −5 · 1 round · 1 minute",
        "A tie on points, so they share first place.",
        "GOLD **Anna** · 12 points STOP",
        "GOLD **Ben** · 12 points ",
        "BRONZE **Cem** · −5 points ",
        SHORT,
        "[Rematch] [My cards]",
        "[Leaderboard] [Watch] [Replay]",
        "[Fair deal?]",
        "Fingerprint: mmg42klgyqzwneiskrelxms3j72bfje4",
    ]


def test_the_end_says_what_the_records_will_say() -> None:
    """Practice is one human alone or too short a match; without a round there is nothing."""
    alone = match_over(lobby(["Anna"], computers=1, rounds="1"))
    short = match_over(lobby(["Anna", "Ben"], rounds="2"))
    full = match_over(lobby(["Anna", "Ben"], rounds="3"))
    left = live(lobby(["Anna", "Ben"], game="dice"))
    left = accepted(left, d.leave(left, HOST))
    assert left.phase is Phase.OVER
    told = [words(public(session, 0)) for session in (alone, short, full, left)]
    found = [[line for line in one if "practice" in line] for one in told]
    assert found == [[ALONE], [SHORT], [], []]


def test_the_end_tells_of_a_round_that_is_rated_since_it_was_left() -> None:
    """Nothing else of the match has points, and whoever stayed has won it."""
    session = live(lobby(["Anna", "Ben"], game="dice", rounds="full"))
    session = after_moves(session, 3)
    assert session.phase is Phase.LIVE
    over = accepted(session, d.leave(session, HOST))
    assert (over.phase, over.history) == (Phase.OVER, ())
    assert words(public(over, 0))[:5] == [
        "FLAG Ben wins: Anna left",
        "GOLD **Ben** · 0 points ",
        "SILVER **Anna** · 0 points FLAG",
        "Everyone else left during a round, so it’s rated too.",
        "Ended earlier than agreed.",
    ]


def test_own_panels_congratulate_and_say_what_everybody_did_well() -> None:
    session = ended(lobby(["Anna", "Ben", "Cem"], rounds="1"), ((12, 0), (12, 0), (13, 0)))
    assert words(public(session, 0))[0] == "CROWN Cem wins!"
    assert words(panel(session, user(2), 0)) == [
        "GOLD You win!",
        "13 points, 1 ahead of Anna",
        "[Rematch]",
    ]
    assert words(panel(session, user(1), 0)) == [
        "SILVER Place 2 of 3",
        "12 points, 1 behind Cem",
        "[Rematch]",
    ]


def test_news_of_a_round_is_over_with_it_and_answers_are_not() -> None:
    """The last line on a winner's panel once was the card that they had played."""
    session = ended(lobby(["Anna", "Ben"], rounds="1"), ((12, 0), (3, 0)))
    played = Sentence(Text("ligretto.laid", (("card", "R5"),)))
    assert words(panel(session, HOST, 0, played)) == words(panel(session, HOST, 0))
    refused = Sentence(Text("table.closed.over"))
    assert say(refused.text, "en-US") in words(panel(session, HOST, 0, refused))


def test_who_left_comes_last_whatever_the_points() -> None:
    session = ended(lobby(["Anna", "Ben", "Cem"], rounds="2"), ((12, 0), (30, 0), (3, 0)))
    session = accepted(session, d.leave(session, user(1)))
    session = ended(session, ((1, 0), (0, 0), (1, 0)))
    assert session.places == (1, 3, 2)
    assert words(public(session, 0))[0] == "FLAG Anna wins: Ben left"


def test_a_match_that_was_stopped_and_one_for_practice_say_so() -> None:
    """Who leaves has lost; when a moderator closes the table, nobody has."""
    session = ended(lobby(["Anna", "Ben"]), ((12, 0), (3, 8)))
    session = replace(session, met=True)
    stopped = words(public(accepted(session, d.leave(session, user(1))), 0))
    assert "Ended earlier than agreed." in stopped
    assert TOO_SHORT not in stopped
    closed = words(public(accepted(session, d.close(session, "table.closed.moderator")), 0))
    assert TOO_SHORT in closed
    alone = match_over(lobby(["Anna"], computers=1, rounds="1"))
    assert ALONE in words(public(alone, 0))
    assert "Ended earlier than agreed." not in words(public(alone, 0))


def test_what_ends_before_its_first_round_is_live_is_no_match() -> None:
    """Nobody has won it, and it isn't over: it's closed, and says why."""
    why = "Too few players were left for a first round. Open a new table with /ligretto or /dice."
    session = started(lobby(["Anna", "Ben"]))
    for waits in (session, all_ready(session)):
        closed = accepted(waits, d.leave(waits, user(1)))
        assert closed.phase is Phase.CLOSED
        assert closed.history == ()
        assert words(public(closed, 0)) == ["Ligretto", why]


def test_a_closed_table_says_why() -> None:
    session = lobby(["Anna", "Ben"])
    closed = accepted(session, d.close(session, "table.closed.expired"))
    why = "Nobody started the match in time. Open a new table with /ligretto or /dice."
    assert words(public(closed, 0)) == ["Ligretto", why]
    assert words(panel(closed, HOST, 0)) == [why]


def test_a_table_closed_after_its_match_keeps_its_result() -> None:
    session = match_over(lobby(["Anna", "Ben"], rounds="1"))
    closed = accepted(session, d.close(session, "table.closed.over"))
    lines = words(public(closed, 0))
    assert lines[:-4] == words(public(session, 0))[:-4]
    assert lines[-4:-2] == ["The match is over.", "[Rematch]"]
    assert lines[-2:] == ["[Leaderboard] [Watch] [Replay]", "[Fair deal?]"]
    assert choices(public(closed, 0))["rematch"].off


# -- secrets -------------------------------------------------------------------------------


def everything(shown: Iterable[Screen]) -> str:
    return "\n".join(repr(screen) for screen in shown)


def test_no_screen_of_a_table_tells_secret_or_seed() -> None:
    """They are told when the match is over, by its log alone."""
    for session in moments(lobby(PEOPLE[:3])):
        text = everything(screens(session))
        for kept in (session.secret, session.seed or session.secret):
            assert kept.hex() not in text
            assert str(kept) not in text


def test_every_screen_before_the_first_deal_shows_the_promise() -> None:
    """The beginning of it, 160 bits, which the lobby's message keeps as a link."""
    session = lobby(["Anna", "Ben"])
    promise = sha256(SECRET).hexdigest()
    shown = b32encode(bytes.fromhex(promise)).decode().lower()[:32]
    ready = started(session)
    for screen in (public(session, 0), public(ready, 0), linked(ready, "where")):
        assert f"Fingerprint: {shown}" in words(screen)
    whole = everything([fairness(session), fairness(ready)])
    assert promise in whole
    assert shown in whole, "what the table shows is explained"


def test_the_first_message_after_start_makes_the_seed_and_no_other() -> None:
    session = unpublished(lobby(["Anna", "Ben"]))
    first = accepted(session, publish(session, ChannelId(88), MessageId(10), MessageId(5)))
    assert first.seed == hmac.new(SECRET, b"88/10", "sha256").digest()
    again = accepted(first, publish(first, ChannelId(88), MessageId(11), MessageId(5)))
    assert (again.seed, match_seed.public(again)) == (first.seed, "88/10")
    assert [one.message for one in again.published] == [10, 11]
    assert (
        accepted(again, publish(again, ChannelId(88), MessageId(11), MessageId(5))).published
        == again.published
    ), "each once"
    dealt = all_ready(again)
    assert (
        accepted(dealt, publish(dealt, ChannelId(88), MessageId(12), MessageId(5))).published
        == again.published
    )


def test_a_posting_counts_from_when_it_is_begun() -> None:
    """Its answer may come after the deal, or never. One begun after the deal does not count."""
    session = lobby(["Anna", "Ben"])
    assert accepted(session, begin_posting(session)).postings == 0, "in the lobby"
    session = unpublished(session)
    for _ in range(3):
        session = accepted(session, begin_posting(session))
    first = accepted(session, publish(session, ChannelId(88), MessageId(10), MessageId(5)))
    dealt = all_ready(first)
    assert accepted(dealt, begin_posting(dealt)).postings == 3
    late = accepted(dealt, publish(dealt, ChannelId(88), MessageId(11), MessageId(5)))
    assert (
        accepted(late, publish(late, ChannelId(88), MessageId(11), MessageId(5))).published
        == late.published
    ), "each once"
    assert [one.message for one in late.published] == [10, 11]
    assert late.seed == first.seed
    full = accepted(late, publish(late, ChannelId(88), MessageId(12), MessageId(5)))
    assert (
        accepted(full, publish(full, ChannelId(88), MessageId(13), MessageId(5))).published
        == full.published
    ), "none is left"


def test_a_match_is_dealt_when_its_message_is_there() -> None:
    """Everybody may be ready before: Discord's answer deals the round."""
    session = all_ready(unpublished(lobby(["Anna", "Ben"])))
    assert (session.phase, session.state) == (Phase.READY, None)
    later = after(session, 60_000)
    assert d.deal(later, HOST) == Refused(TableRefusal.NOT_POSTED)
    assert (
        accepted(session, publish(session, ChannelId(88), MessageId(10), MessageId(5))).phase
        is Phase.COUNT
    )


def test_a_match_that_had_its_seed_before_goes_on_with_it() -> None:
    """One that an earlier version started: its own promise is shown, and nothing is mixed in."""
    session = replace(lobby(["Anna", "Ben"]), secret=b"")
    session = apply(session, e.Started(SECRET.hex()), AT)
    assert (session.seed, match_seed.is_incomplete(session)) == (SECRET, False)
    assert match_seed.promise(session) == sha256(SECRET).hexdigest()
    assert (
        accepted(session, publish(session, ChannelId(88), MessageId(10), MessageId(5))).seed
        == SECRET
    )
    assert all_ready(session).phase is Phase.COUNT


def test_a_lobby_that_has_promised_nothing_promises_at_start() -> None:
    session = replace(lobby(["Anna", "Ben"]), secret=b"")
    assert not any("Fingerprint: " in line for line in words(public(session, 0)))
    session = accepted(session, start(session, HOST, SECRET))
    assert (session.secret, match_seed.is_incomplete(session)) == (SECRET, True)


def test_nobody_is_shown_a_card_that_lies_hidden() -> None:
    """Another order of every hidden pile makes no difference to anything that is shown."""
    session = after_moves(live(lobby(PEOPLE[:3])), 20)
    turned = []
    for seat in range(3):
        own = seat_cards(session, seat)
        hidden = own.ligretto[:1] + own.ligretto[:0:-1]
        turned.append(replace(own, ligretto=hidden, hand=own.hand[::-1]))
    other = replace(session, state=replace(ligretto_state(session), seats=tuple(turned)))
    assert session != other
    assert list(screens(session)) == list(screens(other))


def test_a_session_never_tells_its_seed_in_a_log() -> None:
    session = live(lobby(["Anna", "Ben"]))
    for kept in (session.secret, session.seed):
        assert kept.hex() not in repr(session)
        assert repr(kept) not in repr(session)
