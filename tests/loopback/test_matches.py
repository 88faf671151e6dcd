"""Whole matches of the unmodified bot over real sockets."""

import asyncio
import re
from pathlib import Path

import pytest

from bot.fakediscord import Interaction, Server, Settings
from bot.fakediscord.constants import CallbackType
from bot.text import MINUS
from tests.loopback.bots import PATIENCE, bot_process
from tests.loopback.players import Player, all_ready, labels, played_out, seated, tables

PACE = 0.25
"""Seconds between two presses of one person: quicker than anybody plays."""


def nothing_went_wrong(server: Server) -> None:
    assert not server.unknown
    assert not server.crashes
    assert server.late == 0
    assert server.limiter.total == 0
    assert server.ratelimited == 0


@pytest.mark.parametrize(("people", "rounds"), [(2, 3), (4, 3), (12, 2)])
async def test_a_whole_match_from_lobby_to_rematch(
    tmp_path: Path, people: int, rounds: int
) -> None:
    """Lobby, get ready, rounds, score, end, rematch: no late answer, no rate limit."""
    async with Server() as server, bot_process(server, tmp_path / "match.db"):
        channel = server.all_channels[0]
        names = [f"player{i}" for i in range(people)]
        players = await seated(server, channel, names, rounds)
        for number in range(rounds):
            await all_ready(players, "Next round" if number else "Ready")
            played = await asyncio.gather(*(played_out(player, PACE) for player in players))
            assert sum(len(answers) for answers in played) > 20
        public = players[0].public
        await server.wait_for(lambda: "👑" in public.text, PATIENCE)
        assert re.search(r"wins?\b", public.text)
        assert len(tables(server, channel)) == 1, "one message a table, edited all the time"

        answer = await players[1].press("Rematch")
        assert answer.ok
        await server.wait_for(lambda: players[0].public is not public, PATIENCE)
        lobby = players[0].public
        held = f"held for {names[0].title()}"
        await server.wait_for(lambda: held in lobby.text, PATIENCE)
        _ = await players[0].press_public("Join")
        await server.wait_for(lambda: held not in lobby.text, PATIENCE)
        assert f"**{names[1].title()}** hosts" in lobby.text
        nothing_went_wrong(server)


CENTRE = re.compile(r"^\S+ `[RYGB] .*`", re.MULTILINE)


async def test_what_others_lay_while_an_answer_is_under_way_is_shown_after_it(
    tmp_path: Path,
) -> None:
    async with Server() as server, bot_process(server, tmp_path / "behind.db"):
        anna, ben = players = await seated(server, server.all_channels[0], ["anna", "ben"], 3)
        await all_ready(players)
        empty = CENTRE.findall(anna.panel.text)
        assert len(empty) == 4
        hold = asyncio.Event()
        fault = server.fault("/callback", hold=hold, times=1)
        press = server.click(anna.user, anna.panel, label="Flip")
        await asyncio.wait_for(fault.reached.wait(), PATIENCE)
        while CENTRE.findall(ben.panel.text) == empty:
            item = ben.choose()
            assert item is not None
            _ = await server.click(ben.user, ben.panel, item.custom_id, stale=True).wait()
        hold.set()
        assert (await press.wait()).ok
        seen = CENTRE.findall(ben.panel.text)
        await server.wait_for(lambda: CENTRE.findall(anna.panel.text) == seen, PATIENCE)


async def test_what_happens_while_a_first_panel_is_under_way_is_shown_on_it(tmp_path: Path) -> None:
    """Ben sees his panel before the bot has heard that he does; the round is begun meanwhile."""
    async with Server() as server, bot_process(server, tmp_path / "first.db"):
        channel = server.all_channels[0]
        anna, ben = (Player(server, server.user(name), channel) for name in ("anna", "ben"))
        _ = await anna.open()
        hold = asyncio.Event()
        fault = server.fault("/callback", when="after", hold=hold, times=1)
        _ = server.click(ben.user, anna.public, label="Join")
        await asyncio.wait_for(fault.reached.wait(), PATIENCE)
        _ = await anna.press_public("Start")
        await anna.sees("Ready")
        hold.set()
        await ben.sees("Ready")


async def test_of_two_answers_the_newer_picture_stays(tmp_path: Path) -> None:
    """Flipped twice in a moment; the first answer reaches Discord after the second."""
    async with Server() as server, bot_process(server, tmp_path / "crossed.db"):
        anna, ben = await seated(server, server.all_channels[0], ["anna", "ben"], 3)
        await all_ready([anna, ben])
        await asyncio.sleep(1)  # until the dealt cards are heard of
        server.fault("/callback", latency=0.6, times=1)
        first = server.click(anna.user, anna.panel, label="Flip")
        assert (await server.click(anna.user, anna.panel, label="Flip").wait()).ok
        newest = anna.panel.text
        assert (await first.wait()).ok
        assert anna.panel.text != newest
        await server.wait_for(lambda: anna.panel.text == newest, PATIENCE)


async def test_what_a_lost_answer_would_have_shown_is_pushed(tmp_path: Path) -> None:
    async with Server() as server, bot_process(server, tmp_path / "lost.db"):
        anna, ben = await seated(server, server.all_channels[0], ["anna", "ben"], 3)
        await all_ready([anna, ben])
        await asyncio.sleep(1)  # until the dealt cards are heard of
        server.fault("/callback", drop=True, times=1)
        _ = server.click(anna.user, anna.panel, label="Flip")
        await server.wait_for(lambda: "22 in hand" in anna.panel.text, PATIENCE)


async def test_a_match_of_dice_over_real_sockets(tmp_path: Path) -> None:
    """Four people, two rounds: the second game meets the same law, limits and answers."""
    async with Server() as server, bot_process(server, tmp_path / "dice.db"):
        names = ["anna", "ben", "chloe", "dario"]
        players = await seated(server, server.all_channels[0], names, 2, "dice")
        for number in range(2):
            await all_ready(players, "Next round" if number else "Ready")
            await asyncio.gather(*(played_out(player, PACE) for player in players))
        public = players[0].public
        await server.wait_for(lambda: "👑" in public.text, PATIENCE)
        totals = [
            int(total.replace(MINUS, "-"))
            for line in re.findall(r"^-# (.+ : .+?) ·", public.text, re.MULTILINE)
            for total in line.split(" : ")
        ]
        assert len(totals) == 4
        assert sum(totals) == 0, "what one wins the others lose"
        nothing_went_wrong(server)


async def test_a_delayed_push_never_leaves_an_old_picture(tmp_path: Path) -> None:
    """A press is answered while a push is on its way: the newest view is on top in the end."""
    async with Server() as server, bot_process(server, tmp_path / "push.db"):
        channel = server.all_channels[0]
        anna, ben = await seated(server, channel, ["anna", "ben"], 3)
        await all_ready([anna, ben])
        laid = 0
        while laid < 3:
            card = ben.choose()
            assert card is not None
            if card.label == "Flip":
                _ = await ben.act()
                continue
            laid += 1
            await asyncio.sleep(1)
            server.fault("PATCH /api/v10/webhooks", latency=0.6)
            _ = await ben.act()
            await asyncio.sleep(0.2)
            answer = await anna.press("Flip")
            assert answer.ok
            newest = anna.panel.text, labels(anna.panel)
            await asyncio.sleep(2.5)
            server.faults.clear()
            assert (anna.panel.text, labels(anna.panel)) == newest
            centre = anna.panel.text.splitlines()[1:5]
            assert centre == ben.panel.text.splitlines()[1:5] == anna.public.text.splitlines()[1:5]


@pytest.mark.parametrize("skew", [-10.0, 10.0], ids=["behind", "ahead"])
async def test_a_wrong_clock_refuses_nobody(tmp_path: Path, skew: float) -> None:
    async with (
        Server(settings=Settings(clock_skew=-skew)) as server,
        bot_process(server, tmp_path / "clock.db"),
    ):
        channel = server.all_channels[0]
        anna, ben = await seated(server, channel, ["anna", "ben"], 3)
        await all_ready([anna, ben])
        for _ in range(10):
            for player in (anna, ben):
                answer = await player.act()
                assert answer is not None
                assert answer.ok
                assert "too late to count" not in player.panel.text
        nothing_went_wrong(server)


async def test_a_press_that_is_delivered_twice_is_answered_once(tmp_path: Path) -> None:
    """Otherwise the answer to the repeat may come first, and nobody reads what became of it."""
    async with Server() as server, bot_process(server, tmp_path / "once.db"):
        server.settings.keep_payloads = True
        anna, ben = await seated(server, server.all_channels[0], ["anna", "ben"], 3)
        await all_ready([anna, ben])
        callbacks = len([call for call in server.calls if "/callback" in call[2]])
        server.fault("/callback", latency=1.0, times=1)
        pressed = server.click(anna.user, anna.panel, label="Flip")
        await asyncio.sleep(0.3)
        server.redeliver(pressed)
        assert (await pressed.wait()).callback_type == CallbackType.UPDATE
        await asyncio.sleep(1.0)
        assert len([call for call in server.calls if "/callback" in call[2]]) == callbacks + 1
        assert "counted already" not in anna.panel.text


async def test_a_command_that_is_delivered_twice_is_answered_once(tmp_path: Path) -> None:
    async with Server() as server, bot_process(server, tmp_path / "once.db"):
        server.settings.keep_payloads = True
        anna = server.user("anna")
        server.fault("/callback", latency=1.0, times=1)
        asked = server.slash(anna, server.all_channels[0], "ligretto")
        await asyncio.sleep(0.3)
        server.redeliver(asked)
        answered = await asked.wait()
        assert answered.original is not None
        assert "Anna" in answered.original.text
        await asyncio.sleep(1.0)
        assert len([call for call in server.calls if "/callback" in call[2]]) == 1


async def test_a_replayed_and_a_repeated_press_change_nothing(tmp_path: Path) -> None:
    """The gateway may deliver a press twice, and a thumb may press twice."""
    async with Server() as server, bot_process(server, tmp_path / "twice.db") as bot:
        server.settings.keep_payloads = True
        channel = server.all_channels[0]
        anna, ben = await seated(server, channel, ["anna", "ben"], 3)
        await all_ready([anna, ben])
        flip = anna.panel.find(label="Flip").custom_id
        first = await server.click(anna.user, anna.panel, flip).wait()
        hand = re.search(r"(\d+) in hand", anna.panel.text)
        assert hand is not None
        server.redeliver(first)
        second = await server.click(anna.user, anna.panel, flip, stale=True).wait()
        assert second.ok
        assert "You already flipped" in anna.panel.text
        assert hand[0] in anna.panel.text
        server.gateway.faults.drop(duplicates=3)
        await server.wait_for(lambda: server.gateway.ready, PATIENCE)
        third = await server.click(anna.user, anna.panel, label="Flip").wait()
        assert third.ok
        assert "Traceback" not in bot.output


async def private(asked: Interaction, words: str) -> None:
    """Answered with a short message for one person, in these words."""
    answer = await asked.wait()
    assert answer.original is not None
    assert answer.original.ephemeral
    assert words in answer.original.text


async def test_a_forged_button_is_answered_in_words(tmp_path: Path) -> None:
    """Unknown ids and moves, gone tables, cards that are not open, old panels, strangers."""
    async with Server() as server, bot_process(server, tmp_path / "forged.db") as bot:
        anna, ben = await seated(server, server.all_channels[0], ["anna", "ben"], 3)
        stranger = Player(server, server.user("stranger"), server.all_channels[0])

        def forged(sent: str) -> Interaction:
            return server.click(anna.user, anna.public, sent, stale=True)

        await private(forged("x" * 100), "know that button")
        await private(forged("lg1:99:0:join"), "is gone")
        await private(forged("lg1:1:0:castle"), "know that button")
        await private(forged("lg1:1:0:set.rounds=21"), "started")
        await private(await stranger.press_public("My cards"), "watching this match")
        await all_ready([anna, ben])
        covered = await server.click(anna.user, anna.panel, "lg1:1:1:r10", stale=True).wait()
        assert covered.ok
        assert re.search(r"needs .* first|isn’t on top", anna.panel.text)
        await private(forged("lg1:1:0:flip:0"), "This is an old panel")
        assert "Traceback" not in bot.output
        nothing_went_wrong(server)


async def test_a_command_in_the_wrong_place_opens_nothing(tmp_path: Path) -> None:
    """A DM, a channel without permission, a table there already, a seat elsewhere."""
    async with Server(channels=3) as server, bot_process(server, tmp_path / "places.db") as bot:
        channel, locked, other = server.all_channels
        (anna, _) = await seated(server, channel, ["anna", "ben"], 3)
        carl = server.user("carl")
        await private(server.slash(carl, server.dm(carl), "ligretto"), "server’s channel")
        server.deny(locked, "send_messages")
        await private(server.slash(carl, locked, "ligretto"), "Send Messages")
        await private(server.slash(carl, channel, "ligretto"), "This channel already has a table")
        await private(server.slash(anna.user, other, "ligretto"), "another table on this server")
        assert len(server.public(locked)) == len(server.public(other)) == 0

        _ = await server.slash(carl, other, "ligretto").wait()
        lobby = server.public(other)[-1]
        sent = next(item.custom_id for item in lobby.controls if item.label == "Start")
        assert sent is not None
        too_many = sent.replace("start", "set.rounds=21")
        out_of_range = server.click(carl, lobby, too_many, stale=True)
        await private(out_of_range, "older version")
        assert "3 rounds" in lobby.text
        await private(server.click(anna.user, lobby, label="Join"), "another table on this server")
        assert "Traceback" not in bot.output
        nothing_went_wrong(server)


async def test_a_deleted_channel_ends_its_table_and_is_left_alone(tmp_path: Path) -> None:
    """The people are free at once, and Discord is not asked again and again for what is gone."""
    async with Server(channels=2) as server, bot_process(server, tmp_path / "gone.db") as bot:
        channel, other = server.all_channels
        anna, _ = await seated(server, channel, ["anna", "ben"], 3)
        server.delete_channel(channel)
        _ = server.click(anna.user, anna.panel, label="Ready", stale=True)
        await server.wait_for(lambda: _gone(server), PATIENCE)
        await asyncio.sleep(8)
        assert _gone(server) <= 2
        answer = await server.slash(anna.user, other, "ligretto").wait()
        assert answer.original is not None
        assert "**Anna** hosts" in answer.original.text
        assert "Traceback" not in bot.output


def _gone(server: Server) -> int:
    """How often the bot was told that a channel is unknown (10003)."""
    return sum(n for (_, code), n in server.codes.items() if code == 10003)
