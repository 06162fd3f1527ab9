"""What attacks on a draw that has begun share: a game whose witness was asked, and the people who might stop it."""

from __future__ import annotations

from typing import Any

from django.utils import timezone

from house.approvals import approve
from house.models import Proposal, Staff
from keno.draw import ask_witness
from kernel.actors import Actor
from tests.attacks.insider import Caller, House


def asked_game(house: House) -> int:
    """A game that is sealed, and whose witness has answered: whoever has the master knows the numbers."""
    number = int(house.insider("supervisor").get("keno/games/current").ok()["number"])
    house.insider("supervisor").post(f"keno/games/{number}/close").ok()
    assert ask_witness(number=number, now=timezone.now()) is not None
    return number


def person(username: str) -> Actor:
    return Staff.objects.get(username=username).as_actor()


def stopped_by(caller: Caller, number: int, step: str = "void", **body: Any) -> int:
    """Proposed: its number. Nothing else has happened."""
    said = caller.post(f"keno/games/{number}/{step}", {"reason": "We do not like it.", **body})
    proposal: int = said.ok(202)["id"]
    return proposal


def decided(proposal: int) -> Proposal:
    """The honest way: another person of the house, then the inspector."""
    approve(proposal_id=proposal, by=person("manager"))
    return approve(proposal_id=proposal, by=person("inspector"))
