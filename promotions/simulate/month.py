"""Promotions of a simulated month, one after the other: submitted, entered, sealed, drawn before a scrutineer, claimed,
lost and won by the next, paid.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, datetime, timedelta
from random import Random
from typing import Final

from django.db.models import Max

from draws.commit import publish
from house.approvals import approve
from house.players.cards import find_card, register_player
from house.simulate import Clock, Figure, Part
from house.staff import find
from kernel.actors import Actor
from kernel.money import ZERO, Money
from ledger.balance import balance
from ledger.models import Transfer
from promotions import accounts, scrutineer
from promotions.attempts import promise_of
from promotions.calls import call_winner, winner_absent, winner_present
from promotions.claimants import Shown
from promotions.claims import accept_claim, decline_prize, deny_claim, make_claim, make_other_claim
from promotions.draft import draft_promotion
from promotions.draw import draw_promotion
from promotions.enter import enter
from promotions.imports import begin_import, confirm_import, go_on
from promotions.integrity import resume
from promotions.lifecycle import OVER, Status
from promotions.losses import second_loss, sign_loss, winner_ineligible
from promotions.models import Draw, EntryList, Payment, Promotion, Win
from promotions.notify import record_notification
from promotions.pay import Paid, pay_prize
from promotions.run import cancel_promotion, close_promotion, start_promotion
from promotions.seal import seal_list
from promotions.simulate.draw_book import DrawBook, OwnPrize
from promotions.simulate.terms import DRAWN_AFTER, LIMIT_A_PERSON, RUNS_FOR, SORTS, SUBMITTED_BEFORE, Sort, terms_of
from promotions.submit import submit_promotion
from promotions.void import propose_void
from promotions.withdraw import withdraw_entry

PLAYERS: Final = tuple(f"C-9{n:03d}" for n in range(12))
MONEY: Final = ("money", "voucher")
SECOND: Final = timedelta(seconds=1)
_SHOWN: Final = Shown(date(1984, 2, 29), household=False)


class Running:
    """The promotion at hand, and its book."""

    def __init__(self, code: str, sort: Sort, *, starts: datetime) -> None:
        self.code, self.sort = code, sort
        self.starts, self.closes = starts, starts + RUNS_FOR
        self.draw_at = self.closes + DRAWN_AFTER
        prizes = [OwnPrize(Money.parse(each["value"]).micros // 10_000, each["kind"] in MONEY) for each in sort.prizes]
        self.book = DrawBook(prizes, LIMIT_A_PERSON, sort.one_a_person)
        self.numbers: list[int] = []  # of entries, as the house gave them, for those who take one out
        self.coupons = 0
        self.voided = False


class Promotions(Part):
    name = "Promotions"

    def __init__(self, clock: Clock) -> None:
        super().__init__(clock)
        self.supervisor: Actor
        self.manager: Actor
        self.auditor: Actor
        self.inspector: Actor
        self.at_hand: Running | None = None
        self.books: list[tuple[str, DrawBook]] = []
        self.owed_before = ZERO
        self.begun_after = 0  # the last transfer before

    def begin(self) -> None:
        self.supervisor, self.manager, self.auditor, self.inspector = (
            find(name).as_actor() for name in ("supervisor", "manager", "auditor", "inspector")
        )
        for card in PLAYERS:
            if find_card(card) is None:
                register_player(name=f"Player {card}", card=card, by=self.manager)
        for left in Promotion.objects.filter(code__startswith="SIM-").exclude(status__in=OVER):
            self._give_up(left)
        self.owed_before = self._owing()
        self.begun_after = Transfer.objects.aggregate(last=Max("pk"))["last"] or 0
        self._next(1 + Promotion.objects.filter(code__startswith="SIM-").count())

    def _give_up(self, left: Promotion) -> None:
        """What a simulation that was broken off has left, where it can be given up; what was drawn stands."""
        if left.status in (Status.DRAFT, Status.SUBMITTED):
            cancel_promotion(code=left.code, why="The simulation was broken off.", by=self.manager)

    def _next(self, number: int) -> None:
        sort = SORTS[(number - 1) % len(SORTS)]
        promotion = Running(f"SIM-{number}", sort, starts=self.clock.now + SUBMITTED_BEFORE)
        draft_promotion(
            code=promotion.code,
            edition_code=sort.edition,
            title=f"{sort.title} {number}",
            terms=terms_of(sort, starts=promotion.starts),
            by=self.supervisor,
        )
        submit_promotion(
            code=promotion.code, how="portal", reference=promotion.code, goods_confirmed=True, by=self.manager
        )
        self.at_hand = promotion
        self.books.append((promotion.code, promotion.book))
        self.done["promotion submitted"] += 1

    def moment(self, chance: Random) -> None:
        if (promotion := self.at_hand) is None:
            return
        steps: dict[str, Callable[[Running, Random], None]] = {
            Status.SUBMITTED: self._start,
            Status.RUNNING: self._enter_or_close,
            Status.CLOSED: self._seal,
            Status.SEALED: self._draw,
            Status.DRAWN: self._see_to_winners,
        }
        status = Promotion.objects.values_list("status", flat=True).get(code=promotion.code)
        if status in OVER:
            self._next(1 + Promotion.objects.filter(code__startswith="SIM-").count())
        else:
            steps[status](promotion, chance)

    # Until the draw

    def _start(self, promotion: Running, chance: Random) -> None:
        """At its time; the promise of its draw is public first."""
        if self.clock.now < promotion.starts:
            return
        started = start_promotion(code=promotion.code, by=self.manager)
        promised = promise_of(started)
        if started.status == Status.SUBMITTED and promised is not None and publish(promised):
            start_promotion(code=promotion.code, by=self.manager)
        self._import(promotion)

    def _enter_or_close(self, promotion: Running, chance: Random) -> None:
        if self.clock.now >= promotion.closes:
            close_promotion(code=promotion.code, by=self.manager)
            return
        for _ in range(chance.randint(1, 4)):
            self._enter(promotion, chance.choice(PLAYERS))
        if chance.random() < 0.15 and len(promotion.book.entries) > len(PLAYERS):
            place = chance.randrange(len(promotion.book.entries))
            number = promotion.numbers.pop(place)
            for each in (self.manager, self.supervisor):
                withdraw_entry(code=promotion.code, number=number, why="Entered by mistake.", by=each)
            promotion.book.withdraw(place)
            self.done["entry withdrawn"] += 1

    def _enter(self, promotion: Running, card: str) -> None:
        """By a coupon. Whoever has entered as often as the terms allow is refused, and the book knows it."""
        promotion.coupons += 1
        may, reference = promotion.book.may_enter(card), f"{promotion.code}/{promotion.coupons}"
        before = self.refused["limit-reached"]
        if self.do("entry", lambda _: self._entered(promotion, card, reference), Random(0)):  # noqa: S311
            promotion.book.entries.append(card)
        self.expect(f"{card} is over the limit of {promotion.code}", not may, self.refused["limit-reached"] > before)

    def _entered(self, promotion: Running, card: str, reference: str) -> bool:
        made = enter(code=promotion.code, card=card, reference=reference, by=self.supervisor)
        promotion.numbers.append(made.pk)
        return True

    def _import(self, promotion: Running) -> None:
        """A file of coupons, one of every player, and one of them twice: the good rows enter."""
        lines = ["reference,card\n", *(f"{promotion.code}/file/{card},{card}\n" for card in PLAYERS)]
        lines.append(f"{promotion.code}/file/{PLAYERS[0]},{PLAYERS[0]}\n")
        made = begin_import(
            code=promotion.code, name="coupons.csv", lines=lines, all_or_nothing=False, by=self.supervisor
        )
        made = go_on(made.pk)
        self.expect(f"Rows of {promotion.code}'s file", (len(PLAYERS), 1), (made.entered, made.refused))
        entered = Promotion.objects.get(code=promotion.code).entries.order_by("id").values_list("pk", flat=True)
        promotion.numbers.extend(entered)
        promotion.book.entries.extend(PLAYERS)
        confirm_import(import_id=made.pk, by=self.manager)
        self.done["import"] += 1

    def _seal(self, promotion: Running, chance: Random) -> None:
        sealed = seal_list(code=promotion.code, by=self.manager)
        self.expect(f"Entries in the list of {promotion.code}", len(promotion.book.entries), sealed.count)
        scrutineer.nominate_scrutineer(code=promotion.code, scrutineer=self.auditor.identity, by=self.supervisor)

    # The draw and what comes of it

    def _draw(self, promotion: Running, chance: Random) -> None:
        if self.clock.now < promotion.draw_at:
            return
        scrutineer.attend(code=promotion.code, by=self.auditor)
        draw_promotion(code=promotion.code, by=self.supervisor)
        if not promotion.voided and chance.random() < 0.25:
            self._void(promotion)
            draw_promotion(code=promotion.code, by=self.supervisor)
        if promotion.sort.is_overseen:
            scrutineer.sign(code=promotion.code, by=self.auditor)
        promotion.book.is_drawn = True
        self._compare(promotion)
        self.done["promotion drawn"] += 1

    def _void(self, promotion: Running) -> None:
        """Two people and the inspector; it is drawn again from the same list and promise."""
        promotion.voided = True
        made = propose_void(code=promotion.code, then="again", why="The hall was cleared.", by=self.supervisor)
        approve(proposal_id=made.pk, by=self.manager)
        approve(proposal_id=made.pk, by=self.inspector)
        resume(code=promotion.code, why="The hall is open again.", by=self.manager)
        scrutineer.nominate_scrutineer(code=promotion.code, scrutineer=self.auditor.identity, by=self.supervisor)
        scrutineer.attend(code=promotion.code, by=self.auditor)
        self.done["draw of a promotion void"] += 1

    def _compare(self, promotion: Running) -> None:
        """Who holds which prize: along the published order, by the book and by the house."""
        numbers = Draw.objects.get(promotion__code=promotion.code, voided_at=None).numbers
        held = {win.pick.prize: win.pick.number for win in self._wins(promotion)}
        self.expect(f"Who holds the prizes of {promotion.code}", promotion.book.holders(numbers), held)

    def _wins(self, promotion: Running) -> list[Win]:
        held = Win.objects.filter(promotion__code=promotion.code, pick__outcome="winner", pick__draw__voided_at=None)
        return list(held.select_related("pick", "prize").order_by("pick__prize"))

    def _see_to_winners(self, promotion: Running, chance: Random) -> None:
        """The next of them: told or called; now and then he loses it, and the next in the order wins."""
        win = next((each for each in self._wins(promotion) if each.status == "drawn"), None)
        if win is None:
            return
        if promotion.sort.present:
            call_winner(win_id=win.pk, by=self.supervisor)
            if chance.random() < 0.3 and len(promotion.book.lost) < 3:
                self.clock.advance(self.clock.now + 61 * SECOND)
                winner_absent(win_id=win.pk, by=self.supervisor)
                self._lose(promotion, win)
                return
            winner_present(win_id=win.pk, by=self.supervisor)
        else:
            record_notification(win_id=win.pk, how="telephone", reached=True, by=self.supervisor)
            if chance.random() < 0.3 and len(promotion.book.lost) < 3:
                if chance.random() < 0.5:
                    winner_ineligible(win_id=win.pk, why="He works here.", by=self.supervisor)
                    self._lose(promotion, win)
                else:
                    decline_prize(win_id=win.pk, by=self.supervisor)
                    self._lose(promotion, win)
                return
        if chance.random() < 0.1:
            self._deny_another(promotion, win)
        self._pay(promotion, win, chance)

    def _lose(self, promotion: Running, win: Win) -> None:
        """Said by one, seconded by another, signed by the scrutineer."""
        second_loss(win_id=win.pk, by=self.manager)
        sign_loss(win_id=win.pk, by=self.auditor)
        promotion.book.lost.append(win.pick.number)
        self._compare(promotion)
        self.done["prize lost, and won by the next"] += 1

    def _deny_another(self, promotion: Running, win: Win) -> None:
        claim = make_other_claim(
            code=promotion.code,
            what=win.prize.name,
            value=win.value,
            name="Bo Marsh",
            address="2 Lake Street",
            by=self.supervisor,
        )
        deny_claim(claim_id=claim.pk, reasons="Another entry was drawn.", by=self.manager)
        self.done["claim denied"] += 1

    def _pay(self, promotion: Running, win: Win, chance: Random) -> None:
        claim = make_claim(win_id=win.pk, name="Anna Marsh", address="1 Lake Street", shown=_SHOWN, by=self.supervisor)
        accept_claim(claim_id=claim.pk, by=self.manager)
        method = chance.choice(win.prize.payment)
        pay_prize(claim_id=claim.pk, parts=[Paid(method, win.value, f"R{win.pk:06d}")], by=self.supervisor)
        assert win.pick.prize is not None
        promotion.book.paid.add(win.pick.prize)
        self.done["promotion prize paid"] += 1

    # Beside the house

    def figures(self) -> list[Figure]:
        codes = [code for code, _ in self.books]
        lists = EntryList.objects.filter(promotion__code__in=codes, voided_at=None)
        known = set(lists.values_list("promotion__code", flat=True))
        entries = sum(len(book.entries) for code, book in self.books if code in known)
        payments = Payment.objects.filter(win__promotion__code__in=codes)
        booked = Transfer.objects.filter(pk__gt=self.begun_after, kind="promotions.payment")
        lost = Win.objects.filter(promotion__code__in=codes, status="lost", pick__draw__voided_at=None)
        books = [book for _, book in self.books]
        return [
            *super().figures(),
            Figure("Entries in sealed lists", entries, sum(lists.values_list("count", flat=True))),
            Figure("Prizes owing", Money.cents(sum(b.owing_cents for b in books)), self._owing() - self.owed_before),
            Figure(
                "Prizes paid in money and vouchers",
                Money.cents(sum(b.paid_cents for b in books)),
                Money.total(booked.values_list("amount", flat=True)),
            ),
            Figure("Prizes paid", sum(len(b.paid) for b in books), payments.count()),
            Figure("Prizes lost", sum(len(b.lost) for b in books), lost.count()),
        ]

    def _owing(self) -> Money:
        return balance(accounts.OWING).amount
