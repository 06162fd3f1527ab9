"""The house in the frame and on the home page: decisions and notices that wait, the gaming day, silent devices."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from django.db.models import Count, Min, Model, QuerySet
from django.urls import reverse
from django.utils import timezone

from house import approvals, devices, incidents, queries
from house.cash import queries as cash
from house.gaming_days import latest_gaming_day
from house.models import GamingDay, Proposal
from house.pages import incident_rows, proposals
from house.permissions import MATTERS, NOTIFY_INCIDENTS, REPORT_THRESHOLD, VIEW_DEVICES, VIEW_INCIDENTS, VIEW_STAFF
from house.times import due_for_people
from kernel.actors import Actor
from ledger import ask, witnesses
from web import frame, sections, words

NOTICE_SHOWN_BEFORE: Final = dt.timedelta(days=3)
ITEMS_SHOWN: Final = 20
DEVICES_NAMED: Final = 6


def approvals_for(actor: Actor) -> list[Proposal]:
    return [each for each in approvals.waiting_for(actor) if "decide" in approvals.proposal_steps(each, actor)]


def _approvals_count(actor: Actor) -> int:
    return len(approvals_for(actor)) + approvals.letters_for(actor).count()


def _overdue_count(_: Actor) -> int:
    return incidents.overdue().count()


def _notices(actor: Actor) -> list[frame.Item]:
    if not actor.may(NOTIFY_INCIDENTS):
        return []
    now = timezone.now()
    owed = queries.notices_due_before(now + NOTICE_SHOWN_BEFORE)
    return [
        frame.Item(
            icon="alert" if notice.is_overdue else "wait",
            tone="is-stopped" if notice.is_overdue else "is-attention",
            sentence=f"Tell the {notice.to} of incident {notice.incident_id}: "
            f"{incident_rows.title(notice.incident.kind)}",
            state=f"Overdue by {notice.late}" if notice.is_overdue else f"Due {notice.left}",
            second=f"happened {words.moment(notice.incident.happened_at)}",
            url=reverse("console:incident", args=[notice.incident_id]),
            action="Record",
        )
        for notice in incident_rows.clocks(owed[:ITEMS_SHOWN], now=now)
    ]


def _reports_late(actor: Actor) -> int:
    return cash.reports_seen_by(actor, state="overdue", now=timezone.now()).count()


def _matters_open(actor: Actor) -> int:
    return cash.matters_seen_by(actor).filter(cash.OPEN_MATTER).count()


def _reports_due(actor: Actor) -> list[frame.Item]:
    """One line for each kind of report: how many, and when the first is late."""
    items, now = [], timezone.now()
    if actor.may(REPORT_THRESHOLD):
        due = cash.reports_seen_by(actor, state="due", now=now)
        items += _due(due, "Send {} to the authority", "threshold report", "threshold-reports", now)
    if actor.may(MATTERS):
        due_matters = cash.matters_seen_by(actor).filter(cash.OPEN_MATTER)
        items += _due(due_matters, "Decide {}", "suspicious matter", "matters", now)
    return items


def _due(rows: QuerySet[Model], says: str, one: str, name: str, now: dt.datetime) -> list[frame.Item]:
    found = rows.aggregate(many=Count("pk"), first=Min("due_at"))
    if not found["many"]:
        return []
    late = found["first"] <= now
    return [
        frame.Item(
            icon="alert" if late else "wait",
            tone="is-stopped" if late else "is-attention",
            sentence=says.format(words.count(found["many"], one)),
            state="Overdue" if late else f"The first is due {due_for_people(found['first'])}",
            second="Cash",
            url=reverse(f"console:{name}"),
            action="Open",
        )
    ]


def _decisions(actor: Actor) -> list[frame.Item]:
    return [
        frame.Item(
            icon="approvals",
            tone="is-attention",
            sentence=f"Decide: {row.title}",
            state=f"Needs {row.waits}",
            second=f"proposed by {row.proposer}, {words.moment(row.proposed_at)}",
            url=reverse("console:approval", args=[row.pk]),
            action="Decide",
        )
        for row in proposals.described(approvals_for(actor)[:ITEMS_SHOWN])
    ]


def _letters(actor: Actor) -> list[frame.Item]:
    """An inspector countersigns what was approved by letter; a second person confirms what is on record."""
    asked = "Countersign" if approvals.is_inspector(actor) else "Confirm"
    waiting = list(approvals.letters_for(actor)[:ITEMS_SHOWN])
    rows = proposals.described([each.proposal for each in waiting])
    return [
        frame.Item(
            icon="approvals",
            tone="is-attention",
            sentence=f"{asked} letter {letter.reference}: {row.title}",
            state="In force by letter only" if letter.confirmed_at else "On record, decides nothing yet",
            second=f"of {letter.office}, {words.moment(letter.confirmed_at or letter.recorded_at)}",
            url=reverse("console:approval", args=[row.pk]),
            action=asked,
        )
        for letter, row in zip(waiting, rows, strict=True)
    ]


def _silent_devices(actor: Actor) -> list[frame.Item]:
    """One line, not one for each: a network that is down is one thing to look into."""
    if not actor.may(VIEW_DEVICES):
        return []
    silent = [device for device in devices.offline() if hasattr(device, "seen")]
    if not silent:
        return []
    others = ["others"] if len(silent) > DEVICES_NAMED else []
    return [
        frame.Item(
            icon="devices",
            tone="is-attention",
            sentence=f"{words.count(len(silent), 'device')} offline",
            state="Not heard from for two minutes or more",
            second=words.listed([device.code for device in silent[:DEVICES_NAMED]] + others),
            url=f"{reverse('console:devices')}?state=offline",
            action="Open",
        )
    ]


def _decisions_and_devices(actor: Actor) -> list[frame.Item]:
    return [*_decisions(actor), *_letters(actor), *_silent_devices(actor)]


def _gaming_day() -> list[frame.Line]:
    now = timezone.now()
    day = latest_gaming_day(now)
    if day is not None and day.is_open_at(now):
        early = "closes early at" if day.closed_early_at else "open until"
        tone, icon = ("is-attention", "alert") if day.closed_early_at else ("is-good", "live")
        return [frame.Line(f"Gaming day {words.day(day.date)} {early} {_until(day)}.", tone, icon)]
    following = queries.next_gaming_day(now)
    if following is None:
        return [frame.Line("No gaming day is open, and none is planned.", "is-stopped", "cross")]
    return [frame.Line(f"Closed. The next gaming day opens {words.moment(following.opens_at)}.", "is-quiet", "off")]


def _until(day: GamingDay) -> str:
    ends = timezone.localtime(day.ends_at)
    return f"{ends:%H:%M}" if ends.date() == timezone.localdate() else words.moment(day.ends_at)


def _witness() -> list[frame.Line]:
    """Only where it is in trouble: draws wait for it."""
    state = witnesses.state()
    if state.since is None:
        return []
    waiting = ask.waiting_count()
    waits = f"; {words.count(waiting, 'draw')} waiting for it" if waiting else ""
    said = {"stopped": "The witness has stopped for ever", "diverged": "The witness has seen another log than this one"}
    what = said.get(state.trouble, "The witness does not answer")
    return [frame.Line(f"{what}, since {words.moment(state.since)}{waits}.", "is-stopped", "alert")]


@dataclass(frozen=True, slots=True)
class Fact:
    """One figure about the house, with where to look into it."""

    figure: str
    says: str
    tone: str
    icon: str
    url: str


def _figures(actor: Actor) -> Mapping[str, object] | None:
    facts = []
    if actor.may(VIEW_INCIDENTS):
        late = incidents.overdue().count()
        says = f"open incidents, {words.count(late, 'notice')} overdue" if late else "open incidents"
        tone = "is-stopped" if late else "is-quiet"
        facts.append(Fact(str(queries.open_incident_count()), says, tone, "incidents", reverse("console:incidents")))
    if actor.may(VIEW_DEVICES):
        silent = devices.offline().count()
        says = f"of {queries.active_device_count()} devices offline"
        tone = "is-attention" if silent else "is-good"
        facts.append(Fact(str(silent), says, tone, "devices", reverse("console:devices")))
    return {"facts": facts} if facts else None


def _find_people(actor: Actor, query: str) -> list[frame.Found]:
    if not actor.may(VIEW_STAFF):
        return []
    return [
        frame.Found("staff", each.name, each.username, reverse("console:person", args=[each.username]))
        for each in queries.staff_called(query)[:ITEMS_SHOWN]
    ]


def _find_things(actor: Actor, query: str) -> list[frame.Found]:
    found: list[frame.Found] = []
    if actor.may(VIEW_DEVICES):
        found += [
            frame.Found(
                "devices",
                f"{each.code} {each.name}",
                words.label(each.kind),
                reverse("console:device", args=[each.code]),
            )
            for each in queries.devices_called(query)[:ITEMS_SHOWN]
        ]
    if actor.may(VIEW_INCIDENTS):
        number = int(query) if frame.is_number(query) else None
        found += [
            frame.Found(
                "incidents",
                f"Incident {each.pk}: {incident_rows.title(each.kind)}",
                words.moment(each.happened_at),
                reverse("console:incident", args=[each.pk]),
            )
            for each in queries.incidents_about(query, number=number)[:ITEMS_SHOWN]
        ]
    return found


OFFERS: Final = (
    frame.NavigationGroup(
        10,
        sections.APPROVALS,
        (
            frame.NavigationEntry(
                "Approvals",
                "approvals",
                "approvals",
                _approvals_count,
                "need your decision",
                help="Changes that need a second person wait here: limits, hours, terms, people and devices. You see "
                "only what you may decide, and never your own proposals. Open one to compare old and new, then "
                "approve or reject it with a reason. History keeps everything that was decided.",
            ),
        ),
    ),
    frame.NavigationGroup(
        11,
        sections.INCIDENTS,
        (
            frame.NavigationEntry(
                "Incidents",
                "incidents",
                "incidents",
                _overdue_count,
                "notices overdue",
                "is-stopped",
                help="Anything out of the ordinary is kept on record here. The kind of an incident decides who must be "
                "told, and by when; overdue notices are red. Record each notice when you have given it, and close "
                "the incident when nothing is left to do.",
                clauses=("act-keno:14.1",),
            ),
        ),
    ),
    frame.NavigationGroup(
        60,
        sections.VENUE,
        (
            frame.NavigationEntry(
                "Venue and days",
                "venue",
                "venue",
                help="The venue, its opening hours and its gaming days. A gaming day runs from opening to closing by "
                "the venue’s clock, so that a night belongs to one day. New hours are proposed by one person and "
                "approved by another.",
                clauses=("act-keno:13.1",),
            ),
            frame.NavigationEntry(
                "Players",
                "players",
                "players",
                help="Registered players: their cards, limits and exclusions. Search by name, number or card. Limits "
                "and exclusions hold at once at every counter and table.",
            ),
            frame.NavigationEntry(
                "Threshold reports",
                "threshold-reports",
                "drawer",
                _reports_late,
                "overdue",
                "is-stopped",
                help="Cash at or above the reporting limit, by customer and gaming day. Complete the identity, "
                "download the report and send it to the authority; then record that it was sent. Reports that are "
                "late are red.",
            ),
            frame.NavigationEntry(
                "Suspicious matters",
                "matters",
                "lock",
                _matters_open,
                "open",
                help="What somebody found suspicious, seen by few. Decide whether it goes to the authority, or have "
                "two people dismiss it. Never mention it to the customer.",
            ),
            frame.NavigationEntry(
                "Raise a suspicious matter",
                "raise-matter",
                "alert",
                help="If a customer’s behaviour seems suspicious, say here what you saw. Only those who decide such "
                "matters will read it. Never mention it to the customer.",
            ),
            frame.NavigationEntry(
                "Devices",
                "devices",
                "devices",
                help="Terminals, table controllers and displays, and whether they are online. Register a new one and "
                "give it a one-time code; roll its token if it may be known to others; revoke it when it is gone.",
            ),
            frame.NavigationEntry(
                "Staff",
                "staff",
                "staff",
                help="Everybody who signs in, with their roles. Hiring, new roles and a lost second step each need a "
                "second person. Deactivate somebody who has left; what they did stays on record under their name.",
            ),
            frame.NavigationEntry(
                "Roles and rights",
                "roles",
                "roles",
                help="What each role may do. A change is proposed by one person and approved by another.",
            ),
        ),
    ),
    frame.NavigationGroup(
        61,
        sections.REPORTS,
        (
            frame.NavigationEntry(
                "Back office",
                "books",
                "chart",
                help="Gaming revenue and duty by game, the general ledger of each gaming day, the month as one PDF. "
                "Every figure is a sum of transfers on record. How accounts are called in the general ledger, and the "
                "duty on each game, is proposed by one person and approved by another.",
            ),
        ),
    ),
    frame.Waiting(10, _notices),
    frame.Waiting(15, _reports_due),
    frame.Waiting(50, _decisions_and_devices),
    frame.FirstStep(
        10,
        "Opening hours",
        "Propose them; another person approves them, and gaming days are planned.",
        "propose-hours",
        GamingDay.objects.exists,
    ),
    frame.FirstStep(
        20, "People", "Hire those who will work here, with their roles.", "hire", queries.has_several_people
    ),
    frame.FirstStep(
        30,
        "Devices",
        "Register terminals, table controllers and displays, and give each its code.",
        "register-device",
        queries.has_devices,
    ),
    frame.StatusLines(20, _gaming_day),
    frame.StatusLines(25, _witness),
    frame.HomeFigures(30, "house/home.html", _figures),
    frame.SearchIn(30, _find_people, "People"),
    frame.SearchIn(31, _find_things, "Devices and incidents"),
    frame.Action("Report an incident", "report-incident", "alert"),
    frame.Action("Register a player", "register-player", "players"),
    frame.Action("Register a device", "register-device", "devices"),
    frame.Action("Hire somebody", "hire", "staff"),
    frame.Action("Propose opening hours", "propose-hours", "venue"),
)
