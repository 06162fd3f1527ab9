"""Calls about draws between two parties: what waits, what was promised, and what an inspector does while something is
away or lost."""

from __future__ import annotations

from dataclasses import asdict

from django.db.models import QuerySet
from django.utils import timezone

from draws import inspect
from draws.commit import commitment_numbered, promises
from draws.models import Commitment, Replacement
from draws.permissions import VIEW_DRAWS
from draws.reports import REPORTS
from draws.waits import waiting
from house.api import reports as paper
from house.permissions import AS_INSPECTOR
from kernel.actors import Actor
from web.fields import Choice, InstantField, Nothing, StrictSerializer, Text, WholeNumber, shown
from web.files import FileAnswer
from web.view import HouseView, Paging, listing, read, verb

_MASTER = "3b36164c4a6ae8692cff9c425553243faa211f60fd87cd7902e7b4f07218bc51"


class WaitOut(StrictSerializer):
    question = WholeNumber()
    purpose = Text()
    occasion = Text()
    attempt = WholeNumber()
    since = InstantField()
    seconds = WholeNumber()
    waits_for = Choice(choices=("witness", "beacon"))
    example = shown(
        {
            "question": 812,
            "purpose": "keno",
            "occasion": "1042",
            "attempt": 1,
            "since": "2026-11-16T21:04:00+11:00",
            "seconds": 17,
            "waits_for": "witness",
        }
    )


class PromiseOut(StrictSerializer):
    """The data of the act ``draw.promised``, as ``python -m witness.escrow open`` reads it."""

    venue = Text()
    purpose = Text()
    name = Text()
    device = Text()
    witness = Text()
    witness_key = Text()
    beacon = Text(allow_blank=True)
    algorithm = Text()
    commitment = Text()
    escrow = Text()
    inspector_key = Text()
    example = shown(
        {
            "venue": "DEMO",
            "purpose": "keno",
            "name": "1042",
            "device": "rng",
            "witness": "witness.example.com/keno",
            "witness_key": "c114cae814915a0e96f52c03bab4d34b9c095f7c617654ab182ae49c89a1271e",
            "beacon": "",
            "algorithm": "meterhouse/draw/2",
            "commitment": "f6b26d811082c3cd25e0cd5122715e12836e87859e3d0dea4e1a780f3703c2a7",
            "escrow": "d0b2cdddbc0d5daacc10f2b2f98bc38a1ac855184cc5088689ac68fe497a8ddd",
            "inspector_key": "2cdeb36b073a7145a2d46240349ae2b42cdeb36b073a7145a2d46240349ae2b4",
        }
    )


class PromiseRow(StrictSerializer):
    id = WholeNumber()
    purpose = Text()
    name = Text()
    device = Text()
    commitment = Text()
    made_at = InstantField()
    master = Text(allow_null=True, help_text="Once it is revealed.")
    example = shown(
        {
            "id": 1042,
            "purpose": "keno",
            "name": "1042",
            "device": "rng",
            "commitment": "f6b26d811082c3cd25e0cd5122715e12836e87859e3d0dea4e1a780f3703c2a7",
            "made_at": "2026-11-16T21:04:00+11:00",
            "master": None,
        }
    )

    def to_representation(self, promise: Commitment) -> dict[str, object]:
        named = {name: getattr(promise, name) for name in ("id", "purpose", "name", "device", "made_at")}
        master = bytes(promise.master).hex() if promise.master is not None else None
        return super().to_representation({**named, "commitment": bytes(promise.commitment).hex(), "master": master})


class PromisesAsked(Paging):
    purpose = Text(required=False, max_length=40)
    name = Text(required=False, max_length=200)


class MasterIn(StrictSerializer):
    master = Text(min_length=64, max_length=64, help_text="As `python -m witness.escrow open` prints it.")
    why = Text(max_length=400)
    example = shown({"master": _MASTER, "why": "The key folder was lost with its disk."})


class DiceIn(StrictSerializer):
    dice = Text(max_length=400, help_text="Fifty throws of a die or more: digits 1 to 6.")
    why = Text(max_length=400)
    example = shown({"dice": "16542316542316542316542316542316542316542316542316", "why": "The line is down."})


class RoundIn(StrictSerializer):
    round = WholeNumber(help_text="Of drand's quicknet, still to come.")
    why = Text(max_length=400)
    example = shown({"round": 35107012, "why": "The line is down."})


class ReplacedOut(StrictSerializer):
    purpose = Text()
    occasion = Text()
    attempt = WholeNumber()
    how = Choice(choices=Replacement.Way.values)
    round = WholeNumber(allow_null=True)
    why = Text()
    at = InstantField()
    example = shown(
        {
            "purpose": "keno",
            "occasion": "1042",
            "attempt": 1,
            "how": "dice",
            "round": None,
            "why": "The line is down.",
            "at": "2026-11-16T21:04:00+11:00",
        }
    )


class Waiting(HouseView):
    @read(permission=VIEW_DRAWS, gives=WaitOut, gives_many=True)
    def get(self, by: Actor, asked: Nothing) -> list[dict[str, object]]:
        """Draws that wait for the witness, or for a round of the public beacon; the longest first."""
        now = timezone.now()
        return [
            {**asdict(wait), "seconds": int(wait.seconds(now)), "waits_for": "beacon" if wait.beacon else "witness"}
            for wait in waiting()
        ]


class Promises(HouseView):
    @listing(permission=VIEW_DRAWS, gives=PromiseRow, asks=PromisesAsked)
    def get(self, by: Actor, asked: PromisesAsked) -> QuerySet[Commitment]:
        """What was promised for draws, the newest first; by purpose and name where they are given."""
        return promises(purpose=asked.purpose, name=asked.name)


class OnePromise(HouseView):
    @read(permission=VIEW_DRAWS, gives=PromiseOut)
    def get(self, by: Actor, asked: Nothing, *, id: int) -> dict[str, object]:
        """What was promised before anything was sold on it: the commitment, and the master in escrow.

        As the inspector's `python -m witness.escrow open` reads it.
        """
        return inspect.promised_act(commitment_numbered(id))


class GiveMasterBack(HouseView):
    @verb(permission=AS_INSPECTOR, takes=MasterIn, gives=PromiseOut)
    def post(self, by: Actor, data: MasterIn, *, id: int) -> dict[str, object]:
        """Give a lost master back, opened from escrow. Only the one that was promised is taken."""
        given = inspect.give_back(promise_id=id, master=data.master, why=data.why, by=by)
        return inspect.promised_act(given)


class ThrowDice(HouseView):
    @verb(permission=AS_INSPECTOR, takes=DiceIn, gives=ReplacedOut)
    def post(self, by: Actor, data: DiceIn, *, id: int) -> Replacement:
        """Put an inspector's dice in the place of an answer that does not come. The attempt is marked for ever."""
        return inspect.throw_dice(question_id=id, dice=data.dice, why=data.why, by=by)


class NameRound(HouseView):
    @verb(permission=AS_INSPECTOR, takes=RoundIn, gives=ReplacedOut)
    def post(self, by: Actor, data: RoundIn, *, id: int) -> Replacement:
        """Name a public round that is still to come, in the place of an answer that does not come."""
        return inspect.name_round(question_id=id, round=data.round, why=data.why, by=by)


class Reports(HouseView):
    @read(permission=VIEW_DRAWS, gives=paper.ReportNamesOut)
    def get(self, by: Actor, asked: Nothing) -> dict[str, object]:
        """Which reports of draws there are."""
        return paper.names(REPORTS)


class OneReport(HouseView):
    @read(permission=VIEW_DRAWS, gives=paper.ReportOut, asks=paper.ReportAsked, also=paper.PAPERS)
    def get(self, by: Actor, asked: paper.ReportAsked, *, name: str) -> dict[str, object] | FileAnswer:
        """A report over gaming days: as data in pages, or whole as CSV or PDF."""
        return paper.answer(REPORTS, name, asked, request=self.request, file="draws")
