"""An insider uploads a page with a script as a letter, so that it runs in the inspector's browser when he reads it."""

from __future__ import annotations

import base64
from typing import Final

from house.models import DOCUMENT_BYTES_LIMIT, Letter
from tests.attacks.insider import House
from tests.attacks.letters import letter, proposed

SCRIPT: Final = b"<script>fetch('/approvals/1/countersign/', {method: 'POST'})</script>"
REFUSED: Final = (
    b"<!doctype html><html><body>" + SCRIPT,
    b"Dear house,\n" + SCRIPT,
    b'\xef\xbb\xbf<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>',
    b"<?xml version='1.0'?><x/>",
    "<html>".encode("utf-16"),
    b"GIF89a" + SCRIPT,
    b"%PDF-1.7\n" + SCRIPT,  # no PDF: it has no end
    b"\x89PNG\r\n\x1a\n" + SCRIPT,
    b"PK\x03\x04macros",
    b"MZ\x90\x00",
    b"",
    b"   \n",
    b"with a NUL \x00",
)
# Kept under what its first bytes say, as a file: it is never a page.
DRESSED_UP: Final = (
    (b"%PDF-1.7\n" + SCRIPT + b"\n%%EOF", "application/pdf"),
    (b"\x89PNG\r\n\x1a\n" + SCRIPT + b"IEND\xaeB`\x82", "image/png"),
    (b"\xff\xd8\xff\xe0" + SCRIPT + b"\xff\xd9", "image/jpeg"),
    (b"The ratio is approved. 1 < 2, javascript:alert(1)", "text/plain"),
)


def test_a_page_is_no_letter(house: House) -> None:
    one = house.insider("manager")
    number = proposed(house.insider("supervisor"))
    with house.unchanged():
        for document in REFUSED:
            assert one.post(f"approvals/{number}/letter", letter(document)).refused("document-not-allowed"), document
        assert one.post(f"approvals/{number}/letter", letter(document="<b>")).refused("malformed")
        large = one.post(f"approvals/{number}/letter", letter(b"a" * (DOCUMENT_BYTES_LIMIT + 1)))
        assert large.refused("document-too-large")
    assert not Letter.objects.exists()


def test_what_is_kept_is_a_file_and_never_a_page(house: House) -> None:
    one, ines = house.insider("manager"), house.at_console("inspector")
    number = proposed(house.insider("supervisor"))
    for document, media_type in DRESSED_UP:
        recorded = one.post(f"approvals/{number}/letter", letter(document)).ok(201)
        assert recorded["media_type"] == media_type
        for answer in (
            one.get(f"approvals/{number}/letter/document"),
            ines.get(f"/approvals/{number}/letter/document/"),
        ):
            assert answer.status == 200
            assert answer.headers["content-type"].partition(";")[0] == media_type
            assert answer.headers["content-disposition"].startswith("attachment")
            assert answer.headers["x-content-type-options"] == "nosniff"
            assert "sandbox" in answer.headers["content-security-policy"]
        one.post(f"approvals/{number}/letter/discard", {"comment": "Next."}).ok()
    assert base64.b64decode(letter()["document"]) == b"The ratio is approved."


def test_the_words_about_a_letter_are_shown_as_words(house: House) -> None:
    one = house.insider("manager")
    number = proposed(house.insider("supervisor"))
    named = {"signed_by": SCRIPT.decode(), "office": "<b>Office</b>", "reference": '"><script>1</script>'}
    one.post(f"approvals/{number}/letter", letter() | named).ok(201)
    page = house.at_console("administrator").get(f"/approvals/{number}/").body
    assert "<script>fetch" not in page
    assert "<b>Office" not in page
    assert "<script>1<" not in page
