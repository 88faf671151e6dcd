"""The host's options that are the same in every game."""

from bot.games.contract import AnyGame
from bot.games.values import Option, Options

ASSIST = Option("assist", ("off", "on"), "off", moot=lambda options: not assisted(options))
LEVEL = Option("level", ("easy", "medium", "hard", "master"), "medium", moot=lambda _: True)
"""The strength of the robots. The lobby shows it beside their seats."""
PANELS = Option("panels", ("here", "dm"), "here", moot=lambda options: not by_dm(options))
PLACE = Option("place", ("here", "thread"), "here", moot=lambda options: not in_thread(options))


ARENA = "arena"
"""The key of the public part of a seed, in the options of an arena's table and in no others."""


def all_of(game: AnyGame) -> tuple[Option, ...]:
    """Return the game's own options, then the common ones."""
    return (*game.options, ASSIST, LEVEL, PANELS, PLACE)


def defaults(game: AnyGame) -> dict[str, str]:
    return {option.key: option.default for option in all_of(game)}


def chosen(options: Options, option: Option) -> str:
    """Return the chosen value, or the default at a table opened before the option existed."""
    return options.get(option.key, option.default)


def assisted(options: Options) -> bool:
    """Return whether panels point out what fits."""
    return chosen(options, ASSIST) == "on"


def by_dm(options: Options) -> bool:
    """Return whether panels are direct messages."""
    return chosen(options, PANELS) == "dm"


def arena_part(options: Options) -> str | None:
    """Return the public part of the seed of an arena's table; None for any other table."""
    return options.get(ARENA)


def in_thread(options: Options) -> bool:
    """Return whether the table has, or should get, a thread of its own."""
    return chosen(options, PLACE) == "thread"
