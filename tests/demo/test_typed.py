"""Commands as people type them into the demo: in their language, with options, and with typos."""

from typing import Any

import pytest

from bot.demo.backend.world import DemoWorld, build
from bot.demo.web import typed, view
from bot.demo.web.typed import TypoError

COMMANDS: tuple[dict[str, Any], ...] = (
    {"id": "1", "type": 1, "name": "ligretto", "description": "Open a table"},
    {
        "id": "2",
        "type": 1,
        "name": "set",
        "description": "Settings",
        "name_localizations": {"de": "setze"},
        "description_localizations": {"de": "Einstellungen"},
        "options": [
            {
                "type": 1,
                "name": "seats",
                "name_localizations": {"de": "plätze"},
                "description_localizations": {"de": "Wie viele"},
                "description": "How many",
                "options": [
                    {
                        "type": 4,
                        "name": "most",
                        "name_localizations": {"de": "höchstens"},
                        "required": True,
                        "min_value": 2,
                        "max_value": 12,
                    },
                    {"type": 6, "name": "host"},
                    {
                        "type": 3,
                        "name": "level",
                        "choices": [
                            {
                                "name": "easy",
                                "name_localizations": {"de": "leicht"},
                                "value": "1",
                            },
                            {"name": "hard", "value": "2"},
                        ],
                    },
                ],
            }
        ],
    },
)


@pytest.fixture
def world() -> DemoWorld:
    one = build()
    one.server.commands.update({command["id"]: command for command in COMMANDS})
    return one


async def test_commands_are_typed_with_their_options(world: DemoWorld) -> None:
    anna, ben = world.people["anna"], world.people["ben"]
    assert [line["name"] for line in view.commands(world, "en-US")] == ["ligretto", "set seats"]
    run = typed.enter(world, anna, world.channel, "/set seats most:4 host: @Ben")
    assert run is not None
    assert run.payload is not None
    assert run.payload["data"]["options"][0]["options"] == [
        {"type": 4, "name": "most", "value": 4},
        {"type": 6, "name": "host", "value": str(ben.id)},
    ]
    assert typed.enter(world, anna, world.channel, " hello ") is None
    assert view.seen(world, ben, world.channel)[-1].content == "hello"


@pytest.mark.parametrize(
    ("line", "english", "german"),
    [
        ("/no", "There is no command /no", "Den Befehl /no gibt es nicht"),
        ("/ligret", "There is no command /ligret", "Den Befehl /ligret gibt es nicht"),
        ("/set seats", "/set seats needs most:", "/set seats braucht höchstens:"),
        ("/set seats most:13", "most: at most 12", "höchstens: höchstens 12"),
        ("/set seats most:1", "most: at least 2", "höchstens: mindestens 2"),
        ("/set seats most:x", "most: x isn’t a whole number", "höchstens: x ist keine ganze Zahl"),
        ("/set seats most:4 host:zoe", "No member is called zoe", "Hier heißt niemand zoe"),
        (
            "/set seats most:4 level:x",
            "level: choose easy, hard",
            "level: zur Wahl stehen leicht, hard",
        ),
        (
            "/ligretto seats:4",
            "/ligretto has no option seats",
            "/ligretto hat keine Option seats",
        ),
        ("/ligretto abc", "/ligretto takes no options", "Auf /ligretto kann nichts folgen"),
        (
            "/set seats abc most:4",
            "/set seats: which option is abc? For example most:abc",
            "/set seats: sag, wofür abc steht, etwa höchstens:abc",
        ),
    ],
)
def test_what_cannot_be_typed_is_said_in_words(
    world: DemoWorld, line: str, english: str, german: str
) -> None:
    for name, words in (("anna", english), ("clara", german)):
        user = world.people[name]
        with pytest.raises(TypoError) as typo:
            typed.enter(world, user, world.channel, line)
        assert typo.value.words(user.locale) == words


async def test_a_choice_is_typed_by_its_name_or_its_value(world: DemoWorld) -> None:
    clara = world.people["clara"]
    for word in ("leicht", "Easy", "1"):
        run = typed.enter(world, clara, world.channel, f"/set seats most:4 level:{word}")
        assert run is not None
        assert run.payload is not None
        inner = run.payload["data"]["options"][0]["options"]
        assert inner[1] == {"type": 3, "name": "level", "value": "1"}


async def test_commands_are_typed_in_ones_own_language_or_the_bots(world: DemoWorld) -> None:
    clara = world.people["clara"]
    _, line = view.commands(world, clara.locale)
    assert (line["name"], line["description"]) == ("setze plätze", "Wie viele")
    assert [option["name"] for option in line["options"]] == ["höchstens", "host", "level"]
    assert [option["choices"] for option in line["options"]] == [
        [],
        ["Anna", "Ben", "Clara", "Dawid"],
        ["leicht", "hard"],
    ]
    for words in ("/setze plätze höchstens:4", "/set seats most:4"):
        run = typed.enter(world, clara, world.channel, words)
        assert run is not None
        assert run.payload is not None
        inner = run.payload["data"]["options"][0]
        assert (run.payload["data"]["name"], inner["name"]) == ("set", "seats")
        assert inner["options"] == [{"type": 4, "name": "most", "value": 4}]
    with pytest.raises(TypoError, match="no_command"):
        typed.enter(world, world.people["anna"], world.channel, "/setze plätze höchstens:4")
