"""An operator's tools beside the bot itself: copies, exports, checks, and signs of life."""
