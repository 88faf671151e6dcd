"""A small arena in simulated time; that of docs/testing.md is a command."""

from pathlib import Path

from tests.simulate.arena import Plan, evening, is_kept


async def test_an_arena_with_a_kill_in_the_middle_keeps_what_it_promises(tmp_path: Path) -> None:
    plan = Plan(people=8, minutes=15, pace=6.0, kill_at=400.0, is_alone=True)
    report = await evening(tmp_path, plan)
    assert is_kept(report), report
    assert report.rounds > plan.people
    assert not report.log
    assert max(report.presses) < 0.5, "no press waits for another table"
