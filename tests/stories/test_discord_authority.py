"""What the id of a button may do: it is checked against its message, its server and its person."""

from pathlib import Path

import pytest

from tests.stories.discord_world import (
    COMPONENT,
    Channel,
    Message,
    Player,
    Server,
    all_ready,
    labels,
    seated,
    send,
    world,
)


def button(custom_id: str | None) -> dict[str, object]:
    return {"custom_id": custom_id, "component_type": 2, "id": 1}


@pytest.mark.parametrize(
    "word",
    [
        *("privacy:forget", "privacy:keep", "privacy:really", "history:0", "rules:turn:dice"),
        *("board:ligretto:all:rating:0:1", "settings:general", "match:1:0:0"),
    ],
)
async def test_planted_press_leaves_a_public_message(tmp_path: Path, word: str) -> None:
    """The id of a private button, sent from the table's message, is answered in private."""
    async with world(tmp_path) as here:
        server = here.server
        anna = Player(server, server.user("anna"), server.all_channels[0])
        _ = await anna.open()
        before, public = anna.public.text, anna.public
        eve = server.user("eve")
        answer = await send(server, eve, public, COMPONENT, button(f"lr1:{word}")).wait()
        assert answer.original is not None
        assert answer.original.ephemeral
        assert public.text == before, "the table's message shows something else to everybody"


async def test_nobody_is_forgotten_by_a_planted_button(tmp_path: Path) -> None:
    """Eve can't put the question on the leaderboard, where Ben's press on "Yes, forget me" would be
    taken for his own wish.
    """
    async with world(tmp_path) as here:
        server, channel = here.server, here.server.all_channels[0]
        eve, ben = server.user("eve"), server.user("ben")
        shown = await server.slash(eve, channel, "leaderboard").wait()
        assert shown.original is not None
        public = shown.original
        assert not public.ephemeral
        _ = await send(server, eve, public, COMPONENT, button("lr1:privacy:forget")).wait()
        yes = "lr1:privacy:really"
        if any(item.custom_id == yes for item in public.controls):
            _ = await send(server, ben, public, COMPONENT, button(yes)).wait()
        seen = "\n".join(message.text for message in server.view(ben, channel))
        assert "gone from all records" not in seen, "Ben was forgotten"


async def test_question_that_everybody_sees_forgets_nobody(tmp_path: Path) -> None:
    """A public message that has the button, from whatever version, is no question to anybody."""
    async with world(tmp_path) as here:
        server, channel = here.server, here.server.all_channels[0]
        yes = {"type": 2, "style": 1, "label": "Yes", **button("lr1:privacy:really")}
        note = message_of_the_bot(server, channel)
        note.data["components"] = [{"type": 1, "components": [yes]}]
        ben = server.user("ben")
        answer = await send(server, ben, note, COMPONENT, button("lr1:privacy:really")).wait()
        assert answer.original is not None
        assert "know that button. Type the command again" in answer.original.text


@pytest.mark.parametrize("where", ["another server", "a direct message"])
async def test_join_from_elsewhere_is_refused(tmp_path: Path, where: str) -> None:
    """Join's id, sent from a message elsewhere, seats nobody."""
    async with world(tmp_path) as here:
        server = here.server
        anna = Player(server, server.user("anna"), server.all_channels[0])
        _ = await anna.open()
        eve = server.user("eve")
        place = server.dm(eve)
        if where == "another server":
            (place,) = server.add_guild("elsewhere").channels.values()
        note = message_of_the_bot(server, place)
        _ = await send(server, eve, note, COMPONENT, button("lg1:1:0:join")).wait()
        _ = await anna.press_public("Add robot")
        await server.wait_for(lambda: "Robot 1" in anna.public.text, 10)
        assert "Eve" not in anna.public.text, "she sits at a table of a server she is not in"


async def test_join_from_another_channel_is_refused(tmp_path: Path) -> None:
    """Whoever can't see the table's channel, for one, can't sit down there from another."""
    async with world(tmp_path) as here:
        server = here.server
        anna = Player(server, server.user("anna"), server.all_channels[0])
        _ = await anna.open()
        assert anna.channel.guild is not None
        elsewhere = server.add_channel(anna.channel.guild, "elsewhere")
        eve = server.user("eve")
        for word in ("join", "panel", "add"):
            note = message_of_the_bot(server, elsewhere)
            answer = await send(server, eve, note, COMPONENT, button(f"lg1:1:0:{word}")).wait()
            assert answer.original is not None
            assert answer.original.ephemeral
            assert "gone" in answer.original.text
        assert "Eve" not in anna.public.text, "she sits at a table of a channel she isn't in"
        note = message_of_the_bot(server, elsewhere)
        own = await send(server, anna.user, note, COMPONENT, button("lg1:1:0:add")).wait()
        assert own.ok
        await server.wait_for(lambda: "Robot 1" in anna.public.text, 10)


def message_of_the_bot(server: Server, place: Channel) -> Message:
    return server.say(server.bot, place, "hello")


async def test_panel_is_its_owners_alone(tmp_path: Path) -> None:
    """Where Ben presses on Anna's panel, it stays as it is, and so does his hand."""
    async with world(tmp_path) as here:
        server = here.server
        anna, ben = await seated(server, server.all_channels[0], ["anna", "ben"], 3)
        await all_ready([anna, ben])
        panel, before, own = anna.panel, labels(anna.panel), labels(ben.panel)
        flip = panel.find(label="Flip").custom_id
        answer = await send(server, ben.user, panel, COMPONENT, button(flip)).wait()
        assert answer.ok
        assert labels(panel) == before, "Anna's panel shows what Ben holds"
        assert labels(ben.panel) == own
        assert answer.original is not None
        assert "message is someone else’s. Type the command yourself" in answer.original.text
        beside = await send(server, ben.user, panel, COMPONENT, button("lr1:history:0")).wait()
        assert beside.original is not None
        assert "message is someone else’s" in beside.original.text
        assert labels(panel) == before, "Anna's panel shows what Ben has asked for"


async def test_press_on_another_direct_message_moves_no_panel(tmp_path: Path) -> None:
    """Discord refuses the panel on a message of the old kind: the panel stays where it is."""
    async with world(tmp_path) as here:
        server = here.server
        anna, ben = await seated(server, server.all_channels[0], ["anna", "ben"], 1)
        ready = next(item for item in anna.panel.controls if item.label == "Ready")
        old = server.say(server.bot, server.dm(anna.user), "x")
        _ = await send(server, anna.user, old, COMPONENT, button(ready.custom_id)).wait()
        assert old.text == "x"
        _ = await ben.press("Ready")
        await server.wait_for(lambda: "Flip" in labels(anna.panel), 30)
        assert not here.tracebacks
