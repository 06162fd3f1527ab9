"""A file of entries that one person has seen: two reject it whole, its list waits for a second, and the clock is quiet;
what one person entered by hand is shown to whoever seals, oversees or draws."""

from __future__ import annotations

from datetime import timedelta

import pytest

from kernel.actors import Actor
from kernel.refusal import Conflict, Forbidden, Refusal
from ledger.models import Act
from promotions import tick
from promotions.enter import enter
from promotions.entered_by import entered_by
from promotions.imports import begin_import, cancel_import, confirm_import, go_on
from promotions.lifecycle import Status
from promotions.locks import database_time
from promotions.models import Entry, EntryList, Import, Promotion
from promotions.queries import imports_for
from promotions.reject_import import reject_import
from promotions.run import close
from promotions.seal import seal
from promotions.withdraw import withdraw_entry
from tests.world.people import actor
from tests.world.promotion_draws import MINUTE, supervisor
from tests.world.promotions import due, everything, manager, running
from tests.world.refusals import refused_by_database, refused_with

pytestmark = pytest.mark.django_db
WHY = "The file of last month."


def brought_in(*cards: str, code: str = "SPRING", name: str = "coupons.csv") -> Import:
    lines = ["reference,card\n", *(f"coupon {n},{card}\n" for n, card in enumerate(cards))]
    return go_on(begin_import(code=code, name=name, lines=lines, by=manager()).pk)


def reject(made: Import, by: Actor, why: str = WHY) -> Import:
    return reject_import(import_id=made.pk, why=why, by=by)


def test_two_people_reject_it_with_one_act() -> None:
    running()
    enter(code="SPRING", card="C-1", reference="by hand", by=supervisor())
    made = brought_in("C-1", "C-2", "C-3")
    first = Entry.objects.filter(of_import=made).earliest("pk")
    for each in (supervisor(), manager()):  # one of them is out already, for a reason of his own
        withdraw_entry(code="SPRING", number=first.pk, why="An employee.", by=each)
    assert reject(made, manager()).rejected_at is None  # who brought it in may be one of the two
    assert Entry.objects.filter(withdrawn_at=None).count() == 3
    assert reject(made, supervisor(), "Whatever.").rejected_at is not None
    (act,) = Act.objects.filter(kind="promotion.import-rejected")
    assert (act.actor, act.data["withdrawn"], act.data["why"]) == ("staff:sue", 2, WHY)
    standing = Entry.objects.get(withdrawn_at=None)
    assert standing.reference == "by hand"
    out = Entry.objects.filter(of_import=made, rejected=True)
    assert [(each.withdrawn_by, each.withdrawn_why) for each in out] == [("staff:sue", WHY)] * 2
    assert Entry.objects.get(pk=first.pk).withdrawn_why == "An employee."


def test_what_a_rejected_file_held_may_enter_again_and_what_was_withdrawn_may_not() -> None:
    running()
    made = brought_in("C-1", "C-2")
    first = Entry.objects.filter(of_import=made).earliest("pk")
    for each in (supervisor(), manager()):
        withdraw_entry(code="SPRING", number=first.pk, why="An employee.", by=each)
        reject(made, each)
    again = brought_in("C-1", "C-2", name="the right one.csv")
    assert (again.state, again.outcome) == ("refused", "1 of 2 rows are not good: none was entered.")
    assert enter(code="SPRING", card="C-2", reference="coupon 1", by=supervisor()).withdrawn_at is None
    refused_with(
        lambda: enter(code="SPRING", card="C-2", reference="coupon 1", by=supervisor()),
        Conflict,
        code="already-entered",
    )


def test_only_before_the_seal_once_it_is_over_for_a_reason_and_by_two() -> None:
    running()
    begun = begin_import(code="SPRING", name="c.csv", lines=["reference,card\n", "R-1,C-1\n"], by=manager())

    def refused(error: type[Refusal], code: str, made: Import, by: Actor, why: str = WHY) -> None:
        refused_with(lambda: reject(made, by, why), error, code=code, unchanged=everything)

    refused(Conflict, "import-under-way", begun, supervisor())
    cancel_import(import_id=begun.pk, by=manager())
    refused(Conflict, "import-entered-nothing", begun, supervisor())
    made = brought_in("C-1")
    refused(Refusal, "reason-missing", made, supervisor(), " ")
    refused(Refusal, "reason-missing", made, supervisor(), "x" * 201)
    refused(Forbidden, "no-permission", made, actor("device:W-1", "writer"))
    reject(made, supervisor())
    refused(Forbidden, "same-person", made, supervisor())
    confirm_import(import_id=made.pk, by=supervisor())
    closes = due()
    close(code="SPRING", now=closes)
    seal(code="SPRING", now=closes + MINUTE)
    refused(Conflict, "promotion-sealed", made, manager("ben"))
    assert EntryList.objects.get().count == 1


def test_a_confirmed_file_is_rejected_as_well_and_a_rejected_one_not_confirmed() -> None:
    running()
    made = brought_in("C-1")
    confirm_import(import_id=made.pk, by=supervisor())
    for each in (supervisor(), manager("ben")):
        reject(made, each)
    assert not Entry.objects.filter(withdrawn_at=None).exists()
    other = brought_in("C-1", name="again.csv")
    for each in (supervisor(), manager("ben")):
        reject(other, each)
    refused_with(
        lambda: confirm_import(import_id=other.pk, by=supervisor()),
        Conflict,
        code="already-rejected",
        unchanged=everything,
    )


def test_the_clock_waits_in_silence_and_seals_once_it_is_settled(caplog: pytest.LogCaptureFixture) -> None:
    running()
    made = brought_in("C-1", "C-2")
    close(code="SPRING", now=due())
    now = database_time()
    Promotion.objects.update(
        starts_at=now - timedelta(days=8), closes_at=now - timedelta(hours=1), draw_at=now + MINUTE
    )
    with caplog.at_level("INFO", logger="promotions.tick"):
        tick.tick(now)
    assert caplog.records == []
    assert tick.due(now) is None
    assert not EntryList.objects.exists()
    # Who has not brought it in is told on the home page, and on the promotion's own.
    assert list(imports_for(manager())) == []
    assert list(imports_for(supervisor())) == [made]
    assert entered_by(made.promotion).unconfirmed == [made]
    reject(made, supervisor())
    assert list(imports_for(supervisor())) == []
    assert list(imports_for(manager())) == [made]
    reject(made, manager())
    assert list(imports_for(manager("ben"))) == []
    tick.tick(now)
    assert (EntryList.objects.get().count, Promotion.objects.get().status) == (0, Status.SEALED)


def test_the_database_seals_nothing_that_one_person_has_seen_and_keeps_what_was_said() -> None:
    running()
    made = brought_in("C-1")
    closes = due()
    close(code="SPRING", now=closes)

    def write() -> None:
        EntryList.objects.create(
            promotion=made.promotion, number=1, root=bytes(32), count=1, sealed_at=closes, sealed_by="staff:mona"
        )

    assert "seen by one person only" in refused_by_database(write)
    assert "update" in refused_by_database(Import.objects.filter(pk=made.pk).update, entered=0)
    confirm_import(import_id=made.pk, by=supervisor())
    assert "update" in refused_by_database(
        Import.objects.filter(pk=made.pk).update, confirmed_at=None, confirmed_by=None
    )
    write()


def test_whoever_seals_or_oversees_sees_who_entered_whom() -> None:
    promotion = running()
    for n in range(5):
        enter(code="SPRING", card="C-F", reference=f"mine {n}", by=supervisor())
    enter(code="SPRING", card="C-1", reference="other 1", by=supervisor())
    enter(code="SPRING", card="C-1", reference="other 2", by=manager("ben"))
    made = brought_in("C-2", "C-3")
    confirm_import(import_id=made.pk, by=supervisor())
    seen = entered_by(promotion)
    assert [(each.entries, each.entrants) for each in seen.by_hand] == [(6, 2), (1, 1)]
    friend = Entry.objects.get(reference="mine 0").entrant_id
    assert [(each.entrant, each.entries) for each in seen.most] == [(friend, 5)]
    assert [(each.made.pk, bool(each.second)) for each in seen.files] == [(made.pk, True)]
    assert seen.unconfirmed == []
    assert Entry.objects.filter(source="csv").count() == 2
