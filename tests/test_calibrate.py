"""How right ratings are: a small run of `python -m bot calibrate`, and its arithmetic."""

import csv
import json
from math import log
from pathlib import Path
from statistics import fmean

import pytest

from bot.ids import GuildId, UserId
from bot.ops.export import export
from bot.records.ratings import NEWCOMER, SIGMA, Finish, beta, chance
from bot.simulate import calibrate, exported, people
from bot.simulate.accuracy import COIN, Bin, bins, loss, predictions
from bot.simulate.best_predictions import best
from bot.simulate.calibrate import ROUNDS, Job, main, simulated
from bot.simulate.people import EACH, SERVER, Played
from tests.store.conftest import opened
from tests.store.matches import ANNA, BEN, CHLOE, match, play

OFF = 0.03
"""How far from the truth predictions may be."""


def halves() -> tuple[Played, Played]:
    """Two servers of 40 people, whose pairs play many rounds each."""
    first, second = (Job("dice", 2, half, number=0, seed=1).played() for half in (0, 1))
    return first, second


def test_ratings_are_as_sure_as_they_are_right_and_know_more_than_a_coin(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """All predictions of 1,000 rounds a server together; they were 5 points too sure once.
    Newcomers are among them. Nobody can know more than the truth.
    """
    monkeypatch.setattr(people, "EACH", EACH // 2)
    fitted, judged = both = halves()
    found = bins(predictions([one.rounds for one in both], beta("dice")))
    sure = fmean(one.sure for one in found)
    assert abs(sure - fmean(one.right for one in found)) <= OFF
    assert sure > 0.6
    known = loss(best([fitted], [judged]))
    assert known < loss(predictions([judged.rounds], beta("dice"))) < COIN - 0.1


def test_the_same_seed_plays_the_same_rounds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(people, "EACH", 1)
    first, again, other = (Job("ligretto", 12, 0, 0, seed) for seed in (1, 1, 2))
    played = [one.played().rounds[:3] for one in (first, again, other)]
    assert played[0] == played[1] != played[2]
    assert {len(one.players) for one in played[0]} == {12}


def test_there_are_rounds_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ten bins of 4,000 pairs in the half that is judged, with a few equal points to spare."""
    monkeypatch.setattr(Job, "played", lambda _: Played((), (Finish((0, 1), (1, 2)),)))
    found = {(one.game, one.players): len(one.judged) for one in simulated(1, 1.0)}
    for game, sizes in ROUNDS.items():
        for players in sizes:
            servers = found[game, players]
            rounds = servers * (SERVER * EACH // players)
            assert 2 * rounds >= 10_000
            assert rounds * players * (players - 1) / 2 >= 40_000 * 1.02, (game, players)
    assert set(ROUNDS["ligretto"]) == {2, 3, 4, 12}


def test_predictions_are_made_before_the_round_is_known() -> None:
    rounds = [Finish((7, 8, 9), (1, 2, 2)), Finish((8, 7), (1, 2))]
    found = predictions([rounds], beta("ligretto"))
    assert found[:2] == [(0.5, True), (0.5, True)], "equal points predict nothing"
    assert (found[2][0] < 0.5, found[2][1]) == (True, True)
    assert predictions([rounds], beta("ligretto"), skip=0.5) == found[2:]


def test_a_prediction_depends_on_how_sure_ratings_are() -> None:
    better, sure = type(NEWCOMER)(30, SIGMA), type(NEWCOMER)(30, 1)
    assert 0.5 < chance(better, NEWCOMER, 10) < chance(sure, NEWCOMER, 10)
    assert chance(NEWCOMER, sure, 10) == pytest.approx(1 - chance(sure, NEWCOMER, 10))


def test_a_coin_loses_0_693() -> None:
    assert loss([(0.5, True), (0.5, False)]) == pytest.approx(log(2))
    assert loss([(0.9, True), (0.2, False)]) == pytest.approx(-(log(0.9) + log(0.8)) / 2)


def test_bins_are_equally_filled_and_ask_for_the_favoured() -> None:
    found = bins([(0.6, True)] * 50 + [(0.2, False)] * 40 + [(0.2, True)] * 10)
    assert [one.pairs for one in found] == [10] * 10
    assert found[0] == Bin(10, 0.6, 1.0)
    assert fmean(one.right for one in found[5:]) == pytest.approx(0.8)
    assert fmean(one.off for one in found[5:]) == pytest.approx(0.0)


async def test_an_owner_judges_an_export(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Two servers, a match that was taken back, and a computer player among people."""
    path = tmp_path / "bot.sqlite3"
    async with opened(path) as store:
        for guild in (GuildId(77), GuildId(78)):
            for _ in range(4):
                await play(store, match({ANNA: 9, None: 20, BEN: 5, CHLOE: 5}, guild=guild))
        number = await play(store, match({ANNA: 9, BEN: 5}))
        await store.archive.void(GuildId(77), number, moderator=UserId(1), at=1)
    _ = export(path, tmp_path / "out")
    one, other = exported.servers(tmp_path / "out")["ligretto"]
    assert [finish.ranks for finish in one] == [(1, 2, 2)] * 4
    assert not {p for f in one for p in f.players} & {p for f in other for p in f.players}

    assert main(["--export", str(tmp_path / "out")]) == 0
    assert "| ligretto | any | 8 | 8 |" in capsys.readouterr().out
    assert main(["--export", str(tmp_path / "none")]) == 2
    assert "not an export" in capsys.readouterr().err


async def test_no_prediction_has_no_log_loss(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A match of equal points says nothing. 0.0000 would be a perfect rating."""
    path = tmp_path / "bot.sqlite3"
    async with opened(path) as store:
        await play(store, match({ANNA: 9, BEN: 9}))
    _ = export(path, tmp_path / "out")
    assert main(["--export", str(tmp_path / "out")]) == 0
    out = capsys.readouterr().out
    assert "| ligretto | unknown |" in out
    assert "0.0000" not in out


def test_a_report_has_a_line_for_each_size(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(people, "EACH", 8)
    first, second = halves()
    sizes = [calibrate.Size("dice", 2, (first,), (second,))]
    monkeypatch.setattr(calibrate, "simulated", lambda *_: sizes)
    assert main([]) == 0
    out = capsys.readouterr().out
    assert "| dice | 2 | 320 | 160 | 0." in out
    assert out.count("points |") == 1


async def test_an_export_whose_ratings_are_due_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Which rounds are rated isn't known of all matches yet: that isn't the same as none."""
    path = tmp_path / "bot.sqlite3"
    async with opened(path) as store:
        for _ in range(2):
            await play(store, match({ANNA: 9, BEN: 5}))
        await store.writer.write([("UPDATE matches SET rated_rounds = NULL WHERE id = 1", ())])
    _ = export(path, tmp_path / "out")
    told = [json.loads(line) for line in (tmp_path / "out/matches.jsonl").read_text().splitlines()]
    assert [one["rated_rounds"] is None for one in told] == [True, False]
    with (tmp_path / "out/matches.csv").open(newline="") as sheet:
        assert [one["rated_rounds"] == "" for one in csv.DictReader(sheet)] == [True, False]

    assert main(["--export", str(tmp_path / "out")]) == 2
    told_of = capsys.readouterr()
    assert told_of.out == ""
    assert told_of.err.count("\n") == 1
    assert "ratings were being recalculated" in told_of.err


@pytest.mark.parametrize("broken", ["no folder", "no JSON", "another", "no table"])
def test_what_is_no_export_is_refused_in_one_line(
    broken: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    texts = {"no JSON": "{", "another": '{"id": 1}\n', "no table": "[]\n"}
    if broken in texts:
        for name in ("seats", "matches"):
            (tmp_path / f"{name}.jsonl").write_text(texts[broken])
    folder = tmp_path if broken in texts else tmp_path / "none"
    assert main(["--export", str(folder)]) == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err.count("\n") == 1
