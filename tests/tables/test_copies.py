"""A session's copies are those of `dataclasses.replace`."""

import dataclasses
from functools import cached_property
from typing import Any

import pytest

from bot.tables.state.evolve import begin
from bot.tables.state.session import Session
from bot.tables.state.session_values import Chair, replace
from tests.store.lines import OPENED


def test_copy_has_the_same_fields_and_nothing_worked_out() -> None:
    session = begin(OPENED, 5)
    worked_out = [name for name, one in vars(Session).items() if isinstance(one, cached_property)]
    for name in worked_out:
        getattr(session, name)
    changes: tuple[dict[str, Any], ...] = ({}, {"chairs": (Chair(None, "robot"),), "round": 3})
    for changed in changes:
        copy, known = replace(session, **changed), dataclasses.replace(session, **changed)
        assert vars(copy) == vars(known)
    assert replace(session, chairs=(Chair(None, "robot"),)).names == ("robot",)
    assert replace(Chair(None, "robot"), left=True) == Chair(None, "robot", left=True)


def test_copy_with_an_unknown_field_is_refused() -> None:
    with pytest.raises(TypeError, match="mistyped"):
        replace(begin(OPENED, 5), mistyped=1)  # type: ignore[call-arg]
