"""Somebody who is supervisor and manager holds a device of each role, or keeps a terminal's token: he proposes by one
and decides by the other, deals by one and verifies by the other, and hands a tournament's fees out by the third."""

from __future__ import annotations

from datetime import timedelta

from django.utils import timezone

from house.approved import in_force
from tests.attacks.appointed import with_roles
from tests.attacks.cards import register
from tests.attacks.felt import WHO, deal, seen
from tests.attacks.insider import House
from tests.attacks.test_terminal_whose_token_he_has import kept_by
from tests.attacks.test_tournament_entered_by_name import approved
from tournaments.models import Tournament

WHY = {"why": "Too few players."}
PAY = {"method": "cheque", "reference": "000779", "identity": WHO}


def test_he_is_one_person_at_all_of_them(house: House) -> None:
    approved(house)
    register(house)
    entry = house.insider("writer").post("tournaments/NIGHT/entries", {"card": "RX-1"}).ok(201)["id"]
    with_roles(house, "supervisor", "manager", "supervisor")
    first, second = (house.insider(role, holder="supervisor") for role in ("supervisor", "manager"))
    kept, console = kept_by(house, second), house.at_console("supervisor")
    with house.unchanged(but={"approval.proposed"}):
        number = first.post("tournaments/NIGHT/cancel", WHY).ok()["proposal"]
        for each in (first, second):
            assert each.post(f"approvals/{number}/approve").refused("own-proposal")
        assert console.call(f"approvals/{number}/approve").refused("own-proposal")
        assert kept.post(f"approvals/{number}/approve").refused()
        letter = {"reference": "1/26", "sha256": "0" * 64, "comment": "By letter."}
        assert second.post(f"approvals/{number}/letter", letter).refused()  # the house's own decision takes no letter
    house.insider("manager").post(f"approvals/{number}/approve").ok()
    with house.unchanged():
        for each in (first, second, kept):
            assert each.post(f"tournament-entries/{entry}/refund").refused("two-people-needed")
        for spelt in ("NIGHT ", "night", "NIGHT/../NIGHT"):
            assert first.post(f"tournaments/{spelt}/cancel".replace(" ", "%20"), WHY).refused()


def test_he_ends_no_tournament_before_its_time(house: House) -> None:
    approved(house)
    register(house)
    entry = house.insider("writer").post("tournaments/NIGHT/entries", {"card": "RX-1"}).ok(201)["id"]
    with_roles(house, "supervisor", "manager", "supervisor")
    first, second = (house.insider(role, holder="supervisor") for role in ("supervisor", "manager"))
    closed = {**Tournament.objects.get().terms, "closes_at": (timezone.now() - timedelta(hours=1)).isoformat()}
    assert in_force("promotions.tournament", "NIGHT") is not None
    with house.unchanged():
        scores = {"scores": [{"entry": entry, "score": 900}]}
        assert first.post("tournaments/NIGHT/scores", scores).refused("tournament-open")
        shortened = {"kind": "promotions.tournament", "subject": "tournament:NIGHT", "new": closed, "why": "Now."}
        assert first.post("approvals/", shortened).refused("tournament-entered")
        assert second.post("tournaments/NIGHT/finish").refused("not-scored")


def test_who_deals_with_one_neither_verifies_nor_pays_with_the_other(house: House) -> None:
    with_roles(house, "supervisor", "manager", "supervisor")
    first, second = (house.insider(role, holder="supervisor") for role in ("supervisor", "manager"))
    console, others = house.at_console("supervisor"), house.insider("manager")
    hit = deal(first)["id"]
    with house.unchanged():
        for each in (first, second):
            assert each.post(f"jackpot/hits/{hit}/verify", seen()).refused("same-person")
        assert console.call(f"jackpot/hits/{hit}/verify", seen()).refused("same-person")
    others.post(f"jackpot/hits/{hit}/verify", seen()).ok()
    with house.unchanged():
        for each in (first, second, others):
            assert each.post(f"jackpot/hits/{hit}/pay", PAY).refused("same-person", "no-permission")
        assert console.call(f"jackpot/hits/{hit}/pay", PAY).refused("same-person")
