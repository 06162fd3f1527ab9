"""Drawing a promotion: from the committed seed and the sealed list to the winners, in one transaction.

Killed anywhere, nothing was drawn, and whoever goes on draws the same: the order depends on the seed, the list and
nothing else. Two at once draw once.

Before anything is drawn the root on record is compared with the published one, the whole list as it stands with the
root, and each drawn entry with the text it was sealed as (`promotions.tree`). A list that is not the sealed one
postpones the promotion and opens the inspector's notice (17.11, 15.12); nothing is drawn from it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Final

from django.db import transaction

from chance.select import RecordDiffers, picks, source
from house.log import record_act
from kernel.actors import Actor, system
from kernel.refusal import Conflict
from promotions import integrity, results, steps, wins
from promotions.acts import draws as acts
from promotions.attempts import current_draw, seed_of
from promotions.lifecycle import Step
from promotions.locks import database_time, find_promotion, lock_promotion
from promotions.models import Draw, Entry, EntryList, Loss, Pick, Prize
from promotions.permissions import DRAW
from promotions.rules import draw as rules
from promotions.rules.draw import Drawn, EntryOutcome
from promotions.rules.terms import Terms
from promotions.seal import current_list, must_be_published
from promotions.tree import ListDiffers, ListTree
from promotions.versions import single_prizes, terms_in_force

DRAWER: Final = system("promotions-draw")
_SPARE: Final = 32  # numbers looked up beyond those surely needed: some will be passed over


def draw_promotion(*, code: str, by: Actor, now: datetime | None = None) -> Draw:
    """Draw, or answer the draw that has been made. Look at the promotion: it may have been postponed instead."""
    by.require(DRAW)
    return draw(code=code, by=by, now=now)


@transaction.atomic
def draw(*, code: str, by: Actor = DRAWER, now: datetime | None = None) -> Draw:
    promotion = lock_promotion(code)
    attempt = current_draw(promotion)
    if attempt is not None and attempt.drawn_at is not None:
        return attempt
    now = now or database_time()
    steps.must_allow(Step.DRAW, promotion)
    version, terms = terms_in_force(promotion)
    prizes = single_prizes(version)
    attempt = steps.must_be_drawable(promotion, attempt, prizes, by=by, now=now)
    sealed = current_list(promotion)
    attempt.entry_list, attempt.version = sealed, version
    try:
        with transaction.atomic():  # a list that turns out not to be the sealed one leaves nothing drawn behind
            _draw_from(sealed, attempt, terms, prizes, by=by, now=now)
    except ListDiffers as differs:
        integrity.list_differs(promotion=promotion, differs=str(differs), now=now)
        attempt = current_draw(promotion)
        assert attempt is not None  # a promise that was not used stands
        attempt.promotion = promotion
        return attempt
    promotion.status = steps.take(Step.DRAW, promotion)
    promotion.drawn_at = now
    promotion.save(update_fields=["status", "drawn_at"])
    attempt.promotion = promotion
    assert attempt.seed is not None
    drawn = acts.Drawn(
        promotion=code,
        draw=attempt.pk,
        attempt=attempt.attempt,
        list_=sealed.number,
        commitment=bytes(attempt.commitment),
        seed=bytes(attempt.seed),
        entry_root=bytes(sealed.root),
        entry_count=sealed.count,
        numbers=tuple(attempt.numbers),
    )
    record_act(drawn, by=by)
    if not attempt.scrutinised:
        results.publish(draw=attempt, by=by, now=now)
    return attempt


def _draw_from(
    sealed: EntryList, attempt: Draw, terms: Terms, prizes: Sequence[Prize], *, by: Actor, now: datetime
) -> None:
    must_be_published(sealed)
    found = ListTree(sealed)
    found.must_be(sealed)
    attempt.seed, attempt.drawn_at, attempt.drawn_by = seed_of(attempt), now, by.identity
    attempt.scrutinised = steps.is_overseen(prizes)
    attempt.prizes, attempt.alternates = len(prizes), sum(prize.alternates for prize in prizes)
    attempt.one_prize_a_person = terms.one_prize_a_person
    made = ["seed", "drawn_at", "drawn_by", "scrutinised", "prizes", "alternates", "one_prize_a_person"]
    attempt.save(update_fields=[*made, "entry_list", "version"])
    _record(attempt, found, prizes, now=now, call_seconds=terms.call_seconds, claim_days=terms.claim_within_days)


def follow_losses(*, draw: Draw, by: Actor, now: datetime) -> list[Pick]:
    """Walk the drawn order again with every loss on record: who was drawn anew. The promotion's row is locked."""
    assert draw.version is not None
    prizes = single_prizes(draw.version)
    _, terms = terms_in_force(draw.promotion)
    before = {pick.place for pick in Pick.objects.filter(draw=draw, outcome="winner")}
    _record(draw, None, prizes, now=now, call_seconds=terms.call_seconds, claim_days=terms.claim_within_days)
    return list(Pick.objects.filter(draw=draw, outcome="winner").exclude(place__in=before).order_by("place"))


def serves_from_alternates(*, draw: Draw, place: int) -> bool:
    """Whether a prize lost at *place* would go to somebody who has been drawn already."""
    order = [Drawn(pick.place, pick.number, str(pick.entry.entrant_id)) for pick in _known(draw)]
    losses = [rules.Loss(each.place, each.redraw) for each in Loss.objects.filter(draw=draw)]
    before = rules.winners(_walk(draw, order, losses))
    after_it = rules.winners(_walk(draw, order, [*losses, rules.Loss(place, redraw=True)]))
    return len(after_it) == len(before)


def _record(
    draw: Draw,
    found: ListTree | None,
    prizes: Sequence[Prize],
    *,
    now: datetime,
    call_seconds: int | None,
    claim_days: int,
) -> None:
    """Write down what the walk gives: entries newly drawn, outcomes that changed, new winners."""
    assert draw.entry_list is not None
    if not draw.entry_list.count:
        return  # nobody entered, nobody wins
    known = {pick.number: pick for pick in _known(draw)}
    lookup = _Lookup(draw, found, {number: pick.entry for number, pick in known.items()})
    losses = [rules.Loss(each.place, each.redraw) for each in Loss.objects.filter(draw=draw)]
    outcomes = _walk(draw, lookup.order(), losses)
    numbers = [each.entry for each in outcomes]
    if numbers[: len(draw.numbers)] != draw.numbers:
        raise RecordDiffers(
            f"The entries on record of {draw.promotion.code} are not the ones its committed seed gives."
        )
    if numbers != draw.numbers:
        draw.numbers = numbers
        draw.save(update_fields=["numbers"])
    people = _people(outcomes)
    new = []
    for each in outcomes:
        if each.entry not in known:
            new.append(
                Pick(
                    draw=draw,
                    place=each.place,
                    number=each.entry,
                    entry=lookup.entries[each.entry],
                    person=people[each.person],
                    path=b"".join(lookup.tree.path(each.entry)),
                    outcome=each.outcome.value,
                    prize=each.prize,
                )
            )
            continue
        pick = known[each.entry]
        if (pick.outcome, pick.prize) != (each.outcome.value, each.prize):
            pick.outcome, pick.prize = each.outcome.value, each.prize
            pick.save(update_fields=["outcome", "prize"])
    Pick.objects.bulk_create(new)
    wins.make(draw=draw, prizes=prizes, now=now, call_seconds=call_seconds, claim_days=claim_days)


class _Lookup:
    """The drawn order with the people behind it, looked up many at a time; the list is read only when needed."""

    def __init__(self, draw: Draw, found: ListTree | None, entries: dict[int, Entry]) -> None:
        self.draw = draw
        self.found = found
        self.entries = entries

    @property
    def tree(self) -> ListTree:
        if self.found is None:
            assert self.draw.entry_list is not None
            self.found = ListTree(self.draw.entry_list)
            self.found.must_be(self.draw.entry_list)
        return self.found

    def order(self) -> Iterator[Drawn]:
        assert self.draw.entry_list is not None
        assert self.draw.seed is not None
        count = self.draw.entry_list.count
        stream = source(
            seed=bytes(self.draw.seed),
            occasion=self.draw.occasion,
            ticket_root=bytes(self.draw.entry_list.root),
            ticket_count=count,
        )
        wanted = max(len(self.entries), (self.draw.prizes or 0) + (self.draw.alternates or 0) + _SPARE)
        ahead: list[int] = []
        place = 0
        for pick in picks(stream, count):
            ahead.append(pick.number)
            if len(ahead) < wanted and place + len(ahead) < count:
                continue
            if unknown := [number for number in ahead if number not in self.entries]:
                self.entries |= self.tree.entries(unknown)
            for number in ahead:
                place += 1
                yield Drawn(place, number, str(self.entries[number].entrant_id))
            ahead, wanted = [], min(wanted * 2, 100_000)


def _walk(draw: Draw, order: Iterator[Drawn] | Sequence[Drawn], losses: Sequence[rules.Loss]) -> list[EntryOutcome]:
    assert draw.prizes is not None
    assert draw.alternates is not None
    return rules.walk(
        order,
        prizes=draw.prizes,
        alternates=draw.alternates,
        one_prize_a_person=bool(draw.one_prize_a_person),
        losses=losses,
    )


def _known(draw: Draw) -> list[Pick]:
    return list(Pick.objects.filter(draw=draw).select_related("entry").order_by("place"))


def _people(outcomes: Sequence[EntryOutcome]) -> Mapping[str, str]:
    """Made-up names for publishing: 1, 2, 3 by the first place in the drawn order."""
    named: dict[str, str] = {}
    for each in outcomes:
        named.setdefault(each.person, str(len(named) + 1))
    return named


def find_draw(code: str) -> Draw:
    """The current attempt of a promotion, or a refusal."""
    attempt = current_draw(find_promotion(code))
    if attempt is None:
        raise Conflict("nothing-promised", f"The draw of {code} has not been promised yet.")
    return attempt
