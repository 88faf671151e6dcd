"""The buttons of a table, in their rows: what each of them says, and the word it sends."""

from bot.i18n import say
from bot.ids import UserId
from bot.screen import Choice, Look, Pick, Row, Screen, Sentence, Style, Words
from bot.tables.decisions import decide as d
from bot.tables.decisions import votes
from bot.tables.decisions.presence import Presence
from bot.tables.state import actions as a
from bot.tables.views.host_options import handicap, lists_for, options
from bot.tables.views.lines import sentence, title
from bot.tables.views.screens import panel as panels
from bot.tables.views.screens import table_message
from bot.tables.views.screens.panel import leaving
from bot.text import Text
from tests.tables.views import panel, public
from tests.ui.matches import (
    HOST,
    accepted,
    after,
    all_ready,
    live,
    lobby,
    match_over,
    round_over,
    started,
    user,
)

RULES = "Rules=lr1:rules:open:ligretto"
FAIR = "Fair deal?=lr1:fair:"
LEAVE = [RULES, "Leave=leave"]
NEXT = ["Join next match=next"]
WAITING = [LEAVE, ["Move down=down", "(Start=deal)"], NEXT]
IN_PLAY = [LEAVE, ["Move down=down", FAIR], NEXT]
MINE = "My cards=panel PRIMARY"
REMATCH = "Rematch=rematch SUCCESS"


def rows(screen: Screen) -> list[list[str]]:
    """`label=word` of each button; one that can't be pressed is in brackets."""
    return [
        [_told(choice) for choice in block.choices]
        for block in screen.blocks
        if isinstance(block, Row)
    ]


def _told(choice: Choice) -> str:
    told = f"{say(choice.label, 'en-US')}={choice.word}"
    if choice.style is not Style.SECONDARY:
        told += f" {choice.style.name}"
    return f"({told})" if choice.off else told


def test_buttons_of_a_lobby() -> None:
    assert rows(public(lobby(["Anna", "Ben"]), 0)) == [
        ["Join=join SUCCESS", "Start=start PRIMARY", "Leave=leave"],
        ["Add robot=add", "Remove robot=remove"],
        ["Options=form", RULES],
        [FAIR],
    ]


def test_buttons_before_the_first_round() -> None:
    session = started(lobby(["Anna", "Ben"]))
    assert rows(public(session, 0)) == [
        [MINE, "Ready=ready SUCCESS"],
        *WAITING,
    ]
    assert rows(panel(session, HOST, 0)) == [["Ready=ready SUCCESS"]]


def test_the_button_to_a_panel_names_what_lies_there() -> None:
    session = started(lobby(["Anna", "Ben"], game="dice"))
    assert rows(public(session, 0))[0][0] == "My dice=panel PRIMARY"


def test_buttons_while_it_counts_down() -> None:
    session = all_ready(started(lobby(["Anna", "Ben"])))
    assert rows(public(session, 3)) == [[MINE, "(End round=end)"], *IN_PLAY]
    assert rows(panel(session, HOST, 3, None)) == [
        ["(– –=off:row0)", "(– –=off:row1)", "(– –=off:row2)"],
        ["(– –=off:row3)", "(– –=off:row4)"],
        ["(– –=off:ligretto)"],
        ["(– –=off:discard)", "(Flip=off:flip)"],
    ]


def test_buttons_while_a_round_is_played() -> None:
    session = live(lobby(["Anna", "Ben"]))
    assert rows(public(session, 0)) == [[MINE, "End round=end"], *IN_PLAY]
    assert rows(leaving(session, Text("leave.sure"))) == [
        ["Yes, leave=leave.yes", "No, stay=leave.no PRIMARY"]
    ]


def test_buttons_between_two_rounds() -> None:
    session = round_over(lobby(["Anna", "Ben"]))
    assert rows(public(session, 0)) == [
        [MINE, "Next round=ready SUCCESS"],
        *WAITING,
    ]
    assert rows(panel(session, HOST, 0)) == [["Next round=ready SUCCESS"]]


def test_buttons_after_a_match() -> None:
    over = match_over(lobby(["Anna", "Ben"]))
    ranks, replay = "Leaderboard=lr1:top:ligretto", "Replay=lr1:log:"
    kept = [ranks, "Watch=lr1:watch:", replay]
    assert rows(public(over, 0)) == [[REMATCH, MINE], kept, [FAIR]]
    assert rows(panel(over, HOST, 0, None)) == [[REMATCH]]
    closed = accepted(over, d.close(over, "table.closed.over"))
    assert rows(public(closed, 0)) == [[f"({REMATCH})"], kept, [FAIR]]


def test_absent_players_can_be_released_three_at_a_time() -> None:
    session = live(lobby(["Anna", "Ben", "Cem", "Dora", "Emil"]))
    away = Presence(session.lived, absent=tuple(UserId(HOST + seat) for seat in (1, 2, 3, 4)))
    assert rows(table_message.public(session, away))[4:] == [
        ["Remove Ben=release.1002"],
        ["Remove Cem=release.1003"],
        ["Remove Dora=release.1004"],
    ]


def test_a_quiet_round_can_be_ended_from_the_panel() -> None:
    session = live(lobby(["Anna", "Ben"]))
    still = panels.panel(session, HOST, Presence(session.lived), None)
    hangs = panels.panel(session, HOST, Presence(session.lived, quiet=True), None)
    assert rows(hangs) == [*rows(still), ["End round=end"]]
    *_, why, _ = hangs.blocks
    assert why == Words((sentence("table.quiet", look=Look.SMALL),))
    asked = accepted(session, votes.end_round(session, HOST, absent=()))
    assert rows(panel(asked, HOST, 0, None))[-1] == ["End round=end PRIMARY"]
    assert rows(public(asked, 0))[0] == [MINE, "End round=end PRIMARY"]


def test_a_handicap_is_all_that_its_button_opens() -> None:
    """Beside the form, which has the rest. A robot is no grown-up, but may play as one."""
    session = lobby(["Anna"], computers=1, game="dice")
    blocks = handicap(session).blocks
    labels = [
        say(line.text, "en-US")
        for block in blocks
        if isinstance(block, Words)
        for line in block.lines
        if isinstance(line, Sentence)
    ]
    assert [labels[0], *labels[2:]] == ["Handicap", "Handicap", "1. Anna", "2. Robot 1"]
    picks = [block for block in blocks if isinstance(block, Pick)]
    assert [pick.word for pick in picks] == ["set.extra", "set.dice.0", "set.dice.1"]
    assert [say(text, "en-US") for _, text in picks[1].values[:2]] == [
        "as a grown-up",
        "as a child",
    ]
    rest = [block.word for block in options(session).blocks if isinstance(block, Pick)]
    assert not {"set.extra", "set.dice.0"} & {*rest}


def test_a_list_of_seats_stays_what_it_is_when_it_is_used() -> None:
    dice, cards = lobby(["Anna"], game="dice"), lobby(["Anna"])
    for action in (a.ShowOptions(), a.SetOption("dice", "child", 0), a.SetOption("extra", "3")):
        assert lists_for(dice, action) == handicap(dice)
    assert lists_for(dice, a.SetOption("level", "hard")) == options(dice)
    assert lists_for(cards, a.ShowOptions()) == options(cards)


def test_each_seat_with_dice_has_a_list_under_its_number_and_name() -> None:
    session = lobby(["Anna", "Ben"], game="dice")
    *_, head, pick = handicap(session).blocks
    assert isinstance(head, Words)
    assert isinstance(pick, Pick)
    assert [say(line.text, "en-US") for line in head.lines if isinstance(line, Sentence)] == [
        "2. Ben"
    ]
    assert pick.word == "set.dice.1"
    assert pick.chosen == "even"


def test_who_misses_a_round_sees_no_count_and_no_cards() -> None:
    session = round_over(lobby(["Anna", "Ben", "Cem"]))
    for seat in (0, 1):
        session = accepted(session, d.ready(session, user(seat)))
    session = accepted(session, d.deal(after(session, d.START_AFTER), HOST))
    for later in (session, accepted(session, d.go_live(session))):
        (first,) = panel(later, user(2), 3).blocks
        assert first == Words((title(later), sentence("panel.sits_out")))
