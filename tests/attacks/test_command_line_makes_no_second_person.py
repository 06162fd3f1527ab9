"""An operator with a shell on the server of a real house makes himself a supervisor, a manager and an inspector with
`manage.py token`, and another administrator with `manage.py administrator`; or whatever else Django puts there."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, ManagementUtility, call_command

from house import callers
from house.approvals import propose
from house.devices import roll_token
from house.models import Device, DeviceToken, Proposal, Staff
from keno.pay import authorise_payment, pay_ticket
from keno.shifts import fill, open_shift
from kernel.money import Money
from kernel.refusal import Forbidden, Refusal
from promotions import demo as promotions_demo
from promotions.models import Entry
from tests.attacks.counter import winner
from tests.attacks.insider import House
from tests.world.approvals import put_in_force


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


@pytest.mark.parametrize("demo", [True, False])
@pytest.mark.parametrize(
    ("command", "way"),
    [
        ("changepassword", "two people have agreed"),
        ("createsuperuser", "by two people"),
        ("loaddata", "by two people"),
        ("testserver", "past the verbs"),
    ],
)
def test_commands_of_django_make_and_change_nobody(
    house: House, settings: Any, demo: bool, command: str, way: str
) -> None:
    settings.DEMO = demo
    before = list(Staff.objects.order_by("pk").values())
    with house.unchanged(), pytest.raises(CommandError, match=way):
        call_command(command, "manager")
    with house.unchanged(), pytest.raises(SystemExit):
        ManagementUtility(["manage.py", command, "manager", "--username", "me", "--noinput"]).execute()
    assert list(Staff.objects.order_by("pk").values()) == before


def test_nobody_enters_people_in_a_draw_at_a_command_line(house: House, settings: Any, tmp_path: Path) -> None:
    promotions_demo.build_demo()
    file = tmp_path / "mine.csv"
    file.write_text("reference,card,name,address,telephone,email,wagered\nR1,,My Self,1 Road,,,\n")
    entries = Entry.objects.count()
    settings.DEMO = False
    with house.unchanged(), pytest.raises(CommandError, match="signed in"):
        call_command("import_entries", "SPRING-CAR", str(file))
    assert Entry.objects.count() == entries


def test_a_terminal_from_the_command_line_is_nobodys_second_person(
    house: House, settings: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    """A supervisor with a shell prints a writer's token, fills its drawer with himself, and pays what he authorised."""
    sold = winner(house, house.insider("writer"))
    put_in_force("keno.amount", "supervised-above", "50.00")
    Staff.objects.filter(signs_in=True).update(is_demo=False)
    settings.DEMO = False
    call_command("token", "writer")
    said = capsys.readouterr().out.splitlines()
    assert "nobody’s second person" in said[0]
    terminal, supervisor = callers.actor_for_token(said[-1]), Staff.objects.get(username="supervisor").as_actor()
    assert terminal is not None
    shift = open_shift(by=terminal).pk
    fill(shift_id=shift, amount=Money.dollars(5000), by=terminal)
    with house.unchanged(), pytest.raises(Forbidden, match="Another person"):
        fill(shift_id=shift, amount=Money.dollars(5000), by=supervisor)
    authorise_payment(serial=sold["serial"], by=supervisor)
    with house.unchanged(but={"keno.payment-authorised"}), pytest.raises(Refusal) as refused:
        pay_ticket(serial=sold["serial"], security_code=sold["security_code"], by=terminal)
    assert refused.value.code == "two-people-needed"


def test_a_table_token_of_the_demo_deals_nowhere_in_a_real_house(
    house: House, settings: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    """Whoever has a shell says for one command that the demo is on, and binds it with one who does not look."""
    call_command("token", "table")
    token = capsys.readouterr().out.splitlines()[-1]
    here = callers.actor_for_token(token)
    assert here is not None
    assert here.tables is None
    Staff.objects.update(is_demo=False)
    settings.DEMO = False
    there = callers.actor_for_token(token)
    assert there is not None
    assert there.tables == frozenset()
    code, administrator = there.device or "", Staff.objects.get(username="administrator").as_actor()
    bind = partial(propose, kind="house.device-tables", subject=code, new=["CSP-01"], why="Mine.", by=administrator)
    with house.unchanged(), pytest.raises(Refusal, match="roll it in the console"):
        bind()
    roll_token(code=code, by=administrator)
    assert callers.actor_for_token(token) is None
    assert bind().status == "proposed"
