"""A supervisor, alone or with his manager, declares draws void until he likes the numbers.

What stops it: before the witness is asked nobody knows a number, and two people of the house decide, with a reason;
once it is asked a void is a proposal (202), a second person of the house stands behind it, and an inspector decides in
his own name; the twenty numbers that would have come are published with the decision, on the game's page and in the
feed for good. Not stopped: three people together, one of them the inspector. Everybody sees it.
"""

from __future__ import annotations

from keno.models import Draw, Game
from keno.tick import tick
from ledger.models import Act
from tests.attacks.insider import House
from tests.attacks.stop import asked_game, decided, person, stopped_by


def test_nor_does_he_before_the_witness_is_asked(house: House) -> None:
    supervisor, manager = house.insider("supervisor"), house.insider("manager")
    number = int(supervisor.get("keno/games/current").ok()["number"])
    supervisor.post(f"keno/games/{number}/close").ok()
    before = supervisor.get(f"keno/games/{number}").ok()
    with house.unchanged(but={"approval.proposed"}):
        for body in ({"cause": "malfunction"}, {"device": "mechanical"}):
            assert supervisor.post(f"keno/games/{number}/void", body).refused("reason-missing")
        proposal = stopped_by(supervisor, number)
        assert supervisor.post(f"approvals/{proposal}/approve").refused("own-proposal")
        assert supervisor.get(f"keno/games/{number}").ok() == before
    manager.post(f"approvals/{proposal}/approve").ok()
    assert supervisor.get(f"keno/games/{number}").ok()["attempt"] == 2


def test_a_supervisor_alone_changes_nothing(house: House) -> None:
    number = asked_game(house)
    supervisor = house.insider("supervisor")
    before = supervisor.get(f"keno/games/{number}").ok()
    with house.unchanged(but={"approval.proposed", "approval.withdrawn"}):
        proposal = stopped_by(supervisor, number)
        assert supervisor.post(f"keno/games/{number}/void").refused("proposed-already")
        assert supervisor.post(f"approvals/{proposal}/approve").refused("own-proposal", "needs-inspector")
        assert supervisor.get(f"keno/games/{number}").ok() == before


def test_a_supervisor_and_a_manager_change_nothing_either(house: House) -> None:
    number = asked_game(house)
    supervisor, manager, another = (house.insider(role) for role in ("supervisor", "manager", "manager"))
    before = supervisor.get(f"keno/games/{number}").ok()
    with house.unchanged(but={"approval.proposed", "approval.seconded"}):
        proposal = stopped_by(supervisor, number)
        manager.post(f"approvals/{proposal}/approve").ok()  # he stands behind it, and that is all
        for one in (supervisor, manager, another):
            assert one.post(f"approvals/{proposal}/approve").refused()
        assert supervisor.get(f"keno/games/{number}").ok() == before
    drawn = supervisor.post(f"keno/games/{number}/draw").ok()
    assert (drawn["status"], drawn["attempt"]) == ("settled", 1)


def test_with_the_inspector_the_numbers_that_would_have_come_are_there_for_good(house: House) -> None:
    number = asked_game(house)
    supervisor = house.insider("supervisor")
    proposal = stopped_by(supervisor, number)
    assert decided(proposal).status == "effective"
    told = supervisor.get(f"keno/games/{number}").ok()
    void = told["attempts"][0]
    assert len(void["drawn"]) == 20
    assert (len(void["void"]["by"]), void["void"]["inspector"]) == (2, person("inspector").identity)
    drawn = supervisor.post(f"keno/games/{number}/draw").ok()
    assert drawn["drawn"] != void["drawn"]
    assert drawn["commitment"] == told["commitment"]
    assert {each["ticket_root"] for each in drawn["attempts"]} == {told["ticket_root"]}
    published = Act.objects.get(kind="draw.void", subject=f"draw:keno/{number}/1").data["numbers"]
    assert published == void["drawn"] == Draw.objects.get(game=number, attempt=1).would_be


def test_attempt_two_is_not_asked_before_attempt_one_is_void(house: House) -> None:
    """Also not by the worker, however often it comes by."""
    number = asked_game(house)
    stopped_by(house.insider("supervisor"), number)
    tick(Game.objects.get(pk=number).asked_at)  # type: ignore[arg-type]
    asked = Act.objects.filter(kind="witness.asked", data__occasion=str(number))
    assert [act.data["attempt"] for act in asked] == [1]
