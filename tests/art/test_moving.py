"""The picture with which a client is asked whether it plays pictures."""

from io import BytesIO

from PIL import Image, ImageSequence

from bot.art.moving import EACH, FRAMES, moving


def test_it_moves_and_does_not_end() -> None:
    image = Image.open(BytesIO(moving()))
    frames = {frame.convert("RGB").tobytes() for frame in ImageSequence.Iterator(image)}
    assert len(frames) == FRAMES // 2 + 1, "it comes back the way it went"
    assert (image.info["loop"], image.info["duration"]) == (0, EACH)


def test_it_is_small() -> None:
    assert len(moving()) < 8_000
