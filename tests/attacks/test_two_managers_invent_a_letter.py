"""Two managers invent a letter of the commission: it works, and is marked by letter everywhere until an inspector has
countersigned; the inspector finds it on his home page, and disputes it."""

from __future__ import annotations

from house.models import Incident
from ledger.models import Act
from tests.attacks.insider import House
from tests.attacks.letters import commission_proposed, letter, proposed


def test_an_invented_letter_is_marked_until_the_inspector_answers(house: House) -> None:
    one, two, inspector = house.insider("manager"), house.insider("manager"), house.insider("inspector")
    number = commission_proposed(one)
    paper = one.post(f"approvals/{number}/letter", letter()).ok(201)
    assert (paper["status"], len(paper["sha256"])) == ("recorded", 64)
    assert one.get("jackpot/pools/CSP").ok()
    done = two.post(f"approvals/{number}/letter/confirm", {"sha256": paper["sha256"]}).ok()
    marks = {name: done[name] for name in ("status", "authority", "by_letter", "countersigned", "disputed")}
    assert marks == {
        "status": "effective",
        "authority": "commission",
        "by_letter": True,
        "countersigned": False,
        "disputed": False,
    }
    # The terms, wherever they are shown, and the log.
    terms = one.get("jackpot/pools/CSP/terms").ok()["results"][0]
    assert (terms["authority"], terms["by_letter"], terms["countersigned_at"]) == ("commission", True, None)
    acts = {act.kind: act.data for act in Act.objects.filter(subject=f"proposal:{number}")}
    assert acts["approval.approved"]["letter"] == acts["approval.effective"]["letter"] == paper["sha256"]
    assert acts["approval.letter-confirmed"]["recorded_by"].startswith("staff:")
    assert "Okonkwo" not in str(acts)  # the log keeps no names
    assert "By letter" in house.at_console("manager").get(f"/approvals/{number}/").body
    assert "not countersigned" in house.at_console("auditor").get("/jackpots/CSP/").body
    # It waits for the inspector, who says that he never wrote it.
    ines = house.at_console("inspector")
    assert "Countersign letter GRC 26/118" in ines.get("/").body
    with house.unchanged():
        for nobody in (one, two):
            assert nobody.post(f"approvals/{number}/countersign").refused("needs-inspector")
    assert inspector.post(f"approvals/{number}/dispute", {"comment": "We wrote no such letter."}).ok()["disputed"]
    incident = Incident.objects.get(kind="letter-disputed")
    assert incident.subject == f"proposal:{number}"
    assert inspector.post(f"approvals/{number}/countersign").refused("already-answered")
    assert "disputed" in house.at_console("auditor").get("/jackpots/CSP/").body


def test_a_countersigned_letter_is_the_authoritys_own(house: House) -> None:
    one, two, inspector = house.insider("manager"), house.insider("manager"), house.insider("inspector")
    number = proposed(one)
    paper = one.post(f"approvals/{number}/letter", letter()).ok(201)
    two.post(f"approvals/{number}/letter/confirm", {"sha256": paper["sha256"]}).ok()
    values = one.get("approved-values/?kind=keno.jackpot-ratio").ok()["results"]
    assert [
        (row["code"], row["version"], row["basis"], row["by_letter"], row["countersigned_at"]) for row in values
    ] == [
        ("KENO-6", 2, "letter", True, None),
        ("KENO-8", 1, "demo", False, None),
        ("KENO-6", 1, "demo", False, None),
    ]
    done = inspector.post(f"approvals/{number}/countersign", {"comment": "Seen."}).ok()
    (newest, *_) = one.get("approved-values/?kind=keno.jackpot-ratio&code=KENO-6").ok()["results"]
    assert newest["countersigned_at"] is not None
    assert (done["by_letter"], done["countersigned"]) == (True, True)
    assert inspector.get(f"approvals/{number}/letter").ok()["answered_by"] == inspector_of(house, number)
    assert "Countersign letter" not in house.at_console("inspector").get("/").body
    assert inspector.post(f"approvals/{number}/dispute", {"comment": "No."}).refused("already-answered")


def inspector_of(house: House, number: int) -> str:
    return Act.objects.get(kind="approval.letter-countersigned", subject=f"proposal:{number}").actor


def test_a_disputed_letter_never_takes_effect_later(house: House) -> None:
    """What was to wait for its time or a win does not happen once the letter is disputed."""
    one, two, inspector = house.insider("manager"), house.insider("manager"), house.insider("inspector")
    body = {
        "kind": "keno.jackpot-ratio",
        "subject": "jackpot-ratio:KENO-6",
        "new": {"prize": 2_400, "secondary": 50, "reimbursement": 50},
        "why": "Soon.",
        "effective_from": "2999-01-01T00:00:00+00:00",
    }
    number = one.post("approvals/", body).ok(201)["id"]
    paper = one.post(f"approvals/{number}/letter", letter()).ok(201)
    assert two.post(f"approvals/{number}/letter/confirm", {"sha256": paper["sha256"]}).ok()["status"] == "approved"
    assert inspector.post(f"approvals/{number}/dispute", {"comment": "Forged."}).ok()["status"] == "failed"
