"""What a refusal of Discord's means is told by its code, not by its words."""

import aiohttp
import discord
import pytest

from bot.ui.limits.errors import FAILURES, Trouble, trouble


class Answer:
    """As much of aiohttp's response as discord.py's exceptions look at."""

    def __init__(self, status: int) -> None:
        self.status = status
        self.reason = "because"


def refusal(status: int, code: int) -> discord.HTTPException:
    kind = {403: discord.Forbidden, 404: discord.NotFound}.get(status, discord.HTTPException)
    answer: aiohttp.ClientResponse = Answer(status)  # type: ignore[assignment]  # a stand-in
    return kind(answer, {"code": code, "message": "some words"})


@pytest.mark.parametrize(
    ("status", "code", "meaning"),
    [
        (404, 10008, Trouble.MESSAGE_GONE),
        (429, 30046, Trouble.MESSAGE_GONE),
        (404, 10003, Trouble.PLACE_GONE),
        (404, 10004, Trouble.PLACE_GONE),
        (404, 10015, Trouble.TOKEN_GONE),
        (401, 50027, Trouble.TOKEN_GONE),
        (403, 50001, Trouble.FORBIDDEN),
        (403, 50013, Trouble.FORBIDDEN),
        (403, 50007, Trouble.FORBIDDEN),
        (403, 50278, Trouble.FORBIDDEN),
        (400, 50083, Trouble.ARCHIVED),
        (403, 160005, Trouble.ARCHIVED),
        (400, 50035, Trouble.BUG),
        (400, 0, Trouble.BUG),
        (404, 0, Trouble.LATER),
        (429, 0, Trouble.LATER),
        (500, 0, Trouble.LATER),
        (503, 0, Trouble.LATER),
    ],
)
def test_a_refusal_is_told_by_its_code(status: int, code: int, meaning: Trouble) -> None:
    assert trouble(refusal(status, code)) is meaning


@pytest.mark.parametrize(
    "failure",
    [
        TimeoutError(),
        OSError(104, "reset by peer"),
        aiohttp.ServerDisconnectedError(),
        aiohttp.ClientPayloadError(),
    ],
    ids=repr,
)
def test_the_network_failing_passes(failure: Exception) -> None:
    assert isinstance(failure, FAILURES)
    assert trouble(failure) is Trouble.LATER


def test_a_refusal_is_a_failure_to_be_handled() -> None:
    assert isinstance(refusal(404, 10008), FAILURES)
