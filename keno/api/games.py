"""Calls about games: looking, closing, drawing, balls, void and invalid ones, the proof of a draw."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from django.db.models import QuerySet
from django.http import HttpResponse
from rest_framework import serializers
from rest_framework.request import Request

from house.api.approvals import ApprovalOut
from house.models import Proposal
from house.permissions import AS_INSPECTOR
from keno import proof
from keno.choose_device import choose_device
from keno.close import close_game
from keno.dice import dice_for_game
from keno.draw import draw_game
from keno.models import DrawDevice, Game, GameStatus, InvalidationCause, KenoSettings
from keno.permissions import CHOOSE_DEVICE, INVALIDATE, RUN_GAMES
from keno.queries.games import current_game, described, find_game, games
from keno.stop_draw import invalidate_or_propose, void_or_propose
from keno.void import CAUSES
from kernel.actors import Actor
from web import request_keys
from web.fields import Choice, DayField, InstantField, Nothing, StrictSerializer, Text, TrueOrFalse, WholeNumber, shown
from web.view import SIGNED_IN, ByDay, Call, HouseView, Proposed, listing, read, verb

_HASH = "ab" * 32


class GameView(HouseView):
    """Each step of a game is done once by its state, so a request key is not asked for; where sent, it is honoured."""

    def _do(
        self, call: Call, method: Callable[..., object], request: Request, where: dict[str, str | int]
    ) -> HttpResponse:
        keyed = request_keys.HEADER in request.headers
        return super()._do(replace(call, needs_key=True) if keyed else call, method, request, where)


class GameMajorsOut(StrictSerializer):
    before = Text()
    after = Text()
    count = WholeNumber()


class GameTotalsOut(StrictSerializer):
    tickets = WholeNumber()
    stakes = Text(help_text="What was paid for this game, in dollars.")
    prizes = Text()
    winners = WholeNumber(help_text="Tickets.")
    biggest = Text(required=False, help_text="What the ticket that won most won in this game; not said of old games.")
    majors = GameMajorsOut()
    bonuses = Text(required=False, help_text="Bonus prizes, where any were won.")
    jackpots = serializers.DictField(help_text='By spots: {"6": {"amount", "ways"}}, where won.')


class GameWitnessOut(StrictSerializer):
    name = Text()
    key = Text(help_text="SHA-256 of its RSA key: `/log/witness.pem`.")
    signature = Text(help_text="Its one signature to this attempt, which is part of the numbers.")


class GameCheckpointOut(StrictSerializer):
    origin = Text()
    size = WholeNumber(help_text="Rows of the log.")
    root = Text()  # type: ignore[assignment]  # a serializer has one of its own, which is never asked here


class GameVoidOut(StrictSerializer):
    why = Text()
    by = serializers.ListField(child=Text(), help_text="Two people where the witness had been asked.")
    inspector = Text(allow_null=True, help_text="Who decided it, where the witness had been asked.")


class GameAttemptOut(StrictSerializer):
    attempt = WholeNumber()
    device = Choice(choices=DrawDevice.values)
    ticket_root = Text(allow_null=True, help_text="The same for every attempt.")
    sealed_at = InstantField(allow_null=True)
    checkpoint = GameCheckpointOut(allow_null=True, help_text="The head of the log that the witness signed.")
    witness = GameWitnessOut(allow_null=True, help_text="Null with balls, before it answers, and where it was away.")
    unwitnessed = Text(allow_null=True, help_text="What stands in the witness’s place: `dice` or `beacon`.")
    waits = TrueOrFalse(help_text="The witness does not answer; the game waits.")
    drawn = serializers.ListField(child=WholeNumber(), help_text="Of a void attempt what would have come.")
    void = GameVoidOut(allow_null=True)


class GameStateOut(StrictSerializer):
    number = WholeNumber()
    status = Choice(choices=GameStatus.values)
    gaming_day = DayField()
    opens_at = InstantField()
    closes_at = InstantField()
    device = Choice(choices=DrawDevice.values)
    attempt = WholeNumber(help_text="More than 1: an earlier draw was void.")
    drawn = serializers.ListField(child=WholeNumber(), help_text="In the order drawn, as far as it is.")
    commitment = Text(
        allow_null=True, help_text="One for the game, promised before it opened, whatever attempts follow."
    )
    attempts = serializers.ListField(child=GameAttemptOut())
    ticket_root = Text(required=False, help_text="Merkle root over all tickets, sealed after the close.")
    ticket_count = WholeNumber(required=False)
    seed = Text(required=False, help_text="The promised master, revealed at settlement.")
    totals = GameTotalsOut(required=False)
    recorded = serializers.ListField(
        child=WholeNumber(),
        required=False,
        help_text="Where its balls had been recorded wrongly and it was settled again: what it was first settled on.",
    )
    example = shown(
        {
            "number": 1201,
            "status": "settled",
            "gaming_day": "2026-11-16",
            "opens_at": "2026-11-16T21:00:00+11:00",
            "closes_at": "2026-11-16T21:03:00+11:00",
            "device": "rng",
            "attempt": 1,
            "drawn": [4, 80, 17, 9, 33, 61, 2, 45, 70, 12, 58, 26, 74, 39, 8, 50, 21, 66, 1, 77],
            "commitment": _HASH,
            "attempts": [
                {
                    "attempt": 1,
                    "device": "rng",
                    "ticket_root": _HASH,
                    "sealed_at": "2026-11-16T21:03:00+11:00",
                    "checkpoint": {"origin": "meterhouse.log/1f", "size": 4711, "root": _HASH},
                    "witness": {"name": "witness.example/1", "key": _HASH, "signature": "1f" * 384},
                    "unwitnessed": None,
                    "waits": False,
                    "drawn": [4, 80, 17, 9, 33, 61, 2, 45, 70, 12, 58, 26, 74, 39, 8, 50, 21, 66, 1, 77],
                    "void": None,
                }
            ],
            "ticket_root": _HASH,
            "ticket_count": 112,
            "seed": _HASH,
            "totals": {
                "tickets": 112,
                "stakes": "318.00",
                "prizes": "241.00",
                "winners": 31,
                "biggest": "50.00",
                "majors": {"before": "0.00", "after": "0.00", "count": 0},
                "jackpots": {},
            },
        }
    )


class GameRow(StrictSerializer):
    number = WholeNumber()
    status = Text()
    gaming_day = DayField()
    closes_at = InstantField()
    device = Text()
    example = shown(
        {
            "number": 1201,
            "status": "settled",
            "gaming_day": "2026-11-16",
            "closes_at": "2026-11-16T21:03:00+11:00",
            "device": "rng",
        }
    )


class VoidDrawIn(StrictSerializer):
    cause = Choice(choices=list(CAUSES), default="malfunction")
    reason = Text(required=False, help_text="What cannot be continued, and why; asked for where others decide it.")
    device = Choice(
        choices=DrawDevice.values, required=False, help_text="Redraw with this one; left out, with the same."
    )
    example = shown({"cause": "malfunction", "reason": "The device lost power."})


class InvalidateGameIn(StrictSerializer):
    cause = Choice(choices=InvalidationCause.values, default=InvalidationCause.IMPRACTICAL.value)
    reason = Text(required=False)
    example = shown({"cause": "fire", "reason": "The hall was cleared."})


class DiceThrownIn(StrictSerializer):
    dice = Text(max_length=400, help_text="The inspector’s throws, each a digit from 1 to 6; spaces do not count.")
    why = Text(help_text="It stays on record.")
    example = shown({"dice": "3516" * 13, "why": "The line to the witness is down."})


class KenoDeviceIn(StrictSerializer):
    device = Choice(choices=DrawDevice.values)
    example = shown({"device": "mechanical"})


class KenoDeviceOut(StrictSerializer):
    device = Choice(choices=DrawDevice.values, help_text="How games are drawn from the next one on.")
    example = shown({"device": "mechanical"})


class GameProofOut(StrictSerializer):
    game = WholeNumber()
    status = Text()
    device = Text()
    attempts = serializers.ListField(
        child=serializers.DictField(), help_text="Each attempt: commitment, ticket root, witness, numbers, why void."
    )
    proof = serializers.DictField(allow_null=True, help_text="See docs/proof: everything to compute the numbers.")
    example = shown({"game": 1201, "status": "open", "device": "rng", "attempts": [], "proof": None})


class EntryProofIn(StrictSerializer):
    serial = Text(max_length=40)
    security_code = Text(max_length=40)
    example = shown({"serial": "7K2MX0Q4RT9B", "security_code": "3F8D0Q2ZK5M1XT7V"})


class EntryProofOut(StrictSerializer):
    ticket_root = Text()
    entry = serializers.DictField(help_text="The entry's text, its place, and its neighbours' hashes.")
    example = shown({"ticket_root": _HASH, "entry": {"version": 1}})


def _done(what: Game | Proposal) -> dict[str, object] | Proposed:
    return Proposed(what) if isinstance(what, Proposal) else described(what)


class Games(GameView):
    @listing(permission=SIGNED_IN, gives=GameRow, asks=ByDay, order="-number")
    def get(self, by: Actor, asked: ByDay) -> QuerySet[Game]:
        """Games, the latest first."""
        return games(day=asked.gaming_day)


class Current(GameView):
    @read(permission=SIGNED_IN, gives=GameStateOut)
    def get(self, by: Actor, asked: Nothing) -> dict[str, object]:
        """The game on sale; outside the hours of gaming the next one."""
        return described(current_game())


class OneGame(GameView):
    @read(permission=SIGNED_IN, gives=GameStateOut)
    def get(self, by: Actor, asked: Nothing, *, number: int) -> dict[str, object]:
        """One game."""
        return described(find_game(number))


class Close(GameView):
    @verb(permission=RUN_GAMES, gives=GameStateOut, needs_key=False, waits=True)
    def post(self, by: Actor, data: Nothing, *, number: int) -> dict[str, object]:
        """Close a game before its time, and seal its tickets.

        Sales go on with the next one in the same moment.
        """
        return described(close_game(number=number, by=by))


class Draw(GameView):
    @verb(permission=RUN_GAMES, gives=GameStateOut, needs_key=False, waits=True)
    def post(self, by: Actor, data: Nothing, *, number: int) -> dict[str, object]:
        """Draw a closed game by random number generator, all that is left of it, and settle it.

        The witness is asked. While it is away the game waits (409 `witness-away`), and is drawn when it answers.
        """
        return described(draw_game(number=number, by=by))


class Void(GameView):
    @verb(permission=RUN_GAMES, takes=VoidDrawIn, gives=GameStateOut, proposes=ApprovalOut, needs_key=False)
    def post(self, by: Actor, data: VoidDrawIn, *, number: int) -> dict[str, object] | Proposed:
        """Declare the draw void.

        The game keeps its number, tickets and commitment and is redrawn, or drawn with the device that is named. Of a
        generator it is only proposed, with its reason: another person of the house decides and, once the witness has
        been asked, the inspector.
        """
        reason, device = data.reason or "", data.device
        return _done(void_or_propose(number=number, cause=data.cause, reason=reason, device=device, by=by))


class Invalidate(GameView):
    @verb(permission=INVALIDATE, takes=InvalidateGameIn, gives=GameStateOut, proposes=ApprovalOut, needs_key=False)
    def post(self, by: Actor, data: InvalidateGameIn, *, number: int) -> dict[str, object] | Proposed:
        """Invalidate a game that is not settled.

        It is not drawn again; each ticket gets back what was paid for it. Once the witness has been asked it is only
        proposed: another person of the house and the inspector decide.
        """
        cause = InvalidationCause(data.cause)
        return _done(invalidate_or_propose(number=number, cause=cause, reason=data.reason or "", by=by))


class Dice(GameView):
    @verb(permission=AS_INSPECTOR, takes=DiceThrownIn, gives=GameStateOut, needs_key=False)
    def post(self, by: Actor, data: DiceThrownIn, *, number: int) -> dict[str, object]:
        """Put an inspector's dice in the place of the witness, where it is away.

        The attempt is marked as unwitnessed for ever; what the witness answers later changes nothing.
        """
        return described(dice_for_game(number=number, dice=data.dice, why=data.why, by=by))


class ChooseDevice(GameView):
    @verb(permission=CHOOSE_DEVICE, takes=KenoDeviceIn, gives=KenoDeviceOut, needs_key=False)
    def post(self, by: Actor, data: KenoDeviceIn) -> KenoSettings:
        """Choose the device, from the next game on."""
        return choose_device(device=data.device, by=by)


class Proof(GameView):
    @read(permission=SIGNED_IN, gives=GameProofOut)
    def get(self, by: Actor, asked: Nothing, *, number: int) -> proof.GameProof:
        """What a stranger needs to check the draw of a game."""
        return proof.game_proof(number)


class EntryProof(GameView):
    @verb(permission=SIGNED_IN, takes=EntryProofIn, gives=EntryProofOut, needs_key=False)
    def post(self, by: Actor, data: EntryProofIn, *, number: int) -> proof.TicketProof:
        """Show that a ticket was in the set that a draw is bound to. Changes nothing."""
        return proof.entry_proof(game=number, serial=data.serial, security_code=data.security_code, by=by)
