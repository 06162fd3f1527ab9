"""Calls about draws: the promise, the draw, its scrutineer, its proof, and what happens when integrity is in doubt."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from house.models import Incident
from kernel.actors import Actor
from promotions import integrity, scrutineer
from promotions.api.forms import WhyIn
from promotions.draw import draw_promotion, find_draw
from promotions.lifecycle import Status
from promotions.models import Draw, Promotion
from promotions.permissions import DRAW, INTEGRITY, PERSONAL, SCRUTINISE, SEE
from promotions.proof import draw_proof
from web.fields import (
    Choice,
    InstantField,
    MoneyField,
    Nothing,
    StrictSerializer,
    Text,
    TrueOrFalse,
    WholeNumber,
    shown,
)
from web.view import SIGNED_IN, HouseView, read, verb

STATUSES = [status.value for status in Status]
HASH = "64 hexadecimal digits"


class DrawOut(StrictSerializer):
    promotion = Text(source="promotion.code")
    status = Choice(choices=STATUSES, source="promotion.status")
    attempt = WholeNumber()
    commitment = serializers.SerializerMethodField(help_text=f"Of the promised seed: {HASH}.")
    committed_at = InstantField(source="made_at")
    scrutineer = Text(allow_null=True, help_text="Who was nominated to oversee the draw.")
    attended_at = InstantField(allow_null=True)
    signed_at = InstantField(allow_null=True)
    drawn_at = InstantField(allow_null=True)
    drawn_by = Text(allow_null=True)
    published_at = InstantField(allow_null=True)
    numbers = serializers.ListField(child=WholeNumber(), help_text="Places in the sealed list, in the order drawn.")
    example = shown(
        {
            "promotion": "SPRING",
            "status": "drawn",
            "attempt": 1,
            "commitment": "024ed80f3ce20e97952e8da5137b230b6e8b7de25924bbebd1813e35c69637bb",
            "committed_at": "2026-11-01T10:00:00+11:00",
            "scrutineer": "staff:otto",
            "attended_at": "2026-12-01T19:55:00+11:00",
            "signed_at": "2026-12-01T20:04:00+11:00",
            "drawn_at": "2026-12-01T20:00:00+11:00",
            "drawn_by": "staff:sue",
            "published_at": "2026-12-01T20:04:00+11:00",
            "numbers": [48213, 7, 1999],
        }
    )

    def get_commitment(self, draw: Draw) -> str:
        return bytes(draw.commitment).hex()


class OneDraw(HouseView):
    @read(permission=SEE, gives=DrawOut)
    def get(self, by: Actor, asked: Nothing, *, code: str) -> Draw:
        """The draw of a promotion: what was promised, and what came of it."""
        return find_draw(code)

    @verb(permission=DRAW, gives=DrawOut)
    def post(self, by: Actor, data: Nothing, *, code: str) -> Draw:
        """Draw the promotion from its sealed list, once; the same draw is answered again.

        A list that is not the one that was sealed is not drawn from: the answer then says `postponed`, with nothing
        drawn, and the inspector's notice is owed.
        """
        return draw_promotion(code=code, by=by)


class ScrutineerIn(StrictSerializer):
    scrutineer = Text(max_length=80, help_text="Like staff:anna or device:A-0003; another person than you.")
    example = shown({"scrutineer": "staff:otto"})


class Nominate(HouseView):
    @verb(permission=DRAW, takes=ScrutineerIn, gives=DrawOut)
    def post(self, by: Actor, data: ScrutineerIn, *, code: str) -> Draw:
        """Nominate the scrutineer: needed where one prize is worth more than $10,000."""
        return scrutineer.nominate_scrutineer(code=code, scrutineer=data.scrutineer, by=by)


class Attend(HouseView):
    @verb(permission=SCRUTINISE, gives=DrawOut)
    def post(self, by: Actor, data: Nothing, *, code: str) -> Draw:
        """The nominated scrutineer is there, before the draw."""
        return scrutineer.attend(code=code, by=by)


class Sign(HouseView):
    @verb(permission=SCRUTINISE, gives=DrawOut)
    def post(self, by: Actor, data: Nothing, *, code: str) -> Draw:
        """The scrutineer signs what came of the draw; a result that needs it is published with that."""
        return scrutineer.sign(code=code, by=by)


class ResumeIn(WhyIn):
    reseal = TrueOrFalse(default=False, help_text="The sealed list is void: it is corrected and sealed anew.")
    new_seed = TrueOrFalse(default=False, help_text="The promised seed is void and revealed: another is promised.")
    example = shown({"why": "Counted again by two people.", "reseal": False, "new_seed": False})


class DisputeIn(StrictSerializer):
    what = Text()
    example = shown({"what": "A guest says that she was present when she was called."})


class DoubtOut(StrictSerializer):
    incident = WholeNumber(source="pk", help_text="The incident that was opened; see its notices at `incidents/`.")
    kind = Text()
    clause = Text(allow_blank=True)
    example = shown({"incident": 12, "kind": "promotion-compromised-2025", "clause": "nsw-promo-2025:17.11"})


class StatusOut(StrictSerializer):
    promotion = Text(source="code")
    status = Choice(choices=STATUSES)
    example = shown({"promotion": "SPRING", "status": "sealed"})


class Postpone(HouseView):
    @verb(permission=INTEGRITY, takes=WhyIn, gives=DoubtOut)
    def post(self, by: Actor, data: WhyIn, *, code: str) -> Incident:
        """Postpone a promotion or its draw until its integrity is validated; the inspector's notice is owed."""
        return integrity.postpone(code=code, why=data.why, by=by)


class Resume(HouseView):
    @verb(permission=INTEGRITY, takes=ResumeIn, gives=StatusOut)
    def post(self, by: Actor, data: ResumeIn, *, code: str) -> Promotion:
        """Its integrity is validated: it goes on where it stood."""
        return integrity.resume(code=code, why=data.why, reseal=data.reseal, new_seed=data.new_seed, by=by)


class CancelCompromised(HouseView):
    @verb(permission=INTEGRITY, takes=WhyIn, gives=DoubtOut)
    def post(self, by: Actor, data: WhyIn, *, code: str) -> Incident:
        """Cancel a promotion whose integrity is compromised; the inspector's notice is owed."""
        return integrity.cancel(code=code, why=data.why, by=by)


class Dispute(HouseView):
    @verb(permission=INTEGRITY, takes=DisputeIn, gives=DoubtOut, status=201)
    def post(self, by: Actor, data: DisputeIn, *, code: str) -> Incident:
        """Record that a person disputes a decision; the operator decides, the right to complain is told."""
        return integrity.record_dispute(code=code, what=data.what, by=by)


class AttemptOut(StrictSerializer):
    attempt = WholeNumber()
    commitment = Text()
    committed_at = InstantField()
    seed = Text(allow_null=True, help_text="Revealed with the result, or when the attempt is void.")
    void = Text(allow_null=True)


class SealedListOut(StrictSerializer):
    number = WholeNumber()
    entry_root = Text()
    entry_count = WholeNumber()
    sealed_at = InstantField()


class PrizeLineOut(StrictSerializer):
    prize = WholeNumber()
    name = Text()
    value = MoneyField()

    def to_representation(self, instance: Any) -> Any:
        return instance  # written as it is hashed and checked


class PublishedOut(StrictSerializer):
    version = WholeNumber()
    promotion = Text()
    draw = Text()
    list = WholeNumber()
    proof = serializers.DictField(allow_null=True, help_text="As in docs/proof; null where nobody had entered.")
    prizes = PrizeLineOut(many=True)
    alternates = WholeNumber()
    one_prize_a_person = TrueOrFalse()
    losses = serializers.ListField(child=serializers.DictField())
    drawn = serializers.ListField(child=serializers.DictField())

    def to_representation(self, instance: Any) -> Any:
        return instance  # the file of `python -m promotions.verify`, as it is


class DrawProofOut(StrictSerializer):
    promotion = Text()
    status = Choice(choices=STATUSES)
    attempts = AttemptOut(many=True)
    list = SealedListOut(allow_null=True)
    published = PublishedOut(allow_null=True)
    example = shown(
        {
            "promotion": "SPRING",
            "status": "running",
            "attempts": [
                {
                    "attempt": 1,
                    "commitment": "024ed80f3ce20e97952e8da5137b230b6e8b7de25924bbebd1813e35c69637bb",
                    "committed_at": "2026-11-01T10:00:00+11:00",
                    "seed": None,
                    "void": None,
                }
            ],
            "list": None,
            "published": None,
        }
    )


class Proof(HouseView):
    @read(permission=SIGNED_IN, gives=DrawProofOut)
    def get(self, by: Actor, asked: Nothing, *, code: str) -> dict[str, object]:
        """What was promised, and once the result is out everything needed to check the draw.

        `published` is the file that `python -m promotions.verify` reads; docs/proof/promotions.md tells how to check it
        in any language.
        """
        return draw_proof(code=code)


class ProofWithTexts(HouseView):
    @read(permission=PERSONAL, gives=DrawProofOut)
    def get(self, by: Actor, asked: Nothing, *, code: str) -> dict[str, object]:
        """The same with the sealed text of each drawn entry, which says whose it is: for the inspector's check."""
        return draw_proof(code=code, texts=True)
