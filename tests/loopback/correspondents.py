"""People whose panels are direct messages."""

from bot.fakediscord import Channel, Message, Server
from tests.loopback.bots import PATIENCE
from tests.loopback.players import Player


class Correspondent(Player):
    """Somebody whose panel is a direct message."""

    @property
    def panel(self) -> Message:
        return [one for one in self.letters if one.controls][-1]

    @property
    def letters(self) -> list[Message]:
        return self.server.view(self.user, self.server.dm(self.user))


async def direct_lobby(
    server: Server, *names: str, channel: Channel | None = None
) -> list[Correspondent]:
    """A lobby whose host has chosen direct messages before the others joined. `channel`: the
    world's first.
    """
    channel = channel or server.all_channels[0]
    players = [Correspondent(server, server.user(name), channel) for name in names]
    host = players[0]
    _ = await server.slash(host.user, channel, "ligretto").wait()
    await server.wait_for(lambda: server.panels(host.user, channel), PATIENCE)
    await host.set_option("panels", "dm")
    await server.wait_for(lambda: "panels as direct messages" in host.public.text, PATIENCE)
    for player in players[1:]:
        answer = await player.press_public("Join")
        assert answer.ok
    return players


async def started(players: list[Correspondent]) -> None:
    """The match has begun; the host, whose panel is older than his choice, asks for a letter."""
    host = players[0]
    _ = await host.press_public("Start")
    _ = await host.press_public("My cards")
    await host.server.wait_for(lambda: all(player.letters for player in players), PATIENCE)
