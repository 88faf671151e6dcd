"""Evenings from the first command to the rematch, on a simulated Discord."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.tables.session import Phase
from tests.games.states import ligretto_state, seat_cards, seat_dice
from tests.ui.evening import COUNT, Evening, Person, buttons, evening, words


@pytest.fixture
async def night(tmp_path: Path) -> AsyncIterator[Evening]:
    async with evening(tmp_path / "night.db") as one:
        yield one


@pytest.mark.parametrize("people", [2, 3, 12])
async def test_from_lobby_to_rematch(night: Evening, people: int) -> None:
    names = [f"Player{i}" for i in range(people)]
    players = await night.live(*names, rounds=2)
    assert "Flip" in buttons(players[-1].panel)
    await night.play_out(players)
    assert "Next round" in buttons(night.board)
    await night.later(70)  # a channel that nobody knows yet takes no more in a minute
    for player in players:
        await player.on_panel("Next round")
    await night.later(COUNT + 1)  # a panel that waits for room looks every second
    await night.play_out(players)
    assert " win" in words(night.board)
    link, _ = night.messages(private=False)
    assert f"has started: {night.table.link}" in words(link), "the lobby leads to the table"

    await players[-1].on_panel("Rematch")
    await night.later()
    assert len(night.messages(private=False)) == 3
    assert f"**{names[-1]}**, host" in words(night.board)
    assert f"held for {names[0]}" in words(night.board)
    await players[0].on_board("Join")
    await night.later()
    assert f"held for {names[0]}" not in words(night.board)
    await night.later(66)
    assert "held for" not in words(night.board)
    assert night.session.phase is Phase.LOBBY


async def test_one_person_and_computers_play_a_match(night: Evening) -> None:
    """Computer players sit down, are always ready, and play at a human pace."""
    (anna,) = await night.lobby("Anna", rounds=1)
    for _ in range(2):
        await anna.on_board("Add")
    await night.later()
    assert "Robot 2" in words(night.board)
    await anna.on_board("Start")
    await night.later()
    await anna.on_panel("Ready")
    await night.later(COUNT)
    before = night.session.moves
    await night.later(10)
    made = night.session.moves - before
    assert 4 <= made <= 30, "two computers at about one action in 1.8 s"
    for _ in range(60):
        if night.session.phase is Phase.OVER:
            break
        await night.later(10)
    assert night.session.phase is Phase.OVER
    assert "practice" in words(night.board)


async def test_a_lobby_stays_with_the_next_human_when_the_host_leaves(night: Evening) -> None:
    anna, ben, _ = await night.lobby("Anna", "Ben", "Chloe")
    await anna.leave()
    await night.later()
    assert "**Ben**, host" in words(night.board)
    answer = await anna.on_board("Start")
    assert "not at this table" in words(anna.panel)
    assert answer.ephemeral
    await ben.on_board("Start")
    assert night.session.phase is Phase.READY


async def test_a_lobby_closes_when_everybody_has_left(night: Evening) -> None:
    anna, ben = await night.lobby("Anna", "Ben")
    await anna.leave()
    await ben.leave()
    await night.later()
    assert "Everybody has left" in words(night.board)
    assert night.app.tables.books.at(night.channel.id) is None
    await anna.open()
    assert "**Anna**, host" in words(night.board)


async def test_a_lobby_nobody_starts_closes_before_its_tokens_die(night: Evening) -> None:
    await night.lobby("Anna", "Ben")
    await night.later(13.5 * 60)
    assert "Join" in buttons(night.board)
    await night.later(60)
    assert "Nobody started it in time" in words(night.board)


async def test_two_commands_at_once_open_one_table(night: Evening) -> None:
    anna, ben = night.people("Anna", "Ben")
    await anna.open()
    answer = await ben.open()
    assert answer.ephemeral
    assert "There is a table in this channel" in words(ben.panel)
    assert str(night.board.id) in words(ben.panel), "with a link to it"
    assert len(night.messages(private=False)) == 1


async def test_a_press_just_after_the_stop_changes_nothing(night: Evening) -> None:
    """In the half second after the stop a player still has his cards before him."""
    players = await night.live("Anna", "Ben")
    shown = {player.id: buttons(player.panel) for player in players}
    while night.session.phase is Phase.LIVE:
        for player in players:
            if night.session.phase is Phase.LIVE:
                shown[player.id] = buttons(player.panel)
                await player.play()
    ended = night.session.history
    for player in players:
        flip = shown[player.id]["Flip"]
        await player.press_old(player.panel, flip)
        assert "The round is over" in words(player.panel)
    assert night.session.history == ended


async def test_a_strangers_press_is_answered_and_ignored(night: Evening) -> None:
    await night.live("Anna", "Ben")
    stranger = night.person("Stranger")
    before = night.session
    for label in ("My panel", "Leave", "Move down"):
        await stranger.on_board(label)
        assert "not at this table" in words(stranger.panel)
    assert night.session == before


async def test_join_again_gives_a_fresh_panel_and_takes_the_old_one_away(night: Evening) -> None:
    """It is taken away once the cards are dealt: until then a channel's calls are kept for them."""
    anna, ben = await night.lobby("Anna", "Ben")
    first = anna.panel
    await anna.on_board("Join")
    await night.later()
    assert anna.panel is not first
    assert "You are in already" in words(anna.panel)
    assert len(night.session.chairs) == 2
    await anna.on_board("Start")
    for person in (anna, ben):
        await person.on_panel("Ready")
    await night.later(COUNT + 60)
    assert [message.id for message in anna.private] == [anna.panel.id]


async def test_second_presses_say_so(night: Evening) -> None:
    """Start, Ready and a flip pressed twice: the second changes nothing and says why."""
    anna, ben = await night.lobby("Anna", "Ben")
    start = buttons(night.board)["Start"]
    await anna.on_board("Start")
    await anna.press_old(night.board, start)
    assert "started already" in words(anna.panel)
    night.env.backend.messages[night.channel.id].pop(anna.panel.id)
    await night.later()
    ready = buttons(anna.panel)["Ready"]
    await anna.on_panel("Ready")
    await anna.press_old(anna.panel, ready)
    assert "ready already" in words(anna.panel)
    await ben.on_panel("Ready")
    await night.later(COUNT)
    flip = buttons(anna.panel)["Flip"]
    await anna.on_panel("Flip")
    hand = seat_cards(night.session, 0).hand
    await anna.press_old(anna.panel, flip)
    assert "Turned already" in words(anna.panel)
    assert seat_cards(night.session, 0).hand == hand


async def test_who_leaves_in_the_get_ready_is_not_dealt_in(night: Evening) -> None:
    anna, ben, chloe = await night.lobby("Anna", "Ben", "Chloe")
    await anna.on_board("Start")
    await night.later()
    await anna.on_panel("Ready")
    await ben.on_panel("Ready")
    await chloe.leave()
    assert [chair.name for chair in night.session.chairs] == ["Anna", "Ben"]
    assert night.session.phase is Phase.COUNT, "the last one awaited has left"


async def test_who_leaves_in_the_count_or_in_play_keeps_what_he_laid(night: Evening) -> None:
    anna, ben, chloe, dario = await night.live("Anna", "Ben", "Chloe", "Dario", rounds=2)
    await ben.leave()
    assert night.session.phase is Phase.LIVE
    assert night.session.chairs[1].left
    await night.later()
    assert "not at this table any more" in words(ben.private[0])
    await night.play_out([anna, chloe, dario])
    assert night.session.history[0].ended.minus[1] == 20, "ten Ligretto cards left count"
    await anna.on_board("My panel")
    await anna.on_panel("Next round")
    await chloe.on_panel("Next round")
    await chloe.leave()
    assert night.session.chairs[2].left


async def test_a_match_ends_when_one_is_left(night: Evening) -> None:
    """The round in progress is scored as it stands; one round was finished: the match counts."""
    anna, ben = await night.live("Anna", "Ben")
    await night.play_out([anna, ben])
    for player in (anna, ben):
        await player.on_panel("Next round")
    await night.later(COUNT)
    await anna.leave()
    await night.later()
    assert night.session.phase is Phase.OVER
    assert night.session.counts
    assert len(night.session.history) == 2
    assert "Stopped before the agreed end" in words(night.board)
    assert night.session.winners == (1,), "leavers are placed last"


async def test_the_host_starts_without_the_one_who_does_not_come(night: Evening) -> None:
    """Start works 30 s after the first Ready; who never readied in round 1 loses the seat."""
    anna, ben, _ = await night.lobby("Anna", "Ben", "Chloe")
    await anna.on_board("Start")
    await night.later()
    assert "Start" not in buttons(night.board)
    await anna.on_panel("Ready")
    await ben.on_panel("Ready")
    await night.later(20)
    assert "Start" not in buttons(night.board)
    await night.later(20)
    await anna.on_board("Start")
    assert [chair.name for chair in night.session.chairs] == ["Anna", "Ben"]
    assert night.session.phase is Phase.COUNT


async def test_who_misses_a_later_round_sits_it_out(night: Evening) -> None:
    anna, ben, chloe = await night.live("Anna", "Ben", "Chloe", rounds=2)
    await night.play_out([anna, ben, chloe])
    await anna.on_panel("Next round")
    await ben.on_panel("Next round")
    await night.later(40)
    await anna.on_board("Start")
    await night.later(COUNT)
    assert "You sit this round out" in words(chloe.panel)
    assert ligretto_state(night.session).seats[2] is None
    await night.play_out([anna, ben])
    assert night.session.history[1].ended.scores[2] == 0


async def test_nobody_presses_anything_for_ten_minutes(night: Evening) -> None:
    await night.live("Anna", "Ben")
    await night.later(9.5 * 60)
    assert night.session.state is not None
    await night.later(60)
    assert night.session.phase is Phase.OVER
    anna = night.person("Carla")
    await anna.open()
    assert [chair.name for chair in night.session.chairs] == ["Carla"], "the channel is free"


async def test_the_table_moves_down_and_its_panels_follow(night: Evening) -> None:
    anna, ben = await night.live("Anna", "Ben")
    first, old = night.board, anna.panel
    await ben.on_board("Move down")
    await night.later()
    assert night.board.id != first.id
    link, _ = night.messages(private=False)
    assert str(night.board.id) in words(link), "the old message is deleted"
    await anna.on_board("My panel")
    await night.later()
    assert anna.panel.id > night.board.id > old.id
    assert [message.id for message in anna.private] == [anna.panel.id]


async def test_a_deleted_table_is_posted_again(night: Evening) -> None:
    """As soon as there is something new to show on it."""
    anna, ben = await night.live("Anna", "Ben")
    night.env.backend.delete_message(night.channel.id, night.board.id)
    while not night.session.news:
        await anna.play()
        await ben.play()
    await night.later(3)
    assert "Ligretto" in words(night.board)


async def test_a_table_an_hour_old_is_posted_anew(night: Evening) -> None:
    anna, ben = await night.live("Anna", "Ben")
    first = night.board.id
    for _ in range(11):
        await night.later(5 * 60)
        await anna.on_board("My panel")
        await ben.on_board("My panel")
    assert night.board.id != first
    assert night.session.phase is Phase.LIVE


async def test_a_panel_says_how_to_wake_it_before_its_token_dies(night: Evening) -> None:
    """Its token lives 15 minutes; a press on it brings a new one."""
    anna, ben = await night.live("Anna", "Ben")
    for _ in range(4):
        await night.later(3.7 * 60)
        await ben.on_panel("Flip")
    assert "This panel is asleep" in words(anna.panel)
    await anna.on_panel("Flip")
    assert "asleep" not in words(anna.panel)
    left = seat_cards(night.session, 1).ligretto
    await ben.play()
    await night.later(3)
    assert left is not None
    assert words(anna.panel).splitlines()[1:5] == words(ben.panel).splitlines()[1:5]


async def test_a_points_target_ends_the_match(night: Evening) -> None:
    """25 points, checked after each round; rounds and target exclude each other."""
    anna, ben = await night.lobby("Anna", "Ben")
    await anna.press_old(night.board, "lg1:1:0:set.target=25")
    await night.later()
    assert "play to 25 points" in words(night.board)
    assert "rounds" not in words(night.board)
    await anna.on_board("Start")
    await night.later()
    for number in range(30):
        for player in (anna, ben):
            await player.on_board("My panel")
            await player.on_panel("Next round" if number else "Ready")
        await night.later(COUNT)
        await night.play_out([anna, ben])
        if night.session.phase is Phase.OVER:
            break
    assert max(night.session.totals) >= 25
    earlier = [sum(r.ended.scores[i] for r in night.session.history[:-1]) for i in (0, 1)]
    assert max(earlier) < 25


async def dice_table(night: Evening) -> tuple[Person, Person]:
    """Anna and Ben in a live round of dice; Ben is a child and has two dice fewer."""
    anna, ben = night.people("Anna", "Ben")
    await anna.open("dice")
    await ben.on_board("Join")
    for choice in ("rounds=1", "dice.1=child", "extra=2"):
        await anna.press_old(night.board, f"lg1:1:0:set.{choice}")
    await night.later()
    assert "grown-ups have 2 dice more" in words(night.board)
    assert "Ben (child, 11 dice)" in words(night.board)
    await anna.on_board("Start")
    await night.later()
    for player in (anna, ben):
        await player.on_panel("Ready")
    await night.later(COUNT)
    return anna, ben


async def test_a_match_of_dice_from_lobby_to_rematch(night: Evening) -> None:
    """The second game on the same tables: nothing but the command is different."""
    anna, ben = await dice_table(night)
    assert "Roll 13" in buttons(anna.panel)
    assert "Roll 11" in buttons(ben.panel)
    await night.play_out([anna, ben])
    assert "Ligretto STOP" in words(night.board)
    assert sum(night.session.totals) == 0
    await ben.on_panel("Rematch")
    await night.later()
    assert "grown-ups have 2 dice more" in words(night.board)
    assert "Ben**, host (child)" in words(night.board)


async def test_a_second_press_on_roll_never_throws_a_good_roll_away(night: Evening) -> None:
    anna, _ = await dice_table(night)
    roll = buttons(anna.panel)["Roll 13"]
    await anna.on_panel("Roll 13")
    faces = seat_dice(night.session, 0).dice
    await anna.press_old(anna.panel, roll)
    assert "Rolled already" in words(anna.panel)
    assert seat_dice(night.session, 0).dice == faces
