"""Two people of the house take the inspector's rights away, so that he neither sees nor decides anything."""

from __future__ import annotations

from house.models import Grant, Proposal
from tests.attacks.insider import House


def granted() -> list[str]:
    return sorted(Grant.objects.filter(role="inspector").values_list("permission_id", flat=True))


def test_what_an_inspector_may_do_is_not_the_houses_to_change(house: House) -> None:
    administrator, manager = house.at_console("administrator"), house.insider("manager")
    before = granted()
    form = {"rights": [code for code in before if code != "approvals.view"], "why": "Tidier.", "effective_from": ""}
    assert administrator.post("/roles/inspector/propose/", form).status == 302
    proposal = Proposal.objects.get()
    assert proposal.authority == "inspector"
    with house.unchanged():
        assert manager.post(f"approvals/{proposal.pk}/approve").refused("needs-inspector")
        assert administrator.post(f"/approvals/{proposal.pk}/approve/").status == 403
        # Nor is his word taken from him, or the house's given to him.
        for rights in (
            [*before, "approvals.propose"],
            [code for code in before if code != "approvals.decide.inspector"],
        ):
            assert administrator.post("/roles/inspector/propose/", form | {"rights": rights}).status == 422
    assert granted() == before
