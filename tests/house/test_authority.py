"""Whose word each thing needs: the table of READING.md ("Approved" is the regulator's word), line by line."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from functools import partial
from typing import Any

import pytest
from django.utils import timezone

from house.approvals import approve, kinds, propose, reject, withdraw
from house.approvals.letters import confirm_letter, countersign, discard_letter, dispute, record_letter
from house.approvals.standing import standing_of
from house.models import Letter, Proposal
from kernel.actors import Actor
from kernel.authority import Authority, strictest
from tests.world import refusals
from tests.world.approvals import CLERK, INSPECTOR, NOTARY, letter_for
from tests.world.people import MANAGER, SUPERVISOR, someone

INSPECTORS, COMMISSIONS, HOUSES = Authority.INSPECTOR, Authority.COMMISSION, Authority.HOUSE

# What the table names, by the clause that says "approved", and the kind of change that it is here.
TABLE: tuple[tuple[str, str, Authority], ...] = (
    ("Keno: system (act-keno:1.1)", "keno.configuration", INSPECTORS),
    ("Keno: ball sets (2.1, 12.4a)", "keno.ball-set", INSPECTORS),
    ("Keno: entry forms (4.4)", "keno.entry-form", INSPECTORS),
    ("Keno: voucher types (4.6)", "keno.voucher-type", INSPECTORS),
    ("Keno: bonus prizes (4.7e)", "keno.bonus", INSPECTORS),
    ("Keno: return to players (11.2)", "keno.unclaimed-to-jackpot", INSPECTORS),
    ("Keno: split of the 25% (5.3)", "keno.jackpot-ratio", INSPECTORS),
    ("Keno: special 3 (8.4)", "keno.special-3", INSPECTORS),
    ("Keno: claim forms (11.1, 11.4, 12.5)", "keno.claim", INSPECTORS),
    ("Keno: tournament conditions (15.2)", "keno.tournament", INSPECTORS),
    ("Keno: the device", "keno.draw-device", INSPECTORS),
    ("every ACT tournament (act-cp:16.2)", "promotions.tournament", INSPECTORS),
    ("promotions: a draw void after asking (DRAWS.md)", "promotions.void-draw", INSPECTORS),
    ("Keno: a draw void after asking (DRAWS.md)", "keno.void-draw", INSPECTORS),
    ("Keno: the other device after asking (DRAWS.md)", "keno.redraw-device", INSPECTORS),
    ("Keno: a game invalidated after asking (DRAWS.md)", "keno.invalidate-game", INSPECTORS),
    ("must-hit-by: a void attempt (two people and the inspector)", "jackpot.void-attempt", INSPECTORS),
    ("jackpots: tax and what else paying a hit asks for", "jackpot.handpay", INSPECTORS),
    ("jackpots: instalments of a hit", "jackpot.instalments", INSPECTORS),
    ("opening hours", "house.opening-hours", HOUSES),
    ("staff roles", "house.staff-roles", HOUSES),
    ("limits", "house.player-protection", HOUSES),
    ("looks", "signage.look", HOUSES),
    ("thresholds", "keno.amount", HOUSES),
    ("everything else: set bets (4.7h)", "keno.set-bet", HOUSES),
    ("everything else: the books", "ledger.adjustment", HOUSES),
    ("everything else: a meter", "jackpot.adjustment", HOUSES),
)
# Whose authority depends on the rule that a link, a table or a promotion is run under.
BY_RULE = {
    "promotions.amendment",
    "jackpot.link",
    "jackpot.terms",
    "jackpot.retirement",
    "jackpot.pay-out",
    "tablegames.table",
    "tablegames.terms",
    "house.role-permissions",
    "house.witness",
}


@pytest.mark.clause("act-keno:def-approved")
@pytest.mark.parametrize(("what", "kind", "authority"), TABLE, ids=[line[0] for line in TABLE])
def test_the_authority_that_the_table_names(what: str, kind: str, authority: Authority) -> None:
    change = kinds()[kind]
    assert change.authority("", None) is authority
    # A right of the house to decide it exists only where the house decides.
    assert (change.permission is not None) == (authority is HOUSES)


def test_every_kind_that_the_table_does_not_name_is_the_houses_own() -> None:
    named = {kind for _, kind, _ in TABLE} | BY_RULE
    for kind, change in kinds().items():
        if kind not in named:
            assert change.authority("", None) is HOUSES, kind


@pytest.mark.django_db
def test_an_amendment_is_its_editions() -> None:
    """2019: the commission approves it first (15.9.1). 2025: it is submitted again, and two of the house decide."""
    from promotions.models import Promotion

    for edition, authority in (("2019", COMMISSIONS), ("2025", HOUSES)):
        code = f"P{edition}"
        Promotion.objects.create(code=code, edition=edition, made_at=timezone.now(), made_by="staff:m")
        assert kinds()["promotions.amendment"].authority(code, None) is authority


@pytest.mark.clause("act-cp:def-approved", "act-pg:def-approved")
def test_a_link_is_its_rules() -> None:
    """Boomerang and Gee Jun: wager and distribution (act-cp:10.2, 10.5, act-pg:12.3, 12.7): the inspector. Caribbean
    Stud: pools, rate, retained portion (nsw-csp:11.5, 11.6): the commission. Terms that cite nothing do not change it.
    """
    from jackpot import demo, terms
    from jackpot.approvables import LINK, NewLink
    from tests.world.mystery_link import TERMS as HOUSE_GAME

    for code, link_terms, authority in (
        ("CSP", demo.CSP, COMMISSIONS),
        ("BOOM", demo.BOOM, INSPECTORS),
        ("GJ", demo.GJ, INSPECTORS),
        ("MYS", HOUSE_GAME, HOUSES),
    ):
        assert terms.authority(link_terms) is authority
        assert LINK.authority(f"jackpot:{code}", NewLink(title=code, terms=link_terms)) is authority
    assert strictest(HOUSES, INSPECTORS, COMMISSIONS) is COMMISSIONS
    assert strictest(HOUSES, INSPECTORS) is INSPECTORS


@pytest.mark.parametrize(
    ("game", "authority"),
    [
        ("blackjack", INSPECTORS),
        ("baccarat", INSPECTORS),
        ("pai-gow", INSPECTORS),
        ("sic-bo", INSPECTORS),
        ("lunar-poker-nsw", HOUSES),
        ("lunar-poker-vanuatu", HOUSES),
        ("lunar-poker-new-zealand", HOUSES),
    ],
)
def test_tables_cards_and_tiles_of_the_act_are_the_inspectors(game: str, authority: Authority) -> None:
    from tablegames.tables import authority_over

    assert authority_over(game) is authority


@pytest.mark.django_db
def test_what_an_inspector_may_do_is_not_the_houses_to_take() -> None:
    rights = kinds()["house.role-permissions"]
    assert [rights.authority(f"role:{role}", []) for role in ("manager", "inspector")] == [HOUSES, INSPECTORS]


# Who decides, and letters


@pytest.fixture
def ratio(db: None) -> Proposal:
    return proposed("jackpot-ratio:KENO-6")


def proposed(subject: str, by: Actor = SUPERVISOR, **more: Any) -> Proposal:
    new = {"prize": 2_000, "secondary": 300, "reimbursement": 200}
    return propose(kind="keno.jackpot-ratio", subject=subject, new=new, why="Faster.", by=by, **more)


def kept() -> object:
    return list(Letter.objects.values()), list(Proposal.objects.values())


def refused(verb: Callable[..., object], code: str, **given: Any) -> None:
    assert refusals.refusal(verb, unchanged=kept, **given).code == code


@pytest.mark.clause("act-keno:def-approved")
def test_an_inspector_decides_in_his_own_name_and_nobody_else(ratio: Proposal) -> None:
    number = ratio.pk
    both = Actor("staff:both", "Both", INSPECTOR.permissions | MANAGER.permissions)
    machine = Actor("device:I-1", "A device", INSPECTOR.permissions)
    for verb in (approve, reject):
        for nobody in (MANAGER, someone("administrator"), someone("auditor"), both, machine):
            refused(verb, "needs-inspector", proposal_id=number, by=nobody)
        refused(verb, "own-proposal", proposal_id=number, by=SUPERVISOR)
    refused(propose, "inspector-proposes", kind=ratio.kind, subject=ratio.subject, new=None, why="?", by=INSPECTOR)
    assert approve(proposal_id=number, by=INSPECTOR).status == "effective"
    standing = standing_of(Proposal.objects.get(pk=number))
    assert (standing.basis, standing.by_letter, standing.mark) == ("decided", False, "")


@pytest.mark.clause("act-keno:def-approved")
def test_a_letter_decides_once_two_have_put_it_on_record_and_is_marked_until_countersigned(ratio: Proposal) -> None:
    paper = letter_for(ratio, by=SUPERVISOR_WITH_LETTERS)
    confirm = partial(confirm_letter, proposal_id=ratio.pk, sha256=paper.sha256)
    refused(confirm, "no-permission", by=someone("dealer"))
    refused(confirm, "not-the-inspectors", by=INSPECTOR)
    refused(confirm, "own-proposal", by=proposer_with_letters(ratio))
    refused(confirm_letter, "document-differs", proposal_id=ratio.pk, sha256="f" * 64, by=NOTARY)
    assert confirm(by=NOTARY).status == "effective"
    ratio.refresh_from_db()
    standing = standing_of(ratio)
    assert (standing.by_letter, standing.countersigned) == (True, False)
    assert "not countersigned" in standing.mark
    refused(countersign, "needs-inspector", proposal_id=ratio.pk, by=MANAGER)
    countersign(proposal_id=ratio.pk, by=INSPECTOR)
    assert standing_of(ratio).countersigned
    refused(countersign, "already-answered", proposal_id=ratio.pk, by=INSPECTOR)


SUPERVISOR_WITH_LETTERS = Actor("staff:rita", "Rita", frozenset({"approvals.letters"}))


def proposer_with_letters(proposal: Proposal) -> Actor:
    return Actor(proposal.proposed_by, "The proposer", frozenset({"approvals.letters"}))


def test_what_a_letter_needs(ratio: Proposal) -> None:
    record = partial(letter_for, ratio)
    for field in ("signed_by", "office", "reference"):
        refused(partial(record, **{field: "  "}), "letter-incomplete")
    refused(record, "dated-in-future", dated=timezone.localdate() + timedelta(days=2))
    refused(record, "document-not-allowed", document=b"<html>")
    hours = propose(
        kind="house.player-protection",
        subject="venue",
        new={"cards_required": True, "cooling_off_hours": 48},
        why="Safer.",
        by=SUPERVISOR,
    )
    refused(partial(letter_for, hours), "no-letter-needed")
    record()
    refused(record, "letter-waits", reference="Other", document=b"Other.")
    refused(record_letter, "no-such-proposal", proposal_id=0, by=CLERK, signed_by="a", office="b", reference="c",
            dated=timezone.localdate(), document=b"d")  # fmt: skip


def test_a_letter_that_nobody_confirmed_is_set_aside_when_the_proposal_is_decided(db: None) -> None:
    for verb, by in ((approve, INSPECTOR), (reject, INSPECTOR), (withdraw, SUPERVISOR)):
        waiting = proposed("jackpot-ratio:KENO-8")
        letter_for(waiting)
        verb(proposal_id=waiting.pk, by=by)
        assert waiting.letters.get().status == "discarded"
        refused(confirm_letter, "already-decided", proposal_id=waiting.pk, sha256="0" * 64, by=NOTARY)
        if verb is approve:
            propose_back()


def propose_back() -> None:
    back = propose(kind="keno.jackpot-ratio", subject="jackpot-ratio:KENO-8", new=None, why="Back.", by=SUPERVISOR)
    approve(proposal_id=back.pk, by=INSPECTOR)


def test_a_discarded_letter_can_be_put_on_record_where_it_belongs(ratio: Proposal) -> None:
    other = proposed("jackpot-ratio:KENO-8")
    paper = letter_for(ratio, reference="X", document=b"For KENO-8.")
    refused(partial(letter_for, other), "letter-used", reference="x", document=b"Another.")
    refused(discard_letter, "reason-missing", proposal_id=ratio.pk, comment=" ", by=CLERK)
    discard_letter(proposal_id=ratio.pk, comment="Wrong proposal.", by=CLERK)
    again = letter_for(other, reference="X", document=b"For KENO-8.")
    assert (again.sha256, Letter.objects.count()) == (paper.sha256, 2)


def test_a_dispute_needs_a_reason_and_a_letter(ratio: Proposal) -> None:
    refused(dispute, "no-letter", proposal_id=ratio.pk, comment="Ours?", by=INSPECTOR)
    paper = letter_for(ratio)
    refused(dispute, "no-letter", proposal_id=ratio.pk, comment="Ours?", by=INSPECTOR)
    confirm_letter(proposal_id=ratio.pk, sha256=paper.sha256, by=NOTARY)
    refused(dispute, "reason-missing", proposal_id=ratio.pk, comment="", by=INSPECTOR)
    dispute(proposal_id=ratio.pk, comment="Not ours.", by=INSPECTOR)
    assert "disputed" in standing_of(Proposal.objects.get(pk=ratio.pk)).mark
