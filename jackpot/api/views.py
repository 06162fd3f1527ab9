"""Calls about jackpots: read the request, call one verb, show what came of it."""

from __future__ import annotations

from collections.abc import Mapping

from django.db.models import QuerySet
from django.utils import timezone

from jackpot import hits, links, permissions, pools, published, queries, terms
from jackpot.api import calculation, contributions, fields, floor
from jackpot.contribute import Counted, Message, contribute_bulk, decide_held
from jackpot.finish_round import find_round, finish_round
from jackpot.models import Batch, Hit, Link, Round, Table
from jackpot.other_pools import shown_by_another
from jackpot.pools import Meter, read_meter
from jackpot.rules import mathematics as figures
from jackpot.rules.catalogue import rule_set
from jackpot.rules.payouts import Evaluation, evaluate
from jackpot.rules.policies import Game
from jackpot.rules.pool import Level, overflow_of
from jackpot.start_round import accepted_wagers, start_round
from jackpot.tables import close_table, find_table, move_table, open_table, suspend_table, table_sign
from jackpot.void_round import MISDEAL, invalidate_round, void_round
from kernel.actors import Actor
from kernel.money import ZERO, Money
from kernel.refusal import Malformed
from web.fields import Choice, Nothing, Text
from web.view import SIGNED_IN, ByDay, HouseView, Paging, listing, read, verb


class Evaluate(HouseView):
    @verb(permission=SIGNED_IN, takes=calculation.EvaluateIn, gives=calculation.EvaluationOut, needs_key=False)
    def post(self, by: Actor, data: calculation.EvaluateIn) -> Evaluation:
        """What a round would pay; changes nothing.

        Boxes are numbered from the dealer's left.
        """
        rules = rule_set(data.rules)
        meter = data.meter if data.meters is None else data.meters
        if meter is None or (data.meter is not None and data.meters is not None):
            raise Malformed("malformed", "Give a meter, or meters by level.", field="meter")
        return evaluate(
            rules,
            meter=meter,
            displayed=data.displayed,
            wagers=data.wagers,
            hands=fields.dealt(data.hands),
            bonus=data.bonus or ZERO,
            folded=data.folded or (),
            # Hands of tiles may come from linked tables, each with a set of its own (act-pg:13.3).
            sets=max(1, len(data.hands)) if rules.game is Game.TILES else 1,
        )


class Mathematics(HouseView):
    @verb(permission=SIGNED_IN, takes=calculation.MathematicsIn, gives=calculation.MathematicsOut, needs_key=False)
    def post(self, by: Actor, data: calculation.MathematicsIn) -> dict[str, object]:
        """Exact figures of a jackpot: frequencies, returns, break-even, the mean amount when won."""
        rules = rule_set(data.rules).repriced(data.prizes or {})
        given = (data.seed, data.increment_rate, data.ceiling) != (None, None, None)
        levels = [
            Level(
                name=name,
                seed=data.seed or ZERO,
                increment_rate=data.increment_rate or 0,
                ceiling=data.ceiling,
            )
            for name in rules.levels
            if given
        ]
        wager = data.wager or Money.dollars(1)
        found = figures.mathematics(rules, wager=wager, levels=levels)
        shown = found.as_data()
        for level, written in zip(found.levels, shown["levels"], strict=True):
            days = None if data.turnover is None else level.days_to_win(turnover=data.turnover, wager=wager)
            written["days_to_win"] = None if days is None else figures.shown(days, 2)
        single = shown["levels"][0] if len(shown["levels"]) == 1 else {}
        alone = ("wagers_to_win", "return_per_1000", "break_even", "mean_when_won")
        return {**shown, **{name: single.get(name) for name in alone}}


def _shown(link: Link, tables: list[Table]) -> dict[str, object]:
    version = terms.in_force(link)
    link_terms = terms.of(version)
    meter = Meter(link, link_terms, pools.read_pools(link.code, levels=link_terms.levels))
    parameters, balances = link_terms.parameters, meter.pools.balances
    promised = published.promised(link, now=timezone.now())
    return {
        "code": link.code,
        "title": link.title,
        "rules": link_terms.rules.code,
        "displayed": meter.total,
        "reserve": meter.pools.reserve.down_to_cents(),
        "increment_rate": sum(level.increment_rate for level in parameters.levels),
        "reserve_rate": parameters.reserve_rate,
        "seed": Money.total(level.seed for level in parameters.levels),
        "wager": parameters.wager,
        "bonus": link_terms.bonus,
        "status": link.status,
        "tables": [table.code for table in tables],
        "levels": [
            {
                "name": level.name,
                "displayed": meter.displayed[level.name],
                "increment_rate": level.increment_rate,
                "seed": level.seed,
                "ceiling": level.ceiling,
                "overflow": balances[overflow_of(level.name)].down_to_cents(),
            }
            for level in parameters.levels
        ],
        "terms": version.version,
        "mystery": promised,
        "undecided": bool(promised and promised["undecided"]),
    }


class _PoolRow(fields.PoolOut):
    """A pool from the list: it is read here, one by one. There are a few dozen at most."""

    def to_representation(self, link: Link) -> dict[str, object]:
        return super().to_representation(_shown(link, list(link.tables.all())))


class Pools(HouseView):
    @listing(permission=permissions.VIEW, gives=_PoolRow, asks=Paging, order="id")
    def get(self, by: Actor, asked: Paging) -> QuerySet[Link]:
        """The links, and what each shows."""
        return queries.links_with_tables()


class OnePool(HouseView):
    @read(permission=permissions.VIEW, gives=fields.PoolOut)
    def get(self, by: Actor, asked: Nothing, *, code: str) -> Mapping[str, object]:
        """One link, and what it shows. Keno’s jackpots, too: `KENO-6` and `KENO-8`."""
        if (other := shown_by_another(code)) is not None:
            return other
        link = links.find_link(code)
        return _shown(link, list(link.tables.all()))


def _round(found: Round) -> dict[str, object]:
    return {
        "round": found.pk,
        "table": found.table.code,
        "link": found.terms.link.code,
        "status": found.status,
        "displayed": Money.total(Money.parse(amount) for amount in found.displayed.values()),
        "levels": found.displayed,
        "accepted": accepted_wagers(found),
        "refused": found.refused,
        "started_at": found.started_at,
        "ended_at": found.ended_at,
        "why": found.why,
    }


class _RoundRow(fields.RoundOut):
    def to_representation(self, found: Round) -> dict[str, object]:
        return super().to_representation(_round(found))


class Rounds(HouseView):
    @listing(permission=permissions.VIEW, gives=_RoundRow)
    def get(self, by: Actor, asked: ByDay, *, code: str) -> QuerySet[Round]:
        """The rounds of a table, the newest first."""
        return queries.rounds_at(find_table(code), day=asked.gaming_day)

    @verb(permission=permissions.PLAY, takes=fields.RoundIn, gives=fields.RoundOut, status=201)
    def post(self, by: Actor, data: fields.RoundIn, *, code: str) -> dict[str, object]:
        """Start a round at a table.

        Wagers are accepted box by box; a refused one says why. One round is open at a table at a time.
        """
        return _round(start_round(table=code, wagers=fields.offered(data.wagers), by=by))


class OneRound(HouseView):
    @read(permission=permissions.VIEW, gives=fields.RoundOut)
    def get(self, by: Actor, asked: Nothing, *, id: int) -> dict[str, object]:
        """One round."""
        return _round(find_round(id))


class Finish(HouseView):
    @verb(permission=permissions.PLAY, takes=fields.FinishIn, gives=fields.FinishedOut)
    def post(self, by: Actor, data: fields.FinishIn, *, id: int) -> dict[str, object]:
        """End a round with what lies on its boxes.

        What was won is locked at once and waits for verification; the pool restarts where all of it was won.
        """
        won = finish_round(round_id=id, hands=fields.dealt(data.hands), folded=data.folded or (), by=by)
        ended = find_round(id)
        return {
            "round": id,
            "status": ended.status,
            "hits": won,
            "displayed": read_meter(ended.terms.link).total,
        }


class Void(HouseView):
    @verb(permission=permissions.VOID, takes=fields.VoidIn, gives=fields.RoundOut)
    def post(self, by: Actor, data: fields.VoidIn, *, id: int) -> dict[str, object]:
        """Void an open round: wagers go back, contributions are reversed."""
        return _round(void_round(round_id=id, cause=data.cause or MISDEAL, why=data.why or "", by=by))


class Invalidate(HouseView):
    @verb(permission=permissions.INVALIDATE, takes=fields.InvalidateIn, gives=fields.RoundOut)
    def post(self, by: Actor, data: fields.InvalidateIn, *, id: int) -> dict[str, object]:
        """Invalidate a round, also a finished one of which nothing has been paid."""
        return _round(
            invalidate_round(round_id=id, cause=data.cause, why=data.why, forfeited=data.forfeited or (), by=by)
        )


class HitsAsked(ByDay):
    status = Choice(choices=Hit.Status.values, required=False)
    link = Text(required=False, max_length=16)


class Hits(HouseView):
    @listing(permission=permissions.VIEW, gives=fields.HitOut, asks=HitsAsked)
    def get(self, by: Actor, asked: HitsAsked) -> QuerySet[Hit]:
        """What was won, the newest first."""
        return queries.hits(status=asked.status, link=asked.link, day=asked.gaming_day)


class OneHit(HouseView):
    @read(permission=permissions.VIEW, gives=fields.HitOut)
    def get(self, by: Actor, asked: Nothing, *, id: int) -> Hit:
        """One hit."""
        return hits.find_hit(id)


class Verify(HouseView):
    @verb(permission=permissions.VERIFY, takes=fields.VerifyIn, gives=fields.HitOut)
    def post(self, by: Actor, data: fields.VerifyIn, *, id: int) -> Hit:
        """Verify a hit: cards, box and player were seen.

        The cards or tiles of the hand are entered again, unseen, and compared with what the table sent.
        """
        return hits.verify_hit(
            hit_id=id,
            cards=fields.seen(data),
            box=data.box,
            player_card=data.player,
            surveillance=data.surveillance or "",
            note=data.note or "",
            by=by,
        )


class Pay(HouseView):
    @verb(permission=permissions.PAY, takes=fields.PayIn, gives=fields.HitOut)
    def post(self, by: Actor, data: fields.PayIn, *, id: int) -> Hit:
        """Pay a verified hit, in the round's order of payment.

        Left open, the method is cash, and from $10,000 a cheque. That much needs the receiver's identity, and the
        cheque's number.
        """
        return hits.pay_hit(
            hit_id=id,
            by=by,
            method=data.method,
            payment_reference=data.reference or "",
            identity=fields.receiver_of(data.identity),
            surveillance=data.surveillance or "",
        )


class Deny(HouseView):
    @verb(permission=permissions.DENY, takes=fields.DenyIn, gives=fields.HitOut)
    def post(self, by: Actor, data: fields.DenyIn, *, id: int) -> Hit:
        """Deny a hit. What was set aside for it goes back."""
        return hits.deny_hit(hit_id=id, reason=data.reason, by=by)


class Contributions(HouseView):
    @verb(
        permission=permissions.CONTRIBUTE,
        takes=contributions.ContributionIn,
        takes_many=True,
        gives=contributions.CountedOut,
    )
    def post(self, by: Actor, data: list[Message]) -> Counted:
        """Contributions counted by table controllers, up to 10,000 a call; each id counts once ever.

        One message that cannot be counted does not stop the others: it is in `refused`.
        """
        return contribute_bulk(messages=data, by=by)

    @listing(permission=permissions.HELD, gives=floor.BatchRow, asks=floor.BatchesAsked)
    def get(self, by: Actor, asked: floor.BatchesAsked) -> QuerySet[Batch]:
        """What controllers brought in, a row a call and table; `status=held` waits for a decision."""
        return queries.batches(status=asked.status, day=asked.gaming_day)


def _batch(batch: Batch) -> dict[str, object]:
    return {
        "id": batch.pk,
        "table": batch.table.code,
        "wagers": batch.wagers,
        "contributions": batch.contributions,
        "status": batch.status,
        "at": batch.at,
    }


class Release(HouseView):
    @verb(permission=permissions.HELD, takes=Nothing, gives=contributions.BatchOut)
    def post(self, by: Actor, data: Nothing, *, id: int) -> dict[str, object]:
        """Count contributions that were held back after all."""
        return _batch(decide_held(batch_id=id, release=True, by=by))


class RejectHeld(HouseView):
    @verb(permission=permissions.HELD, takes=Nothing, gives=contributions.BatchOut)
    def post(self, by: Actor, data: Nothing, *, id: int) -> dict[str, object]:
        """Reject contributions that were held back."""
        return _batch(decide_held(batch_id=id, release=False, by=by))


def _table(table: Table) -> dict[str, object]:
    return {"code": table.code, "link": table.link.code, "boxes": table.boxes, "status": table.status}


class OpenTable(HouseView):
    @verb(permission=permissions.TABLES, takes=Nothing, gives=fields.TableOut)
    def post(self, by: Actor, data: Nothing, *, code: str) -> dict[str, object]:
        """Open a table's jackpot again."""
        return _table(open_table(table=code, by=by))


class CloseTable(HouseView):
    @verb(permission=permissions.TABLES, takes=Nothing, gives=fields.TableOut)
    def post(self, by: Actor, data: Nothing, *, code: str) -> dict[str, object]:
        """Close a table's jackpot."""
        return _table(close_table(table=code, by=by))


class MoveTable(HouseView):
    @verb(permission=permissions.TABLES, takes=fields.MoveIn, gives=fields.TableOut)
    def post(self, by: Actor, data: fields.MoveIn, *, code: str) -> dict[str, object]:
        """Put a table on another link, at a round’s end. What it played before stays the old link’s."""
        return _table(move_table(table=code, link=data.link, by=by))


class SuspendTable(HouseView):
    @verb(permission=permissions.TABLES, takes=fields.SuspendIn, gives=fields.TableOut)
    def post(self, by: Actor, data: fields.SuspendIn, *, code: str) -> dict[str, object]:
        """Take the jackpot off a table whose equipment fails; an inspector is told."""
        return _table(suspend_table(table=code, what=data.what, by=by))


class Sign(HouseView):
    @read(permission=permissions.VIEW, gives=fields.SignOut)
    def get(self, by: Actor, asked: Nothing, *, code: str) -> dict[str, object]:
        """What the sign at a table must show."""
        return table_sign(find_table(code))
