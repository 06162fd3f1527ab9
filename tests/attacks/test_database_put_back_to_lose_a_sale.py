"""A sale is made not to have been: the operator puts back the database of before it, and goes on.

What stops it: the witness has cosigned the head with the sale in it. Every start and every tick compare, and from the
witness's own signature on no money moves. Not stopped: rows that no head was cosigned over yet, those of the last few
seconds; the ticket in the player's hand names the head before it. And an operator who keeps the witness's answers from
the house goes on for as long as games are promised: the next head that he shows says it.
"""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from kernel.refusal import Busy
from ledger import witnesses
from ledger.acts import LogRewound, WitnessAppointed
from ledger.cosign import cosign_now
from ledger.export import export
from ledger.log import write_act
from ledger.models import Act, Transfer
from ledger.post import post
from ledger.rewound import recognise
from ledger.seal import seal_now
from tests.world.books import ANNA, DAY, booking, open_books
from tests.world.owner import unguarded
from tests.world.rewound import another_witness, go_back, sold_and_cosigned
from tests.world.witness import RunningWitness
from verify.result import Wrong
from verify.verifier import verify

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def _put_back(witness: RunningWitness) -> None:
    open_books()
    seal_now()
    assert cosign_now()
    sold_and_cosigned()
    go_back()


def refuses_to_sell() -> None:
    before = Transfer.objects.count()
    with pytest.raises(Busy) as refused:
        post(booking=booking(), by=ANNA, day=DAY)
    assert refused.value.code == "log-rewound"
    assert Transfer.objects.count() == before


def test_the_next_start_finds_it_and_nothing_is_sold() -> None:
    assert recognise()
    refuses_to_sell()


def test_deleting_what_was_found_helps_until_somebody_looks_again() -> None:
    recognise()
    with unguarded("ledger_act") as cursor:
        cursor.execute("DELETE FROM ledger_act WHERE kind = %s", [LogRewound.kind])
    seal_now()
    assert recognise()
    refuses_to_sell()


def test_a_witness_of_his_own_at_the_address_lifts_nothing(witness: RunningWitness, tmp_path: Path) -> None:
    recognise()
    another_witness(witness, tmp_path / "his")
    seal_now()
    assert not cosign_now()
    refuses_to_sell()


def test_an_appointment_of_his_own_is_found_by_everybody(witness: RunningWitness, tmp_path: Path) -> None:
    """With the run of the database he writes the inspector's act; the export shows that nobody approved it."""
    recognise()
    before = witnesses.current()
    assert before is not None
    another_witness(witness, tmp_path / "his")
    his = witnesses.offered_witness()
    assert his is not None
    write_act(WitnessAppointed(witness=his, before=before.name, last_number=0), by=ANNA)
    post(booking=booking(), by=ANNA, day=DAY)
    seal_now()
    assert Act.objects.filter(kind=LogRewound.kind).exists()
    taken_home = io.BytesIO()
    export(to=taken_home, by=ANNA, venue="Test Casino")
    taken_home.seek(0)
    with pytest.raises(Wrong, match="nobody has approved that"):
        verify(taken_home)
