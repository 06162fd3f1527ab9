"""Draws: promised before entries close, from the sealed list, overseen where they must be, provable by anybody."""

from __future__ import annotations

import json
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from django.db import DatabaseError, connection, transaction

from chance.two_party import keeps
from draws.commit import master_of
from draws.models import Commitment
from ledger.models import Act
from promotions import scrutineer
from promotions import verify as checker
from promotions.attempts import promise
from promotions.claims import decline_prize, make_claim
from promotions.draw import draw_promotion
from promotions.models import Draw, Entry, Pick, Promotion, Win
from promotions.notify import record_notification
from promotions.proof import draw_proof
from promotions.results import published as result_of
from promotions.run import close
from promotions.seal import seal
from promotions.tick import due
from promotions.tick import tick as whole_tick
from promotions.tick import tick_draws as tick
from signage.events import public
from tests.world import promotion_draws as world
from tests.world.people import account
from tests.world.promotion_draws import (
    CAR,
    MINUTE,
    drawn,
    failed,
    oracle_faults,
    promised,
    published,
    refused,
    sealed,
    unguarded,
)
from tests.world.promotions import manager, prize, running
from tests.world.second_party import AtHand

pytestmark = pytest.mark.django_db


def acts(kind: str) -> list[dict[str, Any]]:
    return [act.data for act in Act.objects.filter(kind=kind).order_by("id")]


def test_the_draw_is_promised_when_the_promotion_starts() -> None:
    world.open_day()
    promotion = running()
    attempt, promised = Draw.objects.get(), Commitment.objects.get()
    assert (attempt.made_at, attempt.promise) == (promotion.started_at, promised)
    assert (promised.purpose, promised.name, promised.master) == ("promotion", "SPRING", None)
    assert keeps(bytes(promised.commitment), master_of(promised), promised.promise)
    (act,) = acts("draw.promised")
    assert (act["name"], act["commitment"]) == ("SPRING", bytes(promised.commitment).hex())
    assert master_of(promised) not in bytes(promised.encrypted_master)
    assert promise(promotion=promotion, by=manager(), now=world.DAY + attempt.made_at) == promised  # whoever asks
    assert Draw.objects.count() == 1
    assert result_of(promotion)["commitment"] == act["commitment"]  # type: ignore[index]


def test_it_starts_only_once_the_witness_has_seen_the_promise(second_party: AtHand) -> None:
    """Where is_public is asked: at the start. Until then it is submitted, takes no entry, and the tick starts it."""
    second_party.unseen = True
    promotion = running()
    assert (promotion.status, promotion.started_at) == ("submitted", None)
    (first,) = acts("draw.promised")
    assert refused(world.put_in, people="A")[0] == "promotion-submitted"
    whole_tick(promotion.starts_at)  # type: ignore[arg-type]
    assert Promotion.objects.get().status == "submitted"
    second_party.unseen = False
    whole_tick(promotion.starts_at)  # type: ignore[arg-type]
    assert Promotion.objects.get().status == "running"
    assert acts("draw.promised") == [first]


def test_a_draw_from_promise_to_proof() -> None:
    promotion = sealed("ABCDEFGHIJ" * 3, prizes=[prize(quantity=3, alternates=1), prize(name="Second", value="50.00")])
    noted = promised()
    assert draw_promotion(code="SPRING", by=world.supervisor(), now=promotion.draw_at).drawn_at == promotion.draw_at
    attempt = Draw.objects.get()
    assert (attempt.prizes, attempt.alternates, len(attempt.numbers)) == (4, 3, 7)
    made = published()
    assert failed(made, noted) == []
    assert oracle_faults(made, noted) == []
    assert failed(published(texts=True), noted) == []
    # The entries behind the numbers are the ones of the list, in its order.
    listed = list(Entry.objects.filter(withdrawn_at=None).order_by("id"))
    assert [listed[number - 1].pk for number in attempt.numbers] == [
        pick.entry_id for pick in Pick.objects.order_by("place")
    ]
    assert [win.prize.name for win in world.wins()] == ["Two thousand dollars"] * 3 + ["Second"]
    assert Promotion.objects.get().status == "drawn"
    # What is told to the boards, and to the page.
    (act,) = Act.objects.filter(kind="promotion.result")
    shown = public(act.kind, act.subject, act.at, act.data)
    assert (shown["promotion"], shown["draw"]) == ("SPRING", Draw.objects.get().pk)
    assert shown["numbers"] == attempt.numbers[:4]
    assert shown["prize"] == "4 prizes"
    told = result_of(promotion)
    assert told is not None
    assert [line["number"] for line in told["result"]["prizes"]] == attempt.numbers[:4]
    assert told["result"]["alternates"] == attempt.numbers[4:]
    (record,) = acts("promotion.drawn")
    assert (record["entry_root"], record["entry_count"], record["witnessed"]) == (noted["root"], 30, True)
    assert acts("draw.revealed")[0]["master"] == made["proof"]["master"]
    # What decides is in the log before the question, and the question before the answer.
    kinds = list(Act.objects.order_by("id").values_list("kind", flat=True))
    order = ["promotion.draw-begun", "draw.sealed", "witness.asked", "witness.answered", "promotion.drawn"]
    assert [kind for kind in kinds if kind in order] == order


def test_nothing_of_the_outcome_is_known_before_it_is_drawn() -> None:
    sealed()
    shown = draw_proof(code="SPRING")
    assert shown["published"] is None
    assert (shown["attempts"][0]["seed"], shown["promise"]["master"]) == (None, None)
    assert shown["list"]["entry_count"] == 8
    assert result_of(Promotion.objects.get())["result"] is None  # type: ignore[index]


@pytest.mark.clause("nsw-promo-2025:17.7.1-11")
def test_it_is_drawn_when_the_terms_say_and_not_before() -> None:
    promotion = sealed()
    assert promotion.draw_at is not None
    early: dict[str, Any] = {"code": "SPRING", "by": world.supervisor(), "now": promotion.draw_at - MINUTE}
    assert refused(draw_promotion, **early) == ("not-its-time", "nsw-promo-2025:17.7.7")
    assert refused(draw_promotion, code="SPRING", by=world.auditor(), now=promotion.draw_at)[0] == "no-permission"
    draw_promotion(code="SPRING", by=world.supervisor(), now=promotion.draw_at)


def test_only_a_sealed_list_is_drawn_from() -> None:
    promotion = world.closed()
    asked: dict[str, Any] = {"code": "SPRING", "by": world.supervisor(), "now": promotion.draw_at}
    assert refused(draw_promotion, **asked) == ("promotion-closed", "nsw-promo-2025:17.7.7")
    assert refused(draw_promotion, **asked | {"code": "NONE"})[0] == "no-such-promotion"


def test_a_draw_that_was_not_promised_before_the_close_is_not_made() -> None:
    world.open_day()
    promotion = running()
    assert promotion.closes_at is not None
    world.put_in("ABC")
    # Somebody made another promise, later.
    unguarded("UPDATE draws_commitment SET made_at = %s", promotion.closes_at + MINUTE)
    close(code="SPRING", now=promotion.closes_at)
    seal(code="SPRING", now=promotion.closes_at)
    assert refused(draw_promotion, code="SPRING", by=world.supervisor(), now=promotion.draw_at) == (
        "nothing-promised",
        None,
    )


def test_drawing_again_answers_the_same_draw() -> None:
    first = drawn()
    numbers, picks, written = list(first.numbers), Pick.objects.count(), Act.objects.count()
    again = draw_promotion(code="SPRING", by=manager(), now=first.drawn_at)
    assert (again.pk, again.numbers) == (first.pk, numbers)
    assert (Pick.objects.count(), Act.objects.count()) == (picks, written)


def test_one_prize_a_person_where_the_terms_say_so() -> None:
    drawn("A" * 30 + "BC", prizes=[prize(quantity=3)], one_prize_a_person=True)
    assert sorted(map(world.person, world.wins())) == ["A", "B", "C"]
    assert Pick.objects.filter(outcome="passed-over").exists()
    noted = promised()
    assert failed(published(), noted) == []
    assert failed(published(texts=True), noted) == []
    assert oracle_faults(published(), noted) == []


def test_without_it_every_entry_counts() -> None:
    drawn("A" * 5, prizes=[prize(quantity=3)])
    assert [world.person(win) for win in world.wins()] == ["A", "A", "A"]


def test_more_prizes_than_entries_leaves_prizes_without_a_winner() -> None:
    drawn("AB", prizes=[prize(quantity=3, alternates=2)])
    assert len(world.wins()) == 2
    assert failed(published(), promised()) == []
    assert oracle_faults(published(), promised()) == []


def test_nobody_entered() -> None:
    attempt = drawn("")
    assert attempt.numbers == []
    assert Promotion.objects.get().status == "finished"
    assert published()["proof"] is None
    assert acts("promotion.result")[0]["prize"] == "no winner"


def test_the_tick_draws_what_needs_nobody() -> None:
    promotion = sealed()
    assert promotion.draw_at is not None
    tick(promotion.draw_at - MINUTE)
    assert Promotion.objects.get().status == "sealed"
    assert due(promotion.draw_at - MINUTE) == promotion.draw_at
    tick(promotion.draw_at)
    assert Promotion.objects.get().status == "drawn"
    assert due(promotion.draw_at) is None
    tick(promotion.draw_at)
    assert len(acts("promotion.drawn")) == 1


@pytest.mark.parametrize(
    "terms", [{"prizes": [CAR]}, {"must_be_present": True, "call_seconds": 60}], ids=["car", "calls"]
)
def test_the_tick_waits_for_people_where_they_are_needed(terms: dict[str, Any]) -> None:
    promotion = sealed(**terms)
    assert promotion.draw_at is not None
    tick(promotion.draw_at)
    assert Promotion.objects.get().status == "sealed"
    assert due(promotion.draw_at + 2 * MINUTE) is None  # nobody asks every second whether they have come


def test_in_a_quiet_house_entries_close_in_their_moment() -> None:
    promotion = running()
    assert promotion.closes_at is not None
    assert due(promotion.closes_at - MINUTE) == promotion.closes_at


# --- the scrutineer --------------------------------------------------------------------------------------------------
@pytest.mark.clause("nsw-promo-2025:17.2", "nsw-promo-2019:15.2")
@pytest.mark.parametrize(("edition", "clause"), [("2025", "nsw-promo-2025:17.2"), ("2019", "nsw-promo-2019:15.2")])
def test_a_scrutineer_oversees_a_draw_above_ten_thousand(edition: str, clause: str) -> None:
    promotion = sealed(edition=edition, prizes=[CAR])
    at: dict[str, Any] = {"code": "SPRING", "now": promotion.draw_at}
    sue, otto = world.supervisor(), world.auditor()
    assert refused(draw_promotion, **at, by=sue) == ("scrutineer-absent", clause)
    assert refused(scrutineer.attend, **at, by=otto) == ("not-the-scrutineer", clause)
    assert refused(scrutineer.nominate_scrutineer, code="SPRING", scrutineer=sue.identity, by=sue) == (
        "scrutineer-draws",
        clause,
    )
    assert refused(scrutineer.nominate_scrutineer, code="SPRING", scrutineer=" ", by=sue)[0] == "scrutineer-unknown"
    scrutineer.nominate_scrutineer(code="SPRING", scrutineer=otto.identity, by=sue)
    assert refused(draw_promotion, **at, by=sue) == ("scrutineer-absent", clause)  # nominated is not there
    scrutineer.attend(**at, by=otto)
    assert refused(scrutineer.sign, **at, by=otto) == ("not-drawn", clause)
    draw_promotion(**at, by=sue)
    # Drawn, and not yet out: the signature publishes it.
    attempt = Draw.objects.get()
    assert attempt.scrutinised
    assert attempt.published_at is None
    assert draw_proof(code="SPRING")["published"] is None
    assert draw_proof(code="SPRING")["promise"]["master"] is None
    assert acts("promotion.result") == []
    win = Win.objects.get()
    asked: dict[str, Any] = {"win_id": win.pk, "by": sue, "now": promotion.draw_at}
    claimed = {"name": "Anna Marsh", "address": "1 Lake Street"}
    assert refused(make_claim, **asked, **claimed) == ("result-not-signed", clause)
    assert refused(decline_prize, **asked) == ("result-not-signed", clause)
    told = {"how": "telephone", "reached": True, "at": promotion.draw_at}
    assert refused(record_notification, **asked, **told) == ("result-not-signed", clause)
    assert refused(scrutineer.sign, **at, by=sue) == ("not-the-scrutineer", clause)
    scrutineer.sign(**at, by=otto)
    attempt.refresh_from_db()
    assert attempt.published_at == promotion.draw_at
    assert acts("promotion.scrutineer-signed")[0]["result"] == attempt.signed_result == scrutineer.outcome_hash(attempt)
    assert len(acts("promotion.result")) == 1
    scrutineer.sign(**at, by=otto)
    assert len(acts("promotion.scrutineer-signed")) == 1
    assert failed(published(), promised()) == []


@pytest.mark.clause("nsw-promo-2025:17.2", "nsw-promo-2019:15.2")
@pytest.mark.parametrize("edition", ["2019", "2025"])
def test_ten_thousand_exactly_needs_no_scrutineer(edition: str) -> None:
    attempt = drawn(edition=edition, prizes=[{**CAR, "value": "10000.00"}])
    assert not attempt.scrutinised
    assert attempt.published_at is not None


@pytest.mark.clause("nsw-promo-2025:17.2")
def test_it_is_one_prize_that_counts_not_all_of_them() -> None:
    attempt = drawn(prizes=[prize(value="9000.00", quantity=5)])
    assert not attempt.scrutinised


def test_who_oversees_does_not_draw() -> None:
    promotion = sealed(prizes=[CAR])
    manny = account(manager("manny"), "manager")
    scrutineer.nominate_scrutineer(code="SPRING", scrutineer=manny.identity, by=manager())
    scrutineer.attend(code="SPRING", by=manny)
    assert refused(draw_promotion, code="SPRING", by=manny, now=promotion.draw_at) == (
        "scrutineer-draws",
        "nsw-promo-2025:17.2",
    )
    draw_promotion(code="SPRING", by=manager(), now=promotion.draw_at)
    assert (
        refused(scrutineer.nominate_scrutineer, code="SPRING", scrutineer="staff:x", by=manager())[0] == "already-drawn"
    )
    assert refused(scrutineer.attend, code="SPRING", by=manny)[0] == "already-drawn"


def test_the_database_knows_it_too() -> None:
    """No draw without the scrutineer, no result without the signature, whoever writes."""
    drawn(prizes=[prize(value="500.00")])
    crimes = (
        "scrutinised = true", "numbers = '{}'", "barred = '{1}'", "prizes = 2", "begun_by = 'x'", "drawn_by = 'x'",
        "promise_id = 0", "entry_list_id = NULL", "void_numbers = '{1}'",
    )  # fmt: skip
    for change in crimes:
        with pytest.raises(DatabaseError), transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(f"UPDATE promotions_draw SET {change}")
    with pytest.raises(DatabaseError), transaction.atomic():
        Pick.objects.update(number=99)
    with pytest.raises(DatabaseError), transaction.atomic():
        Pick.objects.all().delete()


def test_checked_offline_from_files_and_from_the_audit_trail(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    drawn("ABCDEFGH" * 4, prizes=[prize(quantity=2, alternates=1)])
    (tmp_path / "draw.json").write_text(json.dumps(published()))
    (tmp_path / "leaves").write_text("\n".join(promised()["leaves"]))
    rows = [
        json.dumps({"n": 0, "leaf": "", "row": {"kind": act.kind, "subject": act.subject, "data": act.data}})
        for act in Act.objects.order_by("id")
    ]
    (tmp_path / "trail").write_text("\n".join(rows))
    arguments = [str(tmp_path / "draw.json"), "--leaves", str(tmp_path / "leaves"), "--audit", str(tmp_path / "trail")]
    assert checker.main(arguments) == 0
    said = capsys.readouterr().out.splitlines()
    assert [line.split(":")[0] for line in islice(said, 20)] == [
        "ok   form",
        "ok   published commitment",
        "ok   published ticket root",
        "ok   commitment",
        "ok   question",
        "ok   witness",
        "ok   numbers",
        "ok   published count",
        "ok   draw",
        "ok   log",
        "ok   list",
        "ok   entries",
        "ok   winners",
    ]


def test_wins_are_rows_with_their_clocks() -> None:
    attempt = drawn(prizes=[prize(quantity=2)])
    for win in Win.objects.all():
        assert win.value == win.prize.value
        assert win.notify_by == attempt.drawn_at + 2 * world.DAY  # type: ignore[operator]
        assert win.claim_by == attempt.drawn_at + 28 * world.DAY  # type: ignore[operator]
