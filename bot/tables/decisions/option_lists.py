"""The host's options as lists to choose from, so that no two choices contradict each other.

Options that are chosen together, like rounds and a points target, share a list, whose values spell
what they set: `rounds=3,target=off`.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from bot.games.contract import AnyGame
from bot.games.values import Option, Options
from bot.tables.state.options import ASSIST, LEVEL, PANELS, PLACE, all_of, chosen

LENGTH = "length"
MOST = 25
"""The most values that Discord shows in a list."""
MORE = "more"
"""The field of a form that has all switches."""
SWITCHES = (ASSIST, PANELS, PLACE)
"""Options that are off or on, on last."""


@dataclass(frozen=True, slots=True)
class OptionList:
    """A list: its key, and its values, those of an option or what each of them sets."""

    key: str
    values: tuple[str, ...]

    def sets(self, value: str) -> Mapping[str, str]:
        """Return the options that a value sets."""
        return settings(value) if "=" in value else {self.key: value}

    def chosen(self, game: AnyGame, options: Options) -> str:
        """Return the value that holds, or the first if none does."""
        now = {option.key: chosen(options, option) for option in all_of(game)}
        holds = (value for value in self.values if self.sets(value).items() <= now.items())
        return next(holds, self.values[0])


def lists_of(game: AnyGame, options: Options) -> tuple[OptionList, ...]:
    """Return a list for each choice. `options`: what is chosen now is always among the values."""
    together = {key for values in game.together.values() for key in settings(values[0])}
    own = (one for one in game.options if one.key not in {"rounds", "target", *together})
    merged = (OptionList(key, values) for key, values in game.together.items())
    return (
        *_length(game, options),
        *merged,
        *(_of(one) for one in own),
        _of(LEVEL),
        *(_of(one) for one in SWITCHES),
    )


def switched(ticked: Collection[str]) -> Mapping[str, str] | None:
    """Return what ticking these switches sets, the others being off; None if one is no switch."""
    known = {option.key for option in SWITCHES}
    if not known.issuperset(ticked):
        return None
    return {one.key: one.values[one.key in ticked] for one in SWITCHES}


def settings(value: str) -> Mapping[str, str]:
    """Return what a list's value sets: `rounds=3,target=off`."""
    pairs = (one.partition("=") for one in value.split(","))
    return {key: value for key, _, value in pairs}


def settings_of(game: AnyGame, key: str, value: str) -> Mapping[str, str] | None:
    """Return what choosing a value sets, in one of the lists or for an option by itself.

    None if it is no choice. Earlier versions had a list for each option: of rounds and a points
    target, the one set last holds.
    """
    shared = {LENGTH: _lengths(game), **game.together}
    if key in shared:
        return settings(value) if value in shared[key] else None
    offered = {option.key: option.values for option in all_of(game)}
    if value not in offered.get(key, ()):
        return None
    is_length = key == "rounds" and "target" in offered
    return {key: value, "target": "off"} if is_length else {key: value}


def _length(game: AnyGame, options: Options) -> tuple[OptionList, ...]:
    """Return the list of rounds and points targets; nothing if a game has one length only."""
    values = _lengths(game)
    if not values:
        return ()
    now = OptionList(LENGTH, values).chosen(game, options)
    targets = [one for one in values if one.startswith("target=")]
    rounds = [one for one in values if one not in targets][: MOST - len(targets)]
    if now not in (*rounds, *targets):
        rounds[-1] = now
    return (OptionList(LENGTH, (*rounds, *targets)),)


def _lengths(game: AnyGame) -> tuple[str, ...]:
    values = {option.key: option.values for option in game.options}
    rounds, targets = values.get("rounds", ()), [t for t in values.get("target", ()) if t != "off"]
    off = ",target=off" if targets else ""
    return (*(f"rounds={one}{off}" for one in rounds), *(f"target={one}" for one in targets))


def _of(option: Option) -> OptionList:
    return OptionList(option.key, option.values)
