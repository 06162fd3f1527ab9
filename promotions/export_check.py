"""Promotions' part of the offline check of an export: terms, lists, draws, losses, signatures, prizes. Pure.

For each promotion, in the order of the log: the terms that the regulator was sent and those in force; the promise,
before anybody could enter; the list sealed after the close; everything that decides, before the witness is asked; the
entries drawn, computed again once the master is known; every prize that was lost, by two people and the scrutineer's
signature over what came of it; the result; claims and payments, by two people, once, and to who won. A draw's parts are
in ``draw_on_record.py``, entries and lists in ``entries_on_record.py``, money in ``wins_on_record.py``.
"""

from __future__ import annotations

from typing import Any, Final

from draws.acts import MasterPromised, MasterRevealed
from draws.record import KINDS as OF_DRAWS
from draws.record import DrawsOnRecord
from house.approvals_on_record import ApprovalsOnRecord
from house.people_on_record import SYSTEM
from kernel.acts import Act
from kernel.export_check import NOTHING_WANTED, ActOnRecord, Doubt, Figure, RoomCheck, TransferOnRecord, Wanted
from kernel.refusal import Refusal
from ledger.acts import AttemptVoid, OccasionSealed
from promotions.acts import draws, prizes, terms
from promotions.draw_on_record import DrawOnRecord
from promotions.entries_on_record import OF_PROMOTION as OF_ENTRIES
from promotions.entries_on_record import EntriesOnRecord
from promotions.kept_out_on_record import OF_PEOPLE
from promotions.promotion_on_record import PromotionOnRecord, told
from promotions.rules.draw import PURPOSE
from promotions.rules.editions import SUBMITTED_BEFORE, edition
from promotions.wins_on_record import TRANSFERS, WinsOnRecord

ATTACHMENT: Final = "promotions.entries"
VOID: Final = "promotions.void-draw"
SCRUTINISE: Final = "promotions.scrutinise"
AMENDMENT: Final = "promotions.amendment"
_OF_TERMS: Final[tuple[type[Act], ...]] = (
    terms.Drafted,
    terms.Edited,
    terms.Submitted,
    terms.Amended,
    terms.Started,
    terms.Closed,
    terms.Postponed,
    terms.Resumed,
    terms.Finished,
)
_OF_DRAW: Final[tuple[type[Act], ...]] = (
    draws.ScrutineerNominated,
    draws.ScrutineerAttends,
    draws.ScrutineerSigned,
    draws.DrawBegun,
    draws.Drawn,
    draws.ResultPublished,
    prizes.LossNoted,
    prizes.LossSeconded,
    prizes.LossWithdrawn,
    prizes.PrizeLost,
    prizes.PrizesWon,
)
_OF_WINNERS: Final[tuple[type[Act], ...]] = (
    prizes.WinnerCalled,
    prizes.WinnerPresent,
    prizes.WinnerTold,
    prizes.ClaimMade,
    prizes.ClaimAccepted,
    prizes.ClaimDenied,
    prizes.PrizePaid,
)


class Check(RoomCheck):
    """*approvals*: what the house's check has read so far."""

    name = "Promotions"
    acts = frozenset(act.kind for act in (*_OF_TERMS, *OF_ENTRIES, *OF_PEOPLE, *_OF_DRAW, *_OF_WINNERS)) | OF_DRAWS
    transfers = TRANSFERS
    attachment = ATTACHMENT

    def __init__(self, wanted: Wanted = NOTHING_WANTED, *, approvals: ApprovalsOnRecord) -> None:
        super().__init__(wanted)
        self.approvals, self.people = approvals, approvals.people
        self.record = DrawsOnRecord(PURPOSE)
        self.promotions: dict[str, PromotionOnRecord] = {}
        self.money = WinsOnRecord(self.people)
        self.recomputed = self.void = 0
        self.entries = EntriesOnRecord(self.people)

    def act(self, row: ActOnRecord) -> None:
        if row.kind in OF_DRAWS:
            self._of_record(row)
        elif isinstance(row.act, _OF_TERMS):
            self._of_terms(row)
        elif isinstance(row.act, OF_ENTRIES):
            of_promotion: Any = row.act
            self.entries.act(self._of(of_promotion.promotion), row)
        elif isinstance(row.act, OF_PEOPLE):
            self.entries.kept_out.act(row)
        elif isinstance(row.act, _OF_DRAW):
            self._of_draw(row)
        else:
            self._of_winner(row)

    def transfer(self, row: TransferOnRecord) -> None:
        self.money.transfer(row)

    def _of(self, code: str) -> PromotionOnRecord:
        found = self.promotions.get(code)
        if found is None:
            raise Doubt(f"there is word of a promotion {code} that nobody has drafted.")
        return found

    # Terms, start and close

    def _of_terms(self, row: ActOnRecord) -> None:
        match row.act:
            case terms.Drafted() as act:
                if act.promotion in self.promotions:
                    raise Doubt(f"promotion {act.promotion} is drafted twice.")
                try:
                    under = edition(act.edition)
                except (KeyError, Refusal):
                    raise Doubt(f"promotion {act.promotion} is of an edition that there is not.") from None
                self.promotions[act.promotion] = PromotionOnRecord(
                    act.promotion, under, act.title, {row.actor}, act.terms
                )
            case terms.Edited() as act:
                found = self._of(act.promotion)
                found.title, found.draft = act.title, act.terms
                found.writers.add(row.actor)
            case terms.Submitted() as act:
                self._submitted(self._of(act.promotion), act, row)
            case terms.Amended() as act:
                self._amended(self._of(act.promotion), act)
            case terms.Started() as act:
                self._started(self._of(act.promotion), act, row)
            case terms.Closed() as act:
                self._of(act.promotion).close(act, row.id)
            case terms.Postponed() as act:
                self._of(act.promotion).postpone(act, tx=row.tx)
            case terms.Resumed() as act:
                self._of(act.promotion).resume(act, tx=row.tx)
            case terms.Finished() as act:
                self._finished(self._of(act.promotion), act)

    def _submitted(self, found: PromotionOnRecord, act: terms.Submitted, row: ActOnRecord) -> None:
        if act.version in found.written:
            raise Doubt(f"{found.code}: version {act.version} of its terms is submitted twice.")
        alone = not row.actor.startswith(SYSTEM) and not self.approvals.people.are_others(row.actor, *found.writers)
        if alone and not found.started:
            raise Doubt(f"{found.code}: {row.actor} submits terms that he wrote himself.")
        if not found.started:
            found.confirm(act)
            found.as_written(act)
        found.written[act.version] = act.terms
        if not found.started and found.terms(act.version).starts_at - act.at < SUBMITTED_BEFORE:
            raise Doubt(f"{found.code}: its terms were submitted less than 24 hours before the start.")

    def _amended(self, found: PromotionOnRecord, act: terms.Amended) -> None:
        said = {"version": act.version, "terms": dict(act.terms)}
        if found.written.get(act.version) != act.terms or not found.started:
            raise Doubt(f"{found.code}: version {act.version} is put in force and was never submitted so.")
        if not any(each.act.new == said for each in self.approvals.under_way(AMENDMENT, found.code)):
            raise Doubt(f"{found.code}: version {act.version} of its terms is put in force, and nobody approved it.")
        found.confirm(act)
        standing = found.standing_draw
        if standing is not None and standing.drawn is not None:
            raise Doubt(f"{found.code}: its terms are amended after it was drawn.")
        found.in_force = act.version

    def _started(self, found: PromotionOnRecord, act: terms.Started, row: ActOnRecord) -> None:
        if found.started or act.version != max(found.written, default=0):
            raise Doubt(f"{found.code} is started twice, or under terms that nobody was sent.")
        if found.promised_at is None:
            raise Doubt(f"{found.code} is started before its draw was promised.")
        if row.cosigned is not None and found.promised_at >= row.cosigned:
            raise Doubt(f"{found.code} is started before the witness had seen its promise.")
        found.started, found.in_force = True, act.version

    def _finished(self, found: PromotionOnRecord, act: terms.Finished) -> None:
        draw = found.standing_draw
        if draw is None or draw.begun is None or not draw.published or found.finished:
            raise Doubt(f"{found.code} is finished, and its result was not published, or it was finished before.")
        states = [win.state for win in self.money.of_draw(draw)]
        if "won" in states or (act.paid, act.prizes) != (states.count("paid"), draw.begun.prizes):
            raise Doubt(f"{found.code} is finished with prizes that are owed, or counts them wrongly.")
        found.finished = True

    # The second party's part

    def _of_record(self, row: ActOnRecord) -> None:
        self.record.act(row.kind, row.act.data())
        act: Any = row.act
        if act.purpose != PURPOSE:
            return
        if isinstance(act, MasterPromised):
            self._of(act.name).promised_at = row.index
        elif isinstance(act, OccasionSealed):
            found = self._of(act.occasion)
            last = found.list_standing
            if last is None or (last.root, last.count) != (act.root, act.count):
                raise Doubt(f"{found.code}: what is sealed for the draw is not its list of entries.")
        elif isinstance(act, AttemptVoid):
            self._voided(self._of(act.occasion), act, row.tx)
        elif isinstance(act, MasterRevealed):
            self._revealed(self._of(act.name))

    def _voided(self, found: PromotionOnRecord, act: AttemptVoid, tx: int) -> None:
        draw = found.standing_draw
        approved = self.approvals.under_way(VOID, found.code)
        if draw is None or draw.begun is None or draw.begun.attempt != act.attempt:
            raise Doubt(f"{found.code}: attempt {act.attempt} is declared void, and does not stand.")
        if not any(each.act.new.get("attempt") == act.attempt for each in approved):
            raise Doubt(f"{found.code}: attempt {act.attempt} is declared void, and no inspector has decided so.")
        if draw.order and tuple(act.numbers) != draw.order:
            raise Doubt(f"{found.code}: void attempt {act.attempt} gave other numbers than it is said to.")
        self.money.voided(draw)
        found.void_in = (tx, found.status)
        if not draw.order:
            draw.order, draw.people = tuple(act.numbers), tuple(range(1, len(act.numbers) + 1))
        draw.void = True
        self.void += 1

    def _revealed(self, found: PromotionOnRecord) -> None:
        """Nothing depends on the master any more; everything it gave is computed again."""
        draw = found.standing_draw
        if draw is not None and draw.drawn is not None and draw.is_overseen and not draw.signed:
            raise Doubt(f"{found.code}: its master is shown before the scrutineer has signed the result.")
        if draw is not None and draw.drawn is None:
            raise Doubt(f"{found.code}: its master is shown before it is drawn.")
        for each in found.draws.values():
            if each.begun is None:
                continue
            each.recompute(self.record)
            if each.void and each.drawn is None and each.order != each.first_numbers(self.record):
                raise Doubt(f"{each.name}: promise, list and answer give other entries than are told.")
            self.recomputed += 1

    # Draws

    def _of_draw(self, row: ActOnRecord) -> None:
        act: Any = row.act
        found = self._of(act.promotion)
        draw = self._draw_of(found, act, row.kind)
        match act:
            case draws.ScrutineerNominated() | draws.ScrutineerAttends() | draws.ScrutineerSigned():
                self._of_scrutineer(draw, act, row.actor)
            case draws.DrawBegun():
                self._begun(found, draw, act, row)
            case draws.Drawn():
                if draw.scrutineer and self.people.persons(row.actor) & self.people.persons(draw.scrutineer):
                    raise Doubt(f"{draw.name}: who oversees the draw has drawn it.")
                draw.draw(act, self.record, by=row.actor)
            case draws.ResultPublished():
                self.money.all_written(draw)
                draw.publish(act, title=found.title)
            case prizes.PrizesWon():
                self.money.won(act, draw, found.edition)
            case prizes.PrizeLost():
                self._lost(found, draw, act, row.actor)
            case prizes.LossNoted() | prizes.LossSeconded() | prizes.LossWithdrawn():
                case = draw.cases.get(act.place)
                another = case is not None and self.people.are_others(row.actor, case.noted_by)
                draw.say(act, by=row.actor, another=another)

    def _draw_of(self, found: PromotionOnRecord, act: Any, kind: str) -> DrawOnRecord:
        draw = found.draws.get(act.draw)
        if draw is None:
            if not isinstance(act, draws.ScrutineerNominated | draws.DrawBegun):
                raise Doubt(f"{found.code}: there is word of a draw {act.draw} that never began ({kind}).")
            draw = found.draws[act.draw] = DrawOnRecord(act.draw, found.code)
        if draw.void:
            raise Doubt(f"{found.code}: something is done with a draw that is void ({kind}).")
        if isinstance(act, draws.DrawAct) and act.attempt != found.attempt_of(draw):
            raise Doubt(f"{found.code}: attempt {act.attempt} is spoken of, and another is under way ({kind}).")
        return draw

    def _of_scrutineer(
        self,
        draw: DrawOnRecord,
        act: draws.ScrutineerNominated | draws.ScrutineerAttends | draws.ScrutineerSigned,
        by: str,
    ) -> None:
        match act:
            case draws.ScrutineerNominated():
                if not self.people.may(act.scrutineer, SCRUTINISE):
                    raise Doubt(f"{draw.name}: {act.scrutineer} is to oversee it, and is no person who may.")
                if not self.people.are_others(act.scrutineer, by, draw.begun_by) or draw.attended_before:
                    raise Doubt(f"{draw.name}: {act.scrutineer} is to oversee it, and nominated himself, or draws it.")
                draw.scrutineer, draw.attends = act.scrutineer, False
            case draws.ScrutineerAttends():
                if by != draw.scrutineer or draw.attends:
                    raise Doubt(f"{draw.name}: {by} says that he oversees it, and was not nominated, or says it again.")
                draw.attends = True
            case draws.ScrutineerSigned():
                draw.sign(act, by=by)

    def _begun(self, found: PromotionOnRecord, draw: DrawOnRecord, act: draws.DrawBegun, row: ActOnRecord) -> None:
        if found.standing_draw is not None:
            raise Doubt(f"{found.code}: attempt {act.attempt} begins, and the one before is not void.")
        found.must_go_on("drawn")
        last = found.list_standing
        if last is None or last.number != act.list_ or act.version != found.in_force:
            raise Doubt(f"{found.code}: it is drawn from a list, or under terms, that do not stand.")
        if any(not 1 <= place <= last.count for place in act.barred):
            raise Doubt(f"{found.code}: entries are passed over that are not in the list.")
        if act.barred:
            self.entries.kept_out.must_be_somebody(f"{found.code}: entries are passed over")
        if draw.scrutineer and self.people.persons(row.actor) & self.people.persons(draw.scrutineer):
            raise Doubt(f"{found.code}: who oversees the draw has begun it.")
        draw.begin(act, found.terms(act.version), by=row.actor, index=row.index)

    def _lost(self, found: PromotionOnRecord, draw: DrawOnRecord, act: prizes.PrizeLost, by: str) -> None:
        case = draw.cases.get(act.place)
        said = (case.noted_by, case.seconded_by) if case is not None else ()
        if by != draw.scrutineer or not draw.attends or not self.people.are_others(by, *said):
            raise Doubt(f"{draw.name}: prize {act.prize} is lost by the word of {by}, who is not its scrutineer.")
        self.money.lost(draw, act.place)
        draw.lose(act, found.terms(found.in_force))

    # Winners

    def _of_winner(self, row: ActOnRecord) -> None:
        match row.act:
            case prizes.WinnerCalled() | prizes.WinnerPresent() as act:
                draw = self._of(act.promotion).standing_draw
                if draw is None:
                    raise Doubt(f"{act.promotion}: entry {act.entry} is called, and nothing is drawn.")
                draw.call(act)
            case prizes.WinnerTold() as act:
                win = self.money.wins.get(act.win)
                if win is None:
                    raise Doubt(f"{act.promotion}: a winner is told that there is not (win {act.win}).")
                win.draw.must_be_published(f"win {act.win} is told")
            case prizes.ClaimMade() as act:
                self.money.claim(act)
            case prizes.ClaimAccepted() | prizes.ClaimDenied() as act:
                self.money.decide(act, by=row.actor)
            case prizes.PrizePaid() as act:
                self.money.pay(act, by=row.actor)
                self.figures.append(Figure(row.day, "Prizes paid", act.amount.micros))

    def attached(self, line: Any) -> None:
        self.entries.attached(self.promotions.get(line["promotion"]), line)

    def answers_used(self) -> list[tuple[str, str, int]]:
        return self.record.answers_used()

    def end(self, *, attached: bool) -> list[str]:
        self.money.end()
        listed = sum(map(self.entries.check_lists, self.promotions.values())) if attached else 0
        for found in self.promotions.values():
            self.entries.end(found)
            for draw in found.draws.values():
                if draw.losses and not draw.signed and not draw.void:
                    raise Doubt(f"{draw.name}: a prize was lost, and the scrutineer never signed that.")
        self._attend()
        if self.wanted.promotion is not None and (asked := self.promotions.get(self.wanted.promotion)) is not None:
            self.shown += told(asked, self.money, self.record)
        if not self.promotions:
            return []
        paid = sum(win.state == "paid" for win in self.money.wins.values())
        said = f"Promotions: {_count(self.recomputed, 'draw')} computed again from promise, list and answer"
        said += f"; {len(self.money.wins):,} winners, {_count(paid, 'prize')} paid, each to who won and once"
        return [said + (f". {_count(listed, 'entry', 'entries')} stand in their sealed lists." if listed else ".")]

    def _attend(self) -> None:
        if self.void:
            self.attention.append(f"{_count(self.void, 'attempt')} at promotions’ draws declared void.")
        self.attention += self.record.remarks()
        for found in self.promotions.values():
            draw = found.standing_draw
            if draw is not None and draw.drawn is not None and draw.is_overseen and not draw.signed:
                self.attention.append(f"{found.code} is drawn, and its scrutineer has not signed the result yet.")


def _count(many: int, noun: str, plural: str = "") -> str:
    return f"{many:,} {noun if many == 1 else plural or noun + 's'}"
