"""A player who kept a ticket: he has its QR code, and asks nobody's permission. What /verify/ computes, computed here
from what the house says now (the page itself does it in tests/signage/test_verify_paper.py)."""

from __future__ import annotations

import json
from base64 import b64decode
from typing import Any

from kernel.merkle import check_consistency, check_inclusion
from kernel.notes import Checkpoint, Note, VerifierKey
from kernel.paper import Paper
from ledger.announce import announce_keys
from ledger.cosign import cosign_now
from ledger.seal import seal_now
from tests.attacks.insider import Caller, House


def seal() -> None:
    """The house's every second."""
    announce_keys()
    seal_now()
    assert cosign_now()


def receipt(writer: Caller, sold: dict[str, Any]) -> str:
    """The text of the QR code that the terminal prints."""
    return _code(writer.post(f"keno/tickets/{sold['serial']}/print", {"layout": "data"}).ok())


def duplicate(supervisor: Caller, sold: dict[str, Any]) -> str:
    body = {"layout": "data", "reason": "The printer ran out of paper."}
    return _code(supervisor.post(f"keno/tickets/{sold['serial']}/reprint", body).ok())


def _code(printed: dict[str, Any]) -> str:
    return str(json.loads(b64decode(printed["content"]))["code"])


class Player:
    def __init__(self, house: House) -> None:
        self.stranger = house.stranger()

    def finds_wrong(self, code: str, serial: str) -> list[str]:
        """What does not hold of the receipt with this code."""
        paper, signature = Paper.read(code)
        said = self.stranger.post("/verify/paper.json", {"serial": serial, "paper": code}).ok()
        right = {
            "signature": any(
                key.id == paper.receipt_key and paper.is_signed(signature, by=key.public) for key in self._keys()
            ),
            "ticket": said["leaf"] == paper.leaf.hex(),
            "promise": said["commitment"] == (paper.commitment.hex() if any(paper.commitment) else None),
            "history": self._is_continued(paper),
        }
        return [what for what, holds in right.items() if not holds]

    def is_in(self, code: str, serial: str, game: int) -> bool:
        """Whether the house can show that the ticket of this paper is in the sealed set of a game."""
        paper, _ = Paper.read(code)
        answer = self.stranger.post("/verify/ticket.json", {"serial": serial, "game": game})
        if answer.status != 200:
            return False
        (found,) = answer.body["games"]
        entry, sealed = found["entry"], self.stranger.get(f"/verify/games/{game}.json").ok()["sealed"]
        path = [bytes.fromhex(part) for part in entry["path"]]
        return check_inclusion(
            paper.leaf, entry["index"], sealed["ticket_count"], path, bytes.fromhex(sealed["ticket_root"])
        )

    def _keys(self) -> list[VerifierKey]:
        lines: list[str] = self.stranger.get("/log/keys").ok().splitlines()
        return [VerifierKey.parse(line) for line in lines if line.startswith("meterhouse.receipts/")]

    def _is_continued(self, paper: Paper) -> bool:
        note = Note.parse(self.stranger.get("/log/checkpoint").ok().encode())
        head = Checkpoint.parse(note.text)
        if head.origin != paper.origin or head.size < paper.size:
            return False
        proof = self.stranger.get(f"/log/proof/consistency?old={paper.size}&new={head.size}").ok()
        return check_consistency(paper.size, paper.root, head.size, head.root, [b64decode(part) for part in proof])
