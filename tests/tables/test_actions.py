"""Actions: each has one text, and each text one action."""

from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.ids import UserId
from bot.tables.state import actions as a
from bot.tables.state.actions import parse

SENT = {
    "join": a.Join(),
    "leave": a.Leave(),
    "leave.yes": a.LeaveForSure(),
    "leave.no": a.Stay(),
    "panel": a.ShowPanel(),
    "down": a.MoveDown(),
    "start": a.Start(),
    "add": a.AddRobot(),
    "remove": a.RemoveRobot(),
    "options": a.ShowOptions(),
    "set.rounds": a.SetOption("rounds"),
    "set.rounds=5": a.SetOption("rounds", "5"),
    "set.dice.2": a.SetOption("dice", seat=2),
    "set.dice.2=8": a.SetOption("dice", "8", 2),
    "ready": a.Ready(),
    "deal": a.Deal(),
    "end": a.EndRound(),
    "end.yes": a.EndForSure(),
    "end.no": a.PlayOn(),
    "release.1002": a.Release(UserId(1002)),
    "rematch": a.Rematch(),
    "next": a.NextMatch(),
    "form": a.ShowForm(),
    "form.send": a.SendForm(),
    "r10>4": a.Move("r10>4"),
}
"""What the buttons of messages say that are in channels already. It never changes."""


@pytest.mark.parametrize("text", SENT)
def test_a_living_button_means_what_it_always_meant(text: str) -> None:
    assert parse(text) == SENT[text]
    assert str(SENT[text]) == text


def test_every_action_stands_above() -> None:
    assert {type(action) for action in SENT.values()} == set(get_args(a.Action))


@given(st.text(st.characters(min_codepoint=32, max_codepoint=126), max_size=60))
def test_whatever_is_sent_is_read_back_as_it_was(text: str) -> None:
    assert str(parse(text)) == text


@given(
    st.builds(
        "{}.{}.{}={}".format,
        st.sampled_from(["set", "release", "leave"]),
        st.sampled_from(["dice", "", "yes", "01", "7"]),
        st.sampled_from(["2", "02", "x", ""]),
        st.sampled_from(["8", "", "=", "."]),
    )
)
def test_whatever_is_nearly_an_action_is_read_back_as_it_was(text: str) -> None:
    assert str(parse(text)) == text
