"""The proof that a bot of several groups keeps its promises, with real processes on one machine."""
