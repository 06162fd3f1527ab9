"""Entries as the log tells them: how many there were, which are withdrawn, the lists that were sealed. Pure.

What takes somebody out of a list or a draw is said by two people: an entry that is withdrawn, a card that is excluded,
a player who is kept from play, a date of birth (``kept_out_on_record.py``). At the seal and at the draw the log does
not say whose entries are left out, nor why; it does say whether two people have kept out anybody at all, and a list
has as many entries as stood at the close, less what was withdrawn since.
"""

from __future__ import annotations

from typing import Any, Final

from house.people_on_record import PeopleOnRecord
from kernel.acts import Act
from kernel.export_check import ActOnRecord, Doubt
from kernel.merkle import HASH_SIZE, Tree
from promotions.acts import entries
from promotions.kept_out_on_record import KeptOut
from promotions.promotion_on_record import PromotionOnRecord, SealedList

OF_PROMOTION: Final[tuple[type[Act], ...]] = (
    entries.EntriesEarned,
    entries.WithdrawalSaid,
    entries.EntryWithdrawn,
    entries.EntriesSealed,
    entries.ListVoided,
    entries.ImportBegun,
    entries.ImportDone,
    entries.ImportRefused,
    entries.ImportCancelled,
    entries.ImportConfirmed,
    entries.ImportRejectionSaid,
    entries.ImportRejected,
)


class EntriesOnRecord:
    def __init__(self, people: PeopleOnRecord) -> None:
        self.people, self.kept_out = people, KeptOut(people)
        self._trees: dict[tuple[str, int], Tree] = {}

    def act(self, found: PromotionOnRecord, row: ActOnRecord) -> None:
        match row.act:
            case entries.WithdrawalSaid() as act:
                if act.entry in found.withdrawing or act.entry in found.withdrawn:
                    raise Doubt(f"{found.code}: entry {act.entry} is to be withdrawn a second time.")
                found.withdrawing[act.entry] = (row.actor, act.why)
            case entries.EntryWithdrawn() as act:
                self._withdrawn(found, act, row)
                found.change(row.id, -1)
            case entries.EntriesEarned() as act:
                self._earned(found, act, row.id)
            case entries.ListVoided() as act:
                self._voided(found, act)
                found.list_void_in = row.tx
            case entries.EntriesSealed() as act:
                if found.list_standing is not None or act.list_ != len(found.lists) + 1:
                    raise Doubt(f"{found.code}: list {act.list_} is sealed beside another.")
                if found.closed_at != act.closed_at:
                    raise Doubt(f"{found.code}: list {act.list_} is sealed before the close.")
                found.must_go_on("sealed")
                found.imports.must_be_settled()
                self._left_out_here(found, row.tx)
                if act.entry_count != found.entries:
                    raise Doubt(
                        f"{found.code}: list {act.list_} has {act.entry_count:,} entries; by the close, and what was "
                        f"withdrawn since, there are {found.entries:,}."
                    )
                found.lists.append(SealedList(act.list_, act.entry_root, act.entry_count))
            case _:
                found.imports.act(row, self.people, sealed=found.list_standing is not None)
                if isinstance(row.act, entries.ImportRejected):
                    found.change(row.id, -row.act.withdrawn)

    def _withdrawn(self, found: PromotionOnRecord, act: entries.EntryWithdrawn, row: ActOnRecord) -> None:
        """By two people, or at the seal, where nobody is asked."""
        if found.list_standing is not None or act.entry in found.withdrawn:
            raise Doubt(f"{found.code}: entry {act.entry} is withdrawn after the seal, or twice.")
        found.withdrawn.add(act.entry)
        said_by, why = found.withdrawing.pop(act.entry, ("", ""))
        if act.clause == found.edition.clause("refusal"):
            if why != act.why or not self.people.are_others(row.actor, said_by):
                raise Doubt(f"{found.code}: entry {act.entry} is withdrawn by the word of {row.actor} alone.")
            return
        if found.closed_at is None or act.clause != found.edition.particular("7.3"):
            raise Doubt(f"{found.code}: entry {act.entry} is withdrawn under {act.clause}, which does not say so.")
        self.kept_out.must_be_somebody(f"{found.code}: entry {act.entry} is left out at the seal")
        self._left_out_here(found, row.tx)
        found.left_out_in = row.tx

    def _earned(self, found: PromotionOnRecord, act: entries.EntriesEarned, row: int) -> None:
        """By what was wagered; after the close only what was wagered before it, and with the seal."""
        if not found.started or found.list_standing is not None or min(act.added, act.withdrawn) < 0:
            raise Doubt(f"{found.code}: entries are earned before its start, or after its list was sealed.")
        found.change(row, act.added - act.withdrawn)

    def _left_out_here(self, found: PromotionOnRecord, tx: int) -> None:
        if found.left_out_in not in (None, tx):
            raise Doubt(f"{found.code}: entries are left out of a list that is not sealed with that.")
        found.left_out_in = None

    def _voided(self, found: PromotionOnRecord, act: entries.ListVoided) -> None:
        current = found.list_standing
        asked = any(draw.begun is not None for draw in found.draws.values())
        if current is None or (current.number, current.root) != (act.list_, act.entry_root) or asked:
            raise Doubt(f"{found.code}: list {act.list_} is declared void, and is not the one that stands.")
        current.void = True

    def attached(self, found: PromotionOnRecord | None, line: Any) -> None:
        """Leaves of a sealed list, in their order: hashes, and nobody's name."""
        code, number, packed = line["promotion"], line["list"], bytes.fromhex(line["leaves"])
        tree = self._trees.setdefault((code, number), Tree())
        known = found is not None and any(each.number == number for each in found.lists)
        if not known or line["from"] != tree.size or not packed or len(packed) % HASH_SIZE:
            raise Doubt(f"the entries attached of {code}, list {number}, are out of place.")
        tree.extend(packed)

    def check_lists(self, found: PromotionOnRecord) -> int:
        """How many entries stand in its lists, each list being the one that was sealed."""
        checked = 0
        for sealed in found.lists:
            if sealed.void or not sealed.count:
                continue
            tree = self._trees.pop((found.code, sealed.number), None)
            if tree is None or (tree.size, tree.root()) != (sealed.count, sealed.root):
                raise Doubt(f"{found.code}: the entries attached are not the {sealed.count} sealed in its list.")
            checked += sealed.count
        return checked

    def end(self, found: PromotionOnRecord) -> None:
        if found.left_out_in is not None:
            raise Doubt(f"{found.code}: entries are left out of a list that was never sealed.")
