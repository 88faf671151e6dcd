"""A lost race is a duel by two numbers, which tables, logs and the referee share."""

from bot.tables import duel_limits
from bot.verify.rounds import races
from tests.real import ROOT


def test_the_referee_has_the_numbers_of_the_tables() -> None:
    assert races.DUEL_WITHIN == duel_limits.DUEL_WITHIN
    assert races.READING_TIME == duel_limits.READING_TIME


def test_the_format_names_both_numbers() -> None:
    page = (ROOT / "docs" / "format.md").read_text("utf-8")
    assert f"{duel_limits.DUEL_WITHIN} ms" in page.replace(",", "")
    assert f"{duel_limits.READING_TIME} ms" in page
