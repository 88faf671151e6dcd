"""The host's options as one form: labelled, without contradictions, closed with the lobby."""

import asyncio
from typing import Any

from bot.fakediscord import Interaction
from tests.stories.world import Player, World, labels


async def asked(person: Player) -> Interaction:
    answer = await person.press_public("Options")
    assert answer.modal is not None
    return answer


async def send(world: World, person: Player, form: Interaction, **values: list[str]) -> Interaction:
    """Send the form in, with what stood in it and these changes."""
    assert form.modal is not None
    now = {field["custom_id"]: chosen(field) for field in fields(form.modal)}
    answer = world.server.modal_submit(person.user, form, now | values)
    await answer.wait()
    await asyncio.sleep(2)
    return answer


def fields(modal: Any) -> list[Any]:
    return [part["component"] for part in modal["components"]]


def chosen(field: Any) -> list[str]:
    return [one["value"] for one in field["options"] if one["default"]]


async def test_the_form_names_each_field_and_changes_what_is_sent(world: World) -> None:
    anna, _ = await world.lobby("anna", "ben")
    form = await asked(anna)
    assert form.modal is not None
    named = [part["label"] for part in form.modal["components"]]
    assert named == ["Length", "Rules", "Robots", "More"]
    answer = await send(
        world, anna, form, length=["target=99"], rules=["variant=expert"], more=["assist"]
    )
    assert answer.ok
    head = world.public.text.splitlines()[1]
    assert head == "-# to 99 points · expert: play onto your row · hints show what fits"
    again = await asked(anna)
    assert again.modal is not None
    assert [chosen(field) for field in fields(again.modal)] == [
        ["target=99"],
        ["variant=expert"],
        ["medium"],
        ["assist"],
    ]


async def test_a_form_says_no_in_words(world: World) -> None:
    """To a guest, after Start, and to what no form offers; the lobby stays as it is."""
    anna, ben = await world.lobby("anna", "ben")
    refused = await ben.press_public("Options")
    assert refused.modal is None
    assert "Only the host" in world.server.panels(ben.user, ben.channel)[-1].text
    form = await asked(anna)
    for wrong in (["rounds=99,target=off"], [], ["target=99", "target=50"]):
        await send(world, anna, form, length=wrong)
        assert "3 rounds" in world.public.text
    _ = await anna.press_public("Start")
    await send(world, anna, form, length=["target=99"])
    assert "started" in world.server.panels(anna.user, anna.channel)[-1].text
    assert "Ready" in labels(world.public)


async def test_where_no_form_is_taken_there_are_lists(world: World) -> None:
    anna, _ = await world.lobby("anna", "ben")
    world.server.fault("POST .*/callback", status=400, code=50035, times=1)
    _ = await anna.press_public("Options")
    await asyncio.sleep(2)
    lists = world.server.panels(anna.user, anna.channel)[-1]
    sent = [item.custom_id.rpartition(":")[2] for item in lists.controls if item.custom_id]
    assert sent == ["set.length", "set.rules", "set.level", "set.assist", "set.panels", "set.place"]
