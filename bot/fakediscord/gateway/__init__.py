"""The websocket over which a bot hears of everything."""
