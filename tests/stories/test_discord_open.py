"""The table of what is open names the stories that fail today, and no others."""

from importlib import import_module
from pathlib import Path

from tests.stories.discord_open import OPEN


def test_open_stories_are_those_that_fail_today() -> None:
    found = set()
    for path in Path(__file__).parent.glob("test_discord_*.py"):
        stories = vars(import_module(f"tests.stories.{path.stem}"))
        found |= {name for name, one in stories.items() if _is_open(one)}
    assert found == set(OPEN)


def _is_open(story: object) -> bool:
    return any(mark.name == "xfail" for mark in getattr(story, "pytestmark", ()))
