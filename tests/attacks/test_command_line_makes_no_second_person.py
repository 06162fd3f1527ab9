"""An operator with a shell on the server of a real house makes himself a supervisor, a manager and an inspector with
`manage.py token`, and another administrator with `manage.py administrator`."""

from __future__ import annotations

from typing import Any

import pytest
from django.core.management import CommandError, call_command

from house.models import Device, DeviceToken, Proposal, Staff
from tests.attacks.insider import House


def test_the_command_line_only_proposes(house: House, settings: Any, capsys: pytest.CaptureFixture[str]) -> None:
    real = Staff.objects.get(username="supervisor")
    Staff.objects.update(is_demo=False)
    settings.DEMO = False
    money, tokens = house.money(), DeviceToken.objects.count()
    for arguments in (["supervisor"], ["manager"], ["manager", "--holder", "supervisor"], ["inspector"],
                      ["inspector", "--holder", "inspector"], ["manager", "--holder", "nobody"]):  # fmt: skip
        with house.unchanged(), pytest.raises(CommandError):
            call_command("token", *arguments)
    call_command("token", "supervisor", "--holder", "supervisor")
    said = capsys.readouterr().out
    assert "No token yet" in said
    assert "mh_" not in said
    assert DeviceToken.objects.count() == tokens
    assert not Device.objects.filter(holder=real).exists()
    assert house.money() == money


def test_whoever_stands_at_the_command_line_needs_a_second_person_still(house: House, settings: Any) -> None:
    """A manager who also runs the server: the command line proposes, and he approves."""
    manager, administrator = house.at_console("manager"), house.at_console("administrator")
    Staff.objects.update(is_demo=False)
    settings.DEMO = False
    call_command("token", "supervisor", "--holder", "supervisor")
    proposal = Proposal.objects.get()
    address = f"/approvals/{proposal.pk}/approve/"
    for _ in range(2):
        assert manager.post(address, {"comment": "Mine, really."}).status in (302, 403)
        proposal.refresh_from_db()
        assert (proposal.status, proposal.proposed_by) == ("proposed", "staff:manager")
        assert not Device.objects.filter(holder__username="supervisor").exists()
    assert administrator.post(address, {}).status == 302
    proposal.refresh_from_db()
    assert (proposal.status, proposal.decided_by) == ("effective", "staff:administrator")


def test_a_table_from_the_command_line_works_at_no_table(
    house: House, settings: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    settings.DEMO = False
    call_command("token", "table", "--tables", "CSP-01,GJ-01")
    assert capsys.readouterr().out.splitlines()[-1].startswith("mh_")
    assert Device.objects.get(kind="table-controller").tables == []


def test_nobody_is_hired_at_a_command_line_of_a_house_at_work(house: House, settings: Any) -> None:
    house.insider("writer").post("keno/tickets", {"numbers": [1, 2, 3], "stake": "2.00"}).ok(201)
    settings.DEMO = False
    people = Staff.objects.count()
    with house.unchanged(), pytest.raises(CommandError, match="The books are in use"):
        call_command("administrator", "me", "My Self")
    with house.unchanged(), pytest.raises(CommandError, match="The books are in use"):
        call_command("inspectorate", "Me", "ab" * 32)
    assert Staff.objects.count() == people
