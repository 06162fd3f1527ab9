"""Trust does not begin with the server under test: whose keys they are is shown before anybody signs in."""

from __future__ import annotations

from django.test import Client

from kernel.hand_over import fingerprint
from ledger.checkpoints import fingerprints
from ledger.seal import seal_now
from ledger.statements import in_fours
from tests.world.witness import RunningWitness


def test_both_keys_are_on_the_sign_in_page_and_where_players_check(witness: RunningWitness, client: Client) -> None:
    seal_now()
    shown = dict(fingerprints())
    assert shown["witness"] == in_fours(fingerprint(witness.memory.keys.cosigner.public))
    for path in ("/sign-in/", "/verify/"):
        page = client.get(path).content.decode()
        assert all(key in page for key in shown.values()), path
