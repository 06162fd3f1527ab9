"""Every movement of every must-hit-by meter of an export, decided again. Pure.

For each link, in the order of the log: the bounds that its terms set (and that they change only with a win); the
wagers of each movement, in one line without a gap, each of a round that ended or a message that was counted, once; the
root that was sealed over them; what was said to the question about exactly that root; where the meter stood before and
after, by arithmetic; whose hit was claimed. When the master of a gaming day is revealed, all of its movements are
computed again: every X, every point, every winner's wager.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from chance import two_party
from draws.acts import MasterRevealed
from draws.record import KINDS as OF_DRAWS
from draws.record import DrawsOnRecord
from jackpot.acts import Fell, MeterBounded, MovementDecided, MovementSealed, TermsSet
from jackpot.hit_acts import HitClaimed
from jackpot.rules import must_hit_by as rules
from jackpot.rules.must_hit_by import PURPOSE, Bounds
from jackpot.rules.policies import Kind
from kernel.acts import Act
from kernel.export_check import ActOnRecord, Doubt
from kernel.money import Money
from ledger.acts import OccasionSealed

_READ: Final[dict[str, type[Act]]] = {
    act.kind: act for act in (TermsSet, MeterBounded, MovementSealed, MovementDecided, HitClaimed)
}


@dataclass(slots=True)
class _Decided:
    """A decision that waits for its day's master."""

    act: MovementDecided
    sealed: MovementSealed
    bounds: tuple[Bounds, Bounds]  # before and after its first fall


@dataclass(slots=True)
class _Meter:
    """What the log has said of a link so far."""

    code: str  # of the link, and the level where it has several
    bounds: Bounds
    following: Bounds | None = None  # approved, and in force with the next win
    at: int = 0  # where it stands by what is decided
    sealed: dict[int, MovementSealed] = field(default_factory=dict)  # and not decided
    claimed: list[HitClaimed] = field(default_factory=list)  # since the last decision


@dataclass(slots=True)
class _Numbers:
    """Movements count on a link, whichever of its levels they move."""

    sealed: int = 0
    decided: int = 0


class MetersOnRecord:
    """Reads the acts; raises Doubt at the first thing that does not fit."""

    kinds = frozenset(_READ) | OF_DRAWS

    def __init__(self) -> None:
        self.attention: list[str] = []
        self.draws = DrawsOnRecord(PURPOSE)
        self.meters: dict[tuple[str, str | None], _Meter] = {}  # by link, and level where it has several
        self.numbers: dict[str, _Numbers] = {}  # by link
        self.terms: dict[str, TermsSet] = {}  # the last that were set of each link
        self.roots: dict[str, bytes] = {}  # by occasion: over the wagers that were named for it
        self.waiting: dict[str, list[_Decided]] = {}  # by the promise's name
        self.recomputed = self.fallen = 0

    def act(self, row: ActOnRecord) -> None:
        if row.kind in OF_DRAWS:
            self._of_draw(row.act)
            return
        match row.act:
            case TermsSet() as act:
                self.terms[act.link] = act
            case MeterBounded() as act:
                self._bounded(act)
            case MovementSealed() as act:
                self._sealed(act)
            case MovementDecided() as act:
                self._decided(act)
            case HitClaimed() as act:
                if act.kind_ == Kind.MYSTERY:
                    level = None if (act.link, None) in self.meters else act.level
                    self._meter(act.link, level).claimed.append(act)

    def balances(self, held: Mapping[str, int]) -> None:
        """What stands in the prize purses at the end, in micro-dollars: the meter, and what is not decided on top."""
        for (code, level), meter in self.meters.items():
            undecided = sum(act.moved.micros for act in meter.sealed.values())
            stands = held.get(f"jackpot:{code}:{level or 'prize'}", 0)
            due = meter.at + undecided
            if stands and stands < due:
                raise Doubt(f"{meter.code}: its meter stands at {Money(due).said}, and {Money(stands).said} is there.")

    def end(self) -> list[str]:
        """What was checked, in words."""
        for meter in self.meters.values():
            if meter.claimed:
                raise Doubt(f"{meter.code}: hit {meter.claimed[0].hit} was claimed, and nothing was decided.")
        if not self.meters:
            return []
        if self.roots:
            raise Doubt(f"the wagers of {min(self.roots)} were named and never sealed.")
        said = [
            f"{_count(self.recomputed, 'movement')} of {_count(len(self.numbers), 'must-hit-by link')} decided again "
            f"from promise, wagers and answer: {_count(self.fallen, 'fall')}."
        ]
        hidden = sum(len(each) for each in self.waiting.values())
        if hidden:
            said.append(f"{_count(hidden, 'movement')} of days whose master is not revealed yet: order and sums.")
        undecided = sum(len(meter.sealed) for meter in self.meters.values())
        if undecided:
            said.append(f"{_count(undecided, 'movement')} sealed and not decided yet.")
        void = sum(attempt.void is not None for each in self.draws.occasions.values() for attempt in each.attempts)
        if void:
            self.attention.append(f"{_count(void, 'attempt')} at must-hit-by movements declared void.")
        if self.draws.unwitnessed:
            self.attention.append(
                f"{_count(self.draws.unwitnessed, 'must-hit-by movement')} decided without the witness: an inspector’s "
                "dice or a public round stand in its place."
            )
        return said

    # The second party's part

    def _of_draw(self, act: Act) -> None:
        self.draws.take(act)
        match act:
            case OccasionSealed(purpose=rules.PURPOSE):
                if self.roots.pop(act.occasion, None) != act.root:
                    raise Doubt(f"{act.occasion}: what was sealed are not the wagers that were named for it.")
            case MasterRevealed(purpose=rules.PURPOSE):
                for decided in self.waiting.pop(act.name, []):
                    self._recompute(act.name, decided)

    # Meters

    def _meter(self, code: str, level: str | None) -> _Meter:
        found = self.meters.get((code, level))
        if found is None:
            raise Doubt(f"{code} has no bounds, and yet there is word of its meter.")
        return found

    def _bounded(self, act: MeterBounded) -> None:
        terms = self.terms.get(act.code)
        bounds = Bounds(act.seed.micros, act.ceiling.micros)
        if terms is None or terms.version != act.version or self._by_the_terms(act.code).get(act.level) != bounds:
            raise Doubt(f"{act.code}: its bounds are not those of the terms that were set.")
        self.numbers.setdefault(act.code, _Numbers())
        key = act.code, act.level
        if key not in self.meters:
            named = f"{act.code}, {act.level}" if act.level else act.code
            self.meters[key] = _Meter(named, bounds, at=bounds.seed)
        else:
            self.meters[key].following = bounds

    def _by_the_terms(self, code: str) -> dict[str | None, Bounds]:
        """Between what each level of a link falls, by its newest terms."""
        levels = self.terms[code].terms.get("levels", ())
        try:
            return {
                level["name"] if len(levels) > 1 else None: Bounds(
                    Money.parse(level["seed"]).micros, Money.parse(level["ceiling"]).micros
                )
                for level in levels
            }
        except (KeyError, TypeError, ValueError):
            return {}

    def _sealed(self, act: MovementSealed) -> None:
        meter, numbers = self._meter(act.code, act.level), self.numbers[act.code]
        if act.number != numbers.sealed + 1:
            raise Doubt(f"{act.code}: movement {act.number} is sealed after {numbers.sealed}.")
        names = {each.wager for each in act.wagers}
        total = Money.total(each.increment for each in act.wagers)
        if len(names) != len(act.wagers) or total != act.moved or not names:
            raise Doubt(f"{act.occasion}: its wagers do not add up.")
        self.draws.promise(_promise_of(act.occasion))
        numbers.sealed = act.number
        meter.sealed[act.number] = act
        self.roots[act.occasion] = rules.root(act.wagers)

    def _decided(self, act: MovementDecided) -> None:
        meter, numbers = self._meter(act.code, act.level), self.numbers[act.code]
        sealed = meter.sealed.pop(act.number, None)
        if sealed is None or act.number != numbers.decided + 1 or sealed.occasion != act.occasion:
            raise Doubt(f"{act.code}: movement {act.number} is decided out of order, or twice.")
        bounds = meter.bounds, meter.following or meter.bounds
        if (act.before.micros, act.ceiling.micros) != (meter.at, bounds[0].ceiling):
            stood, hit_by = Money(meter.at).said, Money(bounds[0].ceiling).said
            raise Doubt(f"{act.occasion}: the meter stood at {stood}, to be hit by {hit_by}.")
        if meter.following is not None and not act.falls:
            raise Doubt(f"{act.code}: its bounds were changed while it was played for.")
        self._check_others(act)
        self._check_attempts(act)
        self._check_sums(act, sealed, bounds[1])
        self._check_hits(act, meter, sealed)
        meter.at, meter.bounds, meter.following = act.after.micros, bounds[1], None
        numbers.decided, meter.claimed = act.number, []
        promise = _promise_of(act.occasion)
        decided = _Decided(act, sealed, bounds)
        if self.draws.promise(promise).master is not None:
            raise Doubt(f"{act.occasion} is decided after its master was revealed.")
        self.waiting.setdefault(promise, []).append(decided)

    def _check_others(self, act: MovementDecided) -> None:
        """Terms that a win has put in force change only the level that was won."""
        for level, bounds in self._by_the_terms(act.code).items():
            known = self.meters.get((act.code, level))
            if known is None or (known.following or known.bounds) != bounds:
                raise Doubt(f"{act.code}: the bounds of a level were changed while it was played for.")

    def _check_attempts(self, act: MovementDecided) -> None:
        """By the last attempt; every one before it is void, and this one is not."""
        attempts = self.draws.occasion(act.occasion).attempts
        self.draws.said(act.occasion, act.attempt)
        standing = [number for number, attempt in enumerate(attempts, start=1) if attempt.void is None]
        if standing != [act.attempt]:
            raise Doubt(f"{act.occasion}: attempt {act.attempt} decided it, and those that stand are {standing}.")

    def _check_sums(self, act: MovementDecided, sealed: MovementSealed, following: Bounds) -> None:
        """What can be said before the master is known: nothing is lost, and every fall pays its point."""
        meter = act.before.micros + sealed.moved.micros
        for fell in act.falls:
            start = max(following.seed, fell.point.micros - fell.amount.micros)
            if fell.amount != fell.point.down_to_cents() or (fell.start.micros, fell.ceiling.micros) != (
                start,
                following.ceiling,
            ):
                raise Doubt(f"{act.occasion}: the fall at {fell.point} pays wrongly, or starts the next pool so.")
            meter += start - fell.point.micros
        if meter != act.after.micros:
            raise Doubt(f"{act.occasion}: the meter would stand at {Money(meter).said}, not at {act.after.said}.")

    def _check_hits(self, act: MovementDecided, meter: _Meter, sealed: MovementSealed) -> None:
        wagers = {each.wager: each for each in sealed.wagers}
        paid = [(hit.hit, hit.amount, hit.from_pool, hit.table, hit.box) for hit in meter.claimed]
        due = []
        for fell in act.falls:
            wager = wagers.get(fell.wager)
            if wager is None:
                raise Doubt(f"{act.occasion}: it was won by a wager that was not sealed.")
            due.append((fell.hit, fell.amount, fell.amount, wager.table, wager.box))
        if paid != due:
            raise Doubt(f"{act.occasion}: what was claimed is not what fell.")

    def _recompute(self, promise: str, decided: _Decided) -> None:
        act, master = decided.act, self.draws.promise(promise).master
        assert master is not None
        said = self.draws.said(act.occasion, act.attempt)
        ordered = rules.in_order(decided.sealed.wagers, answer=said.said)
        stream = two_party.source(master, said)
        found = rules.decide(
            before=act.before.micros,
            increments=[each.increment.micros for each in ordered],
            bounds=lambda falls: decided.bounds[1 if falls else 0],
            below=lambda bound: stream.below(bound)[0],
        )
        fell = [(fall.point, fall.amount, ordered[fall.wager].wager, fall.start) for fall in found.falls]
        if fell != [_plain(each) for each in act.falls] or found.after != act.after.micros:
            raise Doubt(f"{act.occasion}: master, wagers and answer decide it otherwise.")
        self.recomputed += 1
        self.fallen += len(fell)


def _plain(fell: Fell) -> tuple[int, int, str, int]:
    return fell.point.micros, fell.amount.micros, fell.wager, fell.start.micros


def _promise_of(occasion: str) -> str:
    return occasion.rpartition("/")[0]


def _count(many: int, noun: str) -> str:
    return f"{many:,} {noun}{'' if many == 1 else 's'}"
