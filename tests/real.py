"""What waits for something real instead of simulated time, and why. The only list of it."""

REAL = {
    "tests/bench": "processes and their processor time",
    "tests/demo": "a browser, sockets, and the demo as a process",
    "tests/ops": "the bot as a process, systemd's socket, and commands that an operator types",
    "tests/test_process.py": "the bot as a process, and its exit codes",
    "tests/ui/test_illustration.py": "the thread that draws",
    "tests/ui/test_studio.py": "the thread that draws",
    "tests/mutants": "processes that are forked before the bot is imported",
    "tests/soak": "an evening of a process whose memory is measured",
    "tests/store/test_crashes.py": "a process that is killed while it writes",
    "tests/loopback/test_fakediscord.py": "sockets, TLS, and other bots as processes",
    "tests/loopback/test_probe.py": "a bot of its own as a process",
    "tests/loopback/test_many.py": "processes",
}
"""Files or folders, with the reason for each. Single tests are marked `real`, with theirs."""
