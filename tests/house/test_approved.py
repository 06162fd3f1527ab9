"""Approved values: kept in versions for good, read through their shape, with the authority that the rule asks for."""

from __future__ import annotations

from functools import partial
from typing import Any

import jsonschema_rs
import pytest
from django.db import DatabaseError, transaction
from django.utils import timezone

from house import approved
from house.approvals import approve, kinds, propose
from house.models import ApprovedValue, Proposal
from kernel.actors import Actor
from kernel.authority import Authority
from kernel.refusal import Malformed
from ledger.models import Act
from tests.world.approvals import INSPECTOR, SYSTEM
from web.schema import document

ANNA = Actor("staff:anna", "Anna")
KIND, CODE = "keno.voucher-type", "DINE"


def approved_proposal() -> Proposal:
    return Proposal.objects.create(
        kind=KIND,
        subject=f"voucher-type:{CODE}",
        authority=Authority.INSPECTOR,
        why="Guests ask.",
        status="approved",
        proposed_by="staff:ben",
        proposed_at=timezone.now(),
        decided_by="staff:ines",
        decided_at=timezone.now(),
    )


@pytest.mark.django_db
def test_the_latest_version_is_in_force_and_older_ones_stay() -> None:
    assert approved.in_force(KIND, CODE) is None
    first = approved.install(KIND, CODE, {"name": "Dinner"}, by=SYSTEM, authority=Authority.INSPECTOR)
    second = approved.put_in_force(KIND, CODE, {"name": "Supper"}, by=ANNA, proposal=approved_proposal())
    assert (first.version, second.version, second.approved_by) == (1, 2, "staff:anna")
    assert approved.in_force(KIND, CODE) == second
    assert approved.in_force(KIND, CODE, at=first.since) == first
    assert approved.all_in_force(KIND) == [second]
    approved.put_in_force(KIND, CODE, None, by=ANNA, proposal=approved_proposal())
    assert approved.in_force(KIND, CODE) is None
    assert approved.all_in_force(KIND) == []
    assert approved.first(KIND, CODE) == first


@pytest.mark.django_db
def test_nothing_is_put_in_force_that_nobody_approved() -> None:
    """Only the system begins with a value, only a first one; what a proposal puts in force has been approved."""
    install = partial(approved.install, KIND, CODE, {"name": "Dinner"}, authority=Authority.INSPECTOR)
    with pytest.raises(ValueError, match="nobody has approved"):
        install(by=ANNA)
    waiting = approved_proposal()
    waiting.status = "proposed"
    with pytest.raises(ValueError, match="nobody has approved"):
        approved.put_in_force(KIND, CODE, {"name": "Dinner"}, by=ANNA, proposal=waiting)
    assert not ApprovedValue.objects.exists()
    version = install(by=SYSTEM)
    assert approved.standing(version).basis == "demo"
    with pytest.raises(ValueError, match="a version already"):
        install(by=SYSTEM)
    assert Act.objects.filter(kind="approval.installed").values_list("actor", flat=True).get() == "system:test"


@pytest.mark.django_db
def test_the_database_refuses_to_change_or_delete_one() -> None:
    version = approved.install(KIND, CODE, {"name": "Dinner"}, by=SYSTEM, authority=Authority.INSPECTOR)
    for change in (
        lambda: ApprovedValue.objects.filter(pk=version.pk).update(approved_by="staff:ben"),
        lambda: ApprovedValue.objects.filter(pk=version.pk).delete(),
        lambda: ApprovedValue.objects.create(
            kind=KIND, code=CODE, version=1, authority="house", approved_by="system:x"
        ),
        lambda: ApprovedValue.objects.create(
            kind=KIND, code=CODE, version=2, authority="nobody", approved_by="system:x"
        ),
        # Nobody is put in the place of a decision: without a proposal it is the system's.
        lambda: ApprovedValue.objects.create(
            kind=KIND, code=CODE, version=2, authority="inspector", approved_by="staff:ines"
        ),
    ):
        with pytest.raises(DatabaseError), transaction.atomic():
            change()
    assert ApprovedValue.objects.get() == version


@pytest.mark.parametrize(
    ("kind", "authority"),
    [
        ("keno.special-3", Authority.INSPECTOR),
        ("keno.jackpot-ratio", Authority.INSPECTOR),
        ("keno.bonus", Authority.INSPECTOR),
        ("keno.claim", Authority.INSPECTOR),
        ("keno.tournament", Authority.INSPECTOR),
        ("promotions.tournament", Authority.INSPECTOR),
        ("keno.amount", Authority.HOUSE),
        ("house.opening-hours", Authority.HOUSE),
        ("signage.look", Authority.HOUSE),
    ],
)
def test_whose_approval_the_rule_asks_for(kind: str, authority: Authority) -> None:
    assert kinds()[kind].authority("", None) is authority


def test_a_links_authority_is_that_of_the_rule_it_cites() -> None:
    from jackpot.demo import BOOM, CSP, GJ
    from jackpot.terms import authority

    assert [authority(each) for each in (CSP, BOOM, GJ)] == [
        Authority.COMMISSION,
        Authority.INSPECTOR,
        Authority.INSPECTOR,
    ]


@pytest.mark.django_db
def test_a_proposal_keeps_its_authority_and_so_does_what_it_puts_in_force() -> None:
    anna = Actor("staff:anna", "Anna", frozenset({"approvals.propose"}))
    made = propose(kind=KIND, subject=f"voucher-type:{CODE}", new={"name": "Dinner"}, why="Guests ask.", by=anna)
    assert made.authority == "inspector"
    assert approve(proposal_id=made.pk, by=INSPECTOR).status == "effective"
    version = approved.in_force(KIND, CODE)
    assert version is not None
    assert (version.authority, version.proposal, version.approved_by) == ("inspector", made, "staff:inspector")


@pytest.mark.django_db
def test_a_refusal_names_the_part_that_cannot_be_read() -> None:
    everything = Actor("staff:anna", "Anna", frozenset({"approvals.propose"}))
    bonus = {"name": "x", "first_game": 1, "last_game": 2, "spots": 3, "matches": 3, "prize": 10, "per": "dollar",
             "budget": "5.00", "fund": "house"}  # fmt: skip
    with pytest.raises(Malformed) as refused:
        propose(kind="keno.bonus", subject="bonus:X", new=bonus, why="?", by=everything)
    assert (refused.value.code, refused.value.field) == ("value-not-readable", "new.prize")
    assert not Proposal.objects.exists()


def test_the_document_has_every_kind_and_tells_them_apart() -> None:
    schemas = document()["components"]["schemas"]
    assert set(schemas["ProposalIn"]["discriminator"]["mapping"]) == set(kinds())
    asks = jsonschema_rs.validator_for(
        {"$ref": "#/components/schemas/ProposalIn", "components": document()["components"]}
    )
    ratio = {"kind": "keno.jackpot-ratio", "subject": "jackpot-ratio:KENO-6", "why": "Faster."}
    whole = {"prize": 2_000, "secondary": 300, "reimbursement": 200}
    assert asks.is_valid(ratio | {"new": whole})
    assert asks.is_valid(ratio | {"new": None})
    wrongs: list[Any] = [{**whole, "prize": "2000"}, {"prize": 2_500}, {**whole, "more": 1}, [], "whole"]
    for wrong in wrongs:
        assert not asks.is_valid(ratio | {"new": wrong})
    assert not asks.is_valid(ratio | {"kind": "house.opening-hours", "new": whole})
