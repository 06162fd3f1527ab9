"""A manager, an administrator and a supervisor decide what only an inspector may: approve it, and reject it."""

from __future__ import annotations

from house.models import Proposal
from keno import approved
from tests.attacks.insider import House
from tests.attacks.letters import commission_proposed, proposed


def test_nobody_of_the_house_stands_in_for_the_inspector(house: House) -> None:
    number = proposed(house.insider("supervisor"))
    insiders = [house.insider(role) for role in ("manager", "supervisor", "writer", "table")]
    people = [house.at_console(name) for name in ("manager", "administrator", "auditor")]
    in_force = approved.value("jackpot-ratio", "KENO-6")
    with house.unchanged():
        for decision in ("approve", "reject"):
            for insider in insiders:
                answer = insider.post(f"approvals/{number}/{decision}")
                assert answer.status == 403
                assert answer.refused("needs-inspector", "no-permission")
            for person in people:
                assert person.post(f"/approvals/{number}/{decision}/").status == 403
        for insider in insiders:
            for verb in ("countersign", "dispute"):
                assert insider.post(f"approvals/{number}/{verb}", {"comment": "It is ours."}).status == 403
    assert insiders[0].post(f"approvals/{number}/approve").refused("needs-inspector")
    assert approved.value("jackpot-ratio", "KENO-6") == in_force
    assert Proposal.objects.get(pk=number).status == "proposed"
    assert house.insider("inspector").post(f"approvals/{number}/approve").ok()["status"] == "effective"


def test_an_inspector_does_not_decide_for_the_house_nor_for_the_commission(house: House) -> None:
    manager, inspector = house.insider("manager"), house.insider("inspector")
    hours = proposed(
        manager, kind="house.player-protection", subject="venue", new={"cards_required": True, "cooling_off_hours": 48}
    )
    terms = commission_proposed(manager)
    with house.unchanged():
        assert inspector.post(f"approvals/{hours}/approve").refused("not-the-inspectors")
        for decision in ("approve", "reject"):
            assert inspector.post(f"approvals/{terms}/{decision}").refused("needs-letter")


def test_the_house_cannot_grant_itself_the_inspectors_right(house: House) -> None:
    """Two administrators would have to agree; even then the right is the inspector's alone."""
    from house.models import Grant

    administrator = house.at_console("administrator")
    rights = sorted({*Grant.objects.filter(role="manager").values_list("permission_id", flat=True)})
    form = {"rights": [*rights, "approvals.decide.inspector"], "why": "Convenient.", "effective_from": ""}
    with house.unchanged():
        assert administrator.post("/roles/manager/propose/", form).status == 422
        without = sorted({*Grant.objects.filter(role="inspector").values_list("permission_id", flat=True)})
        without.remove("approvals.decide.inspector")
        gone = administrator.post("/roles/inspector/propose/", form | {"rights": without})
        assert gone.status == 422
    assert not Proposal.objects.exists()
