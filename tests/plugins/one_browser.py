"""One browser for all files that follow each other and use one: starting it costs as much as a test or two.

It is closed before a file begins that uses none, because it runs a loop in this thread, and two do not go together.
schedule.py has such files follow each other.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser

_open: list[Browser] = []
_to_close = ExitStack()


@pytest.fixture(scope="module")
def browser() -> Browser:
    from tests.world.browser import chromium

    if not _open:
        _open.append(_to_close.enter_context(chromium()))
    return _open[0]


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown(item: pytest.Item, nextitem: pytest.Item | None) -> Iterator[None]:
    try:
        return (yield)
    finally:
        if _open and (nextitem is None or (nextitem.path != item.path and not uses_browser(nextitem))):
            _open.clear()
            _to_close.close()


def uses_browser(item: pytest.Item) -> bool:
    return "browser" in getattr(item, "fixturenames", ())
