"""Scripted people: they read what is on their screen and press what is there."""

import asyncio
import re

from bot.fakediscord import Channel, Interaction, Item, Message, Server, User

PATIENCE = 30.0
CONTAINER = 17
_TRACK = re.compile(r"`([RYGB]) ([0-9·–✓ ]+)`")
_BOARD = re.compile(r"`([RYGB])((?: [1-6])*) [–0]")
"""A row of the board of dice, up to its next place."""
TURNS = ("Flip", "Roll")
END = "Yes, end it"
QUESTIONS = ("Options", "for good?", "End this round")
"""Words of private messages that ask something."""
LEFT = ("You left", "You were away")
"""The beginnings of a panel whose player has left the match."""
_FACE = re.compile(r"<:([rygb])d?([0-9]+)_[0-9a-f]{6}:[0-9]+>")
_FACES = re.compile(r"(?:# |## )?(?:<:\w+:[0-9]+>|\u2002)+")
_APART = "\u2002"


class Player:
    """One person at one channel's table, seen only through Discord."""

    def __init__(self, server: Server, user: User, channel: Channel) -> None:
        self.server = server
        self.user = user
        self.channel = channel

    @property
    def public(self) -> Message:
        """The newest message of the channel that has the table's buttons."""
        return [m for m in self.server.public(self.channel) if m.controls][-1]

    @property
    def panel(self) -> Message:
        """The newest of his panels."""
        return self.panels[-1]

    @property
    def panels(self) -> list[Message]:
        """The private messages that are panels: in a box, and not the options."""
        private = self.server.panels(self.user, self.channel)
        boxes = [m for m in private if m.data["components"][0]["type"] == CONTAINER]
        return [m for m in boxes if not is_a_note(m)]

    async def open(self, game: str = "ligretto") -> Interaction:
        answer = await self.server.slash(self.user, self.channel, game).wait()
        await self.server.wait_for(lambda: self.server.panels(self.user, self.channel), PATIENCE)
        return answer

    async def press_public(self, label: str) -> Interaction:
        await self.server.wait_for(lambda: _enabled(self.public, label), PATIENCE)
        return await self.server.click(self.user, self.public, label=label).wait()

    async def leave(self) -> None:
        """Leave, and mean it where that is asked."""
        answer = await self.press_public("Leave")
        if answer.original is not None and "Yes, leave" in labels(answer.original):
            _ = await self.server.click(self.user, answer.original, label="Yes, leave").wait()

    async def end_round(self) -> None:
        """Want the round to end, and mean it where that is asked."""
        answer = await self.press_public("End round")
        if answer.original is not None and END in labels(answer.original):
            _ = await self.server.click(self.user, answer.original, label=END).wait()

    async def press(self, label: str) -> Interaction:
        await self.sees(label)
        return await self.server.click(self.user, self.panel, label=label).wait()

    async def set_option(self, key: str, value: str) -> None:
        """Set an option by itself, as lists of earlier versions did."""
        start = next(item.custom_id for item in self.public.controls if item.label == "Start")
        assert start is not None
        sent = start.replace("start", f"set.{key}={value}")
        _ = await self.server.click(self.user, self.public, sent, stale=True).wait()

    async def sees(self, label: str) -> None:
        """Wait for a button that can be pressed on the panel."""
        await self.server.wait_for(lambda: _enabled(self.panel, label), PATIENCE)

    def choose(self) -> Item | None:
        """A card or die that fits, a gap to fill, else Flip or Roll; None when nothing is live."""
        controls = [item for item in self.panel.controls if not item.disabled]
        turn = next((item for item in controls if (item.label or "").startswith(TURNS)), None)
        fits = self._fits()
        for item in controls:
            label = item.label or ""
            if label.endswith("↓") or label.removeprefix("Ligretto! ") in fits:
                return item
        return turn

    def _fits(self) -> set[str]:
        """What could be laid now, after the next places of a board, or the tops of a centre."""
        text = "\n".join(map(_in_letters, self.panel.text.splitlines()))
        if any((item.label or "").startswith("Roll") for item in self.panel.controls):
            return {f"{c}{len(placed.split()) + 1}" for c, placed in _BOARD.findall(text)}
        tops = {
            (c, int(n)) for c, line in _TRACK.findall(text) for n in re.findall("[1-9][0-9]*", line)
        }
        return {f"{colour}1" for colour in "RYGB"} | {f"{c}{n + 1}" for c, n in tops}

    async def act(self) -> Interaction | None:
        item = self.choose()
        if item is None:
            return None
        return await self.server.click(self.user, self.panel, item.custom_id, stale=True).wait()


def _in_letters(line: str) -> str:
    """A line without emojis: a colour's faces as they are in words, a face as `R7`."""
    if _FACES.fullmatch(line):
        colours = [_FACE.findall(one) for one in line.split(_APART)]
        return " ".join(
            f"`{one[0][0].upper()} {' '.join(number for _, number in one)}`"
            for one in colours
            if one
        )
    return _FACE.sub(lambda face: face[1].upper() + face[2], line)


def _enabled(message: Message, label: str) -> bool:
    return any(item.label == label and not item.disabled for item in message.controls)


async def played_out(player: Player, pace: float) -> list[Interaction]:
    """Play what fits until the round is over. The answers that came."""
    answers: list[Interaction] = []
    while not labels(player.panel) & {"Next round", "Rematch"}:
        answer = await player.act()
        if answer is not None:
            assert answer.ok, f"{answer} was not answered"
            answers.append(answer)
        await asyncio.sleep(pace)
    return answers


async def seated(
    server: Server,
    channel: Channel,
    names: list[str],
    rounds: int,
    game: str = "ligretto",
    **options: str,
) -> list[Player]:
    """A lobby with these people in it, the match started, and its message below the lobby."""
    players = [Player(server, server.user(name), channel) for name in names]
    host = players[0]
    _ = await host.open(game)
    for player in players[1:]:
        answer = await player.press_public("Join")
        assert answer.ok
    if rounds != 3:
        await host.set_option("rounds", str(rounds))
    for key, value in options.items():
        await host.set_option(key, value)
    lobby = host.public
    _ = await host.press_public("Start")
    await server.wait_for(lambda: not _is_table(lobby), PATIENCE)
    return players


async def all_ready(players: list[Player], label: str = "Ready") -> None:
    for player in players:
        _ = await player.press(label)
    for player in players:
        await player.server.wait_for(player.choose, PATIENCE)


def tables(server: Server, channel: Channel) -> list[Message]:
    """The messages here that tables are played at."""
    return list(filter(_is_table, server.public(channel)))


def _is_table(message: Message) -> bool:
    """What a lobby leaves is a link to one."""
    return any((item.custom_id or "").startswith("lg1:") for item in message.controls)


def is_a_note(message: Message) -> bool:
    """Return whether a private message in a box asks or offers something beside the panel."""
    offers_a_seat = any((one.custom_id or "").endswith(":next") for one in message.controls)
    has_sat = message.text.startswith(LEFT)
    return any(one in message.text for one in QUESTIONS) or (offers_a_seat and not has_sat)


def labels(message: Message) -> set[str]:
    return {item.label or "" for item in message.controls}
