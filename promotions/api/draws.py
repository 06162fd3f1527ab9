"""Calls about draws: the promise, the draw, its scrutineer, its proof, and what happens when integrity is in doubt."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from house.models import Incident
from house.permissions import AS_INSPECTOR
from kernel.actors import Actor
from promotions import integrity, scrutineer, void
from promotions.api.forms import WhyIn
from promotions.attempts import said_to
from promotions.draw import dice, draw_promotion, find_draw
from promotions.lifecycle import Status
from promotions.models import Draw, Promotion
from promotions.permissions import DRAW, INTEGRITY, PERSONAL, SCRUTINISE, SEE, VOID_DRAW
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
    commitment = serializers.SerializerMethodField(help_text=f"One for every attempt: {HASH}.")
    committed_at = InstantField(source="promise.made_at")
    begun_at = InstantField(allow_null=True, help_text="When everything was fixed and the witness was to be asked.")
    witness = Text(source="promise.witness", help_text="Who is asked.")
    how = serializers.SerializerMethodField(
        help_text="`witness`, or what an inspector put in its place, `dice` or `beacon`; null while it waits."
    )
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
            "begun_at": "2026-12-01T20:00:00+11:00",
            "witness": "witness.example/house",
            "how": "witness",
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
        return bytes(draw.promise.commitment).hex()

    def get_how(self, draw: Draw) -> str | None:
        said = said_to(draw)
        return said.how.value if said is not None else None


class OneDraw(HouseView):
    @read(permission=SEE, gives=DrawOut)
    def get(self, by: Actor, asked: Nothing, *, code: str) -> Draw:
        """The draw of a promotion: what was promised, and what came of it."""
        return find_draw(code)

    @verb(permission=DRAW, gives=DrawOut, waits=True)
    def post(self, by: Actor, data: Nothing, *, code: str) -> Draw:
        """Ask the witness and draw the promotion from its sealed list, once; the same draw is answered again.

        While the witness is away the answer says `drawing`, with nothing drawn: it is asked again every second, and the
        draw follows by itself. A list that is not the one that was sealed is not drawn from: the answer then says
        `postponed`, and the inspector's notice is owed.
        """
        return draw_promotion(code=code, by=by)


class DiceIn(WhyIn):
    dice = Text(max_length=1000, help_text="At least 50 throws of a die, as digits from 1 to 6.")
    example = shown({"dice": "351662413562" * 5, "why": "The line to the witness is down."})


class Dice(HouseView):
    @verb(permission=AS_INSPECTOR, takes=DiceIn, gives=DrawOut)
    def post(self, by: Actor, data: DiceIn, *, code: str) -> Draw:
        """The witness is away: an inspector's throws in its place, before the scrutineer. The draw follows by itself.

        An inspector's act, in his own name; the draw is marked unwitnessed for ever.
        """
        return dice(code=code, throws=data.dice, why=data.why, by=by)


class ScrutineerIn(StrictSerializer):
    scrutineer = Text(max_length=80, help_text="A person, like staff:anna; another than you, and never a device.")
    example = shown({"scrutineer": "staff:otto"})


class Nominate(HouseView):
    @verb(permission=DRAW, takes=ScrutineerIn, gives=DrawOut)
    def post(self, by: Actor, data: ScrutineerIn, *, code: str) -> Draw:
        """Nominate the scrutineer: needed where one prize is worth more than $10,000."""
        return scrutineer.nominate_scrutineer(code=code, scrutineer=data.scrutineer, by=by)


class Attend(HouseView):
    @verb(permission=SCRUTINISE, gives=DrawOut)
    def post(self, by: Actor, data: Nothing, *, code: str) -> Draw:
        """The nominated scrutineer is there, before the draw. At the console, in person: a token is refused."""
        return scrutineer.attend(code=code, by=by)


class Sign(HouseView):
    @verb(permission=SCRUTINISE, gives=DrawOut)
    def post(self, by: Actor, data: Nothing, *, code: str) -> Draw:
        """The scrutineer signs what came of the draw; a result that needs it is published with that.

        At the console, in person, after password and second step: a token is refused.
        """
        return scrutineer.sign(code=code, by=by)


class ResumeIn(WhyIn):
    reseal = TrueOrFalse(
        default=False,
        help_text="The sealed list is void: it is corrected and sealed anew. Never after the witness was asked.",
    )
    new_seed = TrueOrFalse(default=False, help_text="Refused: the draw is promised once.")
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
        """Postpone a promotion until its integrity is validated; the inspector's notice is owed.

        Once the witness was asked it is refused: see `integrity/void`.
        """
        return integrity.postpone(code=code, why=data.why, by=by)


class VoidIn(WhyIn):
    then = Choice(
        choices=[void.AGAIN, void.FOR_GOOD],
        default=void.AGAIN,
        help_text="It is postponed until it is drawn again from the same list, or cancelled for good.",
    )
    example = shown({"why": "The hall had to be cleared.", "then": "again"})


class VoidOut(StrictSerializer):
    proposal = WholeNumber(source="pk", help_text="To be seconded by another person and decided by an inspector.")
    kind = Text()
    subject = Text()
    status = Text()
    example = shown({"proposal": 31, "kind": "promotions.void-draw", "subject": "SPRING", "status": "proposed"})


class Void(HouseView):
    @verb(permission=VOID_DRAW, takes=VoidIn, gives=VoidOut, status=202)
    def post(self, by: Actor, data: VoidIn, *, code: str) -> Any:
        """Propose that a draw is void although the witness was asked: nothing happens until it is decided.

        A second person stands behind it and an inspector decides, at `approvals/`. The winners that the attempt gives
        are published with the decision.
        """
        return void.propose_void(code=code, then=data.then, why=data.why, by=by)


class Resume(HouseView):
    @verb(permission=INTEGRITY, takes=ResumeIn, gives=StatusOut)
    def post(self, by: Actor, data: ResumeIn, *, code: str) -> Promotion:
        """Its integrity is validated: it goes on where it stood."""
        return integrity.resume(code=code, why=data.why, reseal=data.reseal, new_seed=data.new_seed, by=by)


class CancelCompromised(HouseView):
    @verb(permission=INTEGRITY, takes=WhyIn, gives=DoubtOut)
    def post(self, by: Actor, data: WhyIn, *, code: str) -> Incident:
        """Cancel a promotion whose integrity is compromised; the inspector's notice is owed.

        Once the witness was asked it is refused: see `integrity/void`.
        """
        return integrity.cancel(code=code, why=data.why, by=by)


class Dispute(HouseView):
    @verb(permission=INTEGRITY, takes=DisputeIn, gives=DoubtOut, status=201)
    def post(self, by: Actor, data: DisputeIn, *, code: str) -> Incident:
        """Record that a person disputes a decision; the operator decides, the right to complain is told."""
        return integrity.record_dispute(code=code, what=data.what, by=by)


class CheckpointOut(StrictSerializer):
    origin = Text()
    size = WholeNumber()
    root = Text()  # type: ignore[assignment]  # the Merkle root, not DRF's


class AnswerOut(StrictSerializer):
    name = Text()
    key = Text(help_text="SHA-256 of its RSA key.")
    signature = Text()


class PromiseOut(StrictSerializer):
    commitment = Text()
    made_at = InstantField()
    device = Text()
    beacon = Text(allow_blank=True)
    witness = Text()
    witness_key = Text(help_text="SHA-256 of its RSA key.")
    master = Text(allow_null=True, help_text="Revealed with the result.")


class AttemptOut(StrictSerializer):
    attempt = WholeNumber()
    commitment = Text()
    committed_at = InstantField()
    seed = Text(allow_null=True, help_text="Of this attempt, once the master is revealed.")
    begun_at = InstantField(allow_null=True)
    how = Text(allow_null=True, help_text="`witness`, `dice` or `beacon`; null before anything was said.")
    checkpoint = CheckpointOut(allow_null=True, help_text="The head of the log that the question was asked under.")
    witness = AnswerOut(allow_null=True, help_text="Null where something else stood in its place.")
    void = Text(allow_null=True)
    void_numbers = serializers.ListField(child=WholeNumber(), help_text="What a void attempt gave or would have given.")


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
    barred = serializers.ListField(child=WholeNumber(), help_text="Entries that won nothing, fixed before asking.")
    losses = serializers.ListField(child=serializers.DictField())
    signatures = serializers.ListField(
        child=serializers.DictField(), help_text="The results that the scrutineer signed, and when."
    )
    drawn = serializers.ListField(child=serializers.DictField())
    void = serializers.ListField(child=serializers.DictField(), help_text="Attempts before this one, with proofs.")

    def to_representation(self, instance: Any) -> Any:
        return instance  # the file of `python -m promotions.verify`, as it is


class DrawProofOut(StrictSerializer):
    promotion = Text()
    status = Choice(choices=STATUSES)
    promise = PromiseOut(allow_null=True)
    attempts = AttemptOut(many=True)
    list = SealedListOut(allow_null=True)
    published = PublishedOut(allow_null=True)
    example = shown(
        {
            "promotion": "SPRING",
            "status": "running",
            "promise": {
                "commitment": "024ed80f3ce20e97952e8da5137b230b6e8b7de25924bbebd1813e35c69637bb",
                "made_at": "2026-11-01T10:00:00+11:00",
                "device": "rng",
                "beacon": "",
                "witness": "witness.example/house",
                "witness_key": "6b86b273ff34fce19d6b804eff5a3f5747ada4eaa22f1d49c01e52ddb7875b4b",
                "master": None,
            },
            "attempts": [
                {
                    "attempt": 1,
                    "commitment": "024ed80f3ce20e97952e8da5137b230b6e8b7de25924bbebd1813e35c69637bb",
                    "committed_at": "2026-11-01T10:00:00+11:00",
                    "seed": None,
                    "begun_at": None,
                    "how": None,
                    "checkpoint": None,
                    "witness": None,
                    "void": None,
                    "void_numbers": [],
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
