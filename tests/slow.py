"""Tests that are too slow for everyday work, with their processor time. The only list of them.

`pytest -m "not slow"` leaves them out. The longest start first, so that none is left when all
others are over. Who adds one makes room for it: all tests together keep within docs/testing.md.
"""

SLOW = {
    "tests/ui/test_order.py": 20,
    "tests/simulate/test_seeds.py": 15,
    "tests/bench/test_bench.py::test_every_row_can_be_measured": 15,
    "tests/soak": 12,
    "tests/tables/test_life.py::TestAnyLife": 10,
    "tests/demo": 6,
    "tests/bench": 5,
    "tests/test_simulate.py": 5,
    "tests/test_calibrate.py": 5,
    "tests/loopback/test_overload.py": 5,
    "tests/records/test_grinding.py": 4,
    "tests/loopback/test_gateway.py::test_an_hour_without_a_gateway": 4,
    "tests/ops": 3,
    "tests/ui/test_faces.py": 3,
    "tests/loopback/test_crashes.py": 2,
    "tests/loopback/test_matches.py": 2,
    "tests/ui/test_components.py::test_every_screen_fits_whatever": 2,
    "tests/ui/test_flows.py": 2,
    "tests/ui/test_records_flows.py": 2,
    "tests/test_process.py": 1,
    "tests/loopback/test_gallery.py": 1,
    "tests/ui/test_illustration.py": 1,
    "tests/ui/test_restart.py": 1,
}
"""Beginnings of test ids, and the seconds that the slowest test there takes."""


def seconds(test: str) -> int:
    """Processor time of a test by its id; 0 for one that isn't slow."""
    return next((took for beginning, took in SLOW.items() if test.startswith(beginning)), 0)
