"""Two do something to one thing at once, and who came second has the lower number in the log: the house lets him try
again. A call has its number with its request key, before it holds what it changes; the log is in the order of numbers.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from functools import partial
from io import BytesIO
from typing import Any

import pytest
from django.db import connection, transaction
from django.utils import timezone

from house.approvals import approve
from house.demo import build_demo
from house.models import Proposal
from house.seed import seed
from kernel.money import Money
from kernel.refusal import Busy
from ledger.log import refuse_overtaken
from ledger.models import Act
from ledger.seal import begin_log
from promotions.calls import call_winner, winner_absent
from promotions.losses import second_loss, sign_loss
from promotions.models import Draw, Loss, Win
from promotions.void import propose_void
from tablegames import demo as tablegames_demo
from tablegames import notices, seats
from tablegames.higher_maximum import propose_higher_maximum
from tablegames.models import SignMarker, SignNotice
from tablegames.rules.signs import Limits
from tablegames.rules.terms import Limit
from tests.world import small_rooms
from tests.world.falsified import Exported
from tests.world.promotions import prize
from tests.world.small_house import exported_now
from tests.world.small_rooms import AUDITOR, INSPECTOR, MANAGER, SUPERVISOR
from tests.world.threads import overtaken
from tests.world.witness import RunningWitness
from verify.verifier import verify


@pytest.fixture
def house(witness: RunningWitness) -> None:
    begin_log()
    witness.watch()
    seed()
    build_demo()


def tried_again(slow: Callable[[], Any], quick: Callable[[], Any], *, state: Callable[[], object]) -> Any:
    """Who is overtaken is told so, and nothing of his is done; the second time he comes after it. His answer."""
    after: list[object] = []

    def first() -> None:
        quick()
        after.append((state(), Act.objects.count()))

    with pytest.raises(Busy):
        overtaken(slow, first)
    assert after == [(state(), Act.objects.count())]
    return slow()


def right(exported: Exported) -> bool:
    return bool(verify(BytesIO(exported.raw)).rows)


def _absent(code: str) -> Win:
    (win,) = small_rooms._wins(code)
    call_winner(win_id=win.pk, by=SUPERVISOR, now=win.won_at)
    winner_absent(win_id=win.pk, by=SUPERVISOR, now=win.won_at + timedelta(seconds=61))
    return win


@pytest.mark.usefixtures("house")
def test_a_draw_is_declared_void_as_a_loss_is_signed() -> None:
    present: dict[str, Any] = {"must_be_present": True, "call_seconds": 60}
    small_rooms._drawn("VOID", "ABCDEF", overseen=True, prizes=[prize(alternates=1)], **present)
    win = _absent("VOID")
    second_loss(win_id=win.pk, by=MANAGER)
    void = propose_void(code="VOID", then="again", why="The hall was cleared.", by=SUPERVISOR)
    approve(proposal_id=void.pk, by=MANAGER)
    done = tried_again(
        partial(approve, proposal_id=void.pk, by=INSPECTOR),
        partial(sign_loss, win_id=win.pk, by=AUDITOR),
        state=lambda: (Proposal.objects.get().status, Draw.objects.get().voided_at, Loss.objects.count()),
    )
    assert (done.status, Loss.objects.count()) == ("effective", 1)
    assert Draw.objects.exclude(voided_at=None).count() == 1
    assert right(exported_now())


@pytest.mark.usefixtures("house")
def test_a_player_has_a_sign_of_his_own_as_a_notice_is_put_up() -> None:
    tablegames_demo.build_demo()
    seat = seats.seat_player(table="CSP-01", box=1, by=SUPERVISOR)
    own = propose_higher_maximum(
        table="CSP-01", seat=seat.pk, limits=_ante(50, 1_000), why="A known player.", by=SUPERVISOR
    )
    raised = partial(notices.raise_minimum_at_once, table="CSP-01", limits=_ante(25, 200), by=SUPERVISOR)
    tried_again(
        partial(approve, proposal_id=own.pk, by=MANAGER),
        raised,
        state=lambda: (SignMarker.objects.count(), SignNotice.objects.count(), Proposal.objects.get().status),
    )
    later = timezone.now() + timedelta(minutes=25)
    tried_again(
        partial(notices.announce_limits, table="CSP-01", limits=_ante(30, 200), takes_effect_at=later, by=SUPERVISOR),
        partial(seats.seat_player, table="CSP-01", box=2, by=SUPERVISOR),
        state=SignNotice.objects.count,
    )
    assert right(exported_now())


def _ante(low: int, high: int) -> Limits:
    return {"ante": Limit(Money.dollars(low), Money.dollars(high))}


@pytest.mark.usefixtures("house")
def test_the_inspector_decides_as_a_second_person_stands_behind_it() -> None:
    """Both hold the proposal, and who decides began before."""
    small_rooms._drawn("VOID", "ABCDEF")
    void = propose_void(code="VOID", then="again", why="The hall was cleared.", by=SUPERVISOR)
    done = tried_again(
        partial(approve, proposal_id=void.pk, by=INSPECTOR),
        partial(approve, proposal_id=void.pk, by=MANAGER),
        state=lambda: (Proposal.objects.get().status, Proposal.objects.get().seconded_by),
    )
    assert done.status == "effective"
    assert right(exported_now())


@pytest.mark.django_db(transaction=True)
def test_whoever_has_no_number_yet_is_overtaken_by_nobody() -> None:
    """He will have a higher one than everybody who has written."""
    with connection.cursor() as cursor, transaction.atomic():
        refuse_overtaken("venue")
        cursor.execute("SELECT pg_current_xact_id_if_assigned()")
        assert cursor.fetchone() == (None,)
