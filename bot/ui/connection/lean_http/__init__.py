"""A lean HTTP/1.1 client for Discord's API: few steps per call, on kept connections.

It makes the calls that presses need: first answers, edits and deletions by their tokens, and
posts, edits and deletions of table messages, all without files. Whatever else is asked of Discord
goes by aiohttp, as discord.py does it.
docs/decisions/41-lean-http.md says why it exists, and `HTTP_CLIENT=aiohttp` does without it.
"""
