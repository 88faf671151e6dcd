"""What waits for something real instead of simulated time, and why. The only list of it."""

REAL = {
    "tests/bench": "processes and their processor time",
    "tests/demo": "a browser, sockets, and the demo as a process",
    "tests/ops/test_alive.py": "systemd's socket and a process of its own",
    "tests/ops/test_process.py": "a process that is started and told to stop",
    "tests/store/test_crashes.py": "a process that is killed while it writes",
    "tests/loopback/test_probe.py": "a bot of its own as a process",
    "tests/loopback/test_many.py": "processes",
}
"""Files or folders, with the reason for each. Single tests are marked `real`, with theirs."""
