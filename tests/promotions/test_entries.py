"""Entering: who may, how often, with which wager, until when; and what the list of them is sealed as."""

from __future__ import annotations

from functools import partial
from typing import Any
from uuid import uuid4

import pytest
from django.db import DatabaseError, transaction

from chance.proof import entry_leaf, entry_steps, holds
from kernel.actors import Actor
from kernel.merkle import EMPTY_ROOT, root_of
from kernel.money import Money
from kernel.refusal import Conflict, Forbidden, NotFound
from ledger.models import Act
from promotions import leaves, tree
from promotions.enter import enter
from promotions.exclude import confirm_exclusion, exclude_card, readmit_card
from promotions.locks import database_time
from promotions.models import Entry, EntryList, Person, Promotion
from promotions.people import Contact
from promotions.run import close
from promotions.seal import entry_proof, seal_list, void_list
from promotions.withdraw import withdraw_entry
from tests.world import promotions as at
from tests.world.people import actor
from tests.world.promotion_draws import supervisor
from tests.world.promotions import refused, root_again

pytestmark = pytest.mark.django_db

ANNA = Contact(name="Anna Marsh", address="1 High Street", telephone="0400 111 222", email="anna@example.org")


def writer() -> Actor:
    return actor("device:W-1", "writer")


def closed() -> None:
    at.due()
    close(code="SPRING")


def test_an_entry_is_a_number_a_person_and_a_leaf() -> None:
    at.running()
    entry = enter(code="SPRING", card="c-1001", contact=ANNA, reference="coupon 7", by=writer())
    assert (entry.entrant.identity, entry.reference, entry.source) == ("player:P-C-1001", "coupon 7", "staff")
    assert entry.entrant.person.address == "1 High Street"
    assert entry.salt is not None
    text = leaves.text(code="SPRING", number=entry.pk, identity="player:P-C-1001", salt=entry.salt)
    assert text == f'{{"entrant":"player:P-C-1001","number":{entry.pk},"promotion":"SPRING","salt":"{entry.salt}"}}'
    assert bytes(entry.leaf) == entry_leaf(text)  # written by SQL, read by the rules
    again = enter(code="SPRING", card="C-1001", by=writer())
    assert again.entrant == entry.entrant
    assert Person.objects.count() == 1


def test_a_person_is_not_in_the_log() -> None:
    at.running()
    enter(code="SPRING", card="C-1001", contact=ANNA, by=writer())
    written = str(list(Act.objects.values_list("data", flat=True)))
    for word in ("Anna", "High Street", "0400", "example.org", "C-1001"):
        assert word not in written


@pytest.mark.clause("nsw-promo-2025:17.7.1-11", "nsw-promo-2019:15.7")
@pytest.mark.parametrize(("edition", "rule"), [("2019", "nsw-promo-2019:15"), ("2025", "nsw-promo-2025:17")])
def test_eligibility_minimum_wager_and_limit_are_those_of_the_terms(edition: str, rule: str) -> None:
    at.running(edition=edition, minimum_wager="20.00", limit_per_person=2)
    wagered = Money.parse("20.00")
    refused(lambda: enter(code="SPRING", by=writer(), contact=ANNA, wagered=wagered), clause=f"{rule}.7.3")
    for too_little in (None, Money.parse("19.99")):
        refused(
            partial(enter, code="SPRING", card="C-1", by=writer(), wagered=too_little),
            code="wager-too-small",
            clause=f"{rule}.7.4",
        )
    enter(code="SPRING", card="C-1", by=writer(), wagered=wagered)
    enter(code="SPRING", card="C-1", by=writer(), wagered=wagered)
    refused(
        lambda: enter(code="SPRING", card="c-1", by=writer(), wagered=wagered),
        code="limit-reached",
        clause=f"{rule}.7.3",
    )
    enter(code="SPRING", card="C-2", by=writer(), wagered=wagered)


def test_without_a_card_an_email_address_or_a_telephone_number_is_who_it_is() -> None:
    at.running(card_required=False, limit_per_person=1)
    by_mail = enter(code="SPRING", contact=Contact(name="Bo", email=" Bo@Example.org "), by=writer())
    assert by_mail.entrant.identity == "email:bo@example.org"
    by_phone = enter(code="SPRING", contact=Contact(name="Bo", telephone="(02) 9000-1234"), by=writer())
    assert by_phone.entrant.identity == "phone:0290001234"
    refused(
        lambda: enter(code="SPRING", contact=Contact(name="Bo", telephone="02 9000 1234"), by=writer()),
        code="limit-reached",
    )
    for odd in (Contact(name="Bo"), Contact(email="a@b.cd"), Contact(name="Bo", email='"@x.org'), Contact("B" * 121)):
        refused(partial(enter, code="SPRING", contact=odd, by=writer()), code="entrant-unreadable")
    for card in ("C.1", "C'1", "Ç1", "-1", "9" * 33, "С-1"):
        refused(partial(enter, code="SPRING", card=card, by=writer()), code="entrant-unreadable")


@pytest.mark.clause("nsw-promo-2025:17.7.1-11")
def test_employees_do_not_enter() -> None:
    at.running()
    exclude_card(card="c-7", why="employee", by=at.manager())
    refused(lambda: enter(code="SPRING", card="C-7", by=writer()), code="not-eligible", clause="nsw-promo-2025:17.7.3")
    refused(lambda: exclude_card(card="C-7", why="employee", by=at.manager()), Conflict, code="already-excluded")
    refused(lambda: exclude_card(card="C-8", why="envy", by=at.manager()), code="no-such-reason")
    refused(lambda: readmit_card(card="C-8", by=at.manager()), NotFound)
    refused(lambda: exclude_card(card="C-8", why="employee", by=writer()), Forbidden)
    refused(lambda: confirm_exclusion(card="C-7", by=at.manager()), Forbidden, code="same-person")
    refused(lambda: confirm_exclusion(card="C-8", by=at.manager("ben")), NotFound)
    assert confirm_exclusion(card="c-7", by=at.manager("ben")).confirmed_by == "staff:ben"
    refused(lambda: confirm_exclusion(card="C-7", by=at.manager("cy")), Conflict, code="already-confirmed")
    refused(lambda: readmit_card(card="C-7", by=at.manager()), Forbidden, code="same-person")
    assert readmit_card(card="C-7", by=at.manager("ben")).removed_at is None
    refused(lambda: readmit_card(card="C-7", by=at.manager("ben")), Forbidden, code="same-person")
    refused(lambda: enter(code="SPRING", card="C-7", by=writer()), code="not-eligible")
    assert readmit_card(card="C-7", by=at.manager("cy")).removed_by == "staff:cy"
    enter(code="SPRING", card="C-7", by=writer())


def test_the_same_reference_enters_once() -> None:
    at.running()
    enter(code="SPRING", card="C-1", reference="coupon 7", by=writer())
    refused(
        lambda: enter(code="SPRING", card="C-2", reference=" coupon 7 ", by=writer()), Conflict, code="already-entered"
    )
    refused(lambda: enter(code="SPRING", card="C-2", reference="7" * 101, by=writer()), code="reference-too-long")
    at.running("AUTUMN")
    enter(code="AUTUMN", card="C-1", reference="coupon 7", by=writer())  # another promotion, another coupon


@pytest.mark.clause("nsw-promo-2025:17.7.1-11", "nsw-promo-2019:15.7")
def test_entries_close_to_the_second_whether_anybody_has_closed_it_or_not() -> None:
    at.running()
    enter(code="SPRING", card="C-1", by=writer())
    at.due()
    refused(
        lambda: enter(code="SPRING", card="C-2", by=writer()),
        Conflict,
        code="entries-closed",
        clause="nsw-promo-2025:17.7.6",
    )
    close(code="SPRING")
    refused(lambda: enter(code="SPRING", card="C-2", by=writer()), Conflict, code="promotion-closed")


def test_nothing_enters_a_promotion_that_does_not_run_whoever_writes_it() -> None:
    promotion = at.running()
    entry = enter(code="SPRING", card="C-1", by=writer())
    closed()
    with pytest.raises(DatabaseError, match="only while a promotion runs"), transaction.atomic():
        Entry.objects.create(
            promotion=promotion, entrant=entry.entrant, source="staff", reference="x", salt=uuid4(), leaf=b"x" * 32
        )
    at.running("OTHER")
    with pytest.raises(DatabaseError, match="of an entrant of its promotion"), transaction.atomic():
        Entry.objects.create(
            promotion=Promotion.objects.get(code="OTHER"),
            entrant=entry.entrant,
            source="staff",
            reference="x",
            salt=uuid4(),
            leaf=b"x" * 32,
        )
    with pytest.raises(DatabaseError), transaction.atomic():
        Entry.objects.all().delete()
    for change in ({"leaf": b"y" * 32}, {"salt": uuid4()}, {"reference": "z"}, {"entered_by": "x"}):
        with pytest.raises(DatabaseError), transaction.atomic():
            Entry.objects.update(**change)


def test_a_draft_takes_no_entries_and_rights_are_asked_for() -> None:
    at.drafted()
    refused(lambda: enter(code="SPRING", card="C-1", by=writer()), Conflict, code="promotion-draft")
    refused(lambda: enter(code="NONE", card="C-1", by=writer()), NotFound)
    refused(lambda: enter(code="SPRING", card="C-1", by=actor("device:S", "signage")), Forbidden)


def test_an_entry_is_withdrawn_with_a_reason_until_the_list_is_sealed() -> None:
    at.running(limit_per_person=1)
    one = enter(code="SPRING", card="C-1", by=writer())
    two = enter(code="SPRING", card="C-2", by=writer())
    refused(lambda: withdraw_entry(code="SPRING", number=one.pk, why="", by=at.manager()), code="reason-missing")
    refused(lambda: withdraw_entry(code="SPRING", number=0, why="Who?", by=at.manager()), NotFound)
    withdraw_entry(code="SPRING", number=one.pk, why="Under 18.", by=at.manager())
    # One person alone could leave in his friend's: it stands until another says so, too.
    assert Entry.objects.get(pk=one.pk).withdrawn_at is None
    refused(
        lambda: withdraw_entry(code="SPRING", number=one.pk, why="I say so.", by=at.manager()),
        Forbidden,
        code="same-person",
    )
    withdraw_entry(code="SPRING", number=one.pk, why="Yes.", by=supervisor())
    gone = Entry.objects.get(pk=one.pk)
    assert (gone.withdrawn_by, gone.withdrawn_why) == (supervisor().identity, "Under 18.")
    refused(
        lambda: withdraw_entry(code="SPRING", number=one.pk, why="Again.", by=at.manager()),
        Conflict,
        code="already-withdrawn",
    )
    enter(code="SPRING", card="C-1", by=writer())  # the limit counts what stands
    closed()
    sealed = seal_list(code="SPRING", by=at.manager())
    assert sealed.count == 2
    refused(
        lambda: withdraw_entry(code="SPRING", number=two.pk, why="Late.", by=at.manager()),
        Conflict,
        code="promotion-sealed",
    )
    with pytest.raises(DatabaseError, match="sealed"), transaction.atomic():
        Entry.objects.filter(pk=two.pk).update(withdrawn_at=sealed.sealed_at, withdrawn_by="x", withdrawn_why="x")


def test_the_sealed_list_is_one_root_over_every_standing_entry_and_published_as_an_act(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(tree, "BATCH_LEAVES", 3)  # batches must not show
    at.running()
    numbers = [enter(code="SPRING", card=f"C-{n}", by=writer()).pk for n in range(10)]
    for each in (at.manager(), supervisor()):
        withdraw_entry(code="SPRING", number=numbers[4], why="An employee after all.", by=each)
    withdraw_entry(code="SPRING", number=numbers[5], why="One person alone.", by=at.manager())
    refused(lambda: seal_list(code="SPRING", by=at.manager()), Conflict, code="promotion-running")
    closed()
    sealed = seal_list(code="SPRING", by=at.manager())
    standing = Entry.objects.filter(withdrawn_at=None).order_by("id").select_related("entrant")
    expected = root_of(at.leaf_of(each) for each in standing)
    assert (bytes(sealed.root), sealed.count) == (expected, 9)
    act = Act.objects.get(kind="promotion.entries-sealed")
    assert act.data["entry_root"] == expected.hex()
    assert (act.data["entry_count"], act.data["promotion"], act.subject) == (9, "SPRING", "promotion:SPRING")
    assert Promotion.objects.get().status == "sealed"
    assert root_again(Promotion.objects.get()) == expected
    refused(lambda: seal_list(code="SPRING", by=at.manager()), Conflict, code="promotion-sealed")
    with pytest.raises(DatabaseError), transaction.atomic():
        EntryList.objects.update(count=10)


def test_a_player_proves_that_his_entry_was_in_the_list() -> None:
    at.running()
    numbers = [enter(code="SPRING", card=f"C-{n}", by=writer()).pk for n in range(5)]
    closed()
    sealed = seal_list(code="SPRING", by=at.manager())
    under: dict[str, Any] = {"ticket_root": bytes(sealed.root), "ticket_count": sealed.count}
    for place, number in enumerate(numbers):
        proof = entry_proof(code="SPRING", number=number)
        assert proof["index"] == place
        assert holds(entry_steps(proof, **under))
        assert not holds(entry_steps(proof | {"entry": proof["entry"].replace("player:", "p:")}, **under))
    refused(lambda: entry_proof(code="SPRING", number=0), NotFound)


def test_an_empty_list_is_sealed_too_and_a_void_one_can_follow() -> None:
    promotion = at.running()
    refused(lambda: entry_proof(code="SPRING", number=1), Conflict, code="list-not-sealed")
    closed()
    first = seal_list(code="SPRING", by=at.manager())
    assert (bytes(first.root), first.count) == (EMPTY_ROOT, 0)
    promotion.refresh_from_db()
    with transaction.atomic():
        void_list(promotion, why="A coupon box was found.", by=at.manager(), now=database_time())
        Promotion.objects.update(status="postponed", resumes_as="closed", over_reason="A box was found.")
        Promotion.objects.update(status="closed", resumes_as="")
    second = seal_list(code="SPRING", by=at.manager())
    assert (second.number, EntryList.objects.count()) == (2, 2)
    assert Act.objects.filter(kind="promotion.list-void").count() == 1
