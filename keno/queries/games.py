"""Games: on sale, being drawn, over; what everybody may know of them."""

from __future__ import annotations

from datetime import date
from typing import Final

from django.db.models import Count, F, Q, QuerySet, Sum
from django.utils import timezone

from draws.commit import is_public
from keno.acts import game_subject
from keno.models import Correction, Draw, DrawDevice, Game, Prize, Resettlement, Ticket
from keno.queries.attempts import attempts_of, hexadecimal, promise_or_none
from keno.steps import TO_DRAW, Status
from kernel.money import ZERO, Money
from kernel.refusal import NotFound
from ledger.models import Act

_NUMBER_LIMIT: Final = 2**63 - 1
_SUBJECT: Final = game_subject(0).removesuffix("0")
_BEGUN: Final = (Status.DRAWING, Status.DRAWN, Status.SETTLED)
_IN_HAND: Final = (Status.OPEN, *TO_DRAW, Status.DRAWN)
LARGEST_PRIZES_ROWS: Final = 20
SET_DRAWS_ROWS: Final = 100


def find_game(number: int) -> Game:
    game = Game.objects.filter(number=number).first() if number <= _NUMBER_LIMIT else None
    if game is None:
        raise NotFound("no-such-game", f"There is no game {number}.")
    return game


def game_of_subject(subject: str) -> Game:
    """As the log and proposals name it."""
    number = subject.removeprefix(_SUBJECT)
    if not (subject.startswith(_SUBJECT) and number.isascii() and number.isdigit() and len(number) < 19):
        raise NotFound("no-such-game", "Write the subject like keno-game:1042.", field="subject")
    return find_game(int(number))


def current_game() -> Game:
    """The game on sale; outside the hours of gaming the one that comes next."""
    for status in (Status.OPEN, Status.SCHEDULED):
        if game := Game.objects.filter(status=status).first():
            return game
    raise NotFound("no-game", "No game is open or scheduled: there is no gaming day ahead.", clause="act-keno:13.1")


def draws_with_balls(game: Game) -> dict[int, Draw]:
    """Its attempts that balls were counted for, by their number: of which set, and through whose hands (2.1, 12.2)."""
    return {draw.attempt: draw for draw in game.draws.exclude(ball_set=None)}


def draws_of_set(code: str) -> list[Draw]:
    """The latest attempts that the balls of a set were counted for."""
    return list(Draw.objects.filter(ball_set=code).order_by("-game_id", "-attempt")[:SET_DRAWS_ROWS])


def described(game: Game) -> dict[str, object]:
    """The game as everybody may see it. What is not known yet is left out: ticket root, seed, totals.

    *commitment* is one for the game, whatever attempts follow; *seed* is the master that it was over.
    """
    draw = latest_attempt(game)
    promise = promise_or_none(game.number) if draw is not None else None
    found: dict[str, object] = {
        "number": game.number,
        "status": game.status,
        "gaming_day": game.gaming_day,
        "opens_at": game.opens_at,
        "closes_at": game.closes_at,
        "device": game.device,
        "attempt": draw.attempt if draw else 1,
        "drawn": draw.numbers if draw and draw.voided_at is None else [],
        "commitment": hexadecimal(promise.commitment) if promise else None,
        "attempts": attempts_of(game),
    }
    known = {
        "ticket_root": hexadecimal(game.ticket_root),
        "ticket_count": game.ticket_count,
        "seed": hexadecimal(promise.master) if promise and game.device == DrawDevice.RNG else None,
        "totals": game.totals,
        "recorded": recorded_wrongly(game),
    }
    return found | {name: value for name, value in known.items() if value is not None}


def resettlement_of(game: Game) -> Resettlement | None:
    """How it was settled again, where its balls had been recorded wrongly (12.1)."""
    return Resettlement.objects.filter(game=game).first() if game.status == Status.SETTLED else None


def recorded_wrongly(game: Game) -> list[int] | None:
    found = resettlement_of(game)
    return None if found is None else found.recorded


def games(*, day: date | None = None) -> QuerySet[Game]:
    rows = Game.objects.all()
    return rows if day is None else rows.filter(gaming_day=day)


def games_opened() -> QuerySet[Game]:
    """All but the one that is only scheduled."""
    return Game.objects.exclude(status=Status.SCHEDULED)


def games_in_hand() -> QuerySet[Game]:
    """Those that are open and not over, the latest first."""
    return Game.objects.filter(status__in=_IN_HAND).order_by("-number")


def latest_attempt(game: Game) -> Draw | None:
    return Draw.objects.filter(game=game).order_by("-attempt").first()


def has_games() -> bool:
    return Game.objects.exists()


def last_drawn() -> tuple[Game, list[int]] | None:
    """The latest game with numbers on record, and these."""
    game = Game.objects.filter(status__in=_BEGUN).order_by("-number").first()
    if game is None:
        return None
    draw = Draw.objects.filter(game=game, voided_at=None).only("numbers").first()
    return game, draw.numbers if draw else []


def tickets_and_turnover(number: int) -> tuple[int, Money]:
    """Tickets that play in a game, and what was paid for it."""
    found = Ticket.objects.filter(first_game__lte=number, plays_to__gte=number).aggregate(
        tickets=Count("pk"), turnover=Sum("price_a_game", filter=Q(charged_to__gte=number))
    )
    return found["tickets"], found["turnover"] or ZERO


def acts_of(game: Game) -> list[Act]:
    return list(Act.objects.filter(subject=game.subject).order_by("id"))


def largest_prizes(number: int) -> QuerySet[Prize]:
    rows = Prize.objects.filter(game=number, replaced=None).prefetch_related("ticket")
    return rows.order_by("-amount", "pk")[:LARGEST_PRIZES_ROWS]


def corrections_in(number: int) -> list[Correction]:
    """What had been paid on wrongly recorded balls, and what the right ones give; the largest first."""
    rows = Correction.objects.filter(resettlement__game=number).exclude(paid=F("owed")).select_related("ticket")
    return list(rows.order_by("-paid", "pk")[:LARGEST_PRIZES_ROWS])


def open_game() -> Game | None:
    return Game.objects.filter(status=Status.OPEN).first()


def games_not_seen() -> Game | None:
    """The game that should be on sale and is not, because the witness has not seen the promise of its draw yet."""
    game = Game.objects.filter(status=Status.SCHEDULED, opens_at__lte=timezone.now()).first()
    if game is None or open_game() is not None:
        return None
    promise = promise_or_none(game.number)
    return game if promise is not None and not is_public(promise) else None


def games_that_wait() -> list[Draw]:
    """Draws that wait because the witness is away."""
    waiting = Draw.objects.filter(voided_at=None, waits_since__isnull=False, game__status=Status.SEALED)
    return list(waiting.order_by("game"))


def game_numbered(number: int) -> Game | None:
    return Game.objects.filter(number=number).first()


def latest_settled(games: int) -> list[Game]:
    """The latest settled games, the newest first."""
    return list(Game.objects.filter(status=Status.SETTLED).order_by("-number")[:games])


def draws_to_confirm() -> QuerySet[Draw]:
    """Draws that stand still: twenty balls are entered, and another person is to read them back."""
    waiting = Draw.objects.filter(voided_at=None, numbers__len=20, finished_at=None)
    return waiting.filter(game__status__in=TO_DRAW)
