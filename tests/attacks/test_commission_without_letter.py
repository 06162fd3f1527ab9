"""Two managers change what the commission decides without any letter: by approving it, by a letter nobody confirmed, by
terms that cite no clause."""

from __future__ import annotations

from typing import Any

from house.models import Proposal
from jackpot.links import find_link
from jackpot.terms import in_force
from tests.attacks.insider import House
from tests.attacks.letters import commission_proposed, letter, proposed


def test_only_a_confirmed_letter_will_do(house: House) -> None:
    one, two, inspector = house.insider("manager"), house.insider("manager"), house.insider("inspector")
    before = in_force(find_link("CSP")).version
    number = commission_proposed(one)
    with house.unchanged():
        for insider in (two, inspector):
            for decision in ("approve", "reject"):
                assert insider.post(f"approvals/{number}/{decision}").refused("needs-letter")
        assert two.post(f"approvals/{number}/letter/confirm", {"sha256": "0" * 64}).refused("no-letter")
    one.post(f"approvals/{number}/letter", letter()).ok(201)
    with house.unchanged():
        assert two.post(f"approvals/{number}/approve").refused("needs-letter")
        assert two.post(f"approvals/{number}/letter/confirm", {"sha256": "0" * 64}).refused("document-differs")
    assert in_force(find_link("CSP")).version == before


def test_terms_that_leave_out_the_clauses_are_still_the_commissions(house: House) -> None:
    """Without its clauses the same game would be the house's own to decide."""
    one, two = house.insider("manager"), house.insider("manager")
    terms = one.get("jackpot/pools/CSP/terms").ok()["results"][0]["terms"]
    rules: dict[str, Any] = {name: None if name.endswith("_clause") else part for name, part in terms["rules"].items()}
    rules["prizes"] = [prize | {"clause": None} if "clause" in prize else prize for prize in rules["prizes"]]
    answer = one.post(
        "approvals/",
        {"kind": "jackpot.terms", "subject": "jackpot:CSP", "new": terms | {"rules": rules}, "why": "Tidier."},
    )
    if answer.status == 201:
        assert Proposal.objects.get(pk=answer.body["id"]).authority == "commission"
        assert two.post(f"approvals/{answer.body['id']}/approve").refused("needs-letter")
    else:
        assert answer.refused()


def test_retiring_a_pool_is_the_commissions_too(house: House) -> None:
    one, two = house.insider("manager"), house.insider("manager")
    into_csp = proposed(one, kind="jackpot.retirement", subject="jackpot:BOOM", new={"into": "GJ"})
    with house.unchanged():
        assert two.post(f"approvals/{into_csp}/approve").refused("needs-inspector")
