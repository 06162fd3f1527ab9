"""The house's keys as the log tells them: the first one, every hand-over, and who signs what beside the seals."""

from __future__ import annotations

from kernel.acts import Act
from kernel.canonical import canonical
from kernel.export_check import Doubt
from kernel.hand_over import HandOver, fingerprint
from kernel.notes import ED25519, Note, VerifierKey, Verify
from ledger.acts import FirstKey, KeyHandedOver, KeyInUse
from ledger.statements import Sealed, origin_of
from verify.signatures import verify_ed25519


class HouseKeys:
    def __init__(self) -> None:
        self.first = ""
        self.known: dict[str, bytes] = {}  # every key handed over to so far
        self.in_force = ""  # the one that must sign the next seal
        self.following = ""  # the one that signs from the next seal on
        self.signers: dict[str, bytes] = {}  # keys that sign exports, as the sealed log announces them
        self.begun = False

    def begin(self, public: bytes) -> None:
        self.first = self.in_force = self.following = fingerprint(public)
        self.known[self.first] = public

    def act(self, act: Act) -> None:
        match act:
            case FirstKey():
                if not fingerprint(act.public) == act.key == self.first:
                    raise Doubt("the first sealing key is not the one the export begins with.")
                if self.begun:
                    raise Doubt("the log begins a second time.")
                self.begun = True
            case KeyHandedOver():
                self._hand_over(act)
            case KeyInUse():
                if act.key != fingerprint(act.public):
                    raise Doubt("a key in use is named wrongly.")
                if act.purpose == "export":
                    self.signers.pop(act.key, None)
                    self.signers[act.key] = act.public

    def _hand_over(self, act: KeyHandedOver) -> None:
        change = HandOver(act.from_, act.public, act.signature, act.acceptance)
        if change.old != self.following or not change.is_signed(by=self.known[self.following]):
            raise Doubt("the sealing key is handed over without the signatures of the key in force and of the new one.")
        self.following = fingerprint(change.new)
        if act.key != self.following:
            raise Doubt("the key that is handed over to is named wrongly.")
        self.known[self.following] = change.new

    def check_seal(self, number: int, note: Note, sealed: Sealed, *, verify: Verify = verify_ed25519) -> None:
        """That the house's signature comes first, by the key in force."""
        if sealed.origin != origin_of(self.first):
            raise Doubt(f"seal {number} is of another log.")
        own = note.signatures[0]
        key = VerifierKey(sealed.origin, ED25519, self.known[self.in_force])
        if not own.by(key):
            raise Doubt(f"seal {number} is signed by a key that was not in force.")
        if not verify(key.public, note.text.encode(), own.signature):
            raise Doubt(f"the signature of seal {number} is wrong.")

    def sealed(self) -> None:
        self.in_force = self.following

    @property
    def signer(self) -> str:
        """The last that was announced for exports."""
        return next(reversed(self.signers), "")

    def has_signed(self, purpose: bytes, statement: dict[str, object], signature: object) -> bool:
        """Whether the export's key has signed it, in hexadecimal digits as they are written once."""
        try:
            raw = bytes.fromhex(str(signature))
        except ValueError:
            return False
        public = self.signers.get(self.signer, b"")
        return raw.hex() == signature and verify_ed25519(public, purpose + canonical(statement), raw)
