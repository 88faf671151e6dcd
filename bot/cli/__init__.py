"""The command line, `python -m bot`. Nothing is imported before it is known to be needed."""
