"""The QR code scanned from paper: the ticket as a thermal printer burns it, read by a decoder that is not ours (zbar).

What comes out is what the house's /verify/ and the witness's page are asked about. ``.ci/run`` installs zbar-tools.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import zlib
from base64 import a85decode
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs, urlsplit

import pytest
from django.test import Client

from keno.models import Ticket
from keno.receipts.code import DOTS_A_MILLIMETRE, LEAST_MODULE_DOTS, code_of
from keno.receipts.data import fine_print, receipt_of
from keno.receipts.escpos import escpos
from keno.receipts.page import html
from keno.receipts.slip import pdf
from ledger.announce import announce_keys
from ledger.cosign import cosign_now
from ledger.seal import seal_now
from tests.signage.test_whole import play_one_game
from tests.world.witness import RunningWitness
from witness.paper import look_at

if TYPE_CHECKING:
    from playwright.sync_api import Browser

ZBAR = shutil.which("zbarimg")
scanned_here = pytest.mark.skipif(
    ZBAR is None, reason="zbarimg is not installed (Debian: apt-get install zbar-tools): nothing here reads a QR code"
)
DOT_POINTS = 72 / 25.4 / DOTS_A_MILLIMETRE
PAPER, INK = 225, 45  # of 255: it is warm in a pocket


def scan(picture: Path) -> str:
    assert ZBAR is not None
    command = [ZBAR, "--quiet", "--raw", "--set", "disable", "--set", "qrcode.enable", str(picture)]
    return subprocess.run(command, check=True, capture_output=True, text=True, timeout=60).stdout.rstrip("\n")


def _written(slip: bytes) -> Iterator[str]:
    """What is drawn on its pages, unpacked."""
    for packed in re.findall(rb"stream\r?\n(.*?)endstream", slip, re.DOTALL):
        with suppress(ValueError, zlib.error):
            yield zlib.decompress(a85decode(packed.strip().removesuffix(b"~>"))).decode("latin-1")


def burnt(slip: bytes, to: Path, *, worn: bool) -> Path:
    """The page dot by dot, as grey. *worn*: one dot in a hundred is wrong, and one of the head's is dead."""
    page = slip.decode("latin-1") + "".join(_written(slip))
    ((wide, high),) = re.findall(r"/MediaBox \[ 0 0 ([\d.]+) ([\d.]+) \]", page)
    width, height = round(float(wide) / DOT_POINTS), round(float(high) / DOT_POINTS)
    dots = [bytearray([PAPER]) * width for _ in range(height)]
    for square in re.findall(r"([\d.]+) ([\d.]+) ([\d.]+) ([\d.]+) re f", page):
        x, y, w, h = (float(each) / DOT_POINTS for each in square)
        for row in range(round(y), round(y + h)):
            left, right = round(x), round(x + w)
            dots[height - 1 - row][left:right] = bytes([INK]) * (right - left)
    if worn:
        chance = Random(1)
        for line in dots:
            line[width // 2] = PAPER
            for column in chance.sample(range(width), width // 100):
                line[column] = INK + PAPER - line[column]
    picture = to / f"slip-{worn}.pgm"
    picture.write_bytes(b"P5 %d %d 255\n" % (width, height) + b"".join(dots))
    return picture


@pytest.fixture
def sold(witness: RunningWitness) -> Ticket:
    """A ticket of a settled game, on whose paper a cosigned head stands."""
    announce_keys()
    _, tickets = play_one_game()
    seal_now()
    assert cosign_now()
    witness.watch()
    return tickets[0]


@scanned_here
@pytest.mark.clause("act-keno:4.2")
@pytest.mark.django_db(transaction=True)
def test_what_is_scanned_is_checked_by_the_house_and_by_the_witness(
    sold: Ticket, witness: RunningWitness, tmp_path: Path
) -> None:
    receipt = receipt_of(sold, duplicate=False)
    for worn in (False, True):
        text = scan(burnt(pdf(receipt), tmp_path, worn=worn))
        assert text == receipt.code
    said = parse_qs(urlsplit(text).fragment)
    asked = {"serial": said["serial"][0], "paper": said["paper"][0]}
    answer = Client().post("/verify/paper.json", asked, content_type="application/json")
    assert answer.status_code == 200
    assert (answer.json()["signed"], answer.json()["leaf"]) == (True, bytes(sold.leaf).hex())
    assert [finding.right for finding in look_at(witness.memory, text)] == [True, True]
    forged = text[:-8] + ("A" * 8 if text[-8:] != "A" * 8 else "B" * 8)
    assert not all(finding.right for finding in look_at(witness.memory, forged))


@scanned_here
@pytest.mark.long
@pytest.mark.django_db(transaction=True)
def test_the_page_is_scanned_too(sold: Ticket, browser: Browser, tmp_path: Path) -> None:
    """As a browser prints it: 203 dots an inch."""
    receipt = receipt_of(sold, duplicate=True)
    context = browser.new_context(viewport={"width": 302, "height": 900}, device_scale_factor=203.2 / 96)
    try:
        page = context.new_page()
        page.set_content(html(receipt))
        box: Any = page.locator(".code svg").bounding_box()
        picture = tmp_path / "page.png"
        page.screenshot(path=picture, full_page=True)
    finally:
        context.close()
    assert box["width"] == pytest.approx(box["height"])
    assert 28 <= box["width"] / 96 * 25.4 <= 74
    assert scan(picture) == receipt.code


@pytest.mark.django_db(transaction=True)
def test_it_is_large_enough_and_survives_damage(sold: Ticket) -> None:
    receipt = receipt_of(sold, duplicate=False)
    code = code_of(receipt.code)
    assert (code.qr.error, code.module_dots >= LEAST_MODULE_DOTS) == ("M", True)
    assert 28 <= code.side_millimetres <= 64  # and four modules of white on each side, on the 72 mm that are printed
    assert bytes([49, 67, code.module_dots]) in escpos(receipt)
    assert bytes([49, 69, 49]) in escpos(receipt)  # error correction M
    printed = dict(fine_print(receipt))
    assert all(re.fullmatch(r"[0-9a-f]{4}( [0-9a-f]{4}){7}", printed[whose]) for whose in ("House", "Witness"))
    assert re.fullmatch(r"[\d,]+ rows, [0-9a-f]{4}( [0-9a-f]{4}){3}", printed["Head of the log"])


@pytest.mark.parametrize("letters", [30, 100, 300, 600, 900])
def test_whole_dots_at_any_length(letters: int) -> None:
    code = code_of("x" * letters)
    modules = len(code.matrix)
    assert code.side_millimetres >= 28
    assert (modules + 8) * code.module_dots <= 72 * DOTS_A_MILLIMETRE
