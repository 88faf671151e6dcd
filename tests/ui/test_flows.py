"""Evenings from the first command to the rematch, on a simulated Discord."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.ids import ChannelId
from bot.tables.state.session import Phase
from tests.games.states import ligretto_state, seat_cards, seat_dice
from tests.ui.simulated import COUNT, Person, SimulatedBot, buttons, simulated_bot, words


@pytest.fixture
async def sim(tmp_path: Path) -> AsyncIterator[SimulatedBot]:
    async with simulated_bot(tmp_path / "night.db") as one:
        yield one


@pytest.mark.parametrize("people", [2, 3, 12])
async def test_from_lobby_to_rematch(sim: SimulatedBot, people: int) -> None:
    names = [f"Player{i}" for i in range(people)]
    players = await sim.live(*names, rounds=2)
    assert "Flip" in buttons(players[-1].panel)
    await sim.play_out(players)
    assert "Next round" in buttons(sim.public)
    await sim.later(70)  # a channel that nobody knows yet takes no more in a minute
    for player in players:
        await player.on_panel("Next round")
    await sim.later(COUNT + 1)  # a panel that waits for room looks every second
    await sim.play_out(players)
    assert "👑" in words(sim.public)
    link, _ = sim.messages(private=False)
    assert f"has started: {sim.table.link}" in words(link), "the lobby leads to the table"

    await sim.later(90)  # and the last cards of a full table have filled one, at any deal
    await players[-1].on_panel("Rematch")
    await sim.later()
    assert len(sim.messages(private=False)) == 3
    assert f"**{names[-1]}** hosts" in words(sim.public)
    assert f"held for {names[0]}" in words(sim.public)
    await players[0].on_board("Join")
    await sim.later()
    assert f"held for {names[0]}" not in words(sim.public)
    await sim.later(66)
    assert "held for" not in words(sim.public)
    assert sim.session.phase is Phase.LOBBY


async def test_one_person_and_computers_play_a_match(sim: SimulatedBot) -> None:
    """Computer players sit down, are always ready, and play at a human pace."""
    (anna,) = await sim.lobby("Anna", rounds=1)
    for _ in range(2):
        await anna.on_board("Add robot")
    await sim.later()
    assert "Robot 2" in words(sim.public)
    await anna.on_board("Start")
    await sim.later()
    await anna.on_panel("Ready")
    await sim.later(COUNT)
    before = sim.session.moves
    await sim.later(10)
    made = sim.session.moves - before
    assert 4 <= made <= 30, "two computers at about one action in 1.8 s"
    for _ in range(60):
        if sim.session.phase is Phase.OVER:
            break
        await sim.later(10)
    assert sim.session.phase is Phase.OVER
    assert "practice" in words(sim.public)


async def test_a_lobby_stays_with_the_next_human_when_the_host_leaves(sim: SimulatedBot) -> None:
    anna, ben, _ = await sim.lobby("Anna", "Ben", "Chloe")
    await anna.leave()
    await sim.later()
    assert "**Ben** hosts" in words(sim.public)
    answer = await anna.on_board("Start")
    assert "Press Join first" in words(anna.panel)
    assert answer.ephemeral
    await ben.on_board("Start")
    assert sim.session.phase is Phase.READY


async def test_a_lobby_closes_when_everybody_has_left(sim: SimulatedBot) -> None:
    anna, ben = await sim.lobby("Anna", "Ben")
    await anna.leave()
    await ben.leave()
    await sim.later()
    assert "Everyone left" in words(sim.public)
    assert sim.app.tables.index.at(ChannelId(sim.channel.id)) is None
    await anna.open()
    assert "**Anna** hosts" in words(sim.public)


async def test_a_lobby_nobody_starts_closes_before_its_tokens_die(sim: SimulatedBot) -> None:
    await sim.lobby("Anna", "Ben")
    await sim.later(13.5 * 60)
    assert "Join" in buttons(sim.public)
    await sim.later(60)
    assert "Nobody started the match in time" in words(sim.public)


async def test_two_commands_at_once_open_one_table(sim: SimulatedBot) -> None:
    anna, ben = sim.people("Anna", "Ben")
    await anna.open()
    answer = await ben.open()
    assert answer.ephemeral
    assert "This channel already has a table" in words(ben.panel)
    assert str(sim.public.id) in words(ben.panel), "with a link to it"
    assert len(sim.messages(private=False)) == 1


async def test_a_press_just_after_the_stop_changes_nothing(sim: SimulatedBot) -> None:
    """In the half second after the stop a player still has his cards before him."""
    players = await sim.live("Anna", "Ben")
    shown = {player.id: buttons(player.panel) for player in players}
    while sim.session.phase is Phase.LIVE:
        for player in players:
            if sim.session.phase is Phase.LIVE:
                shown[player.id] = buttons(player.panel)
                await player.play()
    ended = sim.session.history
    for player in players:
        flip = shown[player.id]["Flip"]
        await player.press_old(player.panel, flip)
        assert "The round is over" in words(player.panel)
    assert sim.session.history == ended


async def test_a_strangers_press_is_answered_and_ignored(sim: SimulatedBot) -> None:
    await sim.live("Anna", "Ben")
    stranger = sim.person("Stranger")
    before = sim.session
    for label in ("My cards", "Leave", "Move down"):
        await stranger.on_board(label)
        assert words(stranger.panel).startswith(("Press Join first", "You’re watching"))
    assert sim.session == before


async def test_join_again_gives_a_fresh_panel_and_takes_the_old_one_away(sim: SimulatedBot) -> None:
    """It is taken away once the cards are dealt: until then a channel's calls are kept for them."""
    anna, ben = await sim.lobby("Anna", "Ben")
    first = anna.panel
    await anna.on_board("Join")
    await sim.later()
    assert anna.panel is not first
    assert "You’re already in" in words(anna.panel)
    assert len(sim.session.chairs) == 2
    await anna.on_board("Start")
    await sim.later()
    for person in (anna, ben):
        await person.on_panel("Ready")
    await sim.later(COUNT + 60)
    assert [message.id for message in anna.private] == [anna.panel.id]


async def test_second_presses_say_so(sim: SimulatedBot) -> None:
    """Ready and a flip pressed twice: the second changes nothing and says why. Start is silent."""
    anna, ben = await sim.lobby("Anna", "Ben")
    start = buttons(sim.public)["Start"]
    await anna.on_board("Start")
    before = len(anna.private)
    await anna.press_old(sim.public, start)
    assert len(anna.private) == before
    await sim.later()
    ready = buttons(anna.panel)["Ready"]
    await anna.on_panel("Ready")
    await anna.press_old(anna.panel, ready)
    assert "already ready" in words(anna.panel)
    await ben.on_panel("Ready")
    await sim.later(COUNT)
    flip = buttons(anna.panel)["Flip"]
    await anna.on_panel("Flip")
    hand = seat_cards(sim.session, 0).hand
    await anna.press_old(anna.panel, flip)
    assert "You already flipped" in words(anna.panel)
    assert seat_cards(sim.session, 0).hand == hand


async def test_who_leaves_in_the_get_ready_is_not_dealt_in(sim: SimulatedBot) -> None:
    anna, ben, chloe = await sim.lobby("Anna", "Ben", "Chloe")
    await anna.on_board("Start")
    await sim.later()
    await anna.on_panel("Ready")
    await ben.on_panel("Ready")
    await chloe.leave()
    assert [chair.name for chair in sim.session.chairs] == ["Anna", "Ben"]
    assert sim.session.phase is Phase.COUNT, "the last one awaited has left"


async def test_who_leaves_in_the_count_or_in_play_keeps_what_he_laid(sim: SimulatedBot) -> None:
    anna, ben, chloe, dario = await sim.live("Anna", "Ben", "Chloe", "Dario", rounds=2)
    await ben.leave()
    assert sim.session.phase is Phase.LIVE
    assert sim.session.chairs[1].left
    for _ in range(4):  # nothing is known of the channel yet
        await sim.later()
    assert any("You left this match" in words(one) for one in ben.private)
    await sim.play_out([anna, chloe, dario])
    assert sim.session.history[0].ended.minus[1] == 20, "ten Ligretto cards left count"
    await anna.on_board("My cards")
    await anna.on_panel("Next round")
    await chloe.on_panel("Next round")
    await chloe.leave()
    assert sim.session.chairs[2].left


async def test_a_match_ends_when_one_is_left(sim: SimulatedBot) -> None:
    """The round in progress is scored as it stands; one round was finished: the match counts."""
    anna, ben = await sim.live("Anna", "Ben")
    await sim.play_out([anna, ben])
    for player in (anna, ben):
        await player.on_panel("Next round")
    await sim.later(COUNT)
    await anna.leave()
    await sim.later()
    assert sim.session.phase is Phase.OVER
    assert sim.session.counts
    assert len(sim.session.history) == 2
    assert "Ended earlier than agreed" in words(sim.public)
    assert sim.session.winners == (1,), "leavers are placed last"


async def test_the_host_starts_without_the_one_who_does_not_come(sim: SimulatedBot) -> None:
    """Start works 30 s after the first Ready; who never readied in round 1 loses the seat."""
    anna, ben, _ = await sim.lobby("Anna", "Ben", "Chloe")
    await anna.on_board("Start")
    await sim.later()
    assert "Start" not in buttons(sim.public)
    await anna.on_panel("Ready")
    await ben.on_panel("Ready")
    await sim.later(20)
    assert "Start" not in buttons(sim.public)
    await sim.later(20)
    await anna.on_board("Start")
    assert [chair.name for chair in sim.session.chairs] == ["Anna", "Ben"]
    assert sim.session.phase is Phase.COUNT


async def test_who_misses_a_later_round_sits_it_out(sim: SimulatedBot) -> None:
    anna, ben, chloe = await sim.live("Anna", "Ben", "Chloe", rounds=2)
    await sim.play_out([anna, ben, chloe])
    await anna.on_panel("Next round")
    await ben.on_panel("Next round")
    await sim.later(40)
    await anna.on_board("Start")
    await sim.later(COUNT)
    assert "You’re sitting this round out" in words(chloe.panel)
    assert ligretto_state(sim.session).seats[2] is None
    await sim.play_out([anna, ben])
    assert sim.session.history[1].ended.scores[2] == 0


async def test_nobody_presses_anything_for_ten_minutes(sim: SimulatedBot) -> None:
    await sim.live("Anna", "Ben")
    await sim.later(9.5 * 60)
    assert sim.session.state is not None
    await sim.later(60)
    assert sim.session.phase is Phase.OVER
    anna = sim.person("Carla")
    await anna.open()
    assert [chair.name for chair in sim.session.chairs] == ["Carla"], "the channel is free"


async def test_the_table_moves_down_and_its_panels_follow(sim: SimulatedBot) -> None:
    anna, ben = await sim.live("Anna", "Ben")
    first, old = sim.public, anna.panel
    await ben.on_board("Move down")
    await sim.later()
    assert sim.public.id != first.id
    link, _ = sim.messages(private=False)
    assert str(sim.public.id) in words(link), "the old message is deleted"
    await anna.on_board("My cards")
    await sim.later(30)
    assert anna.panel.id > sim.public.id > old.id
    assert [message.id for message in anna.private] == [anna.panel.id]


async def test_a_deleted_table_is_posted_again(sim: SimulatedBot) -> None:
    """As soon as there is something new to show on it."""
    anna, ben = await sim.live("Anna", "Ben")
    sim.env.backend.delete_message(sim.channel.id, sim.public.id)
    while not sim.session.news:
        await anna.play()
        await ben.play()
    await sim.later(3)
    assert "Ligretto" in words(sim.public)


async def test_a_table_an_hour_old_is_posted_anew(sim: SimulatedBot) -> None:
    anna, ben = await sim.live("Anna", "Ben")
    first = sim.public.id
    for _ in range(11):
        await sim.later(5 * 60)
        await anna.on_board("My cards")
        await ben.on_board("My cards")
    assert sim.public.id != first
    assert sim.session.phase is Phase.LIVE


async def test_a_panel_says_how_to_wake_it_before_its_token_dies(sim: SimulatedBot) -> None:
    """Its token lives 15 minutes; a press on it brings a new one."""
    anna, ben = await sim.live("Anna", "Ben")
    for _ in range(4):
        await sim.later(3.7 * 60)
        await ben.on_panel("Flip")
    assert "This panel timed out" in words(anna.panel)
    await anna.on_panel("Flip")
    assert "timed out" not in words(anna.panel)
    left = seat_cards(sim.session, 1).ligretto
    await ben.play()
    await sim.later(3)
    assert left is not None
    assert words(anna.panel).splitlines()[1:5] == words(ben.panel).splitlines()[1:5]


async def test_a_points_target_ends_the_match(sim: SimulatedBot) -> None:
    """25 points, checked after each round; rounds and target exclude each other."""
    anna, ben = await sim.lobby("Anna", "Ben")
    await anna.press_old(sim.public, "lg1:1:0:set.target=25")
    await sim.later()
    assert "to 25 points" in words(sim.public)
    assert "rounds" not in words(sim.public)
    await anna.on_board("Start")
    await sim.later()
    for number in range(30):
        for player in (anna, ben):
            await player.on_board("My cards")
            await player.on_panel("Next round" if number else "Ready")
        await sim.later(COUNT)
        await sim.play_out([anna, ben])
        if sim.session.phase is Phase.OVER:
            break
    assert max(sim.session.totals) >= 25
    earlier = [sum(r.ended.scores[i] for r in sim.session.history[:-1]) for i in (0, 1)]
    assert max(earlier) < 25


async def dice_table(sim: SimulatedBot) -> tuple[Person, Person]:
    """Anna and Ben in a live round of dice; Ben is a child and has two dice fewer."""
    anna, ben = sim.people("Anna", "Ben")
    await anna.open("dice")
    await ben.on_board("Join")
    for choice in ("rounds=1", "dice.1=child", "extra=2"):
        await anna.press_old(sim.public, f"lg1:1:0:set.{choice}")
    await sim.later()
    assert "Ben (as a child, 11 dice)" in words(sim.public)
    await anna.on_board("Start")
    await sim.later()
    for player in (anna, ben):
        await player.on_panel("Ready")
    await sim.later(COUNT)
    return anna, ben


async def test_a_match_of_dice_from_lobby_to_rematch(sim: SimulatedBot) -> None:
    """The second game on the same tables: nothing but the command is different."""
    anna, ben = await dice_table(sim)
    assert "Roll 13" in buttons(anna.panel)
    assert "Roll 11" in buttons(ben.panel)
    await sim.play_out([anna, ben])
    assert "👑" in words(sim.public), "one of them, or both"
    assert sum(sim.session.totals) == 0
    await ben.on_panel("Rematch")
    await sim.later()
    assert "Ben** hosts (as a child)" in words(sim.public)


async def test_a_second_press_on_roll_never_throws_a_good_roll_away(sim: SimulatedBot) -> None:
    anna, _ = await dice_table(sim)
    roll = buttons(anna.panel)["Roll 13"]
    await anna.on_panel("Roll 13")
    faces = seat_dice(sim.session, 0).dice
    await anna.press_old(anna.panel, roll)
    assert "You already rolled" in words(anna.panel)
    assert seat_dice(sim.session, 0).dice == faces
