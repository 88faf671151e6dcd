"""A hostile server never makes one request read another's answer, wait too long, or be lost."""

from tests.ui.lean_http.hostile import KINDS, besieged


def test_no_request_reads_anothers_answer() -> None:
    result = besieged(4_000, seed=7)
    assert not result.wrong
    assert {*result.kinds} == {one.__name__ for one in KINDS}
    assert sum(result.outcomes.values()) == 4_000
    assert min(result.outcomes.values()) > 100, "something hardly ever happens"
