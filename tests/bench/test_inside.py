"""Our own steps, measured in a simulated loop: in small, and how fast is not asked."""

from pathlib import Path

from tests.bench.inside import Meter, Size, measured


def test_flips_are_measured_without_discords_share(tmp_path: Path) -> None:
    meter = Meter()
    told = measured(tmp_path, Size(is_evening=False, tables=1, seconds=0.0, presses=8), meter)
    assert (told.presses, told.moves) == (8, 8)
    assert told.calls["callback"] >= 8
    assert 5 * 8 < meter.steps < 50 * 8
    assert meter.spent > 0


def test_an_evening_is_measured(tmp_path: Path) -> None:
    meter = Meter()
    told = measured(tmp_path, Size(is_evening=True, tables=1, seconds=30.0, presses=0), meter)
    assert 0 < told.moves < told.presses
    assert meter.steps > 5 * told.presses
