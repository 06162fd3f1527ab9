"""Rounds and what was won in them, as an export tells of them: every hit computed again from its hands. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from jackpot.hit_acts import HitAct, HitClaimed, HitDenied, HitPaid, HitVerified
from jackpot.links_on_record import LinkOnRecord, Version
from jackpot.round_acts import HandClaimedLate, RoundFinished, RoundStarted
from jackpot.rules import pool as purses
from jackpot.rules.payouts import Evaluation, late_payouts, names_of, pay_prizes, prizes_won
from jackpot.rules.policies import Contributes, Folded, Game, Kind, Prize
from jackpot.rules.sealed_hands import HandOnBox, HandShown, seal_of
from kernel.export_check import ActOnRecord, Doubt
from kernel.money import Money
from kernel.refusal import Refusal

_FIXED: Final = (
    "hit", "sequence", "link", "table", "round", "hand", "kind_", "amount", "from_pool", "from_house", "measured_on",
    "place", "level",
)  # fmt: skip
OPEN, FINISHED, VOID, INVALIDATED = "open", "finished", "void", "invalidated"
CLAIMED, VERIFIED, PAID, DENIED = "claimed", "verified", "paid", "denied"


@dataclass(slots=True)
class HitOnRecord:
    act: HitClaimed
    claimed_by: str
    status: str = CLAIMED
    verified_by: str = ""
    authorised_by: str = ""
    claimed_at: str = ""
    shared: int = 0  # how often its share has been fixed anew

    @property
    def named(self) -> str:
        return f"hit {self.act.hit} of {self.act.link}"


@dataclass(slots=True)
class RoundOnRecord:
    number: int
    link: LinkOnRecord
    table: str
    version: Version
    boxes: tuple[int, ...]
    displayed: Mapping[str, Money]
    began: tuple[int, int]  # the transaction, and the row
    people: set[str]
    state: str = OPEN
    ended: tuple[int, int] | None = None
    fed: int = 0  # how many wagers fed the pools,
    kept: int = 0  # were kept by the house,
    void: tuple[int, ...] = ()  # boxes whose wager went back, because their hand was void
    hits: list[HitOnRecord] = field(default_factory=list)
    sealed: dict[int, bytes] = field(default_factory=dict)  # hands that nobody has been shown yet, by box
    pieces: Counter[str] = field(default_factory=Counter)  # of the hands that are known
    # By level: under what it began again, and what was booked.
    restarted: dict[str, tuple[str, tuple[tuple[str, str, int], ...]]] = field(default_factory=dict)
    restarted_levels: set[str] = field(default_factory=set)  # of which all was won
    won_in: dict[str, int] = field(default_factory=dict)  # by what it was won under: the transaction
    named_boxes: set[int] = field(default_factory=set)  # whose hand is on record
    moved: set[tuple[str, str | None]] = field(default_factory=set)  # its wagers that have moved a must-hit-by meter

    @property
    def named(self) -> str:
        return f"round {self.number} at {self.table}"

    @property
    def at_once(self) -> bool:
        rules = self.version.terms.rules
        return rules.contributes is Contributes.EVERY_WAGER and rules.game is not Game.MYSTERY


def begin(act: RoundStarted, row: ActOnRecord, link: LinkOnRecord) -> RoundOnRecord:
    version = link.version(act.terms, row)
    if list(act.boxes) != sorted(set(act.boxes)) or any(box < 1 for box in act.boxes):
        raise Doubt(f"round {act.round} at {act.table}: a box has one wager.", line=row.line)
    started = RoundOnRecord(
        act.round, link, act.table, version, act.boxes, act.displayed, (row.tx, row.id), {row.actor}
    )
    if started.at_once:
        started.fed = len(act.boxes)

    def shown(held: Mapping[str, Money]) -> None:
        players = link.players(held)
        newest = max((each.number for each in link.versions if seen.includes(each.tx, 0)), default=1)
        if version.number not in (newest, newest + 1):
            raise Doubt(f"{started.named} began under terms that were not in force.", line=row.line)
        parameters = version.terms.parameters
        due = {level: purses.displayed(parameters, players, level=level) for level in link.levels}
        if due != dict(act.displayed):
            said, was = (", ".join(shown.said for shown in each.values()) for each in (act.displayed, due))
            raise Doubt(f"{started.named}: {said} is said to have been displayed, and it was {was}.", line=row.line)

    seen = link.seen(act.seen, row)
    link.purses.when_seen(seen, shown)
    return started


@dataclass(frozen=True, slots=True)
class Ended:
    """What follows from the end of a round."""

    result: Evaluation | None  # None: nothing was won
    balances: Mapping[str, Money]  # of the pools before the payouts
    aside: tuple[purses.Movement, ...]


Instead = Callable[[Evaluation], Evaluation]
"""What the round pays where it shares what others have won (``at_once_on_record.py``)."""


def finish(
    found: RoundOnRecord, act: RoundFinished, row: ActOnRecord, claims: Sequence[ActOnRecord], instead: Instead
) -> Ended:
    """Compute what the round pays, from its hands and the pools as they stood, and compare it with what was claimed."""
    if found.state != OPEN or act.table != found.table:
        raise Doubt(f"{found.named} is finished a second time, or elsewhere.", line=row.line)
    found.state, found.ended = FINISHED, (row.tx, row.id)
    found.people.add(row.actor)
    link, terms = found.link, found.version.terms
    _read_hands(found, act, row)
    hits = [_claimed(found, each) for each in claims]
    if not hits:
        _count(found, act, paid=())
        return Ended(None, {}, ())
    if act.pools is None or act.seen is None or set(act.pools) != set(link.players_purses):
        raise Doubt(f"{found.named} won something, and where the pools stood is not said.", line=row.line)
    balances, aside = _locked(found, act.pools, act.seen, row)
    boxes = sorted((box for box in found.boxes if box not in act.void), reverse=True)
    won = _prizes(found, act, boxes, [hit.act for hit in hits], row)
    result = instead(
        pay_prizes(
            terms.rules,
            pools={level: balances[level] for level in link.levels},
            shown=found.displayed,
            boxes=boxes,
            won=won,
            bonus=terms.bonus,
        )
    )
    _compare(found, result, hits, row)
    _count(found, act, paid=result.paid_boxes)
    found.hits = hits
    link.restarts += [(level, row.index) for level in result.restarts]
    return Ended(result, balances, aside)


def _locked(
    found: RoundOnRecord, pools: Mapping[str, Money], seen: str, row: ActOnRecord
) -> tuple[Mapping[str, Money], tuple[purses.Movement, ...]]:
    """What is paid from: the pools as they stood, without what was above a ceiling and went aside."""
    link = found.link

    def stood(held: Mapping[str, Money]) -> None:
        if link.players(held) != dict(pools):
            raise Doubt(f"{found.named}: the pools of {link.code} did not stand where it is said.", line=row.line)

    link.purses.when_seen(link.seen(seen, row), stood)
    aside = purses.overflow(found.version.terms.parameters, pools)
    return purses.apply(pools, aside), aside


def _read_hands(found: RoundOnRecord, act: RoundFinished, row: ActOnRecord) -> None:
    rules, seen = found.version.terms.rules, set()
    void = []
    for hand in act.hands:
        if hand.box in seen or (hand.pieces is None) == (hand.sealed is None):
            raise Doubt(f"{found.named}: box {hand.box} has one hand, in the open or sealed.", line=row.line)
        seen.add(hand.box)
        found.named_boxes.add(hand.box)
        if hand.sealed is not None:
            found.sealed[hand.box] = hand.sealed
            continue
        assert hand.pieces is not None
        if rules.game is Game.CARDS and len(hand.pieces) != 5:
            void += [hand.box] if hand.box in found.boxes else []
        elif (prize := _prize(found, act, hand, row)) is not None:
            raise Doubt(f"{found.named}: box {hand.box} held a {prize.hand}, and nobody was paid it.", line=row.line)
        _add_pieces(found, hand.pieces, row)
    if tuple(sorted(void)) != act.void:
        raise Doubt(
            f"{found.named}: other hands are said to be void than had too few or too many cards.", line=row.line
        )


def _prize(found: RoundOnRecord, act: RoundFinished, hand: HandOnBox, row: ActOnRecord) -> Prize | None:
    """What that hand wins on its box; None also where there is no wager, or it was not declared."""
    rules, box = found.version.terms.rules, hand.box
    try:
        names = names_of(rules, hand.pieces or ())
    except Refusal as wrong:
        raise Doubt(f"{found.named}: the hand of box {box} cannot be: {wrong.detail}", line=row.line) from wrong
    if box not in found.boxes or (rules.declared_clause and not hand.declared):
        return None
    return prizes_won(rules, [box], {box: names}, folded=frozenset(act.folded)).get(box)


def _add_pieces(found: RoundOnRecord, pieces: Sequence[str], row: ActOnRecord) -> None:
    a_set = 1 if found.version.terms.rules.game is Game.CARDS else 2
    found.pieces.update(pieces)
    if any(found.pieces[piece] > a_set for piece in pieces):
        raise Doubt(f"{found.named}: a card or tile lay there more often than there is of it.", line=row.line)


def _claimed(found: RoundOnRecord, claim: ActOnRecord) -> HitOnRecord:
    act = claim.act
    assert isinstance(act, HitClaimed)
    found.link.sequence += 1
    if act.sequence != found.link.sequence or act.table != found.table or act.status != CLAIMED:
        raise Doubt(f"hit {act.hit}: it is not the next one won on {found.link.code}.", line=claim.line)
    return HitOnRecord(act, claim.actor, claimed_at=claim.at)


def _prizes(
    found: RoundOnRecord, act: RoundFinished, boxes: Sequence[int], hits: Sequence[HitClaimed], row: ActOnRecord
) -> dict[int, Prize]:
    """By box: the prize that each sealed hand is claimed to win. Its cards show it when they are opened."""
    rules = found.version.terms.rules
    by_hand = {prize.hand: prize for prize in rules.prizes}
    claimed = {hit.box: hit.hand for hit in hits if hit.kind_ != Kind.BONUS}
    won = {}
    for box in boxes:
        if box in claimed:
            prize = by_hand.get(claimed[box] or "")
            out = rules.folded is Folded.LOSES and box in act.folded
            if prize is None or box not in found.sealed or out:
                raise Doubt(f"{found.named}: nothing on box {box} can have won {claimed[box]}.", line=row.line)
            won[box] = prize
    return won


def _compare(
    found: RoundOnRecord, result: Evaluation, hits: Sequence[HitOnRecord], row: ActOnRecord, *, after: int = 0
) -> None:
    due = [
        (
            *(place, payout.box, payout.hand, payout.kind.value, payout.level),
            *(payout.amount, payout.from_pool, payout.from_house, payout.measured_on),
        )
        for place, payout in enumerate((each for each in result.payouts if each.amount), start=after + 1)
    ]
    said = [
        (
            *(hit.act.place, hit.act.box, hit.act.hand, hit.act.kind_, hit.act.level),
            *(hit.act.amount, hit.act.from_pool, hit.act.from_house, hit.act.measured_on),
        )
        for hit in hits
    ]
    if said != due:
        other = next((i for i, (a, b) in enumerate(zip(said, due, strict=False)) if a != b), min(len(said), len(due)))
        owed = (
            f"{due[other][5].said} to box {due[other][1]} ({due[other][2] or 'bonus'})"
            if other < len(due)
            else "nothing"
        )
        raise Doubt(f"{found.named}: its payout {other + 1} should be {owed}.", line=row.line)


def _count(found: RoundOnRecord, act: RoundFinished, *, paid: Sequence[int]) -> None:
    """What becomes of the wagers themselves."""
    counted = [box for box in found.boxes if box not in act.void]
    found.void = act.void
    if not found.at_once:
        rules = found.version.terms.rules
        found.fed = len(rules.contributing(wagers=counted, paid=paid))
        found.kept = len(counted) - found.fed


def claim_late(
    found: RoundOnRecord, act: HandClaimedLate, row: ActOnRecord, claims: Sequence[ActOnRecord]
) -> tuple[Ended, list[HitOnRecord]]:
    """A hand that was not named when the round ended: what it pays by itself, and whether that was claimed."""
    link, terms = found.link, found.version.terms
    if found.state != FINISHED or act.box in found.named_boxes or act.box not in found.boxes:
        raise Doubt(f"{found.named}: nothing can be claimed late for box {act.box}.", line=row.line)
    found.named_boxes.add(act.box)
    _add_pieces(found, act.pieces, row)
    hits = [_claimed(found, each) for each in claims]
    balances, aside = _locked(found, act.pools, act.seen, row)
    try:
        result = late_payouts(
            terms.rules,
            pools={level: balances[level] for level in link.levels},
            shown=found.displayed,
            boxes=sorted(set(found.boxes) - set(found.void), reverse=True),
            box=act.box,
            pieces=act.pieces,
            bonus=terms.bonus,
        )
    except Refusal as wrong:
        raise Doubt(f"{found.named}: the late hand cannot be: {wrong.detail}", line=row.line) from wrong
    _compare(found, result, hits, row, after=len(found.hits))
    found.hits += hits
    link.restarts += [(level, row.index) for level in result.restarts]
    return Ended(result, balances, aside), hits


# Hits on their way


def must_go_on(hit: HitOnRecord, act: HitAct, row: ActOnRecord, status: str) -> None:
    """Everything that was fixed when it was claimed is as it was."""
    changed = [name for name in _FIXED if getattr(act, name) != getattr(hit.act, name)]
    if changed or act.status != status or (hit.act.box is not None and act.box != hit.act.box):
        what = changed[0].removesuffix("_") if changed else "status"
        raise Doubt(f"{hit.named}: its {what} is not what it was when it was won.", line=row.line)


def verify(found: RoundOnRecord | None, hit: HitOnRecord, act: HitVerified, row: ActOnRecord) -> None:
    must_go_on(hit, act, row, VERIFIED)
    if hit.status != CLAIMED:
        raise Doubt(f"{hit.named} is verified a second time, or after it was {hit.status}.", line=row.line)
    must_be_another(found, hit, row, "verified")
    if found is not None:
        _open(found, hit, act.dealt, row)
        entered = act.verification.get("cards")
        if act.dealt is not None and sorted(entered or ()) != sorted(act.dealt.pieces):
            raise Doubt(f"{hit.named}: who verified it saw other cards than the table had sent.", line=row.line)
    hit.status, hit.verified_by = VERIFIED, row.actor


def must_be_another(found: RoundOnRecord | None, hit: HitOnRecord, row: ActOnRecord, what: str) -> None:
    people = {hit.claimed_by, hit.verified_by, hit.authorised_by} | (found.people if found is not None else set())
    if row.actor in people:
        raise Doubt(f"{hit.named} is {what} by {row.actor}, who had a part in it.", line=row.line)


def _open(found: RoundOnRecord, hit: HitOnRecord, dealt: HandShown | None, row: ActOnRecord) -> None:
    """The hand of its box, where there was one, is the one that was sealed, and wins what was claimed for it."""
    box = hit.act.box
    if dealt is None:
        if box in found.sealed:
            raise Doubt(f"{hit.named}: the hand of box {box} was sealed, and is not shown.", line=row.line)
        return
    sealed = found.sealed.get(dealt.box)
    if dealt.box != box or sealed is None:
        if dealt.box == box and hit.act.kind_ == Kind.BONUS:
            return  # shown with the hand's own prize
        raise Doubt(f"{hit.named}: a hand is shown that was not sealed.", line=row.line)
    if seal_of(round_id=found.number, box=dealt.box, pieces=dealt.pieces, salt=dealt.salt) != sealed:
        raise Doubt(f"{hit.named}: these are not the cards that were sealed when the round ended.", line=row.line)
    rules = found.version.terms.rules
    try:
        prize = rules.prize_for(names_of(rules, dealt.pieces))
    except Refusal as wrong:
        raise Doubt(f"{hit.named}: the hand cannot be: {wrong.detail}", line=row.line) from wrong
    own = next((each.act.hand for each in found.hits if each.act.box == box and each.act.kind_ != Kind.BONUS), None)
    if (prize.hand if prize else None) != own:
        raise Doubt(f"{hit.named}: its cards are no {own or 'losing hand'}.", line=row.line)
    _add_pieces(found, dealt.pieces, row)
    del found.sealed[dealt.box]


def pay(found: RoundOnRecord | None, hit: HitOnRecord, act: HitPaid, row: ActOnRecord) -> None:
    must_go_on(hit, act, row, PAID)
    if hit.status != VERIFIED:
        raise Doubt(f"{hit.named} is paid, and it was {hit.status}.", line=row.line)
    must_be_another(found, hit, row, "paid")
    earlier = [each for each in (found.hits if found else ()) if (each.act.place or 0) < (hit.act.place or 0)]
    if any(each.status not in (PAID, DENIED) for each in earlier):
        raise Doubt(f"{hit.named} is paid before another that comes first.", line=row.line)
    hit.status = PAID


def deny(found: RoundOnRecord | None, hit: HitOnRecord, act: HitDenied, row: ActOnRecord) -> None:
    must_go_on(hit, act, row, DENIED)
    if hit.status not in (CLAIMED, VERIFIED):
        raise Doubt(f"{hit.named} is denied, and it was {hit.status}.", line=row.line)
    must_be_another(found, hit, row, "denied")
    if found is not None and hit.status == CLAIMED:
        _open(found, hit, act.dealt, row)
    hit.status = DENIED
