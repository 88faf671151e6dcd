"""The frame of a step as a list of what is put where, bottom first, before anything is drawn."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

from bot.art.lettering import cut, font, writable
from bot.art.palette import BEFORE, FAINT, GAIN, GOLD, LIGHT, LOSS, SOFT, STOP, TEXT
from bot.text import change
from bot.watch.drawing.layout import CLOCK, DICE_IN_LINE, EDGE, NEWS, WIDTH, Layout
from bot.watch.drawing.puts import PILE_TOP, Block, FacePut, PipsPut, Put, Region, TextPut, framed
from bot.watch.rounds.in_play import COLOURS
from bot.watch.rounds.values import Face, Happening, SeatState, Step, WatchedRound

BAR = (EDGE, 360)
"""The left and the right end of the round's time."""
BAR_HIGH = 6
IN_NEWS = 144
"""The width of a name in the news, with a gap."""
IN_ROW = 32
"""The width of a card in a row, with a gap."""
RIM = 3
"""The width of the frame around what has just changed."""


@dataclass(frozen=True)
class FramePlan:
    """The frames of one round. `names`: by seat. `span`: the ms that the picture shows."""

    round: WatchedRound
    names: Sequence[str]
    span: tuple[int, int]

    @cached_property
    def layout(self) -> Layout:
        first = self.round.steps[0].state
        if self.round.game == "dice":
            most = max(len(own.left) for own in first.seats if own is not None)
            return Layout(self.round.dealt, 6, most)
        return Layout(self.round.dealt, len(self.round.dealt))

    def of(self, step: Step) -> tuple[Region, ...]:
        """Return this step's frame, region by region, always in the same order."""
        layout = self.layout
        top = Region((0, 0, WIDTH, CLOCK), tuple(self._time(step)))
        news = Region((0, layout.news, WIDTH, layout.players), tuple(self._news(step)))
        seats = (
            Region(layout.player_box(number), tuple(self._seat(number, seat, step)))
            for number, seat in enumerate(layout.seats)
        )
        return (top, *self._centre(step), news, *seats)

    # -- the time ---------------------------------------------------------------------------

    def _time(self, step: Step) -> Iterator[Put]:
        top = (CLOCK - BAR_HIGH) // 2 + 2
        low = top + BAR_HIGH
        yield Block((BAR[0], top, BAR[1], low), FAINT)
        yield Block((self._x(self.span[0]), top, self._x(self.span[1]), low), BEFORE)
        yield Block((self._x(self.span[0]), top, self._x(step.at), low), LIGHT)
        for one in self.round.duels:
            yield Block((self._x(one.at) - 1, top - 3, self._x(one.at) + 1, low + 3), GOLD)
        ended = STOP if self.round.by is not None else SOFT
        yield Block((BAR[1] - 2, top - 3, BAR[1] + 1, low + 3), ended)
        minutes, seconds = divmod(step.at // 100, 600)
        clock = f"{minutes}:{seconds // 10:02}.{seconds % 10}"
        right = WIDTH - EDGE
        for sign in reversed(clock):
            yield TextPut(sign, 18, TEXT, right, CLOCK // 2 + 2, from_right=True)
            right -= 5 if sign in ".:" else 10

    def _x(self, at: int) -> int:
        left, right = BAR
        return left + round((right - left) * at / max(1, self.round.lasted))

    # -- the centre -------------------------------------------------------------------------

    def _centre(self, step: Step) -> Iterator[Region]:
        """Yield the lines of the centre."""
        layout, size = self.layout, self.layout.pile - 2 * RIM
        lines: dict[int, list[Put]] = {}
        for (colour, place), face, pile in self._piles(step):
            box = layout.pile_box(colour, place)
            line = lines.setdefault(box[1], [])
            if pile is not None and pile == step.pile:
                line += framed(box, GOLD if step.kind is Happening.DUEL else LIGHT)
            line.append(FacePut(face, size, box[0] + RIM, box[1] + RIM))
        for top in sorted(lines):
            yield Region((0, top, WIDTH, top + layout.pile), tuple(lines[top]))

    def _piles(self, step: Step) -> Iterator[tuple[tuple[int, int], Face, int | None]]:
        """Yield each place: which it is, the face there, and the number of its pile."""
        if self.round.game == "dice":
            yield from self._dice_rows(step)
            return
        opened: Counter[str] = Counter()
        for number, pile in enumerate(step.state.piles):
            top = len(pile.owners)
            face = f"{pile.colour}{'full' if top == PILE_TOP else top}"
            yield (COLOURS.index(pile.colour), opened[pile.colour]), face, number
            opened[pile.colour] += 1
        for number, colour in enumerate(COLOURS):
            for place in range(opened[colour], self.layout.places):
                yield (number, place), f"{colour}0", None

    def _dice_rows(self, step: Step) -> Iterator[tuple[tuple[int, int], Face, int | None]]:
        for number, row in enumerate(step.state.piles):
            for place in range(self.layout.places):
                there = place < len(row.owners)
                face = f"{row.colour}d{place + 1}" if there else f"{row.colour}0"
                is_meant = there and step.card == face
                yield (number, place), face, number if is_meant else None

    # -- the news ---------------------------------------------------------------------------

    def _news(self, step: Step) -> Iterator[Put]:
        """Put who has done what, from the left: signs, the player, a face, who was late."""
        top, middle = self.layout.news, self.layout.news + NEWS // 2
        if step.kind is Happening.DUEL:
            yield from framed((EDGE // 2, top, WIDTH - EDGE // 2, top + NEWS), GOLD)
        x = EDGE + RIM
        for sign in self._signs(step):
            yield FacePut(sign, 22, x, top + 5)
            x += 28
        if step.seat is not None:
            yield from self._player(step.seat, x, middle, TEXT)
            x += IN_NEWS
        is_roll = step.kind is Happening.MOVED and self.round.game == "dice"
        into_row = ("gap",) if step.column is not None else ()
        for face in ("roll",) if is_roll else (step.card, *into_row):
            if face is not None:
                yield FacePut(face, 24, x, top + 4)
                x += 30
        if step.loser is not None:
            margin = f"{step.margin} ms" if step.margin >= 1 else "< 1 ms"
            yield TextPut(margin, 18, GOLD, x + 70, middle, from_right=True)
            yield from self._player(step.loser, x + 84, middle, SOFT)

    def _signs(self, step: Step) -> tuple[str, ...]:
        """Return the signs before the news, which say how a round has ended if nobody stopped it.

        Nobody could move: no place is left. It was cut short: all agreed, or too few stayed.
        """
        if step.kind is Happening.LEFT:
            return ("flag",)
        if step.kind is not Happening.END:
            return ()
        if self.round.by is not None:
            return ("stop",)
        if self.round.reason == "dead":
            return ("stop", "gap")
        stay = sum(own is not None and not own.gone for own in step.state.seats)
        return ("stop", "ready" if stay > 1 else "flag")

    def _player(self, seat: int, left: int, middle: int, colour: str) -> Iterator[Put]:
        name = self._name(seat, IN_NEWS - 4, 20)
        yield from _named(seat, name, 20, (left, middle), 20, colour)

    # -- the players ------------------------------------------------------------------------

    def _seat(self, number: int, seat: int, step: Step) -> Iterator[Put]:
        own = step.state.seats[seat]
        assert own is not None, "only seats that were dealt in have a place"
        left, top, right, low = self.layout.player_box(number)
        if seat == step.seat and step.kind is not Happening.DEAL:
            shade = {Happening.DUEL: GOLD, Happening.END: STOP}.get(step.kind, LIGHT)
            yield Block((left, top + 4, left + RIM, low - 4), shade)
        middle, few = (top + low) // 2, self.layout.is_few
        x, (badge, letters, room) = left + 7, (26, 20, 131) if few else (20, 18, 103)
        shade, name = SOFT if own.gone else TEXT, self._name(seat, room, letters)
        yield from _named(seat, name, badge, (x, middle), letters, shade)
        x += room + 6
        if self.round.game == "dice":
            yield from _dice(own, x, top, low)
        elif few:
            yield from _row(own, x, middle, step.column if seat == step.seat else None)
            yield from _pile(own, x + 5 * IN_ROW + 12, middle, 30, (7, 16))
        else:
            yield from _pile(own, x, middle, 22, (5, 12))
        yield from self._figure(seat, own, right, middle, step)

    def _figure(
        self, seat: int, own: SeatState, right: int, middle: int, step: Step
    ) -> Iterator[Put]:
        """Put what is left at the end of a place: a number, a flag, and the points at the end."""
        size = 18 if self.layout.is_few else 15
        if step.kind is Happening.END:
            points = self.round.scores[seat]
            shade = GAIN if points > 0 else LOSS if points < 0 else SOFT
            text = change(points)
            yield TextPut(text, size, shade, right - 4, middle, from_right=True)
        elif own.gone:
            yield FacePut("flag", size, right - 4 - size, middle - size // 2)
        else:
            yield TextPut(str(len(own.left)), size, TEXT, right - 4, middle, from_right=True)

    def _name(self, seat: int, room: int, size: int) -> str | None:
        """Return a name as it is written, None if the font lacks a letter of it."""
        return _written(self.names[seat], room, size)


@lru_cache
def _written(name: str, room: int, size: int) -> str | None:
    letters = font(size)
    drawn = writable(name, letters)
    return None if drawn is None else cut(drawn, letters, room)


def _named(
    seat: int, name: str | None, badge: int, at: tuple[int, int], letters: int, colour: str
) -> Iterator[Put]:
    """Put a player's name, or the badge of their seat if the font lacks a letter of it.

    Not both: the number of a seat is not the number in a robot's name. `at`: left and middle.
    """
    left, middle = at
    if name is None:
        yield FacePut(f"s{seat + 1}", badge, left, middle - badge // 2)
    else:
        yield TextPut(name, letters, colour, left, middle)


def _row(own: SeatState, left: int, middle: int, laid: int | None) -> Iterator[Put]:
    """Put the top cards of a row, with a frame around the one that has just been laid there."""
    for column, card in enumerate(own.row):
        x = left + column * IN_ROW
        if column == laid:
            yield from framed((x - 2, middle - 17, x + 32, middle + 17), LIGHT)
        if card is not None:
            yield FacePut(card, 30, x, middle - 15)


def _pile(own: SeatState, left: int, middle: int, size: int, pip: tuple[int, int]) -> Iterator[Put]:
    """Put a Ligretto pile: its top card, and a pip for each card that is left."""
    if own.left:
        yield FacePut(own.left[0], size, left, middle - size // 2)
    yield PipsPut(len(own.left), pip, left + size + 5, middle - pip[1] // 2)


def _dice(own: SeatState, left: int, top: int, low: int) -> Iterator[Put]:
    in_two = len(own.left) > DICE_IN_LINE
    size = 19 if in_two else 22 if len(own.left) > DICE_IN_LINE - 4 else 30
    for number, die in enumerate(own.left):
        line, place = divmod(number, DICE_IN_LINE)
        high = top + 1 + line * size if in_two else (top + low - size) // 2
        yield FacePut(die, size, left + place * (size + 1), high)
