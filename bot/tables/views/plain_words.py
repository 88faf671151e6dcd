"""A panel in words, for players who hear it or want no pictures: in a round nothing moves."""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from bot.screen import OFF_PREFIX, Block, Choice, Row, Screen, Words

SIDE_BY_SIDE = 2
"""Places in a row: two names of cards fit side by side on a narrow phone, `Yellow 10` twice."""


def in_plain_words(screen: Screen) -> Screen:
    """Return a panel for players who hear it from the top.

    What has happened comes first, their own news before the others'. Every button can be pressed,
    since not every client says which can't: one where nothing lies now keeps its place, and the
    answer says why nothing happens. Others that are off are left out.
    """
    news = tuple(
        line
        for block in screen.blocks
        if isinstance(block, Words) and block.news
        for line in reversed(block.lines)
    )
    first = (Words(news),) if news else ()
    return Screen((*first, *_below(screen.blocks)), screen.round)


def _below(blocks: Iterable[Block]) -> Iterator[Block]:
    """Yield what comes below the news."""
    places: list[Choice] = []
    for block in blocks:
        if isinstance(block, Row) and block.places:
            places += _pressable(block.choices)
            continue
        yield from _paired(places)
        places = []
        match block:
            case Row(choices):
                yield from (Row((choice,)) for choice in _pressable(choices))
            case Words(news=True):
                pass
            case _:
                yield block
    yield from _paired(places)


def _paired(places: list[Choice]) -> Iterator[Row]:
    for i in range(0, len(places), SIDE_BY_SIDE):
        yield Row(tuple(places[i : i + SIDE_BY_SIDE]))


def _pressable(choices: Iterable[Choice]) -> Iterator[Choice]:
    for choice in choices:
        if not choice.off:
            yield choice
        elif choice.word.startswith(OFF_PREFIX):
            yield replace(choice, off=False)
