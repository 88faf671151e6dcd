"""Every button and list that was left on a screen, and whether a press on one is answered."""

from dataclasses import dataclass, replace

from bot.fakediscord import Channel, Interaction, Item, Message, Server, User

SHOWN = 10.0
"""Seconds within which what a press has led to is on a screen."""
SELECT = 3
"""The kind of component that is a list."""
_ORDER = {"Start": 1, "Rematch": 1, "Move down": 1, "Leave": 2, "Yes, leave": 2}
"""What is pressed after all the others: it takes the rest of a message's buttons away."""
SILENT, REDRAWN = 6, 7
"""Kinds of answers: none to see, and the pressed message itself."""
UNKNOWN_MESSAGE = 10008
"""Discord's error where the message that is to be redrawn was deleted."""


@dataclass(frozen=True, slots=True)
class Button:
    """One that could be pressed. `value`: what is picked, of a list."""

    message: Message
    custom_id: str
    label: str
    value: str | None = None

    @property
    def channel(self) -> Channel:
        return self.message.channel

    def press(self, server: Server, user: User) -> Interaction:
        """A press as a client sends it that has heard of no change since."""
        if self.value is None:
            return server.click(user, self.message, self.custom_id, stale=True)
        return server.select(user, self.message, self.custom_id, [self.value], stale=True)


def buttons(server: Server) -> list[Button]:
    """All of them, message by message, those that change the most last."""
    found = []
    for channel in server.channels.values():
        for message in channel.messages.values():
            pressable = [_button(message, item) for item in message.controls if not item.disabled]
            found += sorted(pressable, key=lambda one: _ORDER.get(one.label, 0))
    return found


def _button(message: Message, item: Item) -> Button:
    value = item.options[-1]["value"] if item.type == SELECT else None
    return Button(message, item.custom_id or "", item.label or "", value)


# -- answers ---------------------------------------------------------------------------------


async def told_of_unknown(server: Server, beside: Button) -> str:
    """What people are told who press what never was a button, on the same message as this one."""
    forged = replace(beside, custom_id="made up", value=None)
    answer = await forged.press(server, server.owner).wait()
    assert answer.original is not None, f"{answer}: no words for a forged press"
    return answer.original.text


async def pressed(server: Server, user: User, button: Button, unknown: str) -> str:
    """Press. What is wrong with the answer; empty if nothing is. `unknown`: see above."""
    before = _seen(server, button.channel)
    answer = await button.press(server, user).wait()
    trouble = await _trouble(server, answer, before, unknown)
    name = button.label or button.custom_id
    return trouble and f"{name} in {button.channel.name} by {user.name}: {trouble}"


async def _trouble(server: Server, answer: Interaction, before: object, unknown: str) -> str:
    pressed, shown = answer.message, answer.original
    kind = answer.callback_type
    assert pressed is not None
    if not answer.ok:
        # The bot deletes messages that newer ones replace: nobody waits at them for an answer.
        gone = pressed.deleted and answer.error == UNKNOWN_MESSAGE
        return "" if gone else f"not answered ({answer.error})"
    if kind == REDRAWN and pressed.ephemeral_for not in (None, answer.user):
        return "redrew somebody else's panel"
    try:
        if kind == SILENT:
            await server.wait_for(lambda: _seen(server, pressed.channel) != before, SHOWN)
            return ""
        assert shown is not None, "only a silent answer shows nothing"
        await server.wait_for(lambda: _says_something(shown), SHOWN)
    except TimeoutError:
        return "nothing can be seen of it"
    return "taken for a button that never was" if shown.text == unknown else ""


def _says_something(message: Message) -> bool:
    return not message.loading and bool(message.text or message.data["attachments"])


def _seen(server: Server, channel: Channel) -> object:
    """The messages of a channel and of its threads, with how often each was edited."""
    home = channel.parent or channel
    places = [one for one in server.channels.values() if home in (one, one.parent)]
    return [(one.id, one.version) for place in places for one in place.messages.values()]
