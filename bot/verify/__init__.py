"""A check of match logs, made from docs/format.md, docs/rules.md and docs/chance.md alone.

It shares no code with the bot, so a fault of the bot can't hide itself here. `python -m bot verify`
runs it, the tests judge every log by it, and `page.html` does the same in a browser.
"""
