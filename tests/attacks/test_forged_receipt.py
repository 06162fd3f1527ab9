"""Somebody prints receipts himself: with a key of his own, with another leaf in a real one, or from another house.

What stops it: the receipt key's signature is over all of it, the key is named in the log, and the security code is not
his to make. What would not be stopped: whoever has the receipt key signs receipts; what he cannot make is their place
in a sealed root.
"""

from __future__ import annotations

from dataclasses import replace

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from kernel.paper import Paper
from ledger.keys import signing
from tests.attacks.counter import pay, sell
from tests.attacks.insider import House
from tests.attacks.operator import Operator
from tests.attacks.player import Player, receipt, seal

FORGER = Ed25519PrivateKey.from_private_bytes(bytes([7]) * 32)


def test_a_signature_of_his_own(operator: Operator, house: House) -> None:
    writer, player = house.insider("writer"), Player(house)
    seal()
    sold = sell(writer)
    paper, signature = Paper.read(receipt(writer, sold))
    assert player.finds_wrong(paper.signed(FORGER.sign), sold["serial"]) == ["signature"]
    # Another leaf under the house's own signature.
    other = replace(paper, leaf=bytes(32))
    assert player.finds_wrong(other.signed(lambda _: signature), sold["serial"]) == ["signature", "ticket"]
    with house.unchanged():
        assert pay(writer, sold | {"security_code": "0" * 16}).refused("security-code-wrong")


def test_a_receipt_of_another_log(operator: Operator, house: House) -> None:
    """Signed by the right key, and with a head of a log that is not this one: or of this one, with another root."""
    writer, player = house.insider("writer"), Player(house)
    seal()
    sold = sell(writer)
    paper, _ = Paper.read(receipt(writer, sold))
    key = signing("receipt")

    def signed(other: Paper) -> str:
        return other.signed(lambda statement: key.sign(b"", statement))

    assert player.finds_wrong(signed(paper), sold["serial"]) == []
    for other in (
        replace(paper, origin="meterhouse.log/other"),
        replace(paper, root=bytes(32)),
        replace(paper, size=paper.size - 1),
        replace(paper, size=10**9),
    ):
        assert player.finds_wrong(signed(other), sold["serial"]) == ["history"], other
