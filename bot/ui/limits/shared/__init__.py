"""What all channels share: one pace for every push, and the turns of the bot's own calls."""
