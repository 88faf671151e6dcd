"""The text of the page, and its words by language."""

import json
import re

from bot.verify.page import PAGE

TEXT = PAGE.read_text("utf-8")
WORDS_BLOCK = re.compile(r'<script type="application/json" id="words">(.*?)</script>', re.DOTALL)
TABLE = json.loads(WORDS_BLOCK.findall(TEXT)[0])
