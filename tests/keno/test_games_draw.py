"""A draw from its committed seed: promised, sealed, recorded number by number, continued by whoever picks it up."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from chance import commitment, seeds
from chance.select import RecordDiffers, numbers
from keno.attempts import make_attempt, seed_of, ticket_set
from keno.close import close_game
from keno.draw import draw_game, record_numbers
from keno.models import Draw, Game
from keno.open_games import keep_open
from kernel import keys
from kernel.merkle import EMPTY_ROOT, root_of
from kernel.refusal import Conflict
from ledger.models import Act
from tests.world.keno_games import OPENS, SUE, cancel_from, open_days, open_first_game, put_ticket, raw

pytestmark = pytest.mark.django_db
NOW = OPENS + timedelta(minutes=3)


def closed_game() -> Draw:
    open_first_game()
    close_game(number=1, by=SUE, now=NOW)
    return Draw.objects.get(game=1)


def test_the_numbers_are_the_ones_that_seed_and_tickets_give() -> None:
    open_first_game()
    put_ticket(first_game=1, groups=[[5, 6, 7]], plays=[(3, 100)])
    close_game(number=1, by=SUE, now=NOW)
    promised = raw(Draw.objects.get(game=1).commitment)
    game = draw_game(number=1, by=SUE, now=NOW)
    draw = Draw.objects.get(game=1)
    assert game.status == "settled"
    occasion = commitment.Occasion(purpose="keno", game="1", attempt=1)
    assert commitment.commitment(raw(draw.seed), occasion) == promised == raw(draw.commitment)
    assert draw.numbers == numbers(
        seed=raw(draw.seed),
        occasion=occasion,
        ticket_root=raw(draw.ticket_root),
        ticket_count=1,
        pool=80,
        count=20,
    )
    settled = Act.objects.get(kind="keno.settled")
    assert settled.data["seed"] == raw(draw.seed).hex()
    assert settled.data["numbers"] == draw.numbers


def test_the_seed_is_nowhere_in_clear_until_the_game_is_settled() -> None:
    draw = closed_game()
    seed = seed_of(draw)
    assert seed not in raw(draw.encrypted_seed)
    record_numbers(number=1, upto=20, now=NOW)
    draw.refresh_from_db()
    assert (draw.seed, len(draw.numbers)) == (None, 20)
    assert not [act for act in Act.objects.all() if seed.hex() in str(act.data)]


def test_seeds_are_new_after_every_restart() -> None:
    """A casino once restarted its Keno with the same seed each night. Here the same game, made twice from nothing."""
    from django.db import transaction

    class Restart(Exception):
        pass

    promised = set()
    for _ in range(5):
        try:
            with transaction.atomic():
                open_first_game()
                promised.add(raw(Draw.objects.get().commitment))
                raise Restart
        except Restart:
            pass
    assert len(promised) == 5


@pytest.mark.clause("act-keno:12.3")
@pytest.mark.parametrize("recorded", range(20))
def test_a_draw_that_stops_anywhere_goes_on_with_the_same_numbers(recorded: int) -> None:
    draw = closed_game()
    empty = ticket_set(1)
    expected = numbers(
        seed=seed_of(draw), occasion=draw.occasion, ticket_root=empty.root, ticket_count=0, pool=80, count=20
    )
    if recorded:
        record_numbers(number=1, upto=recorded, now=NOW)
    draw.refresh_from_db()
    assert draw.numbers == expected[:recorded]
    record_numbers(number=1, upto=recorded, now=NOW) if recorded else None  # the same again adds nothing
    record_numbers(number=1, upto=20, now=NOW)
    draw.refresh_from_db()
    assert draw.numbers == expected


def test_a_worker_that_fails_while_recording_leaves_nothing_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    draw = closed_game()
    record_numbers(number=1, upto=4, now=NOW)
    before = Draw.objects.get(game=1).numbers
    acts = Act.objects.count()
    from ledger import log

    written = log.write
    calls = []

    def break_at_third(**act: Any) -> None:
        calls.append(act)
        if len(calls) == 3:
            raise RuntimeError("power cut")
        written(**act)

    with monkeypatch.context() as broken:
        broken.setattr(log, "write", break_at_third)
        with pytest.raises(RuntimeError):
            record_numbers(number=1, upto=10, now=NOW)
    draw.refresh_from_db()
    assert (draw.numbers, Act.objects.count()) == (before, acts)
    record_numbers(number=1, upto=20, now=NOW)
    assert Draw.objects.get(game=1).numbers[:4] == before


def test_numbers_on_record_that_the_seed_does_not_give_stop_the_draw() -> None:
    draw = closed_game()
    record_numbers(number=1, upto=2, now=NOW)
    draw.refresh_from_db()
    foreign = next(n for n in range(1, 81) if n not in draw.numbers)
    Draw.objects.filter(pk=draw.pk).update(numbers=[*draw.numbers, foreign])
    wanted = numbers(
        seed=seed_of(draw), occasion=draw.occasion, ticket_root=EMPTY_ROOT, ticket_count=0, pool=80, count=3
    )
    if wanted[2] == foreign:
        pytest.skip("chance gave the foreign number")
    with pytest.raises(RecordDiffers):
        record_numbers(number=1, upto=20, now=NOW)
    assert len(Draw.objects.get(game=1).numbers) == 3


@pytest.mark.clause("act-keno:6.1")
def test_the_tickets_are_sealed_with_the_first_number() -> None:
    """In serial order; a ticket cancelled before is not in it, one of several games is in each of them."""
    open_first_game()
    b = put_ticket(first_game=1, groups=[[1]], plays=[(1, 100)], serial="B00000000000")
    a = put_ticket(first_game=1, groups=[[2]], plays=[(1, 100)], serial="A00000000000", games=5)
    c = put_ticket(first_game=1, groups=[[3]], plays=[(1, 100)], serial="C00000000000", games=2)
    cancelled = put_ticket(first_game=1, groups=[[4]], plays=[(1, 100)])
    cancel_from(cancelled, 1)
    later = put_ticket(first_game=2, groups=[[5]], plays=[(1, 100)], serial="D00000000000")
    close_game(number=1, by=SUE, now=NOW)
    draw = Draw.objects.get(game=1)
    assert (draw.ticket_root, draw.ticket_count) == (None, None)
    record_numbers(number=1, upto=1, now=NOW)
    draw.refresh_from_db()
    assert (raw(draw.ticket_root), draw.ticket_count) == (root_of([raw(a.leaf), raw(b.leaf), raw(c.leaf)]), 3)
    cancel_from(c, 2)
    assert ticket_set(1).root == raw(draw.ticket_root)
    assert (ticket_set(2).root, ticket_set(2).count) == (root_of([raw(a.leaf), raw(later.leaf)]), 2)
    assert ticket_set(6).root == EMPTY_ROOT


def test_a_seed_opens_only_with_the_key_and_for_its_own_attempt(monkeypatch: pytest.MonkeyPatch) -> None:
    draw = closed_game()
    with monkeypatch.context() as other:
        other.setattr(keys, "secret", lambda name: "another installation")
        with pytest.raises(seeds.SeedUnreadable):
            record_numbers(number=1, upto=1, now=NOW)
    assert Game.objects.get(pk=1).status == "closed"
    draw.attempt = 2
    with pytest.raises(seeds.SeedUnreadable):
        seed_of(draw)


def test_the_first_number_waits_for_the_games_before() -> None:
    open_first_game()
    close_game(number=1, by=SUE, now=NOW)
    close_game(number=2, by=SUE, now=NOW)
    with pytest.raises(Conflict) as refused:
        record_numbers(number=2, upto=1, now=NOW)
    assert refused.value.code == "earlier-game-first"
    assert Draw.objects.get(game=2).began_at is None


def test_an_attempt_of_a_mechanical_game_has_no_seed() -> None:
    open_days()
    game = keep_open(now=OPENS)
    assert game is not None
    game.device = "mechanical"
    Draw.objects.filter(game=game).update(voided_at=NOW, voided_by="staff:x", void_reason="Test.")
    draw = make_attempt(game=game, attempt=2, now=NOW)
    assert (draw.commitment, draw.encrypted_seed) == (None, None)
