"""What Discord takes of a message, a modal or a command, and how it says no."""
