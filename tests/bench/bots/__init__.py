"""Bots that are measured beside ours. Each is a program of its own.

All do the same: /panel answers with a private message of as many components as one of our panels,
and a press of its button `hit:0` edits that message, all components sent again, with one hit more.
`SHAPE` in the environment: those components as JSON, as `tests.bench.people.shape` reads them off a
real panel.
"""
