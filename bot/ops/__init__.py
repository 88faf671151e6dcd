"""What an operator needs beside the bot itself: copies, exports, checks, and signs of life."""
