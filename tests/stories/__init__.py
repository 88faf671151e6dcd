"""Stories: people, a Discord and a bot play something out in simulated time."""
