"""What the product says, read by people: no sentence that nobody in a casino would say comes back, and all of them are
listed for the next reader."""

from __future__ import annotations

import os

import pytest

from tests.world import strings

LIST = strings.ROOT / "docs" / "words.md"
# Once said, and laughed at. Each is matched as it would stand on a page.
NOBODY_SAYS = (
    "Waits for you",
    "wait for you",
    "Stand by the payment",
    "Of winners",
    "Of losers",
    "Of it jackpot",
    "Unreasonable above",
    "Leave it",
    "Enter somebody",
    "By the draw nobody",
    "Nothing you may see is called that",
    "Quiet days of the demo",
    "Promised before",
    "Let enrol anew",
    "Not so fast",
)
NO_BUTTON_SAYS = {"Look"}


@pytest.mark.parametrize("room", strings.ROOMS)
def test_nothing_is_said_that_nobody_would_say(room: str) -> None:
    for path in strings.files(room):
        for text in strings.of(path, words=1):
            assert not any(text.startswith(never) for never in NOBODY_SAYS), f"{path}: {text}"
            assert text not in NO_BUTTON_SAYS, path


@pytest.mark.long
def test_docs_words_lists_what_is_said() -> None:
    """Long: whoever changes a sentence need not write the list anew; whoever reads them all does."""
    said = strings.document()
    if os.environ.get("METERHOUSE_WRITE_WORDS"):
        LIST.write_text(said)
    assert LIST.read_text() == said, "Write it anew, and read what is new: METERHOUSE_WRITE_WORDS=1"
