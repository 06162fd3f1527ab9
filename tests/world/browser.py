"""A screen in the browser: a board on the wall, a player's own, a member of staff's. It complains of script errors."""

from __future__ import annotations

import io
import os
import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from django.conf import settings
from PIL import Image

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

ARGUMENTS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
PATIENCE_MILLISECONDS = 20_000
PICTURES = Path(settings.ROOT) / ".pictures"  # not kept: what docs show is copied from here by hand
# Only when asked: taking them is slow.
WANTED = bool(os.environ.get("METERHOUSE_SCREENSHOTS"))
SIZES = {"1280": (1280, 800), "1920": (1920, 1080), "tablet": (820, 1180)}


@contextmanager
def chromium() -> Iterator[Browser]:
    """The machine's own, without a window. Two at once do not go together: a process has one (one_browser.py)."""
    from playwright.sync_api import sync_playwright

    # The shell alone does what a page needs, with a third of the work.
    installed = shutil.which("chromium-headless-shell") or shutil.which("chromium")
    if installed is None:
        pytest.skip("there is no chromium on this machine to drive")
    before = os.environ.get("DJANGO_ALLOW_ASYNC_UNSAFE")
    # Playwright's sync API runs a loop in this thread, which makes Django think that we are asynchronous. We are not.
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "1"
    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=installed, args=list(ARGUMENTS))
        yield running
        running.close()
    if before is None:
        del os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"]


class Screen:
    def __init__(self, browser: Browser, url: str, *, width: int = 1280, height: int = 800, dark: bool = False) -> None:
        self.url = url
        self.context = browser.new_context(
            viewport={"width": width, "height": height},
            color_scheme="dark" if dark else "light",
            reduced_motion="reduce",
        )
        self.page: Page = self.context.new_page()
        self.page.set_default_timeout(PATIENCE_MILLISECONDS)
        self.complaints: list[str] = []
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        # A blocked script or style is a console message: the content security policy must never have to refuse ours.
        self.page.on("console", lambda said: self.complaints.append(said.text) if "Security" in said.text else None)

    def go(self, path: str) -> Page:
        self.page.goto(f"{self.url}{path}")
        return self.page

    def until(self, expression: str) -> None:
        """Wait for it to be true. Playwright's own waiting has the page evaluate a string, which its policy refuses."""
        deadline = time.monotonic() + PATIENCE_MILLISECONDS / 1000
        while not self.page.evaluate(expression):
            assert time.monotonic() < deadline, expression
            self.page.wait_for_timeout(20)

    def picture(self, name: str, *, full: bool = False) -> None:
        if WANTED:
            PICTURES.mkdir(parents=True, exist_ok=True)
            taken = Image.open(io.BytesIO(self.page.screenshot(full_page=full)))
            # A palette is a third of the size. Coverage, not frequency, chooses it: a rare red must stay red.
            small = taken.convert("RGB").quantize(256, method=Image.Quantize.MAXCOVERAGE, dither=Image.Dither.NONE)
            small.save(PICTURES / f"{name}.png", optimize=True)

    def leave(self) -> None:
        self.context.close()
        assert self.complaints == [], self.complaints
