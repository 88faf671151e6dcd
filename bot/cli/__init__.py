"""The command line, `python -m bot`. Imports only what the command needs."""
