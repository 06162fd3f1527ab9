"""What a letter's document may be: a PDF, a picture or plain text, told by its content and never by its name.

It is given back as a file to keep, under the type found here, and never shown as a page: whatever somebody uploads, it
does not run in a colleague's browser.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from hashlib import sha256
from typing import Final

from house.models import DOCUMENT_BYTES_LIMIT
from kernel.refusal import Refusal

PDF: Final = "application/pdf"
PNG: Final = "image/png"
JPEG: Final = "image/jpeg"
TEXT: Final = "text/plain"
SUFFIXES: Final = {PDF: "pdf", PNG: "png", JPEG: "jpg", TEXT: "txt"}
TYPES: Final = tuple(SUFFIXES)
SAYS: Final = "PDF, PNG, JPEG or plain text, 5 MB at most."

_MARKUP: Final = re.compile(r"<[a-z!/?]", re.IGNORECASE)
_CONTROL: Final = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
_PDF_END_BYTES: Final = 1_024


@dataclass(frozen=True, slots=True)
class Document:
    content: bytes
    media_type: str
    sha256: str


def read_document(content: bytes) -> Document:
    if len(content) > DOCUMENT_BYTES_LIMIT:
        raise Refusal("document-too-large", f"The document has more than 5 MB. {SAYS}", field="document")
    media_type = _type_of(content)
    if media_type is None:
        raise Refusal("document-not-allowed", f"This is no letter that can be kept: {SAYS}", field="document")
    return Document(content, media_type, sha256(content).hexdigest())


def _type_of(content: bytes) -> str | None:
    if content.startswith(b"%PDF-"):
        return PDF if b"%%EOF" in content[-_PDF_END_BYTES:] else None
    if content.startswith(b"\x89PNG\r\n\x1a\n"):
        return PNG if b"IEND" in content[-12:] else None
    if content.startswith(b"\xff\xd8\xff"):
        return JPEG if content.rstrip(b"\x00").endswith(b"\xff\xd9") else None
    try:
        text = content.decode()
    except UnicodeDecodeError:
        return None
    # A page or a drawing with scripts is text as well: nobody writes a letter in markup.
    return TEXT if text.strip() and not _CONTROL.search(text) and not _MARKUP.search(text) else None
