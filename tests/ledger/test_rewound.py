"""A database that went back: found out from the witness's signature, and no money moves until people have decided."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path

import pytest

from kernel.notes import Note
from kernel.refusal import Busy
from ledger import transport, witnesses
from ledger.acts import LogRestored, LogRewound
from ledger.appoint import appoint_witness
from ledger.cosign import cosign_now
from ledger.log import write_act
from ledger.models import Act, Transfer
from ledger.post import post
from ledger.readiness import ready
from ledger.rewound import recognise
from ledger.seal import last_seal, log_origin, seal_now
from tests.ledger.witnessed import checked, trouble
from tests.world.books import ANNA, DAY, booking, open_books
from tests.world.owner import unguarded
from tests.world.rewound import another_witness, go_back, sold_and_cosigned
from tests.world.witness import RunningWitness
from verify.result import Wrong

pytestmark = pytest.mark.django_db(transaction=True)
REWOUND = LogRewound.kind


@pytest.fixture(autouse=True)
def _books(witness: RunningWitness) -> None:
    open_books()
    seal_now()
    assert cosign_now()


def test_a_log_that_goes_on_is_not_doubted(witness: RunningWitness) -> None:
    sold_and_cosigned()
    post(booking=booking(), by=ANNA, day=DAY)
    seal_now()  # one seal ahead of the witness
    assert recognise() == ""
    witness.away()
    assert recognise() == ""
    assert not Act.objects.filter(kind=REWOUND).exists()
    assert ready()


def test_no_money_moves_until_another_witness_is_appointed(witness: RunningWitness, tmp_path: Path) -> None:
    sold_and_cosigned()
    go_back()
    write_act(LogRestored(seal=1, rows=1, root=bytes(last_seal().root)), by=ANNA)  # type: ignore[union-attr]
    before = Transfer.objects.count()
    said = recognise()
    assert "The witness has cosigned" in said
    assert recognise() == said
    found = Act.objects.get(kind=REWOUND)  # once, whoever looks
    seal_now()
    assert not cosign_now()
    assert trouble() == "diverged"
    with pytest.raises(Busy, match="no money moves until another witness is appointed") as refused:
        post(booking=booking(), by=ANNA, day=DAY)
    assert refused.value.code == "log-rewound"
    assert Transfer.objects.count() == before
    with pytest.raises(RuntimeError, match="the log went back"):
        ready()
    attention = checked(tmp_path / "x").attention
    assert any("The log went back: " in each and f"this log had {found.data['size']}" in each for each in attention)
    assert any("restored from a backup 1 times" in each for each in attention)

    another_witness(witness, tmp_path / "second")
    assert recognise() == ""  # and that it is another one lifts nothing
    with pytest.raises(Busy):
        post(booking=booking(), by=ANNA, day=DAY)
    appoint_witness(key=witness.memory.keys.cosigner, last_number=0, by=ANNA)
    post(booking=booking(), by=ANNA, day=DAY)
    assert Transfer.objects.count() == before + 1
    seal_now()
    assert cosign_now()
    assert trouble() == ""
    assert ready()


def test_a_log_that_went_back_and_on_is_found_out_by_its_root(witness: RunningWitness) -> None:
    """Sold again while the witness was away, and longer now than what it knows."""
    sold_and_cosigned()
    go_back()
    for _ in range(3):
        post(booking=booking(), by=ANNA, day=DAY)
        seal_now()
    assert not cosign_now()
    assert trouble() == "diverged"
    assert "another log" in witnesses.state().detail
    assert Act.objects.filter(kind=REWOUND).count() == 1


def test_nobody_stops_a_house_without_the_witness_s_signature(
    witness: RunningWitness, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Who stands at the witness's address, or writes acts, shows what it signed or is not believed."""
    sold_and_cosigned()
    place = f"/{sha256(log_origin().encode()).hexdigest()}/checkpoint"
    own = Note.parse(transport.call(place))
    size = own.text.splitlines()[1]
    forged = Note(own.text.replace(f"\n{size}\n", "\n999999\n", 1), own.signatures)
    with monkeypatch.context() as patched:
        patched.setattr("ledger.rewound.call", lambda path: str(forged).encode())
        assert recognise() == ""
    assert not Act.objects.filter(kind=REWOUND).exists()
    name = witnesses.current().name  # type: ignore[union-attr]
    for note in (forged, own):  # of somebody's making; or true, and no more than the log has
        with unguarded("ledger_act") as cursor:
            cursor.execute("DELETE FROM ledger_act WHERE kind = %s", [REWOUND])
        write_act(LogRewound(witness=name, size=int(size), note=str(note)), by=ANNA)
        seal_now()
        with pytest.raises(Wrong, match="signed nothing that shows it"):
            checked(tmp_path / "x")
        with unguarded("ledger_act", "ledger_seal", "ledger_leaves") as cursor:
            cursor.execute("DELETE FROM ledger_leaves WHERE seal_id = (SELECT max(number) FROM ledger_seal)")
            cursor.execute("DELETE FROM ledger_seal WHERE number = (SELECT max(number) FROM ledger_seal)")
