"""An hour without Discord's gateway ends the bot, so that it can be started afresh."""

from bot.ui.connection.gateway.watchdog import AWAY_FOR, GatewayWatchdog
from tests.tables.clock import HandClock


class Connection:
    """Implements `bot.ui.connection.gateway.watchdog.Connection`."""

    is_connected = False


class Watch:
    def __init__(self) -> None:
        self.clock, self.connection = HandClock(), Connection()
        self.given_up = 0
        self.watchdog = GatewayWatchdog(self.connection, self.clock, self._give_up)

    def _give_up(self) -> None:
        self.given_up += 1

    async def wait(self, seconds: float, *, connected: bool = False) -> None:
        self.connection.is_connected = connected
        await self.clock.advance(seconds)
        await self.watchdog.tick()


async def test_an_hour_in_which_it_never_connected_is_enough() -> None:
    watch = Watch()
    await watch.wait(AWAY_FOR - 1)
    assert not watch.given_up
    await watch.wait(1)
    assert watch.given_up


async def test_the_hour_begins_when_the_connection_was_seen_last() -> None:
    watch = Watch()
    await watch.wait(AWAY_FOR - 1)
    await watch.wait(1, connected=True)
    await watch.wait(AWAY_FOR - 1)
    assert not watch.given_up
    await watch.wait(1)
    assert watch.given_up
