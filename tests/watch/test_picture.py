"""The moving picture of a round: its frames show the steps, and it is never too large."""

from dataclasses import replace
from io import BytesIO
from itertools import groupby

import pytest
from PIL import Image, ImageSequence

from bot.art.palette import GOLD, LIGHT, SOFT, STOP
from bot.watch.drawing.layout import CLOCK, EDGE, NEWS, WIDTH, Layout
from bot.watch.drawing.picture import LARGEST, ROWS, MovingPicture, draw, drawn_frames, picture
from bot.watch.drawing.plan import BAR, FramePlan
from bot.watch.drawing.puts import Block, FacePut, Region, TextPut
from bot.watch.rounds.pace import BEST, HELD, LEAST_DELAY, LONGEST, MOST, SHORT, Frame, best, whole
from bot.watch.rounds.reading import read, rounds
from bot.watch.rounds.values import Happening, RoundState, Step, WatchedRound
from tests.watch.logs import random_log
from tests.watch.measured import LATER, NAMES

ALL = NAMES + LATER
DICE, CARDS, MANY, BY_HAND = 0, 9, 20, 18
"""Seeds: dice, cards with a duel, twelve players, and gaps that are filled by hand."""


async def a_round(seed: int) -> WatchedRound:
    return rounds(read(await random_log(seed)))[0]


def decoded(made: MovingPicture) -> list[tuple[bytes, int]]:
    """Each frame as a client shows it, and its ms."""
    with Image.open(BytesIO(made.gif)) as image:
        return [
            (frame.convert("RGB").tobytes(), frame.info["duration"])
            for frame in ImageSequence.Iterator(image)
        ]


def faces(regions: tuple[Region, ...], box: tuple[int, int, int, int]) -> list[str]:
    """The faces that are put into a part of a frame, from the left."""
    left, top, right, low = box
    puts = [put for region in regions for put in region.puts if isinstance(put, FacePut)]
    inside = [put for put in puts if left <= put.left < right and top <= put.top < low]
    return [put.name for put in sorted(inside, key=lambda put: put.left)]


@pytest.mark.parametrize("seed", [DICE, CARDS, MANY])
async def test_a_frame_shows_its_moment(seed: int) -> None:
    round_ = await a_round(seed)
    plan = FramePlan(round_, ALL, (0, round_.lasted))
    layout = plan.layout
    for step in round_.steps:
        regions = plan.of(step)
        for number, seat in enumerate(layout.seats):
            own = step.state.seats[seat]
            assert own is not None
            box = layout.player_box(number)
            badge, named = badges(regions, box), texts(regions, box)
            lie = [face for face in faces(regions, box) if face not in badge]
            flag = ["flag"] if own.gone and step.kind is not Happening.END else []
            row = [card for card in own.row if card and layout.is_few]
            left = own.left if round_.game == "dice" else own.left[:1]
            assert badge == ([f"s{seat + 1}"] if ALL[seat] == "王" else [])
            assert badge or ALL[seat].startswith(named[0].rstrip("…"))
            assert sorted(lie) == sorted([*row, *left, *flag])
        counts = [str(len(own.left)) for own in step.state.seats if own and not own.gone]
        if step.kind is not Happening.END:
            assert sorted(numbers(regions, layout)) == sorted(counts)
        assert centre(regions, layout) == wanted(step, round_.game)


def badges(regions: tuple[Region, ...], box: tuple[int, int, int, int]) -> list[str]:
    return [face for face in faces(regions, box) if face.startswith("s") and face[1:].isdigit()]


def texts(regions: tuple[Region, ...], box: tuple[int, int, int, int]) -> list[str]:
    """The texts in a part of a frame, from the left."""
    left, top, right, low = box
    puts = [put for region in regions for put in region.puts if isinstance(put, TextPut)]
    inside = [put for put in puts if left <= put.left < right and top <= put.middle < low]
    return [put.text for put in sorted(inside, key=lambda put: put.left)]


def numbers(regions: tuple[Region, ...], layout: Layout) -> list[str]:
    """The numbers beside the players: how many cards or dice each has left."""
    puts = [put for region in regions for put in region.puts if isinstance(put, TextPut)]
    return [put.text for put in puts if put.from_right and put.middle >= layout.players]


def centre(regions: tuple[Region, ...], layout: Layout) -> list[str]:
    """The cards or dice in the centre; outlines are places without any."""
    names = faces(regions, (0, CLOCK, WIDTH, layout.news))
    return sorted(name for name in names if name[1:] != "0")


def wanted(step: Step, game: str) -> list[str]:
    piles = step.state.piles
    if game == "dice":
        return sorted(f"{one.colour}d{n + 1}" for one in piles for n in range(len(one.owners)))
    tops = ((one.colour, len(one.owners)) for one in piles)
    return sorted(f"{colour}{'full' if top == 10 else top}" for colour, top in tops)


async def test_a_duel_is_framed_and_its_margin_told() -> None:
    round_ = await a_round(CARDS)
    (duel,) = round_.duels
    plan = FramePlan(round_, ALL, (0, round_.lasted))
    layout, regions = plan.layout, plan.of(duel)
    assert duel.seat is not None
    assert duel.loser is not None
    news = (0, layout.news, WIDTH, layout.players)
    assert faces(regions, news) == [duel.card]
    assert texts(regions, news) == [ALL[duel.seat], f"{duel.margin} ms", ALL[duel.loser]]
    golden = [
        put.box
        for region in regions
        for put in region.puts
        if isinstance(put, Block) and put.colour == GOLD and put.box[1] >= CLOCK
    ]
    place, around, winner = sorted(golden, key=lambda box: box[1])
    assert around == (EDGE // 2, layout.news, WIDTH - EDGE // 2, layout.news + NEWS)
    assert faces(regions, place) == [duel.card], "the frame is around the card"
    assert texts(regions, layout.player_box(round_.dealt.index(duel.seat)))[0] == ALL[duel.seat]
    assert layout.player_box(duel.seat)[1] <= winner[1]


async def test_the_closest_duels_have_a_margin_too() -> None:
    round_ = await a_round(CARDS)
    plan = FramePlan(round_, ALL, (0, 0))
    for ms, said in ((0, "< 1 ms"), (1, "1 ms"), (1_000, "1000 ms")):
        told = texts(
            plan.of(replace(round_.duels[0], margin=ms)), (0, 0, WIDTH, plan.layout.players)
        )
        assert said in told


@pytest.mark.parametrize("seed", [DICE, CARDS, MANY, BY_HAND])
async def test_each_frame_says_what_has_changed(seed: int) -> None:
    """Somebody's name, and a card, a die or a roll: also for a card on the player's own row."""
    round_ = await a_round(seed)
    plan = FramePlan(round_, ALL, (0, round_.lasted))
    news = (0, plan.layout.news, WIDTH, plan.layout.players)
    for step in round_.steps[1:-1]:
        assert step.seat is not None
        regions = plan.of(step)
        told, names = faces(regions, news), texts(regions, news)
        assert ALL[step.seat] == "王" or ALL[step.seat].startswith(names[0].rstrip("…"))
        if step.kind is Happening.LEFT:
            assert told[0] == "flag"
        elif step.kind is Happening.MOVED:
            assert told[-1] == ("roll" if round_.game == "dice" else "gap")
        else:
            assert told[-1] == step.card
    if seed == BY_HAND:
        laid = [one for one in round_.steps if one.kind is Happening.MOVED]
        assert laid, "cards are laid by hand"
        for step in laid:
            own = step.state.seats[step.seat or 0]
            assert own is not None
            assert step.column is not None
            assert own.row[step.column] == step.card
            assert is_framed(plan.of(step), step.card, news), "where it lies now"


def is_framed(
    regions: tuple[Region, ...], face: str | None, news: tuple[int, int, int, int]
) -> bool:
    """Whether a light frame is around a face that is not in the news."""
    puts = [put for one in regions if one.box != news for put in one.puts]
    frames = [put.box for put in puts if isinstance(put, Block) and put.colour == LIGHT]
    return any(
        left == put.left - 2 and right == put.left + put.size + 2 and top < put.top < low
        for put in puts
        if isinstance(put, FacePut) and put.name == face
        for left, top, right, low in frames
    )


@pytest.mark.parametrize(
    ("reason", "by", "leavers", "signs"),
    [
        ("ligretto", 0, 0, ["stop"]),
        ("dead", None, 0, ["stop", "gap"]),
        ("abort", None, 0, ["stop", "ready"]),
        ("abort", None, 3, ["stop", "flag"]),
    ],
)
async def test_the_end_says_why(
    reason: str, by: int | None, leavers: int, signs: list[str]
) -> None:
    round_ = replace(await a_round(CARDS), reason=reason, by=by)
    last = round_.steps[-1]
    first, *others = last.state.seats
    gone = (first, *(one and replace(one, gone=leavers > 0) for one in others))
    last = replace(last, state=replace(last.state, seats=gone))
    plan = FramePlan(round_, ALL, (0, round_.lasted))
    regions = plan.of(replace(last, seat=by))
    news = (0, plan.layout.news, WIDTH, plan.layout.players)
    assert faces(regions, news) == signs
    assert texts(regions, news) == ([] if by is None else [ALL[by]])
    ended = STOP if by is not None else SOFT
    bar = [put for put in regions[0].puts if isinstance(put, Block)]
    assert (bar[-1].colour, bar[-1].box[2]) == (ended, BAR[1] + 1)


async def test_names_of_a_full_table_can_be_read_on_a_phone() -> None:
    """A phone shows the picture 300 pixels wide: ten and more of them for a line of letters."""
    for seed in (CARDS, MANY):
        round_ = await a_round(seed)
        plan = FramePlan(round_, ALL, (0, 0))
        for number, seat in enumerate(plan.layout.seats):
            region = plan.of(round_.steps[0])[-len(plan.layout.seats) :][number]
            names = [put for put in region.puts if isinstance(put, TextPut) and not put.from_right]
            assert bool(names) is (ALL[seat] != "王")
            assert all(name.size * 300 / WIDTH > 11 for name in names)


@pytest.mark.parametrize("seed", [DICE, CARDS, MANY])
async def test_what_changes_adds_up_to_each_frame(seed: int) -> None:
    """Only changes are in the file. Clients have to see each frame as it was drawn."""
    round_ = await a_round(seed)
    frames = [Frame(one, 300) for one in round_.steps]
    tiles, images = drawn_frames(FramePlan(round_, ALL, (0, round_.lasted)), frames)
    expected = []
    for image in images:
        coloured = image.copy()
        coloured.putpalette(tiles.palette)
        expected.append(coloured.convert("RGB").tobytes())
    shown = [rgb for rgb, _ in decoded(draw(round_, ALL, frames))]
    assert shown == [rgb for rgb, _ in groupby(expected)]


@pytest.mark.parametrize("seed", [DICE, CARDS, MANY])
async def test_each_frame_can_be_followed(seed: int) -> None:
    round_ = await a_round(seed)
    made = picture(round_, ALL)
    shown = decoded(made)
    assert made.frames == len(shown) <= MOST
    assert len(made.gif) <= LARGEST
    assert min(ms for _, ms in shown) >= SHORT >= LEAST_DELAY
    assert shown[-1][1] >= HELD[Happening.END]
    assert sum(ms for _, ms in shown) == made.ms
    assert made.span == (0, round_.lasted)


async def crowded(duels: int) -> WatchedRound:
    """A round of many players with a duel after each of its steps, so often."""
    round_ = await a_round(MANY)
    first, *between, last = round_.steps
    more = [other for one in between for other in (one, *[fought(one, n) for n in range(duels)])]
    return replace(round_, steps=(first, *more, last))


def fought(step: Step, number: int) -> Step:
    winner, loser = number % 3, 3 + number % 4
    return replace(step, kind=Happening.DUEL, seat=winner, loser=loser, margin=10 * number)


@pytest.mark.parametrize("duels", [3, 40])
async def test_a_round_that_is_too_long_shows_its_best_ten_seconds(duels: int) -> None:
    round_ = await crowded(duels)
    assert whole(round_.steps) is None
    made = picture(round_, ALL)
    start, end = made.span
    assert 0 < end - start <= BEST
    assert 60 < made.frames <= MOST
    assert made.frames * FramePlan(round_, ALL, made.span).layout.height <= ROWS
    assert made.ms <= LONGEST + HELD[Happening.END]
    assert len(made.gif) <= LARGEST


async def test_a_picture_that_is_too_large_is_drawn_again_with_fewer_frames() -> None:
    round_ = await a_round(MANY)
    made = picture(round_, ALL)
    smaller = picture(round_, ALL, len(made.gif) - 1)
    assert smaller.span != made.span
    least = picture(round_, ALL, 70_000)
    assert least.frames <= 50
    assert len(least.gif) <= 70_000


def at(ms: int, kind: Happening) -> Step:
    return Step(ms, RoundState((), ()), kind)


def test_the_best_ten_seconds_are_those_with_duels_and_the_stop() -> None:
    quiet = [at(ms, Happening.LAID) for ms in range(0, 60_000, 1_000)]
    duels = [at(20_000 + ms, Happening.DUEL) for ms in (0, 4_000, 9_000)]
    steps = sorted([*quiet, *duels, at(60_000, Happening.END)], key=lambda one: one.at)
    kept = [frame.step for frame in best(steps)]
    assert set(duels) <= set(kept)
    assert kept[-1].at - kept[0].at <= BEST
    quieter = [one for one in steps if one not in duels[1:]]
    assert best(quieter)[-1].step.kind is Happening.END, "one duel is worth less than the stop"


def test_plays_are_left_out_before_duels() -> None:
    plays = [at(10 * n, Happening.LAID) for n in range(500)]
    duels = [at(10 * n + 5, Happening.DUEL) for n in range(0, 500, 10)]
    steps = sorted([*plays, *duels], key=lambda one: one.at)
    kept = [frame.step for frame in best(steps)]
    assert len(kept) == MOST
    assert [one for one in kept if one.kind is Happening.DUEL] == duels


async def test_names_that_the_font_lacks_leave_their_number() -> None:
    round_ = await a_round(MANY)
    turned = "A\u202en\u2066na"
    named = FramePlan(round_, ["王", turned, *["Anna"] * 10], (0, 0)).of(round_.steps[0])
    texts = [put.text for region in named for put in region.puts if isinstance(put, TextPut)]
    assert "王" not in texts
    assert texts.count("Anna") == len(round_.dealt) - 1
