"""Signed notes, checkpoints and cosignatures as C2SP writes them (signed-note, tlog-checkpoint, tlog-cosignature).

Pure, and strict: what is read here has one way to be written, so that two readers never see two things in one text.
Every length has a limit. What a stranger hands in and what cannot be read is a ``NoteError``, never another exception.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Final, Self

from kernel import ed25519
from kernel.merkle import HASH_SIZE

ED25519: Final = 0x01  # signs the text as it is
COSIGNATURE_V1: Final = 0x04  # signs the text and the time
NOTE_BYTES_LIMIT: Final = 100_000
SIGNATURES_LIMIT: Final = 64
NAME_LIMIT: Final = 200
SIGNATURE_BYTES_LIMIT: Final = 6_000
EXTENSIONS_LIMIT: Final = 16
PROOF_LIMIT: Final = 63  # hashes in a proof: no tree is taller
SIZE_LIMIT: Final = (1 << 63) - 1

_DASH: Final = "— "
_DECIMAL = re.compile(r"0|[1-9][0-9]{0,18}").fullmatch

Sign = Callable[[bytes], bytes]
Verify = Callable[[bytes, bytes, bytes], bool]  # public key, message, signature


class NoteError(ValueError):
    """What makes it unreadable, or untrusted, as a sentence."""


class Unsigned(NoteError):
    """It can be read, but nobody we know has signed it, or somebody's signature is wrong."""


def to_base64(raw: bytes) -> str:
    return base64.b64encode(raw).decode()


def from_base64(text: str, *, size: int | None = None) -> bytes:
    """Strict: the one way to write these bytes, and nothing else around them."""
    try:
        raw = base64.b64decode(text, validate=True)
    except ValueError:
        raise NoteError("This is not base64.") from None
    if to_base64(raw) != text:
        raise NoteError("This is not the one way to write it in base64.")
    if size is not None and len(raw) != size:
        raise NoteError(f"{size} bytes are expected here, not {len(raw)}.")
    return raw


def decimal(text: str) -> int:
    if not _DECIMAL(text) or int(text) > SIZE_LIMIT:
        raise NoteError("A size is written in decimal digits without leading zeros.")
    return int(text)


def check_name(name: str) -> str:
    if not 0 < len(name) <= NAME_LIMIT or "+" in name or any(char.isspace() or char < " " for char in name):
        raise NoteError(f"A key's name is 1 to {NAME_LIMIT} characters without spaces and without a plus.")
    return name


@dataclass(frozen=True, slots=True)
class VerifierKey:
    """A key to check signatures with, and its name: ``name+hash+base64``."""

    name: str
    kind: int
    public: bytes

    def __post_init__(self) -> None:
        check_name(self.name)
        if self.kind not in (ED25519, COSIGNATURE_V1) or len(self.public) != 32:
            raise NoteError("Keys are Ed25519, of a log or of a witness.")

    @property
    def id(self) -> bytes:
        return sha256(self.name.encode() + b"\n" + bytes([self.kind]) + self.public).digest()[:4]

    def __str__(self) -> str:
        return f"{self.name}+{self.id.hex()}+{to_base64(bytes([self.kind]) + self.public)}"

    @classmethod
    def parse(cls, text: str) -> Self:
        name, first, rest = text.partition("+")
        hashed, second, encoded = rest.partition("+")
        if not (first and second):
            raise NoteError("A key is written name+hash+base64.")
        raw = from_base64(encoded, size=33)
        key = cls(name, raw[0], raw[1:])
        if hashed != key.id.hex():
            raise NoteError("The hash in this key is not the hash of this key.")
        return key

    def check(self, text: str, signature: bytes, *, verify: Verify = ed25519.verify) -> int | None:
        """Whether the key has signed this text: the time of a cosignature, 0 for a plain signature, None if not."""
        message, at, raw = text.encode(), 0, signature
        if self.kind == COSIGNATURE_V1:
            if len(signature) != 72:
                return None
            at, raw = int.from_bytes(signature[:8], "big"), signature[8:]
            if not 0 < at <= SIZE_LIMIT:
                return None
            message = cosignature_message(text, at)
        return at if verify(self.public, message, raw) else None


@dataclass(frozen=True, slots=True)
class Signature:
    """One signature line of a note."""

    name: str
    key_id: bytes
    signature: bytes

    def __str__(self) -> str:
        return f"{_DASH}{self.name} {to_base64(self.key_id + self.signature)}\n"

    @classmethod
    def parse(cls, line: str) -> Self:
        if not line.startswith(_DASH) or not line.endswith("\n"):
            raise NoteError("A signature line begins with an em dash and a space.")
        name, space, encoded = line[len(_DASH) : -1].partition(" ")
        raw = from_base64(encoded)
        if not space or not 5 <= len(raw) <= SIGNATURE_BYTES_LIMIT:
            raise NoteError("A signature line is a name and a signature.")
        return cls(check_name(name), raw[:4], raw[4:])

    def by(self, key: VerifierKey) -> bool:
        return self.name == key.name and self.key_id == key.id


@dataclass(frozen=True, slots=True)
class Note:
    """A text and who has signed it. Reading one says nothing about whether it is true: ``opened`` does."""

    text: str
    signatures: tuple[Signature, ...]

    def __str__(self) -> str:
        return self.text + "\n" + "".join(map(str, self.signatures))

    @classmethod
    def parse(cls, raw: bytes) -> Self:
        whole = _text_of(raw)
        at = whole.rfind("\n\n")
        text, *lines, rest = (whole[: at + 1], *whole[at + 2 :].split("\n"))
        if at < 0 or not lines or rest:
            raise NoteError("A note is a text, an empty line and signatures, and ends with a newline.")
        if len(lines) > SIGNATURES_LIMIT:
            raise NoteError(f"A note has at most {SIGNATURES_LIMIT} signatures.")
        signatures = tuple(Signature.parse(f"{line}\n") for line in lines)
        if len({(each.name, each.key_id) for each in signatures}) != len(signatures):
            raise NoteError("Nobody signs a note twice.")
        return cls(text, signatures)

    def signed_by(self, key: VerifierKey) -> int | None:
        """The time of this key's signature (0 where it has none), None where the key has not signed.

        A signature that claims to be this key's and is not spoils the note: ``Unsigned``.
        """
        for signature in self.signatures:
            if signature.by(key):
                at = key.check(self.text, signature.signature)
                if at is None:
                    raise Unsigned(f"The signature of {key.name} is wrong.")
                return at
        return None

    def opened(self, keys: Iterable[VerifierKey]) -> list[VerifierKey]:
        """Which of these keys have signed it. ``Unsigned`` where none has, or where a signature is wrong."""
        known = [key for key in keys if self.signed_by(key) is not None]
        if not known:
            raise Unsigned("Nobody whom we know has signed this.")
        return known


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """The head of a log: its origin, how many rows, their root; extension lines are the log's own."""

    origin: str
    size: int
    root: bytes
    extensions: tuple[str, ...] = ()

    def text(self) -> str:
        return "".join(f"{line}\n" for line in (self.origin, self.size, to_base64(self.root), *self.extensions))

    @classmethod
    def parse(cls, text: str) -> Self:
        if not text.endswith("\n"):
            raise NoteError("A checkpoint ends with a newline.")
        lines = text[:-1].split("\n")
        if not 3 <= len(lines) <= 3 + EXTENSIONS_LIMIT or not all(lines):
            raise NoteError("A checkpoint is an origin, a size and a root, each on a line.")
        return cls(check_name(lines[0]), decimal(lines[1]), from_base64(lines[2], size=HASH_SIZE), tuple(lines[3:]))


def cosignature_message(text: str, at: int) -> bytes:
    """What a witness signs: the time and the whole text."""
    return f"cosignature/v1\ntime {at}\n{text}".encode()


def signature(key: VerifierKey, text: str, sign: Sign) -> Signature:
    return Signature(key.name, key.id, sign(text.encode()))


def cosignature(key: VerifierKey, text: str, at: int, sign: Sign) -> Signature:
    return Signature(key.name, key.id, at.to_bytes(8, "big") + sign(cosignature_message(text, at)))


@dataclass(frozen=True, slots=True)
class Submission:
    """The body of C2SP's ``add-checkpoint``: the size it goes on from, the proof that it does, the checkpoint."""

    old: int
    proof: tuple[bytes, ...]
    note: Note

    def __str__(self) -> str:
        return f"old {self.old}\n" + "".join(f"{to_base64(each)}\n" for each in self.proof) + f"\n{self.note}"

    @classmethod
    def parse(cls, raw: bytes) -> Self:
        head, gap, note = raw.partition(b"\n\n")
        lines = _text_of(head).split("\n")
        if not gap or not lines[0].startswith("old ") or len(lines) > 1 + PROOF_LIMIT:
            raise NoteError(f"First the old size, then at most {PROOF_LIMIT} hashes, an empty line and a checkpoint.")
        return cls(decimal(lines[0][4:]), hashes(lines[1:]), Note.parse(note))


def hashes(encoded: Sequence[str]) -> tuple[bytes, ...]:
    """The hashes of a proof."""
    if not isinstance(encoded, list | tuple) or not all(isinstance(each, str) for each in encoded):
        raise NoteError("A proof is a list of hashes in base64.")
    if len(encoded) > PROOF_LIMIT:
        raise NoteError(f"A proof has at most {PROOF_LIMIT} hashes.")
    return tuple(from_base64(each, size=HASH_SIZE) for each in encoded)


def _text_of(raw: bytes) -> str:
    if len(raw) > NOTE_BYTES_LIMIT:
        raise NoteError(f"A note has at most {NOTE_BYTES_LIMIT:,} bytes.")
    try:
        text = raw.decode()
    except UnicodeDecodeError:
        raise NoteError("A note is written in UTF-8.") from None
    if any(char < " " and char != "\n" for char in text):
        raise NoteError("A note has no control characters but newlines.")
    return text
