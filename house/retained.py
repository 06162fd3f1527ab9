"""What the house keeps of people, and how it is forgotten: cash identities, suspicious matters, players."""

from __future__ import annotations

from datetime import date, datetime, time
from typing import Final

from django.db.models import Case, Q, QuerySet, Value, When
from django.utils import timezone

from house.models import CashLine, Player, SuspiciousMatter, ThresholdReport
from house.models.cash import IDENTITY_ERASED
from house.venue import zone
from kernel.prepared import execute
from kernel.refusal import NotFound
from kernel.retention import ERASED, YEARS_BY_LAW, ErasedByTwo

_SEVEN_YEARS: Final = "seven years after it was needed last (AML/CTF Act 2006, ss 107 and 111)"
_BY_TWO: Final = "two people: “Personal data”"


def _lines(before: date) -> QuerySet[CashLine]:
    return CashLine.objects.exclude(identity=None).exclude(identity=IDENTITY_ERASED).filter(day__lt=before)


def _reports(before: date) -> QuerySet[ThresholdReport]:
    """One that never went to the authority is not over."""
    named = ThresholdReport.objects.exclude(identity=IDENTITY_ERASED)
    return named.filter(day__lt=before, reported_at__lt=_midnight(before))


def _midnight(day: date) -> datetime:
    return datetime.combine(day, time(), tzinfo=zone())


def _erase_cash(before: date, only: str) -> int:
    """Amounts, days and the keyed marks stay: what was counted together stays counted."""
    return _lines(before).update(identity=IDENTITY_ERASED) + _reports(before).update(
        identity=IDENTITY_ERASED, name_mark=""
    )


CASH: Final = ErasedByTwo(
    name="cash",
    label="Identity taken at payments and in threshold reports",
    kept=_SEVEN_YEARS,
    ends=_BY_TWO,
    years=YEARS_BY_LAW,
    held=lambda: _lines(date.max).count() + ThresholdReport.objects.exclude(identity=IDENTITY_ERASED).count(),
    due=lambda before, only: _lines(before).count() + _reports(before).count(),
    erase=_erase_cash,
)


def _matters(before: date) -> QuerySet[SuspiciousMatter]:
    over = Q(sent_at__lt=_midnight(before)) | Q(agreed_at__lt=_midnight(before))
    return SuspiciousMatter.objects.exclude(what=ERASED).filter(over)


def _erase_matters(before: date, only: str) -> int:
    """How it ended stays. With the salt goes the way to guess from the log's hash what it said."""
    return _matters(before).update(
        what=ERASED,
        reference="",
        salt="",
        concerns=[],
        name_marks=[],
        player=None,
        customer=None,
        dismissed_why=Case(When(dismissed_why="", then=Value("")), default=Value(ERASED)),
    )


MATTERS: Final = ErasedByTwo(
    name="matters",
    label="Suspicious matters",
    kept=_SEVEN_YEARS,
    ends=_BY_TWO,
    years=YEARS_BY_LAW,
    held=SuspiciousMatter.objects.exclude(what=ERASED).count,
    due=lambda before, only: _matters(before).count(),
    erase=_erase_matters,
)


# Who has no card, has neither played nor been paid since, and is kept out by nothing. A card's own customer is known by
# every mark that was shown with it.
_NEEDED_NO_MORE: Final = """
    SELECT player.id FROM house_player player
    WHERE player.name <> %(erased)s AND player.registered_at < %(since)s
      AND (%(only)s = '' OR player.number = %(only)s)
      AND NOT EXISTS (SELECT FROM house_playercard card WHERE card.player_id = player.id
                      AND coalesce(card.cancelled_at, %(since)s) >= %(since)s)
      AND NOT EXISTS (SELECT FROM house_playline line WHERE line.player_id = player.id AND line.at >= %(since)s)
      AND NOT EXISTS (SELECT FROM house_restriction kept_out WHERE kept_out.player_id = player.id
                      AND kept_out.lifted_at IS NULL AND coalesce(kept_out.until, %(now)s) >= %(now)s)
      AND NOT EXISTS (SELECT FROM house_suspiciousmatter matter WHERE matter.player_id = player.id
                      AND matter.sent_at IS NULL AND matter.agreed_at IS NULL)
      AND NOT EXISTS (
          SELECT FROM house_customer mark
          JOIN house_customer same ON coalesce(same.same_as_id, same.id) = coalesce(mark.same_as_id, mark.id)
          JOIN house_cashline line ON line.customer_id = same.id OR line.played_by_id = same.id
          WHERE mark.mark = 'player:' || player.id AND line.day >= %(day)s)
"""


def _players(before: date, only: str) -> list[int]:
    if only and not Player.objects.filter(number=only).exists():
        raise NotFound("no-such-player", f"There is no player {only}.", field="subject")
    given = {"erased": ERASED, "since": _midnight(before), "now": timezone.now(), "day": before, "only": only}
    return [number for (number,) in execute(_NEEDED_NO_MORE, given)]


PLAYERS: Final = ErasedByTwo(
    name="players",
    label="Players: name and date of birth",
    kept="while he has a card or is kept out, and " + _SEVEN_YEARS,
    ends=_BY_TWO + "; of one player: players/P-…",
    years=YEARS_BY_LAW,
    held=Player.objects.exclude(name=ERASED).count,
    due=lambda before, only: len(_players(before, only)),
    # The number stays: the log and the books know him by it, and by nothing else.
    erase=lambda before, only: Player.objects.filter(pk__in=_players(before, only)).update(
        name=ERASED, born=None, born_by=None
    ),
)
