"""A manager who is about to be dismissed approves as much as he can in the same moment: what he decided stands before
his dismissal in the log, and nothing after it; and one change that two people proposed takes effect once."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

from house.models import Proposal
from ledger.models import Act
from tests.attacks.appointed import change
from tests.attacks.insider import House

HOURS = {day: ["10:00", "04:00"] for day in ("mon", "tue", "wed", "thu", "fri", "sat", "sun")}


def test_nothing_is_his_after_he_is_gone(house: House) -> None:
    administrator, manager = house.at_console("administrator"), house.at_console("manager")
    proposer = house.insider("manager")
    numbers = []
    for hour in range(8):
        body = {"kind": "house.opening-hours", "subject": "venue", "why": "Earlier.",
                "new": HOURS | {"mon": [f"{hour + 10:02d}:00", "03:30"]}}  # fmt: skip
        numbers.append(proposer.post("approvals/", body).ok(201)["id"])

    def rejected(number: int) -> int:
        return manager.call(f"approvals/{number}/reject").status

    with ThreadPoolExecutor(6) as pool:
        tries = [pool.submit(rejected, number) for number in numbers[:4]]
        gone = pool.submit(administrator.post, "/staff/manager/deactivate/", {"comment": "He left."})
        tries += [pool.submit(rejected, number) for number in numbers[4:]]
        assert gone.result().status == 302
        statuses = {each.result() for each in tries}
    assert statuses <= {200, 401, 403}
    dismissed = Act.objects.get(kind="staff.deactivated").pk
    assert not Act.objects.filter(pk__gt=dismissed, actor="staff:manager").exists()
    left = Proposal.objects.filter(pk__in=numbers, status="proposed")
    assert all(rejected(number) in (401, 403) for number in left.values_list("pk", flat=True))


def test_the_same_change_proposed_by_two_is_made_once(house: House) -> None:
    manager, administrator = house.at_console("manager"), house.at_console("administrator")
    other = house.insider("manager")
    numbers = [change(by, "house.opening-hours", "venue", HOURS).ok(201)["id"] for by in (manager, administrator)]
    with ThreadPoolExecutor(2) as pool:
        answers: list[Any] = list(pool.map(lambda number: other.post(f"approvals/{number}/approve"), numbers))
    assert sorted(each.ok()["status"] for each in answers) == ["effective", "stale"]
    assert Act.objects.filter(kind="approval.effective").count() == 1
