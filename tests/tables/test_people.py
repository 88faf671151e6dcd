"""People come and go in every phase: the others go on, and who has left is free."""

import asyncio

import pytest

from bot.ids import GuildId, UserId
from bot.tables.decisions.refusal_reasons import TableRefusal
from bot.tables.decisions.timeouts import IDLE_FOR
from bot.tables.state.session import Phase
from tests.tables.registry import Server, why

ANNA, BEN, CEM = UserId(101), UserId(102), UserId(103)


@pytest.fixture
async def server() -> Server:
    return Server()


async def brought_to(server: Server, phase: Phase) -> None:
    """A table of three; the count and the live round follow the get-ready."""
    await server.open(ANNA)
    for user in (BEN, CEM):
        await server.press(user, "join")
    if phase is Phase.LOBBY:
        return
    await server.press(ANNA, "start")
    if phase is Phase.READY:
        return
    for user in (ANNA, BEN, CEM):
        await server.press(user, "ready")
    if phase is Phase.LIVE:
        await server.go_live()


@pytest.mark.parametrize("phase", [Phase.LOBBY, Phase.READY, Phase.COUNT, Phase.LIVE])
async def test_when_the_host_leaves_the_others_go_on(server: Server, phase: Phase) -> None:
    await brought_to(server, phase)
    assert server.table.session.phase is phase
    assert why(await server.press(ANNA, "leave.yes")) is None
    session = server.table.session
    assert session.phase is phase
    assert [session.chairs[seat].user for seat in session.humans_in] == [BEN, CEM]
    assert session.host == BEN
    assert server.tables.index.elsewhere(GuildId(1), ANNA) is None


@pytest.mark.parametrize("phase", [Phase.LOBBY, Phase.READY, Phase.COUNT, Phase.LIVE])
async def test_when_everybody_leaves_at_once_all_are_free(server: Server, phase: Phase) -> None:
    await brought_to(server, phase)
    table = server.table
    await asyncio.gather(*(server.press(user, "leave.yes") for user in (ANNA, BEN, CEM)))
    assert table.session.phase in (Phase.OVER, Phase.CLOSED)
    for user in (ANNA, BEN, CEM):
        assert server.tables.index.elsewhere(GuildId(1), user) is None
    assert why(await server.open(ANNA)) is None


async def test_who_left_the_lobby_may_come_back_and_who_left_a_match_may_not(
    server: Server,
) -> None:
    await brought_to(server, Phase.LOBBY)
    for word in ("leave", "join", "leave", "join"):
        assert why(await server.press(BEN, word)) is None
    await server.press(ANNA, "start")
    for user in (ANNA, CEM, BEN):
        await server.press(user, "ready")
    await server.press(BEN, "leave.yes")
    assert why(await server.press(BEN, "join")) is TableRefusal.LEFT
    assert why(await server.press(BEN, "panel", round_=1)) is TableRefusal.LEFT


@pytest.mark.parametrize("phase", [Phase.READY, Phase.COUNT, Phase.LIVE])
async def test_when_nobody_presses_anything_for_ten_minutes_all_are_free(
    server: Server, phase: Phase
) -> None:
    await brought_to(server, phase)
    table = server.table
    await server.clock.advance(IDLE_FOR)
    await server.tables.tick()
    assert table.session.phase in (Phase.OVER, Phase.CLOSED)
    for user in (ANNA, BEN, CEM):
        assert server.tables.index.elsewhere(GuildId(1), user) is None
