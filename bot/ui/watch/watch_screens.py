"""Screens of a moving picture: as a gallery, as a plain attachment, or told in words."""

from dataclasses import dataclass

from bot.records.models import PlayedMatch
from bot.screen import Block, Choice, Line, Look, Pick, Picture, Row, Screen, Sentence, Words
from bot.tables.decisions.rated_or_practice import Standing
from bot.tables.views.lines import sentence
from bot.text import Name, Text, Values
from bot.ui.records.match_pages import watch_button
from bot.ui.toolkit.command_router import custom_id
from bot.ui.watch.round_words import option, told
from bot.watch.messages import Watched

PICK, SHARE = "round", "share"
IN_A_LIST = 25
"""Choices of a list at most (Discord)."""


@dataclass(frozen=True, slots=True)
class WatchedMatch:
    """A round to show, its match, and the names by seat."""

    watched: Watched
    match: PlayedMatch
    names: tuple[Name, ...]

    @property
    def file(self) -> str:
        """The name of the picture's file."""
        return f"match-{self.match.number}-round-{self.watched.shown.number}.gif"

    @property
    def story(self) -> Text:
        """The round in three sentences, also for those who can't see the picture."""
        return told(self.watched.shown, self.match.number, self.match.game, self.names)

    @property
    def where(self) -> Values:
        return (("round", self.watched.shown.number), ("number", self.match.number))


def own_screen(one: WatchedMatch, *, is_shared: bool = False, may_share: bool = True) -> Screen:
    """Draw the private screen: a round, all others to choose from, and a way to share it."""
    title = sentence("watch.title", one.where, Look.HEAD)
    told_too = () if one.watched.gif else (Sentence(one.story),)
    blocks: list[Block] = [Words((title, *told_too, *_notes(one)))]
    if one.watched.gif:
        blocks.append(Picture(one.file, one.story))
    blocks += _lists(one)
    if one.watched.gif and may_share:
        share = custom_id(SHARE, one.match.number, one.watched.shown.number)
        label = Text("button.shared") if is_shared else Text("button.share")
        blocks.append(Row((Choice(label, share, off=is_shared),)))
    return Screen(tuple(blocks))


def shared_screen(one: WatchedMatch, by: Name) -> Screen:
    """Draw what everybody sees of a round that somebody shares."""
    title = sentence("watch.shared", (*one.where, ("name", by)))
    again = Row((watch_button(one.match),))
    return Screen((Words((title, *_notes(one))), Picture(one.file, one.story), again))


def _notes(one: WatchedMatch) -> tuple[Line, ...]:
    void = (sentence("history.void", look=Look.SMALL),)
    excerpt = (sentence("watch.excerpt", look=Look.SMALL),)
    return (
        *(void if one.match.standing is Standing.VOID else ()),
        *(excerpt if one.watched.is_excerpt else ()),
    )


def _lists(one: WatchedMatch) -> tuple[Pick, ...]:
    """Return lists of all rounds, if there are several."""
    rounds = one.watched.rounds
    if len(rounds) < 2:  # noqa: PLR2004 nothing to choose
        return ()
    shown = str(one.watched.shown.number)
    parts = [rounds[at : at + IN_A_LIST] for at in range(0, len(rounds), IN_A_LIST)]
    return tuple(
        Pick(
            custom_id(PICK, one.match.number, number),
            tuple((str(each.number), option(each)) for each in part),
            shown,
        )
        for number, part in enumerate(parts)
    )
