"""The house's record of players behind promotions: one person with two cards, who is excluded, what was wagered."""

from __future__ import annotations

from datetime import timedelta
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from house.models import Player, PlayLine
from house.players.cards import issue_card, register_player
from house.players.restrict import restrict
from kernel.actors import Actor
from kernel.money import Money
from kernel.refusal import Refusal
from promotions.earn import count_earned
from promotions.enter import enter
from promotions.exclude import exclude_card
from promotions.imports import begin_import, go_on
from promotions.models import Entrant, Entry, ImportRow
from tests.world import promotions as at
from tests.world.people import actor

pytestmark = pytest.mark.django_db

DESK = Actor("staff:desk", "Desk", frozenset({"players.manage", "players.restrict"}))


def played(
    player: Player, dollars: str, *, kind: str = "wager", place: str = "keno", ago: timedelta = timedelta(0)
) -> None:
    now = timezone.now() - ago
    PlayLine.objects.create(
        player=player, at=now, day=now.date(), kind=kind, loss=Money.parse(dollars).micros, place=place, by="device:W-1"
    )


def test_one_person_with_two_cards_is_one_entrant() -> None:
    anna = register_player(name="Anna Marsh", card="C-1", by=DESK)
    issue_card(player_number=anna.number, card="C-2", by=DESK)
    at.running(limit_per_person=2)
    writer = actor("device:W-1", "writer")
    first = enter(code="SPRING", card="C-1", by=writer)
    second = enter(code="SPRING", card="c-2", by=writer)
    assert first.entrant == second.entrant
    assert first.entrant.identity == f"player:{anna.number}"
    with pytest.raises(Refusal) as refused:
        enter(code="SPRING", card="C-1", by=writer)
    assert refused.value.code == "limit-reached"


@pytest.mark.parametrize(("kind", "bars"), [("exclusion", True), ("employee", True), ("break", False)])
def test_who_is_excluded_or_employed_does_not_enter(kind: str, bars: bool) -> None:
    anna = register_player(name="Anna Marsh", card="C-1", by=DESK)
    until = timezone.now() + timedelta(days=1)
    restrict(player_number=anna.number, kind=kind, reason="As asked.", until=until, by=DESK)
    at.running()
    writer = actor("device:W-1", "writer")
    if not bars:
        enter(code="SPRING", card="C-1", by=writer)
        return
    with pytest.raises(Refusal) as refused:
        enter(code="SPRING", card="C-1", by=writer)
    assert (refused.value.code, refused.value.clause) == ("not-eligible", "nsw-promo-2025:17.7.3")
    assert not Entry.objects.exists()


def test_a_file_is_held_to_the_same() -> None:
    """By any card of the player, whoever else is barred; a card the house does not know enters nobody."""
    anna = register_player(name="Anna Marsh", card="C-1", by=DESK)
    issue_card(player_number=anna.number, card="C-2", by=DESK)
    bob = register_player(name="Bob Reed", card="C-3", by=DESK)
    register_player(name="Cleo Ash", card="C-4", by=DESK)
    at.running()
    restrict(
        player_number=anna.number,
        kind="exclusion",
        reason="As asked.",
        until=timezone.now() + timedelta(days=1),
        by=DESK,
    )
    exclude_card(card="C-4", why="employee", by=at.manager())
    lines = ["reference,card\n", "R-1,C-2\n", "R-2,c-3\n", "R-3,C-4\n", "R-4, C‑5 \n", "R-5,C-500\n"]
    made = begin_import(code="SPRING", name="x.csv", lines=lines, by=at.manager(), all_or_nothing=False)
    assert go_on(made.pk).entered == 2
    assert dict(ImportRow.objects.values_list("line", "error")) == {
        2: "The holder of this card cannot take part: excluded from play.",
        4: "The holder of this card cannot take part: Employee.",
        6: "There is no such player card: register the player first.",
    }
    assert set(Entrant.objects.values_list("identity", flat=True)) == {"player:P-C-5", f"player:{bob.number}"}
    assert Entrant.objects.count() == 2


def test_keno_in_the_window_earns_entries_and_a_refund_takes_them() -> None:
    anna = register_player(name="Anna Marsh", card="C-1", by=DESK)
    at.running(earning={"on": ["keno"], "per": "20.00", "entries": 1})
    played(anna, "65.00")
    played(anna, "500.00", place="CSP-01")
    played(anna, "500.00", ago=timedelta(hours=2))
    played(anna, "-40.00", kind="winnings")
    assert count_earned(code="SPRING") == 3
    played(anna, "-10.00", kind="refund")
    count_earned(code="SPRING")
    assert Entry.objects.filter(withdrawn_at=None).count() == 2


def test_a_file_from_the_command_line(tmp_path: Path) -> None:
    at.running()
    file = tmp_path / "coupons.csv"
    file.write_text("reference,card\nR-1,C-1\nR-2,\n")
    said = StringIO()
    with pytest.raises(CommandError, match="1 of 2 rows are not good"):
        call_command("import_entries", "SPRING", str(file), stderr=said)
    assert said.getvalue() == "line 3: A player card is needed to enter.\n"
    call_command("import_entries", "SPRING", str(file), "--good-rows", stdout=said, stderr=StringIO())
    assert said.getvalue().endswith("1 entered, 1 refused.\n")
    for odd in ("NONE", "SPRING"):
        with pytest.raises(CommandError):
            call_command("import_entries", odd, str(tmp_path / "nothing.csv"))
