"""Ed25519: by ``cryptography`` where it is installed, which is thirty times as fast; by our own check where not."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple, TypeAlias

from kernel import ed25519
from kernel.notes import COSIGNATURE_V1, ED25519, Note, NoteError, VerifierKey
from kernel.questions import Link
from kernel.row_text import read_json
from ledger.acts import QuestionAnswered, QuestionAsked, WitnessKeys
from ledger.verify import answer_to, question_of

Witness: TypeAlias = tuple[bytes, bytes]  # its key, and the one of its unique signatures
_SIGNATURE_BYTES: Final = 64  # a cosignature has its time before it
Signed: TypeAlias = tuple[bytes, bytes, bytes]  # a key, what it signed, the signature

try:
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
except ImportError:
    verify_ed25519 = ed25519.verify
else:

    def verify_ed25519(public: bytes, message: bytes, signature: bytes) -> bool:
        try:
            Ed25519PublicKey.from_public_bytes(public).verify(signature, message)
        except (InvalidSignature, ValueError):
            return False
        return True


class Keys(NamedTuple):
    """Whose signatures may stand in the rest of the log, as far as it was read."""

    sealing: Sequence[bytes] = ()  # of the house's seals, and of who cosigns them
    witnesses: Sequence[Witness] = ()


NO_KEYS: Final = Keys()


class Proven:
    """Checks signatures, but for those that another process has found right."""

    def __init__(self) -> None:
        self.known: frozenset[Signed] = frozenset()

    def __call__(self, public: bytes, message: bytes, signature: bytes) -> bool:
        return (public, message, signature) in self.known or verify_ed25519(public, message, signature)

    def answer(self, link: Link, witness: WitnessKeys) -> bool:
        own = (witness.public, witness.rsa)
        return _answer(link, own) in self.known or link.is_right(public=own[0], rsa=own[1], verify=verify_ed25519)


def _answer(link: Link, witness: Witness) -> Signed:
    """A whole link of a witness's chain."""
    return b"".join(witness), link.statement(), link.signature


def proven_answer(act: QuestionAnswered, asked: QuestionAsked, witnesses: Iterable[Witness]) -> frozenset[Signed]:
    """Of the witness's answer to this question, by which of these keys it was given."""
    link = answer_to(question_of(asked), act)
    return frozenset(
        _answer(link, each) for each in witnesses if link.is_right(public=each[0], rsa=each[1], verify=verify_ed25519)
    )


def proven(seal: bytes, keys: Iterable[bytes]) -> frozenset[Signed]:
    """Of a seal's line the signatures that are right, by these keys. Whether it takes them is the verifier's to say."""
    found: set[Signed] = set()

    def check(public: bytes, message: bytes, signature: bytes) -> bool:
        right = verify_ed25519(public, message, signature)
        found.update([(public, message, signature)] if right else [])
        return right

    try:
        note = Note.parse(read_json(seal)["seal"].encode())
        for each in note.signatures:
            kind = ED25519 if len(each.signature) == _SIGNATURE_BYTES else COSIGNATURE_V1
            for key in [VerifierKey(each.name, kind, public) for public in keys]:
                if each.by(key):
                    key.check(note.text, each.signature, verify=check)
    except (AttributeError, KeyError, NoteError, TypeError, ValueError):
        pass  # the verifier reads it, and says why not
    return frozenset(found)
