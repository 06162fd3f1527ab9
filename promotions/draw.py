"""Drawing a promotion: everything is fixed (`promotions.begin`), the witness is asked, then who won is written down.

The witness is asked outside of transactions, since it is somebody else's machine; from the moment before until the
winners are on record the promotion is locked. Killed anywhere, whoever goes on draws the same: the order depends on the
promised master, the sealed list, the witness's one answer and nothing else. Two at once draw once. While the witness is
away the draw waits, is asked about again by every tick, and an incident says so; the one other way on are an
inspector's dice, with the scrutineer there. Never the master alone.

Each drawn entry is compared with the text it was sealed as (`promotions.tree`). A list that was touched after asking is
not drawn from: an incident says so, and the draw waits until the list is the sealed one again or the attempt is void.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Final

from django.db import transaction

from chance.select import RecordDiffers, picks
from chance.two_party import Said
from draws import ask
from draws.replace import throw_dice
from house.log import record_act
from kernel.actors import Actor, system
from kernel.refusal import Busy, Conflict
from promotions import integrity, results, steps, wins
from promotions.acts import draws as acts
from promotions.attempts import current_draw, must_be_said, order_of
from promotions.begin import begin
from promotions.lifecycle import Step
from promotions.locks import database_time, find_promotion, lock_promotion
from promotions.models import Draw, Entry, Loss, Pick, Prize
from promotions.permissions import DRAW
from promotions.rules import draw as rules
from promotions.rules.draw import Drawn, EntryOutcome
from promotions.tree import ListDiffers, ListTree
from promotions.versions import single_prizes, terms_in_force, terms_of

DRAWER: Final = system("promotions-draw")
_SPARE: Final = 32  # numbers looked up beyond those surely needed: some will be passed over
_SEALED_WITHIN_SECONDS: Final = 3.0  # what the witness is asked about is under a seal by then


def draw_promotion(*, code: str, by: Actor, now: datetime | None = None) -> Draw:
    """Draw, or answer the draw that has been made. Look at the promotion: it may wait for the witness (drawing), or
    have been postponed instead."""
    by.require(DRAW)
    return draw(code=code, by=by, now=now)


def draw(*, code: str, by: Actor = DRAWER, now: datetime | None = None) -> Draw:
    """Not one transaction, but two with the question between them."""
    attempt, found = begin(code=code, by=by, now=now)
    if attempt.begun_at is None or attempt.drawn_at is not None:
        return attempt
    said = _ask(attempt, by=by)
    if said is None:
        integrity.draw_waits(promotion=attempt.promotion)
        return attempt
    return record(code=code, found=found, by=by, now=now)


def _ask(attempt: Draw, *, by: Actor) -> Said | None:
    """What the witness says; asked where it was not asked yet. None: it is away."""
    try:
        return ask.ask_patiently(
            attempt.promise,
            occasion=attempt.promotion.code,
            attempt=attempt.attempt,
            by=by,
            locked_by=attempt.begun_act,  # what was fixed is under the head that the witness signs
            seconds=_SEALED_WITHIN_SECONDS,
        )
    except Busy:
        return None


@transaction.atomic
def dice(*, code: str, throws: str, why: str, by: Actor) -> Draw:
    """The witness is away: an inspector's own throws in its place, before the scrutineer. The draw goes on by them."""
    promotion = lock_promotion(code)
    attempt = steps.must_be_waiting(promotion, current_draw(promotion), by=by)
    attempt.promotion = promotion
    throw_dice(attempt.promise, occasion=code, attempt=attempt.attempt, dice=throws, why=why, by=by)
    return attempt


@transaction.atomic
def record(*, code: str, by: Actor = DRAWER, found: ListTree | None = None, now: datetime | None = None) -> Draw:
    """The witness has answered: who won. *found*: the list, where it was read and compared just before asking."""
    promotion = lock_promotion(code)
    attempt = current_draw(promotion)
    if attempt is None or attempt.begun_at is None:
        raise Conflict("nothing-promised", f"No draw of {code} is under way.")
    attempt.promotion = promotion
    if attempt.drawn_at is not None:
        return attempt
    new, now = steps.take(Step.RECORD, promotion), now or database_time()
    said = must_be_said(attempt)
    try:
        with transaction.atomic():  # a list that turns out not to be the sealed one leaves nothing drawn behind
            _draw_from(attempt, said, found, by=by, now=now)
    except ListDiffers as differs:
        integrity.list_differs_after_asking(promotion=promotion, differs=str(differs))
        attempt.refresh_from_db()
        attempt.promotion = promotion
        return attempt
    promotion.status, promotion.drawn_at = new, now
    promotion.save(update_fields=["status", "drawn_at"])
    assert attempt.entry_list is not None
    drawn = acts.Drawn(
        promotion=code,
        draw=attempt.pk,
        attempt=attempt.attempt,
        list_=attempt.entry_list.number,
        entry_root=bytes(attempt.entry_list.root),
        entry_count=attempt.entry_list.count,
        numbers=tuple(attempt.numbers),
        witnessed=said.is_witnessed,
        people=people_of(attempt),
    )
    record_act(drawn, by=by)
    wins.write_down(attempt, _known(attempt))
    if not attempt.scrutinised:
        results.publish(draw=attempt, by=by, now=now)
    return attempt


def _draw_from(attempt: Draw, said: Said, found: ListTree | None, *, by: Actor, now: datetime) -> None:
    assert attempt.entry_list is not None
    assert attempt.version is not None
    if (said.question.root, said.question.count) != (bytes(attempt.entry_list.root), attempt.entry_list.count):
        raise ListDiffers(f"List {attempt.entry_list.number} on record is not the one that was asked about.")
    if found is None:
        found = ListTree(attempt.entry_list)
        found.must_be(attempt.entry_list)
    attempt.drawn_at, attempt.drawn_by = now, by.identity
    attempt.save(update_fields=["drawn_at", "drawn_by"])
    terms, prizes = terms_of(attempt.version), single_prizes(attempt.version)
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
            f"The entries on record of {draw.promotion.code} are not the ones that its promise and the answer give."
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
        count, stream = self.draw.entry_list.count, order_of(self.draw, must_be_said(self.draw))
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
        barred=draw.barred,
    )


def people_of(draw: Draw) -> tuple[int, ...]:
    """Whose each drawn entry is, by the names made up for publishing."""
    return tuple(
        int(name) for name in Pick.objects.filter(draw=draw).order_by("place").values_list("person", flat=True)
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
