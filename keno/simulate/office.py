"""What the office does in a simulation, by the book: proposed by one, approved by another. A bonus at the beginning,
a tournament now and then, prizes that nobody came for returned to players."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Final

from django.utils import timezone

from house.approvals import approve, propose
from house.models import Proposal
from house.simulate.players import card_for
from keno import accounts, approved, bonuses
from keno.return_to_players import TO_JACKPOT
from keno.simulate.desk import Desk
from keno.simulate.players import some_numbers
from keno.stop_draw import void_or_propose
from keno.tournaments import (
    KENO,
    authorise_refund,
    enter_tournament,
    finish_tournament,
    pay_tournament_prize,
    propose_calling_off,
    refund_entry,
)
from keno.unclaimed import move_unclaimed
from kernel.money import ZERO, Money
from ledger.balance import balance
from tournaments.models import TournamentEntry
from tournaments.queries import entries_of, entries_of_kind, tournaments_of

BONUS: Final = "LUCKY7"
EVERY_GAMES: Final = 48  # from one tournament to the next
PLAYED: Final = 4  # games of a tournament
SPOTS: Final = 6
PLAYERS: Final = ("Ana", "Bela", "Chris", "Dora", "Emil", "Fay", "Goran", "Hilda")


class Office:
    def __init__(self, desk: Desk) -> None:
        self.desk, self.people = desk, desk.people

    def bonus(self, *, first: int, last: int) -> None:
        """Over by the end of the simulation: what is sold afterwards pays what the schedules say, and no more."""
        if (known := approved.value(approved.BONUS, BONUS)) is not None:
            self.desk.book.offers(known, spent=bonuses.spent(BONUS))
            return
        terms = {
            "name": "Lucky sevens",
            "first_game": first,
            "last_game": last,
            "spots": 7,
            "matches": 5,
            "prize": "5.00",
            "per": "ticket",
            "budget": "500.00",
            "fund": "house",
        }
        self._decide("keno.bonus", f"bonus:{BONUS}", terms)
        self.desk.book.offers(terms, spent=ZERO)

    def void(self, number: int, *, reason: str) -> None:
        """A draw that has begun: two people stand behind it, and the inspector decides."""
        proposed = void_or_propose(number=number, by=self.people.supervisor, cause="malfunction", reason=reason)
        assert isinstance(proposed, Proposal)
        approve(proposal_id=proposed.pk, by=self.people.manager)
        approve(proposal_id=proposed.pk, by=self.people.inspector)

    def before(self, number: int, *, last: int, chance: Random) -> None:
        """While a game is on sale."""
        if number % EVERY_GAMES == 1 and number + PLAYED <= last:
            self._take_entries(number, chance)

    def after(self, number: int, chance: Random) -> None:
        """When it is over."""
        moved = move_unclaimed(now=timezone.now())
        if moved:
            self.desk.done["twelve months unclaimed"] += 1
            self._return_to_players()
        playing = tournaments_of(KENO).filter(finished_at=None, cancelled_at=None, terms__last_game__lte=number)
        for code in sorted(playing.values_list("code", flat=True)):
            finish_tournament(code=code, by=self.people.supervisor)
            self.desk.done["tournament"] += 1
        for entry in entries_of_kind(KENO).filter(paid_at=None, prize__gt=ZERO).order_by("id"):
            self._pay(entry, chance)

    def _take_entries(self, number: int, chance: Random) -> None:
        code = f"CUP{number}"
        if not approved.known(approved.TOURNAMENT, code):
            terms = {
                "name": f"Keno cup {number // EVERY_GAMES + 1}",
                "entry_fee": "20.00",
                "retained": 1_000,
                "prizes": [6_000, 3_000, 1_000],
                "spots": SPOTS,
                "stake": "1.00",
                "schedule": "standard",
                "first_game": number + 1,
                "last_game": number + PLAYED,
            }
            self._decide("keno.tournament", f"tournament:{code}", terms)
        entered = entries_of(KENO, code).count()
        for player in PLAYERS[entered : chance.randint(3, len(PLAYERS))]:
            marked = some_numbers(chance, SPOTS)
            card = card_for(player, by=self.people.supervisor)
            enter_tournament(code=code, card=card, numbers=marked, by=self.desk.writer(chance))
            self.desk.done["tournament entry"] += 1
        self._give_back(code, chance)

    def _give_back(self, code: str, chance: Random) -> None:
        """Now and then a player leaves before it begins, or all of it is called off: by two people."""
        entries = entries_of(KENO, code).filter(refunded_at=None).order_by("-id")
        if chance.random() < 0.1:
            made = propose_calling_off(code=code, why="Too few players.", by=self.people.supervisor)
            approve(proposal_id=made.pk, by=self.people.manager)
            self.desk.done["tournament called off"] += 1
        elif (leaver := entries.filter(refund_authorised_by=None).first()) is not None and chance.random() < 0.3:
            for each in (self.people.supervisor, self.people.manager):
                authorise_refund(entry_id=leaver.pk, why="He has to leave.", by=each)
            entries = entries.filter(pk=leaver.pk)
        else:
            return
        for entry in entries:
            refund_entry(entry_id=entry.pk, by=self.desk.writer(chance))
            self.desk.done["tournament refund"] += 1

    def _pay(self, entry: TournamentEntry, chance: Random) -> None:
        pay_tournament_prize(entry_id=entry.pk, by=self.desk.writer(chance))
        self.desk.done["tournament prize"] += 1

    def _return_to_players(self) -> None:
        """Half of what the fund holds goes into a jackpot; a late claim may find the rest, and the house behind it."""
        half = Money.dollars(balance(accounts.UNCLAIMED).amount.micros // 2_000_000)
        if half:
            self._decide(TO_JACKPOT, "jackpot:KENO-6", {"amount": str(half)})
            self.desk.done["returned to players"] += 1

    def _decide(self, kind: str, subject: str, terms: Mapping[str, object]) -> None:
        made = propose(kind=kind, subject=subject, new=terms, why="A livelier month.", by=self.people.supervisor)
        approve(proposal_id=made.pk, by=self.people.inspector)
