"""What people say at tables, desks and draws, as a vendor with every key would change it: boxes, moments, incidents,
restrictions, withdrawn entries, winners called, attempts. Each is said a second time somewhere else in the record."""

from __future__ import annotations

from typing import Any

import pytest

from tests.verify.test_falsified_recent import Change, gone
from tests.world.falsified import Draft, Exported, Row, doubted, wrong


def said(_kind: str, _at: int = 0, /, **changed: Any) -> Change:
    return lambda draft: draft.act(_kind, _at)["data"].update(changed)


def of(draft: Draft, kind: str, code: str, at: int = 0) -> Row:
    return [row for row in draft.acts(f"promotion.{kind}") if row["subject"] == f"promotion:{code}"][at]


def told(kind: str, code: str, at: int = 0, /, **changed: Any) -> Change:
    return lambda draft: of(draft, kind, code, at)["data"].update(changed)


def doubled(kind: str, code: str, at: int = 0) -> Change:
    return lambda draft: draft.add_after(of(draft, kind, code, at))


def a_year_before(kind: str, field: str, at: int = 0) -> Change:
    def change(draft: Draft) -> None:
        data = draft.act(kind, at)["data"]
        data[field] = str(int(data[field][:4]) - 1) + data[field][4:]

    return change


def another_incident(draft: Draft) -> None:
    """Each of two errors names the other's."""
    first, second = (row["data"] for row in draft.acts("tablegames.payment-error-found"))
    first["incident"], second["incident"] = second["incident"], first["incident"]


def of_another_hand(draft: Draft) -> None:
    """The incident of an error is about a hand that it was not found in."""
    number = draft.act("tablegames.payment-error-found")["data"]["incident"]
    incident = next(row for row in draft.acts("incident.reported") if row["subject"] == f"incident:{number}")
    incident["data"]["about"] = "check:99"


def first_sign(draft: Draft) -> None:
    draft.act("tablegames.terms-set")["data"]["terms"]["maximum_payout"] = "1.00"


def of_another_player(draft: Draft) -> None:
    """Two people confirm the restriction of somebody, and it is another's."""
    draft.act("player.restriction-confirmed")["subject"] = draft.acts("player.restricted")[0]["subject"]


def one_left_in(draft: Draft) -> None:
    """Who was left out at the seal is not any more, and the list has as many as before."""
    draft.remove(draft.acts("promotion.entry-withdrawn")[-1])


def a_list_of_more(draft: Draft) -> None:
    """A friend's entry, in list and seal; nobody had counted it at the close."""
    of(draft, "entries-sealed", "CARS")["data"]["entry_count"] += 1


def rejected_later(draft: Draft) -> None:
    """Two people reject a file between the close and the seal, says the log; what it entered was counted out before."""
    draft.move_after(draft.act("promotion.import-rejected"), of(draft, "closed", "WINTER"))


def from_another_box(draft: Draft) -> None:
    draft.act("jackpot.round-started")["data"]["boxes"][-1] = 8


def paid_as_another(draft: Draft) -> None:
    """The share that waits, under the number of the one that is paid."""
    owed = draft.act("jackpot.paid-out")["data"]["owed"]
    owed[1]["payout"] = owed[0]["payout"]


def came_in_his_place(draft: Draft) -> None:
    """Who never came is said to have come."""
    lost = of(draft, "loss-noted", "AUTUMN")["data"]
    draft.add_after(
        of(draft, "winner-called", "AUTUMN"),
        kind="promotion.winner-present",
        data={name: lost[name] for name in ("place", "entry", "prize")},
    )


def never_put_off(draft: Draft) -> None:
    """Drawn again while it was postponed."""
    draft.move_after(of(draft, "resumed", "AGAIN"), of(draft, "result", "AGAIN", -1))


TABLES: dict[str, tuple[Change, str]] = {
    "a player at another box": (said("tablegames.player-seated", box=2), "of a player who sat at box 2"),
    "a player at no box": (said("tablegames.player-seated", box=31), "at no box"),
    "a player seated a year before": (a_year_before("tablegames.player-seated", "at"), "written at another time"),
    "a marker at another box": (said("tablegames.marker-placed", box=3), "of a player who sat at box 1"),
    "a marker a year before": (a_year_before("tablegames.marker-placed", "at", -1), "written at another time"),
    "a marker twice": (
        lambda draft: draft.act("tablegames.marker-placed", -1)["data"].update(
            marker=draft.act("tablegames.marker-placed")["data"]["marker"]
        ),
        "placed twice",
    ),
    "a table that nobody reopened": (gone("tablegames.table-reopened"), "while it was closed"),
    "a table reopened a year before": (a_year_before("tablegames.table-reopened", "at"), "written at another time"),
    "a closing that nobody announced": (gone("tablegames.closing-announced"), "did not stand there"),
    "a notice of a closing that stayed": (gone("tablegames.notice-taken-down"), "stands already"),
    "a notice a year before": (a_year_before("tablegames.closing-announced", "shown_at"), "written at another time"),
    "an error of a change that was a wager": (
        said("tablegames.payment-error-found", cause="cash-change"),
        "of nothing that can be paid wrongly",
    ),
    "an error of another's incident": (another_incident, "which was reported of something else"),
    "an error of no incident": (
        lambda draft: draft.act("tablegames.payment-error-found")["data"].update(
            incident=draft.act("incident.reported")["data"].get("incident", 1)
        ),
        "which was reported of something else",
    ),
    "an incident of another hand": (of_another_hand, "which was reported of something else"),
    "a step after it was written down": (
        said("tablegames.payment-error-step-taken", at="2027-01-01T00:00:00+00:00"),
        "after it was written down",
    ),
    "a step the wrong way": (said("tablegames.payment-error-step-taken", step="reimburse"), "asked to return it"),
    "a sign that the house did not begin with": (first_sign, "and nobody has approved it"),
    "a sign that was never put up": (gone("tablegames.terms-set"), "is set as version"),
    "a sign since a year before": (a_year_before("tablegames.terms-set", "since"), "was set at another time"),
    "a minimum above the maximum": (
        lambda draft: draft.act("tablegames.limits-announced")["data"]["limits"]["ante"].update(minimum="201.00"),
        "is at least $201.00 and at most $200.00",
    ),
    "a hand of a year before": (a_year_before("tablegames.checked", "happened_at"), "was written down on"),
    "a box that the table has not": (from_another_box, "has no box 8"),
    "a share of a link owed twice": (paid_as_another, "is owed twice"),
}
HOUSE: dict[str, tuple[Change, str]] = {
    "the venue on the other side of the world": (said("venue.set-up", time_zone="America/New_York"), "by the venue’s"),
    "rows refused that were not": (said("promotion.import-done", refused=3), "other rows than it began with"),
    "an import that nobody asked for": (gone("work.begun"), "work for w.csv into WINTER should be here"),
    "another file asked for": (said("work.begun", file="v.csv"), "import of v.csv into WINTER should be here"),
    "a voucher more than two people registered": (
        lambda draft: draft.act("keno.vouchers-registered", -1)["data"]["numbers"].append("7004"),
        "other vouchers of the type DINE are registered",
    ),
    "vouchers worth more": (said("keno.vouchers-registered", -1, value="200.00"), "other vouchers of the type DINE"),
}
PEOPLE: dict[str, tuple[Change, str]] = {
    "a restriction of no kind": (said("player.restricted", kind="friend"), "of a kind that there is not"),
    "a restriction of no place": (said("player.restricted", scope="bar"), "of a kind that there is not"),
    "a break without an end": (said("player.restricted", 1, kind="break"), "has no end"),
    "a restriction that was over": (a_year_before("player.restricted", "until"), "was over when it was made"),
    "a restriction of another player": (of_another_player, "is no second person"),
    "a card excluded for nothing known": (said("promotion.card-excluded", why="dislike"), "no card is excluded for"),
    "withdrawn under another clause": (
        said("promotion.entry-withdrawn", clause="nsw-promo-2025:17.8"),
        "which does not say so",
    ),
    "one left out put back": (one_left_in, "what was withdrawn since"),
    "fewer at the close": (told("closed", "WINTER", entries=6), "what was withdrawn since"),
    "more rejected after the close": (rejected_later, "what was withdrawn since"),
    "a breach of no policy": (
        said("player.restricted", 1, breach_since="2026-01-01T00:00:00Z"),
        "of another policy",
    ),
    "a list of one more": (a_list_of_more, "what was withdrawn since"),
    "a winner called twice": (doubled("winner-called", "AUTUMN", -1), "is called twice"),
    "come forward twice": (doubled("winner-present", "AUTUMN"), "comes forward uncalled, twice"),
    "come forward for another prize": (told("winner-present", "AUTUMN", prize=2), "and won nothing"),
    "claimed by who never came": (
        lambda draft: draft.remove(of(draft, "winner-present", "AUTUMN")),
        "never came forward when called",
    ),
    "absent who came": (came_in_his_place, "is said to be absent, and was not called, or came"),
    "absent who was not called": (lambda draft: draft.remove(of(draft, "winner-called", "AUTUMN")), "absent"),
    "a result of another name": (told("result", "CARS", name="Another"), "is published as that of Another"),
    "a result of other prizes": (told("result", "CARS", prize="One car"), "which it is not"),
    "a result published again": (doubled("result", "CARS"), "nothing has changed"),
    "another attempt drawn": (told("drawn", "CARS", attempt=2), "another is under way"),
    "another attempt overseen": (told("scrutineer-attends", "CARS", attempt=2), "another is under way"),
    "there twice": (doubled("scrutineer-attends", "CARS"), "or says it again"),
    "seconded for another prize": (told("loss-seconded", "AUTUMN", prize=2), "is another than was noted"),
    "postponed from elsewhere": (told("postponed", "AGAIN", **{"from": "running"}), "and was drawn"),
    "gone on elsewhere": (told("resumed", "AGAIN", **{"as": "closed"}), "and was sealed"),
    "a list void that stands": (told("resumed", "AGAIN", list_void=True), "goes on as sealed"),
    "drawn while postponed": (never_put_off, "is drawn while it is postponed"),
    "never gone on": (lambda draft: draft.remove(of(draft, "resumed", "AGAIN")), "is drawn while it is postponed"),
}
ALL = TABLES | HOUSE | PEOPLE


@pytest.mark.parametrize("what", ALL)
def test_a_forger_with_every_key_is_given_away(small_house: Exported, what: str) -> None:
    change, sentence = ALL[what]
    assert sentence in doubted(small_house, change)


def test_by_the_whole_program_too(small_house: Exported) -> None:
    assert wrong(small_house, ALL["one left out put back"][0])


def test_who_was_overtaken_by_the_close_is_believed(small_house: Exported) -> None:
    """A file was rejected after the close by who had begun before it: the log has him first, his row's number says."""

    def change(draft: Draft) -> None:
        draft.act("promotion.import-rejected")["id"] = 10_000_000
        of(draft, "closed", "WINTER")["data"]["entries"] += 1

    assert doubted(small_house, change) == ""
