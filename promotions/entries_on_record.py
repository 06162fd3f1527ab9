"""Entries as the log tells them: who is kept out by whom, which are withdrawn, the lists that were sealed. Pure.

What takes somebody out of a list or a draw is said by two people: an entry that is withdrawn, a card that is excluded,
a player who is kept from play, a date of birth. At the seal and at the draw the log does not say whose entries are left
out, nor why; it does say whether two people have kept out anybody at all.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Final

from house.people_on_record import PeopleOnRecord
from house.players import acts as of_players
from kernel.acts import Act
from kernel.export_check import ActOnRecord, Doubt
from kernel.merkle import HASH_SIZE, Tree
from promotions.acts import entries
from promotions.promotion_on_record import PromotionOnRecord, SealedList

OF_PROMOTION: Final[tuple[type[Act], ...]] = (
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
OF_PEOPLE: Final[tuple[type[Act], ...]] = (
    entries.CardExcluded,
    entries.ExclusionConfirmed,
    entries.ReadmissionSaid,
    entries.CardReadmitted,
    of_players.PlayerRestricted,
    of_players.RestrictionConfirmed,
    of_players.LiftingSaid,
    of_players.RestrictionLifted,
    of_players.BirthRecorded,
    of_players.BirthConfirmed,
)


@dataclass(slots=True)
class KeptOut:
    """Of cards, players and births, by what the log calls them: who said so, and which a second person confirmed."""

    people: PeopleOnRecord
    said: dict[str, str] = field(default_factory=dict)
    confirmed: set[str] = field(default_factory=set)

    def act(self, row: ActOnRecord) -> None:
        match row.act:
            case entries.CardExcluded() as act:
                self._say(act.subject, row)
            case entries.ExclusionConfirmed() as act:
                self._confirm(act.subject, row)
            case entries.ReadmissionSaid() as act:
                self._must_be_another(act.subject, row)
                self._say(f"the readmission of {act.subject}", row)
            case entries.CardReadmitted() as act:
                self._end(f"the readmission of {act.subject}", row)
                self._end(act.subject, row)
            case of_players.PlayerRestricted() as act:
                self._say(f"restriction {act.restriction}", row)
            case of_players.RestrictionConfirmed() as act:
                self._confirm(f"restriction {act.restriction}", row)
            case of_players.LiftingSaid() as act:
                self._must_be_another(f"restriction {act.restriction}", row)
                self._say(f"the lifting of restriction {act.restriction}", row)
            case of_players.RestrictionLifted() as act:
                self._end(f"the lifting of restriction {act.restriction}", row)
                self._end(f"restriction {act.restriction}", row)
            case of_players.BirthRecorded() as act:
                if act.corrected:
                    self._end(_birth(act.player), row)
                self._say(_birth(act.player), row)
            case of_players.BirthConfirmed() as act:
                self._confirm(_birth(act.player), row)

    def _say(self, what: str, row: ActOnRecord) -> None:
        if what in self.said:
            raise Doubt(f"{what} is said a second time.")
        self.said[what] = row.actor

    def _confirm(self, what: str, row: ActOnRecord) -> None:
        self._must_be_another(what, row)
        if what in self.confirmed:
            raise Doubt(f"{what} is confirmed a second time.")
        self.confirmed.add(what)

    def _end(self, what: str, row: ActOnRecord) -> None:
        self._must_be_another(what, row)
        del self.said[what]
        self.confirmed.discard(what)

    def _must_be_another(self, what: str, row: ActOnRecord) -> None:
        said_by = self.said.get(what)
        if said_by is None or not self.people.are_others(row.actor, said_by):
            raise Doubt(f"{row.actor} {row.act.sentence()} ({what}), and is no second person.")

    def must_be_somebody(self, left_out: str) -> None:
        """*left_out*: whose entries, and where from."""
        if not self.confirmed:
            raise Doubt(f"{left_out}, and no two people have kept anybody out.")


def _birth(player: str) -> str:
    return f"the birth of player {player}"


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
            case entries.ListVoided() as act:
                self._voided(found, act)
            case entries.EntriesSealed() as act:
                if found.list_standing is not None or act.list_ != len(found.lists) + 1:
                    raise Doubt(f"{found.code}: list {act.list_} is sealed beside another.")
                if found.closed_at != act.closed_at:
                    raise Doubt(f"{found.code}: list {act.list_} is sealed before the close.")
                found.imports.must_be_settled()
                self._left_out_here(found, row.tx)
                found.lists.append(SealedList(act.list_, act.entry_root, act.entry_count))
            case _:
                found.imports.act(row, self.people, sealed=found.list_standing is not None)

    def _withdrawn(self, found: PromotionOnRecord, act: entries.EntryWithdrawn, row: ActOnRecord) -> None:
        """By two people, or at the seal, where nobody is asked."""
        if found.list_standing is not None or act.entry in found.withdrawn:
            raise Doubt(f"{found.code}: entry {act.entry} is withdrawn after the seal, or twice.")
        found.withdrawn.add(act.entry)
        said_by, why = found.withdrawing.pop(act.entry, ("", ""))
        by_two = why == act.why and self.people.are_others(row.actor, said_by)
        if by_two and act.clause == found.edition.clause("refusal"):
            return
        if found.closed_at is None or act.clause != found.edition.particular("7.3"):
            raise Doubt(f"{found.code}: entry {act.entry} is withdrawn by the word of {row.actor} alone.")
        self.kept_out.must_be_somebody(f"{found.code}: entry {act.entry} is left out at the seal")
        self._left_out_here(found, row.tx)
        found.left_out_in = row.tx

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
