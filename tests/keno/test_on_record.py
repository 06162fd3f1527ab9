"""What is only kept or shown: the approved configuration, disputes, the rules on request."""

from __future__ import annotations

import re
from html import unescape
from typing import Any

import pytest
from django.test import Client

from house import incidents
from house.approvals import propose
from house.devices import service_token
from house.models import ApprovedValue, Proposal
from keno import approved
from keno.disputes import review_dispute
from keno.incident_kinds import DISPUTE
from keno.rules.schedules import SPECIAL_1, SPECIAL_2, STANDARD
from kernel.money import Money
from kernel.refusal import Refusal
from ledger.models import Act
from tests.world import keno_counter as at
from tests.world.approvals import INSPECTOR, decide
from tests.world.calls import Caller, problem
from tests.world.people import actor
from web import gazetted

pytestmark = pytest.mark.django_db


def anybody() -> Caller:
    """A display, which has hardly any rights."""
    return Caller(service_token(role="signage").secret)


@pytest.mark.clause("act-keno:1.1")
def test_the_approval_of_the_system_is_on_record_and_stays_there() -> None:
    counter = at.Counter()

    def put(new: Any) -> Proposal:
        made = propose(
            kind="keno.configuration", subject="configuration:KENO", new=new, why="New release.", by=counter.supervisor
        )
        return decide(made, house=counter.manager)

    with pytest.raises(Refusal) as caught:
        put({"reference": " ", "software": "Meterhouse"})
    assert caught.value.code == "value-not-readable"
    first, second = ({"reference": f"GC-{n}", "software": f"Meterhouse {n}"} for n in (1, 2))
    put(first)
    put(second)
    assert approved.value("configuration", "KENO") == second
    kept = ApprovedValue.objects.filter(kind="keno.configuration").order_by("id").values_list("value", "approved_by")
    assert list(kept) == [(first, "staff:inspector"), (second, "staff:inspector")]
    assert anybody().get("keno/rules").json()["configuration"] == second


@pytest.mark.clause("act-keno:14.6")
def test_a_dispute_is_kept_with_the_decision_and_an_inspectors_review() -> None:
    supervisor, manager = actor("staff:sue", "supervisor"), actor("staff:mona", "manager")
    at.open_day()
    dispute = incidents.report_incident(
        kind=DISPUTE, what="She says that number 7 was called.", subject="keno-game:12", by=supervisor
    )
    assert dispute.clause == "act-keno:14.6"
    incidents.record_notice(incident_id=dispute.pk, to="inspector", how="asked to review", by=manager)
    closed = incidents.close_incident(incident_id=dispute.pk, outcome="The record stands.", by=manager)
    assert (closed.status, closed.outcome, closed.closed_by) == ("closed", "The record stands.", "staff:mona")
    # The inspector reviews it in his own name: what the operator said stays beside it.
    asked: dict[str, Any] = {"incident_id": dispute.pk, "decision": "Number 7 was not drawn. The record stands."}
    for nobody in (supervisor, manager):
        assert at.refused(review_dispute, **asked, by=nobody)[1] == "needs-inspector"
    assert at.refused(review_dispute, **asked | {"decision": " "}, by=INSPECTOR)[1] == "decision-missing"
    review = review_dispute(**asked, by=INSPECTOR)
    assert (review.decided_by, review.operators) == (INSPECTOR.identity, "The record stands.")
    said = Act.objects.get(kind="keno.dispute-reviewed")
    assert (said.actor, said.data["decision"]) == (INSPECTOR.identity, review.decision)
    assert at.refused(review_dispute, **asked, by=INSPECTOR)[1] == "reviewed-already"


@pytest.mark.clause("act-keno:14.6")
def test_an_inspector_decides_a_dispute_that_is_open_and_that_ends_it() -> None:
    at.open_day()
    dispute = incidents.report_incident(
        kind=DISPUTE, what="He says that he was paid too little.", by=actor("staff:sue", "supervisor")
    )
    review_dispute(incident_id=dispute.pk, decision="Pay him $4.00 more.", by=INSPECTOR)
    dispute.refresh_from_db()
    assert (dispute.status, dispute.closed_by) == ("closed", INSPECTOR.identity)
    other = incidents.report_incident(
        kind="equipment-malfunction", what="Reader stuck.", by=actor("staff:sue", "supervisor")
    )
    assert at.refused(review_dispute, incident_id=other.pk, decision="No.", by=INSPECTOR)[:2] == (
        404,
        "no-such-dispute",
    )


@pytest.mark.clause("act-keno:14.10", "act-keno:8.1", "act-keno:8.2", "act-keno:8.3")
def test_the_gazetted_text_is_whole_and_pays_what_the_software_pays() -> None:
    """Every rule that the gazette numbers, and every figure of its three schedules beside those that are settled by."""
    numbered = [part.number for part in gazetted.parts("act-keno") if part.number]
    last = {1: 2, 2: 1, 3: 1, 4: 8, 5: 3, 6: 4, 7: 3, 8: 4, 9: 7, 10: 5, 11: 5, 12: 5, 13: 2, 14: 10, 15: 4}
    assert numbered == [f"{chapter}.{rule}" for chapter, rules in last.items() for rule in range(1, rules + 1)]
    printed: dict[str, dict[int, dict[int, str]]] = {}
    clause = ""
    for part in gazetted.parts("act-keno"):
        clause = part.number or clause
        for row in part.rows[1:]:
            for head, figure in zip(part.rows[0][1:], row[1:], strict=True):
                matches = int(row[0].removeprefix("Match "))
                table = printed.setdefault(f"act-keno:{clause}", {}).setdefault(int(head), {})
                table |= {matches: figure.strip("*").replace(",", "")} if figure else {}
    assert printed.keys() == {schedule.clause for schedule in (STANDARD, SPECIAL_1, SPECIAL_2)}
    for schedule in (STANDARD, SPECIAL_1, SPECIAL_2):
        tables = {table.spots: table.prizes for table in schedule.prize_tables}
        for spots, figures in printed[schedule.clause].items():
            for matches, prize in enumerate(tables[spots]):
                assert prize == Money.dollars(int(figures.get(matches, 0))), (schedule.code, spots, matches)


@pytest.mark.clause("act-keno:14.10", "act-keno:8.1")
def test_the_rules_are_there_for_whoever_asks() -> None:
    at.open_day()
    page = Client().get("/rules/keno/").content.decode()  # nobody signs in to read them
    told = " ".join(unescape(re.sub(r"<[^>]+>", " ", page)).split())
    for part in gazetted.parts("act-keno"):  # word for word
        for text in (part.text, *(" ".join(filter(None, row)) for row in part.rows)):
            assert " ".join(text.split()) in told, text
    assert "twenty numbers are drawn" in page
    assert "6 of 6 pays" in page
    problem(Caller().get("keno/rules"), 401, "not-signed-in")
    answer = anybody().get("keno/rules")
    assert answer.status_code == 200, answer.content
    rules = answer.json()
    assert {"3.1a", "9.3", "14.10"} <= {one["clause"] for one in rules["clauses"]}
    assert [one["code"] for one in rules["schedules"]] == ["standard", "special-1", "special-2"]
    standard = {table["spots"]: table["prizes"] for table in rules["schedules"][0]["tables"]}
    assert (standard[15]["15"], standard[8]["8"], standard[10]["0"]) == ("50000.00", "12500.00", "3.00")
    at.approve_value("special-3", "special-3", {"tables": {"2": {"2": "12.00"}}, "band": ["0.7", "0.8"]})
    assert anybody().get("keno/rules").json()["schedules"][-1]["code"] == "special-3"
