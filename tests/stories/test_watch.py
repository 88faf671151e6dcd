"""A round as a moving picture: from the end of a match and from its log, in private and shared."""

import asyncio
from io import BytesIO

import pytest
from PIL import Image

from bot.fakediscord import Interaction, Message
from bot.fakediscord.faults import Fault
from bot.fakediscord.model.permissions import EVERYONE
from bot.tables.state.message_refs import TOKEN_LIFE
from bot.ui.toolkit.command_limit import AGAIN_AFTER
from tests.stories.discord_world import COMPONENT, send
from tests.stories.moderating import confirmed
from tests.stories.test_discord_authority import button
from tests.stories.test_secrets import forgotten
from tests.stories.world import Player, World, given, labels

COMPONENTS_V2 = 1 << 15
SEND_MESSAGES = 1 << 11


async def over(world: World, *, rounds: int = 1) -> tuple[Player, Player]:
    """Anna and Ben have played a match, with at least a few cards in its first round."""
    anna, ben = await world.live("anna", "ben", rounds=rounds)
    for _ in range(10):
        for person in (anna, ben):
            await person.act()
    for number in range(rounds):
        await world.agreed([anna, ben])
        if number + 1 < rounds:
            for person in (anna, ben):
                await person.press("Next round")
            await asyncio.sleep(20)
    await asyncio.sleep(10)
    given("Rematch" in labels(world.public), "the match is over")
    return anna, ben


async def answered(pressed: Interaction) -> Message:
    """The private answer, once it has stopped thinking."""
    await pressed.wait()
    await asyncio.sleep(5)
    assert pressed.original is not None
    assert not pressed.original.loading
    return pressed.original


async def watched(world: World, person: Player, message: Message | None = None) -> Message:
    """The answer to Watch, on the table's message if on no other one."""
    click = world.server.click(person.user, message or world.public, label="Watch")
    return await answered(click)


def picture(world: World, message: Message) -> Image.Image:
    (file,) = message.files
    assert file["filename"].endswith(".gif")
    return Image.open(BytesIO(world.server.blobs[str(file["id"])]))


def told(message: Message) -> str:
    """What is said of the picture to those who can't see it."""
    (file,) = message.files
    return str(file["description"])


async def test_the_end_of_a_match_is_watched_in_private(world: World) -> None:
    anna, _ = await over(world)
    answer = await watched(world, anna)
    assert answer.ephemeral_for is anna.user
    assert "Round 1 of match #1" in answer.text
    image = picture(world, answer)
    assert getattr(image, "n_frames", 1) > 3
    assert any(item.raw.get("items") for item in answer.items), "it is shown as a gallery"
    first, second, third = told(answer).split(". ")
    assert first.startswith("Anna and Ben play Ligretto: round 1 of match #1")
    assert second.startswith("The round is cut short, and the points are")
    assert (
        third.replace("\N{NO-BREAK SPACE}", " ")
        == "Anna wins the only duel, over Ben by 50 ms (Blue 2)."
    )
    assert not world.said()


async def test_a_round_is_watched_from_its_log_and_after_a_restart(world: World) -> None:
    anna, _ = await over(world)
    replay = await answered(world.server.slash(anna.user, world.channel, "replay"))
    public = world.public
    given("Watch" in labels(replay), "the log's answer has the button")
    assert picture(world, await watched(world, anna, replay)).format == "GIF"
    _ = await world.bot.stop()
    await world.start()
    assert picture(world, await watched(world, anna, public)).format == "GIF"
    assert picture(world, await watched(world, anna, replay)).format == "GIF"


async def test_any_round_can_be_chosen(world: World) -> None:
    anna, _ = await over(world, rounds=2)
    answer = await watched(world, anna)
    before = told(answer)
    assert "round 1 of" in before, "the round with a duel is shown first"
    pressed = world.server.select(anna.user, answer, None, ["2"])
    await pressed.wait()
    await asyncio.sleep(5)
    assert "round 2 of" in told(answer)
    assert told(answer).endswith("There’s no duel.")
    assert "Round 2 of match #1" in answer.text
    forged = world.server.select(anna.user, answer, None, ["9"], stale=True)
    await forged.wait()
    await asyncio.sleep(5)
    assert "no moving picture" in world.server.panels(anna.user, world.channel)[-1].text
    assert not world.said()


async def test_a_shared_picture_is_for_everybody_and_at_a_persons_pace(world: World) -> None:
    anna, ben = await over(world, rounds=5)
    table = world.public
    answer = await watched(world, anna)
    before = len(world.server.public(world.channel))
    await asyncio.sleep(61)
    await share(world, anna, answer)
    shared = world.public
    assert not shared.ephemeral
    assert len(world.server.public(world.channel)) == before + 1
    assert "**Anna** shares round 1 of match #1" in shared.text
    assert not shared.pings
    assert picture(world, shared).tobytes() == picture(world, answer).tobytes()
    assert told(shared) == told(answer)
    assert shared_already(answer)
    for round_ in "23":
        await share(world, anna, await chosen(world, anna, answer, round_))
    given(len(world.server.public(world.channel)) == before + 3, "three are within her limit")
    await share(world, anna, await chosen(world, anna, answer, "4"))
    assert len(world.server.public(world.channel)) == before + 3
    assert "enough pictures" in world.server.panels(anna.user, world.channel)[-1].text
    bens = await watched(world, ben, table)
    for round_ in "45":
        await share(world, ben, await chosen(world, ben, bens, round_))
    assert len(world.server.public(world.channel)) == before + 4, "the channel has a limit too"
    await asyncio.sleep(61)
    await share(world, anna, await chosen(world, anna, answer, "5"))
    assert len(world.server.public(world.channel)) == before + 5


async def chosen(world: World, person: Player, answer: Message, round_: str) -> Message:
    """The answer, once this round was chosen from its list."""
    await world.server.select(person.user, answer, None, [round_]).wait()
    await asyncio.sleep(3)
    return answer


def shared_already(answer: Message) -> bool:
    return "Shared" in {item.label for item in answer.controls if item.raw.get("disabled")}


async def test_a_double_click_on_share_posts_once(world: World) -> None:
    anna, _ = await over(world, rounds=3)
    answer = await watched(world, anna)
    before, private = len(world.server.public(world.channel)), own(world, anna)
    await asyncio.sleep(61)
    clicks = [world.server.click(anna.user, answer, label="Share") for _ in range(2)]
    for click in clicks:
        await click.wait()
    await asyncio.sleep(3)
    assert len(world.server.public(world.channel)) == before + 1
    assert own(world, anna) == private, "no word about the second press"
    assert shared_already(answer)
    for round_ in "23":
        await share(world, anna, await chosen(world, anna, answer, round_))
    assert len(world.server.public(world.channel)) == before + 3, "it has cost one of three"


async def test_a_round_is_shared_once_in_a_while(world: World) -> None:
    """By whoever: everybody in the channel has seen it."""
    anna, ben = await over(world)
    table = world.public
    bens = await watched(world, ben, table)
    before = len(world.server.public(world.channel))
    await share(world, anna, await watched(world, anna, table))
    given(len(world.server.public(world.channel)) == before + 1, "Anna has shared it")
    await share(world, ben, bens)
    assert len(world.server.public(world.channel)) == before + 1
    assert "is already in this channel" in world.server.panels(ben.user, world.channel)[-1].text
    assert shared_already(await watched(world, anna, table)), "so says a new answer"
    await asyncio.sleep(AGAIN_AFTER)
    await share(world, ben, await watched(world, ben, table))
    assert len(world.server.public(world.channel)) == before + 2


async def test_what_was_not_posted_can_be_shared_again(world: World) -> None:
    anna, _ = await over(world)
    answer = await watched(world, anna)
    before = len(world.server.public(world.channel))
    world.server.faults.append(Fault("POST .*/webhooks/", status=403, code=50013, times=1))
    await share(world, anna, answer)
    given(len(world.server.public(world.channel)) == before, "Discord has refused it")
    assert "Discord didn’t take" in world.server.panels(anna.user, world.channel)[-1].text
    await share(world, anna, answer)
    assert len(world.server.public(world.channel)) == before + 1


async def test_watching_again_leaves_one_private_message(world: World) -> None:
    anna, ben = await over(world)
    table = world.public
    before, bens = own(world, anna), await watched(world, ben, table)
    first = await watched(world, anna, table)
    second = await watched(world, anna, table)
    assert picture(world, second).format == "GIF"
    assert first not in world.server.panels(anna.user, world.channel)
    assert bens in world.server.panels(ben.user, world.channel)
    clicks = [world.server.click(anna.user, table, label="Watch") for _ in range(2)]
    for click in clicks:
        await answered(click)
    assert own(world, anna) == before + 1
    await asyncio.sleep(TOKEN_LIFE)
    assert (await watched(world, anna, table)).files, "an old one stays: nothing can reach it"
    assert own(world, anna) == before + 2


def own(world: World, person: Player) -> int:
    """How many private messages this person has here."""
    return len(world.server.panels(person.user, world.channel))


async def share(world: World, person: Player, answer: Message) -> None:
    await world.server.click(person.user, answer, label="Share").wait()
    await asyncio.sleep(2)


async def test_whoever_may_not_write_here_shares_nothing(world: World) -> None:
    anna, _ = await over(world)
    answer = await watched(world, anna)
    guild = world.channel.guild
    assert guild is not None
    guild.member_perms[anna.user.id] = EVERYONE & ~SEND_MESSAGES
    before = len(world.server.public(world.channel))
    await share(world, anna, answer)
    assert len(world.server.public(world.channel)) == before
    assert "Send Messages" in world.server.panels(anna.user, world.channel)[-1].text


async def test_forgotten_names_are_not_shown(world: World) -> None:
    anna, ben = await over(world)
    public = world.public
    await forgotten(world, ben)
    answer = await watched(world, anna, public)
    assert "Ben" not in told(answer)
    assert "Anna and" in told(answer)


async def test_a_match_that_is_void_gone_or_of_nobody_has_words(world: World) -> None:
    anna, _ = await over(world)
    public = world.public
    owner = world.server.owner
    _ = await confirmed(world, owner, "moderate void", match="1")
    answer = await watched(world, anna, public)
    assert "Void" in answer.text
    world.change("DELETE FROM logs")
    gone = await watched(world, anna, public)
    assert "is no longer kept" in gone.text
    late = world.server.click(anna.user, answer, label="Share")
    await late.wait()
    await asyncio.sleep(5)
    assert "is no longer kept" in world.server.panels(anna.user, world.channel)[-1].text


async def test_where_galleries_stand_still_it_is_an_attachment(world: World) -> None:
    anna, _ = await over(world, rounds=2)
    guild = world.channel.guild_id
    world.change(
        "INSERT INTO learned (guild, lesson, at) VALUES (?, 'pictures stand still', ?)",
        guild,
        4e9,
    )
    public = world.public
    _ = await world.bot.stop()
    await world.start()
    answer = await watched(world, anna, public)
    (file,) = answer.data["attachments"]
    assert file["content_type"] == "image/gif"
    assert not answer.flags & COMPONENTS_V2
    assert "Round 1 of match #1" in answer.content
    assert told(answer).startswith("Anna and Ben play")
    await world.server.select(anna.user, answer, None, ["2"]).wait()
    await asyncio.sleep(5)
    assert "Round 2 of match #1" in answer.content
    assert len(answer.data["attachments"]) == 1
    await share(world, anna, answer)
    assert "shares round 2" in world.public.content
    assert len(world.public.data["attachments"]) == 1
    assert not world.said()


async def test_where_edits_bring_no_picture_it_comes_all_the_same(world: World) -> None:
    """Nobody has tested this server: the gallery is refused, and the file is attached."""
    anna, _ = await over(world, rounds=2)
    world.server.settings.edits_show_files = False
    answer = await watched(world, anna)
    assert len(answer.data["attachments"]) == 1
    assert "Round 1 of match #1" in answer.content
    await world.server.select(anna.user, answer, None, ["2"]).wait()
    await asyncio.sleep(5)
    assert told(answer).startswith("Anna and Ben play Ligretto: round 2")
    await share(world, anna, answer)
    assert "shares round 2" in world.public.content
    assert not world.said()


async def test_a_gallery_that_takes_no_other_picture_is_followed_by_one(world: World) -> None:
    anna, _ = await over(world, rounds=2)
    answer = await watched(world, anna)
    world.server.settings.edits_show_files = False
    await world.server.select(anna.user, answer, None, ["2"]).wait()
    await asyncio.sleep(5)
    assert "round 1 of" in told(answer)
    another = world.server.panels(anna.user, world.channel)[-1]
    assert another is not answer
    assert another.ephemeral_for is anna.user
    assert "round 2 of" in told(another)


async def test_plain_readers_are_told_the_round(world: World) -> None:
    anna, _ = await over(world)
    public = world.public
    await world.server.slash(anna.user, world.channel, "plain").wait()
    await asyncio.sleep(5)
    answer = await watched(world, anna, public)
    assert not answer.files
    assert "Anna and Ben play Ligretto: round 1 of match #1" in answer.text
    assert "Anna wins the only duel, over Ben by 50 ms (Blue 2)." in answer.text.replace(
        "\N{NO-BREAK SPACE}", " "
    )
    assert "Share" not in labels(answer)


@pytest.mark.parametrize("word", ["watch:x", "rounds:0", "round:1:0", "share:1", "watch:99999"])
async def test_forged_words_are_refused(world: World, word: str) -> None:
    anna, _ = await world.lobby("anna", "ben")
    pressed = send(world.server, anna.user, world.public, COMPONENT, button(f"lr1:{word}"))
    answer = await answered(pressed)
    assert answer.ephemeral
    assert not answer.files
    assert not world.said()
