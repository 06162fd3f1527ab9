"""Calls about table games: read the request, call one verb, show what came of it."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from django.db.models import QuerySet

from house.api.cash import identity_of
from house.permissions import NOTIFY_INCIDENTS
from kernel.actors import Actor
from kernel.money import Money
from kernel.refusal import Malformed, NotFound
from tablegames import payment_errors, permissions, queries, sign
from tablegames.api import fields
from tablegames.mathematics import decimal
from tablegames.models import Check, PaymentError
from tablegames.month_end import tell_regulator
from tablegames.reports import REPORTS
from tablegames.rules import catalogue
from tablegames.rules.payment_errors import Direction, Status
from tablegames.settle import Answer, Entered, evaluate, game_of, record_check
from web.fields import Choice, Nothing, sent
from web.view import SIGNED_IN, ByDay, HouseView, listing, read, verb

REPORT_DAYS_LIMIT = 400


def _entered(data: fields.EvaluateIn | fields.SettleIn) -> Entered:
    return Entered(
        game=game_of(data.game, data.table),
        wagers=data.wagers,
        cards=data.cards,
        outcome=data.outcome,
        choices={} if data.choices is None else sent(data.choices),
    )


def _line(answer: Answer, line: Any) -> dict[str, object]:
    paid = None if answer.paid is None else answer.paid[line.wager]
    difference = answer.difference_of(line)
    return {
        **line.as_data(),
        "paid": None if paid is None else str(paid.pays),
        "returned": None if paid is None else str(paid.returns),
        "difference": None if difference is None else str(difference),
    }


class Evaluate(HouseView):
    @verb(permission=SIGNED_IN, takes=fields.EvaluateIn, gives=fields.AnswerOut, needs_key=False)
    def post(self, by: Actor, data: fields.EvaluateIn) -> dict[str, object]:
        """What every wager of a hand is owed; changes nothing.

        With `paid`, also the difference.
        """
        answer = evaluate(
            entered=_entered(data),
            terms=None if data.terms is None else sign.read(sent(data.terms)),
            table=data.table,
            paid=data.paid,
            returned=data.returned,
            box=data.box,
        )
        return {
            "game": answer.settlement.game,
            "outside_limits": [{"wager": each.wager, "says": each.says} for each in answer.outside],
            "owed": [_line(answer, line) for line in answer.settlement.owed],
            "pays": str(answer.settlement.pays),
            "difference": None if answer.difference is None else str(answer.difference),
            "notes": answer.settlement.notes,
        }


def _check(check: Check) -> dict[str, object]:
    errors = [error.pk for error in check.errors.all()]

    def line(owed: dict[str, Any]) -> dict[str, object]:
        paid = check.paid[owed["wager"]]
        had = [Money.parse(paid[name]) - Money.parse(owed[name]) for name in ("pays", "returns")]
        return {**owed, "paid": paid["pays"], "returned": paid["returns"], "difference": str(had[0] + had[1])}

    return {
        "id": check.pk,
        "table": None if check.table is None else check.table.code,
        "box": check.box,
        "game": check.game,
        "terms": check.terms,
        "entered": check.entered,
        "owed": [line(owed) for owed in check.owed],
        "difference": check.difference,
        "payment_error": errors[0] if errors else None,
        "payment_errors": errors,
        "player": check.player_card,
        "note": check.note,
        "gaming_day": check.day,
        "happened_at": check.happened_at,
        "at": check.at,
        "by": check.by,
        "notice": payment_errors.RIGHT_TO_COMPLAIN if errors else "",
    }


class Settle(HouseView):
    @verb(permission=permissions.CHECK, takes=fields.SettleIn, gives=fields.CheckOut, status=201)
    def post(self, by: Actor, data: fields.SettleIn) -> dict[str, object]:
        """Check a settled hand and keep it.

        Where the player has more or less than was owed, an over- or underpayment is opened.
        """
        check = record_check(
            entered=_entered(data),
            paid=data.paid,
            returned=data.returned,
            table=data.table,
            box=data.box,
            player_card=data.player or "",
            note=data.note or "",
            happened_at=data.happened_at,
            by=by,
        )
        return _check(queries.find_check(check.pk))


class _CheckRow(fields.CheckOut):
    def to_representation(self, check: Check) -> dict[str, object]:
        return super().to_representation(_check(check))


class Checks(HouseView):
    @listing(permission=permissions.VIEW, gives=_CheckRow, asks=ByDay)
    def get(self, by: Actor, asked: ByDay) -> QuerySet[Check]:
        """Hands that were checked, the newest first."""
        return queries.checks(day=asked.gaming_day)


class OneCheck(HouseView):
    @read(permission=permissions.VIEW, gives=fields.CheckOut)
    def get(self, by: Actor, asked: Nothing, *, id: int) -> dict[str, object]:
        """One checked hand."""
        return _check(queries.find_check(id))


class ErrorsAsked(ByDay):
    status = Choice(choices=list(Status), required=False)
    direction = Choice(choices=list(Direction), required=False)


class PaymentErrors(HouseView):
    @listing(permission=permissions.VIEW, gives=fields.PaymentErrorOut, asks=ErrorsAsked)
    def get(self, by: Actor, asked: ErrorsAsked) -> QuerySet[PaymentError]:
        """Over- and underpayments, the newest first."""
        return queries.payment_errors(status=asked.status, direction=asked.direction, day=asked.gaming_day)

    @verb(permission=permissions.CHECK, takes=fields.ChangeErrorIn, gives=fields.PaymentErrorOut, status=201)
    def post(self, by: Actor, data: fields.ChangeErrorIn) -> PaymentError:
        """Record a cash or colour change that was not settled correctly."""
        return queries.find_error(
            payment_errors.report_change_error(
                cause=data.cause,
                owed=data.owed,
                paid=data.paid,
                what=data.what,
                table=data.table,
                player_card=data.player or "",
                happened_at=data.happened_at,
                by=by,
            ).pk
        )


class OnePaymentError(HouseView):
    @read(permission=permissions.VIEW, gives=fields.PaymentErrorOut)
    def get(self, by: Actor, asked: Nothing, *, id: int) -> PaymentError:
        """One over- or underpayment, with what was tried."""
        return queries.find_error(id)


class DecideIntent(HouseView):
    @verb(permission=permissions.RECTIFY, takes=fields.IntentIn, gives=fields.PaymentErrorOut)
    def post(self, by: Actor, data: fields.IntentIn, *, id: int) -> PaymentError:
        """Say, after enquiries, whether it was on purpose."""
        payment_errors.decide_intent(error_id=id, intent=data.intent, enquiries=data.enquiries, by=by)
        return queries.find_error(id)


class TakeStep(HouseView):
    @verb(permission=permissions.RECTIFY, takes=fields.StepIn, gives=fields.PaymentErrorOut, status=201)
    def post(self, by: Actor, data: fields.StepIn, *, id: int) -> PaymentError:
        """Keep what was tried: to identify, contact, reimburse or ask for the return."""
        payment_errors.take_step(
            error_id=id,
            kind=data.kind,
            how=data.how,
            succeeded=data.succeeded,
            at=data.at,
            reference=data.reference or "",
            by=by,
        )
        return queries.find_error(id)


class Rectify(HouseView):
    @verb(permission=permissions.RECTIFY, takes=fields.RectifyIn, gives=fields.PaymentErrorOut)
    def post(self, by: Actor, data: fields.RectifyIn, *, id: int) -> PaymentError:
        """The patron is reimbursed, or returns what was too much, in whole or in part."""
        payment_errors.rectify(
            error_id=id,
            amount=data.amount,
            how=data.how,
            reference=data.reference or "",
            identity=identity_of(data.identity),
            by=by,
        )
        return queries.find_error(id)


class CloseError(HouseView):
    @verb(permission=permissions.CLOSE, takes=fields.CloseErrorIn, gives=fields.PaymentErrorOut)
    def post(self, by: Actor, data: fields.CloseErrorIn, *, id: int) -> PaymentError:
        """Close it: a reasonable attempt was made, or the regulator was told."""
        payment_errors.close_error(error_id=id, outcome=data.outcome, what=data.what, by=by)
        return queries.find_error(id)


class Games(HouseView):
    @read(permission=SIGNED_IN, gives=fields.GamesOut)
    def get(self, by: Actor, asked: Nothing) -> dict[str, object]:
        """The games, their wagers and pay tables, each figure with its clause."""
        return {"games": catalogue.GAMES.values()}


def _shown(figure: Fraction) -> dict[str, str]:
    return {"fraction": f"{figure.numerator}/{figure.denominator}", "decimal": decimal(figure, 12)}


class Mathematics(HouseView):
    @verb(permission=SIGNED_IN, takes=fields.MathematicsIn, gives=fields.FiguresOut, needs_key=False)
    def post(self, by: Actor, data: fields.MathematicsIn) -> dict[str, object]:
        """Exact frequency, return and house edge of every bet that nobody's skill decides."""
        game = catalogue.find(data.game)
        return {
            "game": game.code,
            "figures": [
                {
                    "wager": each.wager,
                    "table": each.table,
                    "rows": [
                        {
                            "what": row.cell.what,
                            "odds": str(row.cell.odds),
                            "clause": row.cell.clause,
                            "frequency": _shown(row.frequency),
                        }
                        for row in each.rows
                    ],
                    "hit_rate": _shown(each.hit_rate),
                    "returned": _shown(each.returned),
                    "house_edge": _shown(each.edge),
                }
                for each in game.figures()
            ],
        }


class MonthEnd(HouseView):
    @verb(permission=NOTIFY_INCIDENTS, takes=fields.MonthIn, gives=fields.MonthOut)
    def post(self, by: Actor, data: fields.MonthIn) -> dict[str, object]:
        """Record that a month's over- and underpayments above $1,000 were reported to the regulator."""
        told = tell_regulator(month=data.month, how=data.how, reference=data.reference or "", by=by)
        return {"payment_errors": [error.pk for error in told]}


class OneReport(HouseView):
    @read(permission=permissions.REPORTS, gives=fields.TableGamesReportOut, asks=fields.ReportAsked)
    def get(self, by: Actor, asked: fields.ReportAsked, *, name: str) -> dict[str, object]:
        """A report over days: checks, payment-errors, month-end."""
        make = REPORTS.get(name)
        if make is None:
            raise NotFound("no-such-report", f"The reports are: {', '.join(REPORTS)}.")
        if not 0 <= (asked.last - asked.first).days <= REPORT_DAYS_LIMIT:
            raise Malformed(
                "days-impossible", f"A report is over 1 to {REPORT_DAYS_LIMIT} days, first to last.", field="last"
            )
        made = make(asked.first, asked.last)
        return {"title": made.title, "columns": made.columns, "rows": made.written()}
