"""Trust does not begin with the server under test: whose keys they are is shown before anybody signs in."""

from __future__ import annotations

from django.test import Client

from kernel.hand_over import fingerprint
from ledger.checkpoints import fingerprints
from ledger.seal import seal_now
from ledger.statements import in_fours
from tests.world.witness import RunningWitness
from web.report_paper import as_pdf
from web.reports import Report, as_csv


def test_both_keys_are_on_the_sign_in_page_on_the_boards_and_where_players_check(
    witness: RunningWitness, client: Client
) -> None:
    seal_now()
    shown = dict(fingerprints())
    assert shown["witness"] == in_fours(fingerprint(witness.memory.keys.cosigner.public))
    for path in ("/sign-in/", "/verify/", "/signage/keno", "/signage/jackpots"):
        page = client.get(path).content.decode()
        assert all(key in page for key in shown.values()), path
    # A board on the wall is told of another key by the feed, and takes it.
    assert client.get("/signage/feed.json").json()["keys"] == shown


def test_a_report_on_paper_carries_them_below_the_head() -> None:
    made = Report(title="Nothing", columns=("Column",), rows=())
    keys = [("house", "0123 4567"), ("witness", "89ab cdef")]
    assert as_csv(made, foot="head", keys=keys).splitlines()[-2:] == [
        "Key of the house,0123 4567",
        "Key of the witness,89ab cdef",
    ]
    assert as_pdf(made, venue="x", foot="head", keys=keys) != as_pdf(made, venue="x", foot="head")
