"""A draw that is not liked is “lost” with its key, so that the game would need another seed.

What stops it: the master is in escrow with the inspector, encrypted to his offline key in the act that promised it; a
game whose master does not open waits, with an incident, and only the promised master is taken back. Not stopped: that
the game waits until the inspector comes.
"""

from __future__ import annotations

from django.utils import timezone

from draws import masters
from draws.commit import restore_master
from house.models import Incident
from keno.attempts import promise_of
from keno.draw import ask_witness
from keno.models import Draw, Game
from keno.tick import tick
from kernel import escrow
from kernel.environment import data_folder
from tests.attacks.insider import House
from tests.attacks.stop import person
from tests.world.owner import unguarded


def test_the_game_waits_and_goes_on_with_the_same_master(house: House) -> None:
    supervisor = house.insider("supervisor")
    number = supervisor.get("keno/games/current").ok()["number"]
    supervisor.post(f"keno/games/{number}/close").ok()
    promise = promise_of(number)
    with unguarded("draws_commitment") as cursor:
        cursor.execute("UPDATE draws_commitment SET encrypted_master = '\\x00' WHERE id = %s", [promise.pk])
    assert ask_witness(number=number, now=timezone.now()) is not None
    tick(timezone.now() + (Game.objects.get(pk=number).closes_at - timezone.now()))
    assert Draw.objects.get(game=number).numbers == []
    assert Incident.objects.filter(kind="keno-master-lost").count() == 1
    assert (
        supervisor.post(f"keno/games/{number}/void", {"reason": "It is lost."}).status == 202
    )  # proposed; by itself it changes nothing
    private = bytes.fromhex((data_folder() / "witness" / "inspector-escrow").read_text().strip())
    bound_to = masters.bound_to(promise.promise)
    master = escrow.decrypt(private=private, escrow=bytes(promise.escrow), bound_to=bound_to)
    restore_master(purpose="keno", name=str(number), master=master, why="The key was lost.", by=person("inspector"))
    drawn = supervisor.post(f"keno/games/{number}/draw").ok()
    assert (drawn["status"], drawn["seed"], drawn["commitment"]) == (
        "settled",
        master.hex(),
        bytes(promise.commitment).hex(),
    )
