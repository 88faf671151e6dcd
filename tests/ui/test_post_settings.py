"""A manager's choices of what is posted where."""

from dataclasses import replace

import pytest

from bot.ids import ChannelId
from bot.records.models import Settings
from bot.records.post_settings import Posts
from bot.screen import Screen
from bot.ui.commands.settings_posts import changed, posts_page
from tests.tables.test_screens import words

NOW = 1_800_000_000_000
HERE, THERE = ChannelId(88), ChannelId(99)
CHOSEN = Posts(HERE, since=5, digest_since=6)


@pytest.mark.parametrize(
    ("before", "word", "value", "after"),
    [
        (Posts(), "posts_in", "88", Posts(HERE, since=NOW, digest_since=NOW, recap_since=NOW)),
        (
            CHOSEN,
            "recap_hour",
            "0",
            Posts(HERE, since=5, digest_since=6, recap_hour=0, recap_since=NOW),
        ),
        (CHOSEN, "recap_hour", "never", CHOSEN),
        (CHOSEN, "posts_in", "99", Posts(THERE, since=5, digest_since=6)),
        (CHOSEN, "posts_in", "", Posts(None, since=5, digest_since=6)),
        (CHOSEN, "post_seasons", "off", Posts(HERE, seasons=False, since=5, digest_since=6)),
        (CHOSEN, "digest_day", "0", Posts(HERE, day=0, since=5, digest_since=NOW)),
        (CHOSEN, "digest_hour", "23", Posts(HERE, hour=23, since=5, digest_since=NOW)),
        (CHOSEN, "digest_day", "never", CHOSEN),
    ],
)
def test_what_was_over_before_a_choice_is_not_told(
    before: Posts, word: str, value: str, after: Posts
) -> None:
    """Another channel tells what the first one refused; another hour nothing of before."""
    assert changed(before, word, value, NOW) == after


@pytest.mark.parametrize(
    ("word", "value"),
    [
        ("posts_in", "0"),
        ("posts_in", "-1"),
        ("posts_in", "9" * 20),
        ("posts_in", "\N{SUPERSCRIPT TWO}"),
        ("post_seasons", "maybe"),
        ("post_seasons", ""),
        ("digest_day", "7"),
        ("digest_day", ""),
        ("digest_hour", "24"),
        ("recap_hour", "24"),
        ("digest_hour", "never"),
    ],
)
def test_what_is_not_offered_changes_nothing(word: str, value: str) -> None:
    assert changed(CHOSEN, word, value, NOW) is None


@pytest.mark.parametrize("posts", [Posts(day=0), Posts(recap_hour=9)])
def test_a_post_without_a_channel_is_not_taken_without_a_word(posts: Posts) -> None:
    told = "I post nothing until you choose a channel."
    assert any(told in line for line in shown(posts))
    assert not any(told in line for line in shown(replace(posts, channel=HERE)))
    assert not any(told in line for line in shown(Posts()))


def shown(posts: Posts) -> list[str]:
    return words(Screen(posts_page(Settings(posts=posts), None, ())))
