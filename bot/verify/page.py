"""The page that shows a log and checks it, in one file for any browser."""

from pathlib import Path

PAGE = Path(__file__).with_name("page.html")
