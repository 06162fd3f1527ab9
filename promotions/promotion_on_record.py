"""One promotion as the log tells it, and in plain sentences for whoever asks about it. Pure."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, Final

from draws.record import DrawsOnRecord
from kernel.export_check import Doubt
from kernel.refusal import Refusal
from promotions.acts.terms import Amended, Closed, Postponed, Resumed, Submitted
from promotions.draw_on_record import DrawOnRecord
from promotions.imports_on_record import ImportsOnRecord
from promotions.rules.draw import Outcome
from promotions.rules.editions import Edition
from promotions.rules.prohibited import must_be_confirmed
from promotions.rules.terms import Terms, read
from promotions.wins_on_record import WinsOnRecord

_WRITTEN_TO: Final = timedelta(milliseconds=1)  # acts have moments to the millisecond, terms as they were written


@dataclass(slots=True)
class SealedList:
    number: int
    root: bytes
    count: int
    void: bool = False


@dataclass(slots=True)
class PromotionOnRecord:
    code: str
    edition: Edition
    title: str
    writers: set[str]
    draft: object  # the terms as they were written last, before the start
    written: dict[int, Any] = field(default_factory=dict)  # the terms of each version that was submitted
    in_force: int = 0
    promised_at: int | None = None  # place in the log
    started: bool = False
    closed_at: datetime | None = None
    entries: int = 0  # from the close on: how many stand
    closed_by: int = 0  # the row that closed it
    changes: list[tuple[int, int]] = field(default_factory=list)  # read before that row: which, and how many more
    withdrawing: dict[int, tuple[str, str]] = field(default_factory=dict)  # by entry: who said so first, and why
    withdrawn: set[int] = field(default_factory=set)
    left_out_in: int | None = None  # the transaction that is to seal the list without them
    lists: list[SealedList] = field(default_factory=list)
    draws: dict[int, DrawOnRecord] = field(default_factory=dict)  # by their numbers in the house, in order
    finished: bool = False
    postponed: bool = False
    void_in: tuple[int, str] = (0, "")  # the transaction that declared an attempt void, and how far that had come
    list_void_in: int = 0  # the transaction that declared a list void
    imports: ImportsOnRecord = field(init=False)

    def __post_init__(self) -> None:
        self.imports = ImportsOnRecord(self.code, self.edition.clause("refusal"))

    @property
    def status(self) -> str:
        """Where it stands, and goes on from when it was postponed."""
        draw = self.standing_draw
        if draw is not None:
            return "drawing" if draw.drawn is None else "drawn"
        return "sealed" if self.list_standing is not None else "closed" if self.closed_at is not None else "running"

    def attempt_of(self, draw: DrawOnRecord) -> int:
        """Which attempt it is, or would be: they follow each other."""
        if draw.begun is not None:
            return draw.begun.attempt
        return 1 + sum(each.begun is not None for each in self.draws.values())

    def change(self, row: int, more: int) -> None:
        """So many entries more, or fewer. Who holds the promotion after the close has a later row, though his
        transaction may have begun before it, and so stand before it in the log."""
        if self.closed_at is None:
            self.changes.append((row, more))
        elif row > self.closed_by:
            self.entries += more

    def close(self, act: Closed, row: int) -> None:
        if not self.started or self.closed_at is not None:
            raise Doubt(f"{self.code} is closed before it started, or twice.")
        if act.closed_at + _WRITTEN_TO <= self.terms(self.in_force).entries_close_at:
            raise Doubt(f"{self.code} is closed before its terms say.")
        self.must_go_on("closed")
        self.closed_at, self.closed_by = act.closed_at, row
        self.entries = act.entries + sum(more for each, more in self.changes if each > row)
        self.changes.clear()

    def postpone(self, act: Postponed, *, tx: int) -> None:
        """From where it stood; where an attempt was declared void with it, from how far that one had come."""
        stood = self.void_in[1] if self.void_in[0] == tx else self.status
        if not self.started or self.postponed or act.from_ != stood:
            raise Doubt(f"{self.code} is postponed as {act.from_}, and was {stood}, or postponed before.")
        self.postponed = True

    def resume(self, act: Resumed, *, tx: int) -> None:
        if not self.postponed or (act.as_, act.list_void) != (self.status, self.list_void_in == tx):
            raise Doubt(f"{self.code} goes on as {act.as_}, and was {self.status}, or not postponed.")
        self.postponed = False

    def must_go_on(self, what: str) -> None:
        if self.postponed:
            raise Doubt(f"{self.code} is {what} while it is postponed.")

    def terms(self, version: int) -> Terms:
        try:
            return read(self.written[version], self.edition)
        except (KeyError, Refusal):
            raise Doubt(f"{self.code}: version {version} of its terms was never submitted, or is none.") from None

    def as_written(self, act: Submitted) -> None:
        if act.terms != self.draft:
            raise Doubt(f"{self.code}: other terms are submitted than were written.")

    def confirm(self, act: Submitted | Amended) -> None:
        """17.5, 15.5: where a prize is more than money, who sends the terms has looked at what it holds."""
        if must_be_confirmed(act.terms) and not act.goods_confirmed:
            raise Doubt(f"{self.code}: nobody confirmed what the prizes of version {act.version} hold.")

    @property
    def list_standing(self) -> SealedList | None:
        return self.lists[-1] if self.lists and not self.lists[-1].void else None

    @property
    def standing_draw(self) -> DrawOnRecord | None:
        return next((draw for draw in self.draws.values() if draw.begun is not None and not draw.void), None)


def told(found: PromotionOnRecord, money: WinsOnRecord, record: DrawsOnRecord) -> list[str]:
    """A promotion in plain sentences, for whoever asked about it."""
    said = [f"{found.code}, “{found.title}”, by the {found.edition.code} rules."]
    if found.started:
        said.append(f"It ran under version {found.in_force} of its terms.")
    for sealed in found.lists:
        state = "void" if sealed.void else f"sealed with root {sealed.root.hex()}"
        said.append(f"List {sealed.number} of {_count(sealed.count, 'entry', 'entries')} was {state}.")
    for draw in found.draws.values():
        said += _told_of(draw, money, record)
    return said


def _told_of(draw: DrawOnRecord, money: WinsOnRecord, record: DrawsOnRecord) -> list[str]:
    begun = draw.begun
    if begun is None:
        return []
    if draw.void:
        return [f"Attempt {begun.attempt} was declared void; it gave {_listed(draw.order)}."]
    if draw.drawn is None:
        return [f"Attempt {begun.attempt} waits for the witness."]
    known = record.promise(draw.code).master is not None
    how = "computed again from promise, list and answer" if known else "not yet to be computed again"
    said = [f"Entries {_listed(draw.order)} were drawn of {draw.drawn.entry_count:,}, {how}."]
    if begun.barred:
        said.append(f"{_count(len(begun.barred), 'entry', 'entries')} could not win, fixed before the draw.")
    for loss in draw.losses:
        after = f"entry {loss.next_[0]} won it instead" if loss.next_ else "nobody won it instead"
        said.append(f"Entry {loss.entry} lost prize {loss.prize} ({loss.reason}); {after}.")
    for each in draw.outcomes:
        if each.outcome is Outcome.WINNER and each.prize is not None:
            win = next((win for win in money.of_draw(draw) if win.place == each.place), None)
            state = "paid" if win is not None and win.state == "paid" else "not paid yet"
            said.append(f"Prize {each.prize}, {draw.prizes[each.prize - 1].name}: entry {each.entry}, {state}.")
    if draw.signatures:
        said.append(f"{draw.scrutineer} signed the result, {_count(draw.signatures, 'signature')} in all.")
    elif not draw.is_overseen:
        said.append("No prize was above $10,000: no scrutineer had to sign.")
    return said


def _listed(numbers: tuple[int, ...], limit: int = 20) -> str:
    return ", ".join(map(str, numbers[:limit])) + ("…" if len(numbers) > limit else "") or "none"


def _count(many: int, noun: str, plural: str = "") -> str:
    return f"{many:,} {noun if many == 1 else plural or noun + 's'}"
