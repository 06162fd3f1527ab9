"""What goes wrong at a table is an incident, under the clause of its game, with whoever must be told."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from house import incident_kinds as of_the_house
from house.incidents import close_incident, record_notice, report_incident
from house.models import GamingDay, Incident, NoticeAttempt
from kernel.actors import Actor
from kernel.money import Money
from kernel.refusal import Refusal
from tablegames import incident_kinds as of_tables
from tablegames import tables
from tablegames.models import Check, GamingTable, PaymentError
from tablegames.rules.catalogue import GAMES
from tablegames.rules.poker_games import POKER_GAMES
from tablegames.rules.terms import Limit
from tablegames.settle import Entered, record_check
from tests.plugins.clauses import read_list
from tests.tablegames.test_every_game import MADE
from tests.world.calls import Caller, make_device, problem
from tests.world.people import MANAGER, SUPERVISOR

pytestmark = pytest.mark.usefixtures("tables")

TABLES = {
    "nsw-csp": "CSP-01",
    "nsw-lp": "LP-01",
    "vu-lp": "LP-02",
    "nz-lp": "LP-03",
    "act-cp": "CP-01",
    "act-bj": "BJ-01",
}
LISTED = {clause.id for clause in read_list()}
TOLD = ["inspector", "surveillance"]


def check(document: str, fault: str, by: Actor = SUPERVISOR, **more: Any) -> Check:
    """A hand that was settled so, everything given back."""
    game = next(game for game in GAMES.values() if game.document == document)
    wagers = {name: Money.parse(amount) for name, amount in MADE[document].items()}
    entered = Entered(
        game=game.code,
        wagers=wagers,
        cards={} if game.takes == "cards" else None,
        choices={"irregularity": fault},
    )
    nothing = dict.fromkeys(wagers, Money(0))
    return record_check(entered=entered, paid=nothing, by=by, table=TABLES.get(document), **more)


def case(document: str, fault: str, kind: of_the_house.IncidentKind, told: list[str], *clauses: str) -> Any:
    marks = pytest.mark.clause(*(f"{document}:{number}" for number in clauses if f"{document}:{number}" in LISTED))
    return pytest.param(document, fault, kind, told, id=f"{document} {fault}", marks=marks)


CASES = [
    case("nsw-csp", "missing-or-foreign-card", of_the_house.FOREIGN_OR_MISSING_CARD, TOLD, "14.9", "14.9.4"),
    case("nsw-lp", "missing-or-foreign-card", of_the_house.FOREIGN_OR_MISSING_CARD, TOLD, "12.11", "12.11.4"),
    case("vu-lp", "missing-or-foreign-card", of_the_house.FOREIGN_OR_MISSING_CARD, TOLD, "11.10"),
    case("nz-lp", "missing-or-foreign-card", of_the_house.FOREIGN_OR_MISSING_CARD, TOLD, "11.10"),
    case("nsw-csp", "shuffler", of_tables.SHUFFLER_FAILED, [], "15.2"),
    case("nsw-lp", "shuffler", of_tables.SHUFFLER_FAILED, [], "13.2"),
    case("nsw-csp", "device-used", of_the_house.PROHIBITED_DEVICE, [], "16.6"),
    case("nsw-lp", "device-used", of_the_house.PROHIBITED_DEVICE, [], "14.1"),
    case("nsw-csp", "invalidated", of_tables.ROUND_INVALIDATED, [], "16.9", "16.9.1-2"),
    case("nsw-lp", "fraud", of_tables.ROUND_INVALIDATED, [], "14.4", "14.4.1-2"),
    case("act-bj", "invalidated", of_tables.ROUND_INVALIDATED, [], "16.1", "16.4"),
    case("act-ar", "invalidated", of_tables.ROUND_INVALIDATED, [], "10.1", "10.4"),
    case("act-bac", "invalidated", of_tables.ROUND_INVALIDATED, [], "11.1", "11.4"),
    case("act-mb", "invalidated", of_tables.ROUND_INVALIDATED, [], "11.1", "11.4"),
    case("act-pg", "invalidated", of_tables.ROUND_INVALIDATED, [], "17.1", "17.4"),
    case("act-cp", "invalidated", of_tables.ROUND_INVALIDATED, [], "15.1", "15.4"),
    case("act-sb", "invalidated", of_tables.ROUND_INVALIDATED, [], "10.1", "10.4"),
    case("act-mw", "invalidated", of_tables.ROUND_INVALIDATED, [], "10.1", "10.4"),
    case("act-bj", "rules-broken", of_tables.RULES_BROKEN, [], "16.3"),
    case("act-cp", "collusion", of_tables.COLLUSION, [], "12.2"),
    case("act-pg", "collusion", of_tables.COLLUSION, [], "14.2"),
]


@pytest.mark.parametrize(("document", "fault", "kind", "told"), CASES)
def test_a_hand_settled_by_what_went_wrong_opens_its_incident(
    document: str, fault: str, kind: of_the_house.IncidentKind, told: list[str]
) -> None:
    happened = timezone.now() - timedelta(minutes=3)
    made = check(document, fault, note="Seen by the camera.", happened_at=happened)
    incident = Incident.objects.get()
    assert (incident.kind, incident.clause) == (str(kind), kind.clause_in(document))
    assert incident.clause.startswith(f"{document}:")
    assert incident.subject == (f"table:{TABLES[document]}" if document in TABLES else f"check:{made.pk}")
    assert (incident.happened_at, "Seen by the camera." in incident.what) == (happened, True)
    assert list(incident.notices.order_by("to").values_list("to", "due_at")) == [(to, happened) for to in told]
    assert not PaymentError.objects.exists()  # what was owed went back


@pytest.mark.clause("nsw-csp:14.9.1", "nsw-lp:12.11.1", "nsw-csp:15.2.2", "nsw-lp:13.2.2")
@pytest.mark.parametrize("fault", ["missing-or-foreign-card", "shuffler"])
@pytest.mark.parametrize("document", ["nsw-csp", "nsw-lp"])
def test_rounds_completed_before_it_stand(document: str, fault: str) -> None:
    earlier = check(document, "misdeal")
    assert not Incident.objects.exists()  # a misdeal is play, not an incident
    before = Check.objects.values().get(pk=earlier.pk)
    check(document, fault)
    assert Check.objects.values().get(pk=earlier.pk) == before


def reported() -> list[Any]:
    """Every kind that falls under the rules of several games, under each."""
    each = [
        of_the_house.PROHIBITED_DEVICE,
        of_the_house.EMPLOYEE_CONDUCT,
        of_the_house.INFLUENCE,
        of_the_house.SIDE_BET,
        of_the_house.PROXY_BETTING,
        of_tables.TABLE_DISPUTE,
        of_tables.TABLE_CLOSED_EARLY,
        of_tables.NOT_COVERED,
    ]
    return [pytest.param(kind, id=str(kind), marks=pytest.mark.clause(*kind.clauses.values())) for kind in each]


@pytest.mark.parametrize("kind", reported())
def test_whoever_sees_it_reports_it_under_the_rules_of_his_game(kind: of_the_house.IncidentKind) -> None:
    for document, clause in kind.clauses.items():
        incident = report_incident(kind=kind, what="It happened", subject="table:X-1", rules=document, by=SUPERVISOR)
        assert (incident.kind, incident.clause) == (str(kind), clause)
        owed = {of_tables.TABLE_CLOSED_EARLY: ["inspector", "players"], of_tables.TABLE_DISPUTE: ["gaming-supervisor"]}
        assert sorted(incident.notices.values_list("to", flat=True)) == owed.get(kind, [])
    with pytest.raises(Refusal, match="has no rule of this"):
        report_incident(kind=kind, what="It happened", rules="xx-yy", by=SUPERVISOR)
    assert Incident.objects.count() == len(kind.clauses)


@pytest.mark.clause("act-bj:16.10")
def test_the_rules_of_the_game_are_named_over_http() -> None:
    caller = Caller(make_device("supervisor")[1])
    body = {"kind": "side-bet", "what": "Two of them.", "subject": "table:BJ-01", "rules": "act-bj"}
    assert caller.post("incidents/", body).json()["clause"] == "act-bj:16.10"
    unnamed = {name: said for name, said in body.items() if name != "rules"}
    assert caller.post("incidents/", unnamed).json()["clause"] == ""
    problem(caller.post("incidents/", body | {"rules": "nz-lp"}), 422, "no-such-rules")


@pytest.mark.clause("nsw-csp:16.17", "nsw-lp:14.12")
@pytest.mark.parametrize("document", ["nsw-csp", "nsw-lp"])
def test_a_dispute_goes_to_a_gaming_supervisor_and_then_to_a_casino_supervisor(document: str) -> None:
    """Who decided at first and who reviewed it are kept in their order; another person than he ends it."""
    dispute = report_incident(kind="table-dispute", what="He says it was a flush.", rules=document, by=SUPERVISOR)
    with pytest.raises(Refusal) as undecided:
        close_incident(incident_id=dispute.pk, outcome="Paid as a flush.", by=MANAGER)
    assert (undecided.value.code, undecided.value.clause) == ("notice-owed", dispute.clause)
    for to, how in (("gaming-supervisor", "at the table: no flush"), ("casino-supervisor", "footage: a flush")):
        record_notice(incident_id=dispute.pk, to=to, how=how, by=SUPERVISOR)
    assert [(each.notice.to, each.how) for each in NoticeAttempt.objects.order_by("id")] == [
        ("gaming-supervisor", "at the table: no flush"),
        ("casino-supervisor", "footage: a flush"),
    ]
    closed = close_incident(incident_id=dispute.pk, outcome="Paid as a flush.", by=MANAGER)
    assert (closed.status, closed.clause, closed.closed_by) == ("closed", dispute.clause, MANAGER.identity)


SHOWN = [f"{document}:3.1" for document in ("act-bj", "act-ar", "act-bac", "act-mb", "act-cp", "act-sb", "act-mw")]


@pytest.mark.clause(*SHOWN, "act-pg:5.1", "nsw-csp:6.1", "nsw-lp:6.1", "act-cp:8.2", "act-bj:2.3")
def test_every_sign_shows_its_limits_and_what_was_chosen() -> None:
    caller = Caller(make_device("supervisor")[1])
    for number, game in enumerate(GAMES.values()):
        kind = "ante" if game.code in POKER_GAMES else game.wagers[0]
        chosen = {table.game: tables.terms_of(tables.in_force(table)) for table in GamingTable.objects.all()}[game.code]
        terms = replace(chosen, limits={kind: Limit(Money.dollars(7), Money.dollars(70))})
        tables.open_table(
            code=f"X-{number}", game=game.code, terms=terms, by=Actor(identity="system:demo", name="demo")
        )
        shown = caller.get(f"tablegames/tables/X-{number}").json()["terms"]
        assert shown["limits"] == {kind: {"minimum": "7.00", "maximum": "70.00"}}, game.code
        maximum = None if chosen.maximum_payout is None else str(chosen.maximum_payout)
        assert (shown["decks"], shown["maximum_payout"]) == (chosen.decks, maximum)


def test_a_hand_is_checked_on_its_gaming_day_or_the_next() -> None:
    """Three days on end: the last two of them may be named, to the second."""
    last = GamingDay.objects.filter(opens_at__lte=timezone.now()).latest("opens_at")
    for back in (timedelta(days=1), timedelta(days=2)):
        of = {"opens_at": last.opens_at - back, "closes_at": last.closes_at - back}
        GamingDay.objects.get_or_create(date=last.date - back, defaults=of)
    first = last.opens_at - timedelta(days=1)
    with pytest.raises(Refusal) as refusal:
        check("act-cp", "collusion", happened_at=first - timedelta(seconds=1))
    assert (refusal.value.code, Check.objects.count(), Incident.objects.count()) == ("too-long-ago", 0, 0)
    assert check("act-cp", "collusion", happened_at=first).happened_at == first
