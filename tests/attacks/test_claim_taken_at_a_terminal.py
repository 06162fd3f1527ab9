"""A writer has read a serial over somebody's shoulder and takes a claim form for it at his terminal: to learn what it
won, or to have it paid to a friend. He brings the code of another winner. Then he and his supervisor try to decide it,
and to pay it undecided.

What stops it: without the paper's own code a terminal takes no form and tells nothing. A form waits for the inspector,
whoever took it: neither a machine on the floor nor anybody of the house stands in for him, and until then no cheque is
written (11.1, 12.5). What the form is for stands in the log before he decides, so that nothing else is paid by it.
"""

from __future__ import annotations

from keno.models import Claim
from ledger.models import Act
from tests.attacks.counter import by_balls, code, draw_balls, sell
from tests.attacks.insider import House

FORM = {
    "reason": "unreadable",
    "claimant": {"name": "A friend", "address": "1 Binara Street", "contact": "friend@example.org"},
    "grounds": "It fell into the sink.",
}


def test_it_tells_nothing_and_pays_nothing_without_paper_and_inspector(house: House) -> None:
    writer, beside, manager = (house.insider(role) for role in ("writer", "writer", "manager"))
    supervisor = by_balls(house)
    sold, another = (sell(writer, numbers=[1, 2, 3], stake="1.00") for _ in range(2))
    draw_balls(supervisor, sold)
    form = FORM | {"serial": sold["serial"]}
    with house.unchanged():
        assert writer.post("keno/claims", form).refused("no-permission")
    assert writer.post("keno/claims", form | code(another)).refused("security-code-wrong")
    assert not Claim.objects.exists()

    made = writer.post("keno/claims", form | code(sold)).ok(201)
    said = Act.objects.get(kind="keno.claim-made")
    assert (said.actor, said.data["ticket"], said.data["amount"]) == (writer.identity, sold["serial"], "36.00")
    number = supervisor.get("approvals/?status=proposed").ok()["results"][0]["id"]
    cheque = {"cheque_number": "000901"}
    with house.unchanged():
        for terminal in (writer, beside):
            assert terminal.post(f"keno/claims/{made['id']}/pay", cheque).refused("no-permission")
            assert terminal.post(f"approvals/{number}/approve").refused("in-person", "no-permission")
        for one in (supervisor, manager):
            assert one.post(f"approvals/{number}/approve").refused("needs-inspector")
            assert one.post(f"keno/claims/{made['id']}/pay", cheque).refused("not-approved")
    house.insider("inspector").post(f"approvals/{number}/approve").ok()
    assert supervisor.post(f"keno/claims/{made['id']}/pay", cheque).ok()["amount"] == "36.00"
    with house.unchanged():  # once, and the good paper is worth nothing more
        assert supervisor.post(f"keno/claims/{made['id']}/pay", {"cheque_number": "000902"}).refused("already-paid")
        assert writer.post(f"keno/tickets/{sold['serial']}/pay", code(sold)).refused("already-paid")
