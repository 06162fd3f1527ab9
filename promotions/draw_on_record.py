"""One attempt at a promotion's draw, as the log tells it: followed, walked again, held against its signatures. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice

from chance import two_party
from chance.select import picks
from draws.record import DrawsOnRecord
from kernel.export_check import Doubt
from promotions.acts import draws as acts
from promotions.acts.prizes import LossNoted, LossSeconded, LossWithdrawn, PrizeLost, WinnerCalled, WinnerPresent
from promotions.rules import draw as rules
from promotions.rules.draw import EntryOutcome, Loss, Outcome
from promotions.rules.editions import needs_scrutineer
from promotions.rules.terms import PrizeTerms, Terms

ABSENT = "absent"
AT_ONCE = frozenset({ABSENT, "ineligible"})  # who could not win, or does not come, is replaced whatever the terms say


@dataclass(slots=True)
class Case:
    """A loss on its way: said by one, seconded by another, signed by the scrutineer."""

    reason: str
    noted_by: str
    number: int  # in the house
    entry: int
    prize: int | None
    seconded_by: str = ""


@dataclass(slots=True)
class DrawOnRecord:
    number: int  # of the attempt, in the house
    code: str
    scrutineer: str = ""
    attends: bool = False
    attended_before: bool = False  # when it began
    begun: acts.DrawBegun | None = None
    begun_by: str = ""
    begun_at: int = 0  # place in the log
    terms: Terms | None = None
    drawn: acts.Drawn | None = None
    drawn_by: str = ""
    order: tuple[int, ...] = ()
    people: tuple[int, ...] = ()
    losses: list[PrizeLost] = field(default_factory=list)
    outcomes: list[EntryOutcome] = field(default_factory=list)
    cases: dict[int, Case] = field(default_factory=dict)  # by place
    signed: bool = False  # the outcome as it stands
    signatures: int = 0
    published: int = 0  # how often: once, and once more after each loss
    void: bool = False
    called: set[int] = field(default_factory=set)  # places whose winner was called,
    present: set[int] = field(default_factory=set)  # and came forward

    @property
    def name(self) -> str:
        attempt = self.begun.attempt if self.begun is not None else 1
        return self.code if attempt == 1 else f"{self.code}, attempt {attempt}"

    @property
    def prizes(self) -> list[PrizeTerms]:
        """Each single prize in the order of drawing."""
        assert self.terms is not None
        return [prize for prize in self.terms.prizes for _ in range(prize.quantity)]

    @property
    def is_overseen(self) -> bool:
        """17.2, 15.2: where one prize is worth more than $10,000."""
        return any(needs_scrutineer(prize.value) for prize in self.prizes)

    def winners(self) -> list[EntryOutcome]:
        """Who holds a prize now, in the order of the prizes."""
        held = rules.winners(self.outcomes)
        return [held[prize] for prize in sorted(held)]

    # Before asking

    def begin(self, act: acts.DrawBegun, terms: Terms, *, by: str, index: int) -> None:
        if self.begun is not None:
            raise Doubt(f"{self.name}: its draw is begun twice.")
        self.begun, self.begun_by, self.begun_at, self.terms = act, by, index, terms
        fixed = (len(self.prizes), sum(prize.alternates for prize in self.prizes), terms.one_prize_a_person)
        if (act.prizes, act.alternates, act.one_prize_a_person) != fixed:
            raise Doubt(f"{self.name}: what is drawn for is not what the terms say.")
        self.attended_before = self.attends
        if self.is_overseen and not self.attends:
            raise Doubt(f"{self.name}: a prize above $10,000 is drawn, and the scrutineer was not there.")

    # The draw

    def draw(self, act: acts.Drawn, record: DrawsOnRecord, *, by: str) -> None:
        begun = self.begun
        if begun is None or self.drawn is not None:
            raise Doubt(f"{self.name}: it is drawn before it began, or twice.")
        occasion = record.occasion(self.code)
        said = record.said(self.code, begun.attempt)
        if said.question.size <= self.begun_at:
            raise Doubt(f"{self.name}: the witness was asked before everything that decides was fixed.")
        if (act.list_, act.entry_root, act.entry_count) != (begun.list_, occasion.root, occasion.count):
            raise Doubt(f"{self.name}: it is drawn from another list than was sealed for it.")
        if act.witnessed != said.is_witnessed:
            raise Doubt(f"{self.name}: whether the witness answered is told wrongly.")
        self.drawn, self.drawn_by = act, by
        self._go_on(act.numbers, act.people)

    def _go_on(self, numbers: tuple[int, ...] | None, people: tuple[int, ...] | None) -> None:
        """The order as far as it is drawn now; what is drawn stays drawn."""
        numbers, people = numbers or (), people or ()
        if numbers[: len(self.order)] != self.order or people[: len(self.people)] != self.people:
            raise Doubt(f"{self.name}: what was drawn has changed since.")
        count = self.drawn.entry_count if self.drawn is not None else 0
        if len(people) != len(numbers) or len(set(numbers)) != len(numbers) or any(n > count or n < 1 for n in numbers):
            raise Doubt(f"{self.name}: the entries drawn are none of the list, or an entry is drawn twice.")
        named: dict[int, None] = {}
        for person in people:
            named.setdefault(person)
        if [*named] != list(range(1, len(named) + 1)):
            raise Doubt(f"{self.name}: the people behind the entries are not numbered in the order drawn.")
        self.order, self.people = numbers, people
        self.outcomes = self._walk(losses=self.losses, pool=count)
        self.signed = False

    def _walk(self, *, losses: Sequence[PrizeLost], pool: int) -> list[EntryOutcome]:
        begun = self.begun
        assert begun is not None
        wanted_more = False

        def drawn() -> Iterator[rules.Drawn]:
            nonlocal wanted_more
            for place, (entry, person) in enumerate(zip(self.order, self.people, strict=True), start=1):
                yield rules.Drawn(place, entry, str(person))
            wanted_more = True

        if not pool:
            return []
        try:
            outcomes = rules.walk(
                drawn(),
                prizes=begun.prizes,
                alternates=begun.alternates,
                one_prize_a_person=begun.one_prize_a_person,
                losses=[Loss(each.place, each.redraw) for each in losses],
                barred=begun.barred,
            )
        except ValueError as fault:
            raise Doubt(f"{self.name}: {fault}") from fault
        if len(outcomes) != len(self.order) or (wanted_more and len(self.order) < pool):
            raise Doubt(f"{self.name}: {len(self.order)} entries are drawn; prizes and alternates need others.")
        return outcomes

    def recompute(self, record: DrawsOnRecord) -> None:
        """The master is known: every number that was drawn, from it and what was said to the question."""
        begun = self.begun
        master = record.promise(self.code).master
        if begun is None or master is None or not self.order:
            return
        said = record.said(self.code, begun.attempt)
        drawn = picks(two_party.source(master, said), record.occasion(self.code).count)
        if tuple(pick.number for pick in islice(drawn, len(self.order))) != self.order:
            raise Doubt(f"{self.name}: promise, list and answer give other entries than were drawn.")

    def first_numbers(self, record: DrawsOnRecord) -> tuple[int, ...]:
        """What an attempt gives that nobody had drawn yet."""
        begun, master = self.begun, record.promise(self.code).master
        assert begun is not None
        assert master is not None
        pool = record.occasion(self.code).count
        if not pool:
            return ()
        stream = two_party.source(master, record.said(self.code, begun.attempt))
        return tuple(pick.number for pick in islice(picks(stream, pool), min(pool, begun.prizes + begun.alternates)))

    # Losses

    def say(self, act: LossNoted | LossSeconded | LossWithdrawn, *, by: str, another: bool) -> None:
        """*another*: whether who seconds is another person than who noted it."""
        case = self.cases.get(act.place)
        said = (act.case, act.entry, act.prize, act.reason)
        if case is not None and (case.number, case.entry, case.prize, case.reason) != said:
            raise Doubt(f"{self.name}: the loss at place {act.place} is another than was noted.")
        match act:
            case LossNoted():
                self._check_held(act.place, act.entry, act.prize)
                if case is not None:
                    raise Doubt(f"{self.name}: the loss at place {act.place} is noted twice.")
                if act.reason == ABSENT and (act.place not in self.called or act.place in self.present):
                    raise Doubt(f"{self.name}: entry {act.entry} is said to be absent, and was not called, or came.")
                self.cases[act.place] = Case(act.reason, by, act.case, act.entry, act.prize)
            case LossSeconded():
                if case is None or case.seconded_by or not another:
                    raise Doubt(f"{self.name}: the loss at place {act.place} is seconded by no second person.")
                case.seconded_by = by
            case LossWithdrawn():
                if case is None:
                    raise Doubt(f"{self.name}: a loss at place {act.place} is taken back that nobody noted.")
                del self.cases[act.place]

    def _check_held(self, place: int, entry: int, prize: int | None) -> None:
        held = next((each for each in self.winners() if each.place == place), None)
        if held is None or (held.entry, held.prize) != (entry, prize):
            raise Doubt(f"{self.name}: entry {entry} at place {place} holds no prize {prize} that could be lost.")

    def lose(self, act: PrizeLost, terms: Terms) -> None:
        self._check_held(act.place, act.entry, act.prize)
        case = self.cases.pop(act.place, None)
        if case is None or not case.seconded_by or case.reason != act.reason:
            raise Doubt(f"{self.name}: prize {act.prize} is said to be lost ({act.reason}), and no two people said so.")
        if act.redraw != self._is_redrawn(act, terms):
            raise Doubt(f"{self.name}: what becomes of prize {act.prize}, which is lost, is not what the terms say.")
        before = {each.place for each in self.winners()}
        self.losses.append(act)
        self._go_on(act.numbers, act.people)
        if tuple(each.entry for each in self._new_winners(before)) != act.next_:
            raise Doubt(f"{self.name}: prize {act.prize} goes to another than the next in the order drawn.")

    def _new_winners(self, before: set[int]) -> list[EntryOutcome]:
        return [each for each in self.outcomes if each.outcome is Outcome.WINNER and each.place not in before]

    def _is_redrawn(self, act: PrizeLost, terms: Terms) -> bool:
        if act.reason in AT_ONCE:
            return True
        if terms.unclaimed != "alternate":
            return terms.unclaimed == "redraw"
        # To an alternate who has been drawn already; where there is none, to nobody.
        order = [
            rules.Drawn(place, entry, str(person))
            for place, (entry, person) in enumerate(zip(self.order, self.people, strict=True), start=1)
        ]
        begun = self.begun
        assert begun is not None
        losses = [Loss(each.place, each.redraw) for each in self.losses]
        after = rules.walk(
            order,
            prizes=begun.prizes,
            alternates=begun.alternates,
            one_prize_a_person=begun.one_prize_a_person,
            losses=[*losses, Loss(act.place, redraw=True)],
            barred=begun.barred,
        )
        return len(rules.winners(after)) == len(self.winners())

    # Signatures and results

    def sign(self, act: acts.ScrutineerSigned, *, by: str) -> None:
        if self.drawn is None or not self.attends or by != self.scrutineer:
            raise Doubt(f"{self.name}: {by} signs its result, and is not its scrutineer, or was not there.")
        if act.result != rules.result_hash(self.code, self.outcomes):
            raise Doubt(f"{self.name}: the scrutineer has signed another outcome than the one on record.")
        self.signed = True
        self.signatures += 1

    def publish(self, act: acts.ResultPublished, *, title: str) -> None:
        if self.drawn is None or (self.is_overseen and not self.signed):
            raise Doubt(f"{self.name}: its result is published before the scrutineer has signed it.")
        if self.losses and not self.signed:
            raise Doubt(f"{self.name}: a prize is drawn again, and the scrutineer has not signed that.")
        won = [(self.prizes[(each.prize or 0) - 1].name.strip(), each.entry) for each in self.winners()]
        if [(each.prize, each.entry) for each in act.winners] != won or list(act.numbers) != [n for _, n in won]:
            raise Doubt(f"{self.name}: the winners published are not those of the draw.")
        names = list(dict.fromkeys(name for name, _ in won))
        won_is = names[0] if len(names) == 1 else f"{len(won)} prizes" if won else "no winner"
        if (act.name, act.prize) != (title, won_is):
            raise Doubt(f"{self.name}: its result is published as that of {act.name} ({act.prize}), which it is not.")
        self.published += 1
        if self.published > 1 + len(self.losses):
            raise Doubt(f"{self.name}: its result is published again, and nothing has changed.")

    def call(self, act: WinnerCalled | WinnerPresent) -> None:
        """Where entrants must be present: who won is called, once; he comes forward, once, and has lost nothing."""
        self.must_be_published(f"entry {act.entry} is called")
        if (act.place, act.entry, act.prize) not in [(each.place, each.entry, each.prize) for each in self.winners()]:
            raise Doubt(f"{self.name}: entry {act.entry} is called, or comes forward, and won nothing.")
        if isinstance(act, WinnerCalled):
            if act.place in self.called:
                raise Doubt(f"{self.name}: entry {act.entry} is called twice.")
            self.called.add(act.place)
        elif act.place not in self.called or act.place in self.present or act.place in self.cases:
            raise Doubt(
                f"{self.name}: entry {act.entry} comes forward uncalled, twice, or after it was said to be lost."
            )
        else:
            self.present.add(act.place)

    def must_be_published(self, what: str) -> None:
        if not self.published or (self.losses and not self.signed):
            raise Doubt(f"{self.name}: {what}, and the result is not signed and published yet.")
