"""The house, tournaments and table games falsified with every key: approvals, people, fees, hands."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta

import pytest

from tests.world.falsified import Change, Draft, Exported, Forger, Row, doubted, passed, wrong


def proposal(draft: Draft, kind: str, about: str = "") -> list[Row]:
    """Every act about a proposal of this kind, in order."""
    first = next(
        row for row in draft.acts("approval.proposed") if row["data"]["kind"] == kind and about in row["data"]["about"]
    )
    return [row for row in draft.rows if row["type"] == "act" and row["subject"] == first["subject"]]


def said(draft: Draft, kind: str, step: str, about: str = "") -> Row:
    return next(row for row in proposal(draft, kind, about) if row["kind"] == f"approval.{step}")


def _decided_by(kind: str, who: str | None = None, about: str = "") -> Change:
    """Approved and put in force by somebody else; None: by who proposed it."""

    def change(draft: Draft) -> None:
        by = who or said(draft, kind, "proposed", about)["actor"]
        for row in proposal(draft, kind, about):
            if row["kind"] in ("approval.approved", "approval.effective"):
                row["actor"] = by

    return change


def _without(kind: str, *steps: str, about: str = "") -> Change:
    return lambda draft: draft.remove(*(said(draft, kind, step, about) for step in steps))


def _for_another_authority(draft: Draft) -> None:
    """The tournament's conditions as if they were the house's to approve."""
    for row in proposal(draft, "promotions.tournament"):
        row["data"]["authority"] = "house"
        if row["kind"] != "approval.proposed":
            row["actor"] = "staff:manager"


def _mark_removed(draft: Draft) -> None:
    for step in ("approved", "effective"):
        del said(draft, "promotions.amendment", step, "OLD")["data"]["letter"]


def _one_clerk(draft: Draft) -> None:
    """The letter confirmed by who recorded it."""
    by = said(draft, "promotions.amendment", "letter-recorded", "OLD")["actor"]
    for step in ("letter-confirmed", "approved", "effective"):
        said(draft, "promotions.amendment", step, "OLD")["actor"] = by


def _other_value(draft: Draft) -> None:
    said(draft, "promotions.tournament", "effective")["data"]["new"] = {
        **said(draft, "promotions.tournament", "proposed")["data"]["new"],
        "retained": 0,
    }


def _promoted_alone(draft: Draft) -> None:
    draft.act("staff.hired", -1)["data"]["roles"] = ["manager"]


def _roles_by_nobody(draft: Draft) -> None:
    draft.act("staff.roles-changed")["data"]["new"] = ["manager"]


def _house_makes_an_inspector(draft: Draft) -> None:
    for row in proposal(draft, "house.staff-roles"):
        if "new" in row["data"]:
            row["data"]["new"] = ["inspector"]
    draft.act("staff.roles-changed")["data"]["new"] = ["inspector"]


def _device_of_nobody(draft: Draft) -> None:
    device = next(row for row in draft.acts("device.registered") if row["data"].get("holder"))
    del device["data"]["holder"]


def _erased_by_nobody(draft: Draft) -> None:
    """Somebody's name is gone, and the log says so without a word of a second person."""
    data = {"before": "2019-11-18", "records": 1}
    after = draft.act("staff.roles-changed")
    draft.add_after(after, kind="personal-data.erased", subject="personal-data:cash", data=data)


def _second_adjustment(draft: Draft) -> None:
    draft.add_after(draft.transfer("ledger.adjustment"), reference="proposal/99")


def _incident_closed_early(draft: Draft) -> None:
    draft.remove(draft.acts("incident.told")[0])


def _closed_by_whom_it_is_about(draft: Draft) -> None:
    draft.acts("incident.closed")[-1]["actor"] = "staff:dealer"


def _fee_lost(draft: Draft) -> None:
    """One entry's fee never came in; all totals fit."""
    entered = draft.acts("tournament.entered")
    draft.remove(next(row for row in entered if row["subject"] == "tournament:CUP"))
    draft.remove(draft.transfer("promotions.tournament-entry"))


def _scored_by_one(draft: Draft) -> None:
    draft.act("tournament.scores-confirmed")["actor"] = "staff:supervisor"


def _in_twice(draft: Draft) -> None:
    """One person's card under another entry."""
    cup = [row for row in draft.acts("tournament.entered") if row["subject"] == "tournament:CUP"]
    cup[1]["data"]["whose"] = cup[0]["data"]["whose"]


def _rebuy_cheaper(draft: Draft) -> None:
    draft.act("tournament.rebought")["data"]["price"] = "10.00"
    draft.transfer("promotions.tournament-rebuy")["micros"] = 10_000_000


def _same_seat(draft: Draft) -> None:
    draft.act("tournament.seated")["data"]["seats"][1]["seat"] = 1


def _seats_exchanged(draft: Draft) -> None:
    first, second = draft.act("tournament.seated")["data"]["seats"][:2]
    first["entry"], second["entry"] = second["entry"], first["entry"]


def _lot_of_another_list(draft: Draft) -> None:
    next(row for row in draft.acts("draw.sealed") if row["data"]["purpose"] == "tournament")["data"]["count"] = 4


def _called_off_alone(draft: Draft) -> None:
    for row in proposal(draft, "promotions.call-off-tournament"):
        draft.remove(row)


def _retained_more(draft: Draft) -> None:
    finished = next(row for row in draft.acts("tournament.finished") if row["subject"] == "tournament:CUP")["data"]
    finished["retained"] = "30.00"
    draft.transfer("promotions.tournament-retained")["micros"] = 30_000_000


def _prize_to_another(draft: Draft) -> None:
    third = next(row for row in draft.acts("tournament.finished") if row["subject"] == "tournament:CUP")
    draft.transfer("promotions.tournament-prize")["reference"] = str(third["data"]["places"][2]["entry"])


def _refund_short(draft: Draft) -> None:
    draft.transfer("promotions.tournament-refund")["micros"] -= 10_000


def _friend_in_the_final(draft: Draft) -> None:
    """Instead of whom the lot put there, in every act after it."""
    qualified = draft.act("tournament.qualified")["data"]
    loser = next(entry for entry in qualified["tied"] if entry not in qualified["entries"])
    qualified["entries"] = sorted([loser, qualified["entries"][1]])


def _heat_changed(draft: Draft) -> None:
    """A score of a heat, in the words of both, as if there had been no tie."""
    masters = [row for row in draft.acts("tournament.scored") if row["subject"] == "tournament:MASTERS"]
    confirmed = [row for row in draft.acts("tournament.scores-confirmed") if row["subject"] == "tournament:MASTERS"]
    for row in (masters[0], confirmed[0]):
        row["data"]["scores"][next(iter(row["data"]["scores"]))] = 9


def _prize_by_the_heats(draft: Draft) -> None:
    places = draft.acts("tournament.finished")[-1]["data"]["places"]
    places[0]["entry"], places[1]["entry"] = places[1]["entry"], places[0]["entry"]


def _scores_of_the_final(draft: Draft) -> Row:
    confirmed = draft.acts("tournament.scores-confirmed")
    return next(row for row in confirmed if row["data"].get("round") == "final")


def _checked(change: Callable[[Row], object]) -> Change:
    return lambda draft: change(draft.act("tablegames.checked")["data"])


def _error_hidden(draft: Draft) -> None:
    draft.remove(draft.act("tablegames.payment-error-found"), draft.transfer("tablegames.overpaid"))


def _underpayment_paid_by_finder(draft: Draft) -> None:
    draft.act("tablegames.payment-error-rectified")["actor"] = draft.act("tablegames.payment-error-found")["actor"]


def _sign_by_nobody(draft: Draft) -> None:
    newest = draft.acts("tablegames.terms-set")[-1]
    newest["data"]["terms"]["maximum_payout"] = "1.00"


def _data(kind: str, **change: object) -> Change:
    return lambda draft: draft.act(f"tablegames.{kind}")["data"].update(change)


def _no_marker(draft: Draft) -> None:
    draft.remove(next(row for row in draft.acts("tablegames.marker-placed") if row["data"]["kind"] == "old-minimum"))


def _too_short(kind: str, moment: str) -> Change:
    """The notice said to hold a minute after it was shown."""

    def change(draft: Draft) -> None:
        data = draft.acts(f"tablegames.{kind}")[-1]["data"]
        data[moment] = (datetime.fromisoformat(data["shown_at"]) + timedelta(minutes=1)).isoformat()

    return change


def _other_limits(draft: Draft) -> None:
    """A hand settled as if that player had had no sign of his own."""
    draft.acts("tablegames.checked")[-1]["data"].pop("seat")


HOUSE: dict[str, tuple[Change, str]] = {
    "approved by who proposed": (_decided_by("ledger.adjustment"), "who proposed it or stood behind it"),
    "inspector's word by the house": (_decided_by("promotions.tournament", "staff:manager"), "is an inspector’s"),
    "inspector's word made the house's": (_for_another_authority, "is the word of a Government Casino Inspector"),
    "by somebody without the power": (_decided_by("ledger.adjustment", "staff:auditor"), "who has no power to"),
    "by somebody whom nobody hired": (_decided_by("ledger.adjustment", "staff:ghost"), "who has no power to"),
    "by the software": (_decided_by("ledger.adjustment", "system:tick"), "who proposed it or stood behind it"),
    "approval removed": (_without("ledger.adjustment", "approved"), "nobody has approved that"),
    "proposal removed": (_without("ledger.adjustment", "proposed"), "which nobody made"),
    "never in force": (_without("ledger.adjustment", "effective"), "which is not in force"),
    "second removed": (_without("promotions.void-draw", "seconded"), "before a second person of the house"),
    "seconded by the inspector": (
        lambda draft: said(draft, "promotions.void-draw", "seconded").update(actor="staff:inspector"),
        "who has no power to",
    ),
    "something else put in force": (_other_value, "something else than was approved"),
    "letter's mark removed": (_mark_removed, "is the commission’s to decide, by letter"),
    "letter never recorded": (_without("promotions.amendment", "letter-recorded", about="OLD"), "letter"),
    "letter confirmed by its clerk": (_one_clerk, "who recorded it or proposed the change"),
    "letter countersigned by the house": (
        lambda draft: said(draft, "promotions.amendment", "letter-countersigned", "OLD").update(actor="staff:manager"),
        "an inspector does, once",
    ),
    "hired as manager": (_promoted_alone, "by one person alone"),
    "role given by nobody": (_roles_by_nobody, "nobody has approved that"),
    "inspector made by the house": (_house_makes_an_inspector, "makes or unmakes an inspector"),
    "personal data erased by nobody": (_erased_by_nobody, "nobody has approved that"),
    "device that nobody holds": (_device_of_nobody, "nobody holds it"),
    "books adjusted by nobody": (_second_adjustment, "nobody has approved that"),
    "books adjusted by more": (
        lambda draft: draft.transfer("ledger.adjustment").update(micros=12_500_000_000),
        "otherwise than proposal",
    ),
    "value installed by somebody": (
        lambda draft: draft.act("approval.installed").update(actor="staff:manager"),
        "nobody has approved it",
    ),
    "incident closed untold": (_incident_closed_early, "was not told"),
    "incident closed by whom it is about": (_closed_by_whom_it_is_about, "whom it is about"),
}
TOURNAMENTS: dict[str, tuple[Change, str]] = {
    "fee lost": (_fee_lost, "the seating is not possible (seats-incomplete)"),
    "fee short": (lambda draft: draft.transfer("promotions.tournament-entry").update(micros=1_000_000), "as entry"),
    "scored by one": (_scored_by_one, "confirms the scores that he wrote down"),
    "scores never confirmed": (
        lambda draft: draft.remove(draft.act("tournament.scores-confirmed")),
        "on scores that one person wrote down",
    ),
    "another score confirmed": (
        lambda draft: draft.act("tournament.scores-confirmed")["data"]["scores"].update(
            {next(iter(draft.act("tournament.scored")["data"]["scores"])): 99}
        ),
        "not those written down",
    ),
    "a person in twice": (_in_twice, "once too often"),
    "rebuy at another price": (_rebuy_cheaper, "is not as the conditions say"),
    "rebuy too often": (
        lambda draft: draft.act("tournament.rebought")["data"].update(number=2),
        "is not as the conditions say",
    ),
    "one seat for two": (_same_seat, "seat-taken-twice"),
    "seats chosen": (_seats_exchanged, "not those that the two parties drew"),
    "seats drawn of another list": (_lot_of_another_list, "a lot was drawn of other entries"),
    "seats assigned where a lot was promised": (
        lambda draft: draft.act("tournament.seated")["data"].update(how="assigned"),
        "otherwise than by the conditions",
    ),
    "a friend put into the final": (_friend_in_the_final, "not those whom the heats and the conditions put there"),
    "a heat's score changed": (_heat_changed, "a lot was drawn of other entries"),
    "the final's prizes exchanged": (_prize_by_the_heats, "places and prizes are not those"),
    "the final scored by one": (
        lambda draft: _scores_of_the_final(draft).update(actor="staff:supervisor"),
        "confirms the scores that he wrote down",
    ),
    "the heats never closed": (
        lambda draft: draft.remove(draft.act("tournament.qualified")),
        "which is not being played",
    ),
    "fee given back by who said so": (
        lambda draft: draft.act("tournament.refunded").update(actor="staff:supervisor"),
        "nobody else has said so",
    ),
    "called off by one": (
        _decided_by("promotions.call-off-tournament", "staff:supervisor"),
        "who proposed it or stood behind it",
    ),
    "called off on nobody's proposal": (_called_off_alone, "by staff:manager alone"),
    "called off in another's name": (
        lambda draft: draft.act("tournament.called-off").update(actor="staff:supervisor"),
        "and staff:manager decided it",
    ),
    "called off for less": (
        lambda draft: draft.act("tournament.called-off")["data"].update(owed="1.00"),
        "not every fee that was paid",
    ),
    "fee given back by who called it off": (
        lambda draft: draft.acts("tournament.refunded")[-1].update(actor="staff:manager"),
        "nobody else has said so",
    ),
    "more than a tenth retained": (_retained_more, "is retained, not $30.00"),
    "prize of another place": (_prize_to_another, "CUP: entry"),
    "prize paid twice": (
        lambda draft: draft.move_after(
            draft.add_after(draft.transfer("promotions.tournament-prize"), at=draft.rows[-1]["at"]), draft.rows[-1]
        ),
        "which won none, or was paid",
    ),
    "refund short by a cent": (_refund_short, "as refund"),
    "conditions never approved": (
        _without("promotions.tournament", "effective", about="CUP"),
        "under conditions that nobody has approved",
    ),
}
TABLES: dict[str, tuple[Change, str]] = {
    "a player's own sign by one": (
        lambda draft: next(
            row for row in draft.acts("tablegames.marker-placed") if row["data"]["kind"] == "own-limits"
        )["data"].pop("proposal"),
        "alone put it up",
    ),
    "a player's own sign for more": (
        lambda draft: next(
            row for row in draft.acts("tablegames.marker-placed") if row["data"]["kind"] == "own-limits"
        )["data"]["limits"]["ante"].update(maximum="9000.00"),
        "has another maximum than proposal",
    ),
    "a maximum raised by notice": (
        lambda draft: draft.acts("tablegames.limits-announced")[-1]["data"]["limits"]["ante"].update(maximum="900.00"),
        "alone put it up",
    ),
    "hand changed": (
        _checked(lambda data: data["entered"]["cards"]["player"].__setitem__(4, "5S")),
        "the rules owe something else",
    ),
    "owed changed": (_checked(lambda data: data["owed"][0].update(pays="99.00")), "the rules owe something else"),
    "difference hidden": (_checked(lambda data: data.update(difference="5.00")), "do not differ by"),
    "error hidden": (_error_hidden, "paid wrongly, and no over- or underpayment"),
    "error smaller": (
        lambda draft: draft.act("tablegames.payment-error-found")["data"].update(amount="1.00"),
        "is not what check",
    ),
    "rectified by who found it": (_underpayment_paid_by_finder, "who found it: two people do"),
    "rectified by more": (
        lambda draft: draft.transfer("tablegames.rectified").update(micros=90_000_000),
        "should be booked as tablegames.rectified",
    ),
    "sign that nobody approved": (_sign_by_nobody, "says something else than proposal"),
    "minimum raised over a player": (_no_marker, "somebody who played has no marker"),
    "marker for who did not sit": (
        lambda draft: draft.remove(draft.act("tablegames.player-seated")),
        "had what the rules refuse",
    ),
    "limits before their notice had stood": (_too_short("limits-announced", "takes_effect_at"), "at least 20 minutes"),
    "closing before its notice had stood": (_too_short("closing-announced", "closes_at"), "stands for 20 minutes"),
    "another player's limits": (_other_limits, "other limits than held"),
    "closed with players unseen": (_data("table-closed", players=3), "other players than sat there"),
}
ALL = HOUSE | TOURNAMENTS | TABLES


@pytest.mark.parametrize("what", ALL)
def test_a_forger_with_every_key_is_given_away(small_house: Exported, what: str) -> None:
    change, sentence = ALL[what]
    assert sentence in doubted(small_house, change)


@pytest.mark.parametrize("what", ["approval removed", "fee lost", "hand changed", "letter's mark removed"])
def test_without_keys_or_with_the_houses_he_is_caught_by_the_whole_program(small_house: Exported, what: str) -> None:
    assert wrong(small_house, ALL[what][0])
    assert wrong(small_house, ALL[what][0], by=Forger.HOUSE)


def test_what_is_in_force_by_a_letter_is_said_until_it_is_countersigned(small_house: Exported) -> None:
    """Nobody can see whether two people have invented a letter: that an inspector has not answered it is said."""
    words = "is in force by letter C/26/1, which no inspector has countersigned"
    assert not any(words in said for said in passed(small_house, lambda draft: None).attention)

    def unanswered(draft: Draft) -> None:
        draft.remove(said(draft, "promotions.amendment", "letter-countersigned", "OLD"))

    assert any(words in said for said in passed(small_house, unanswered).attention)


def test_what_only_the_witness_can_know_is_caught_by_its_answers(small_house: Exported) -> None:
    """An amendment that never was: whatever is left fits together, but the witness has signed heads with it."""

    def unmade(draft: Draft) -> None:
        draft.remove(*proposal(draft, "promotions.amendment", "SPRING"))
        of_it = (*draft.acts("promotion.submitted"), *draft.acts("promotion.amended"))
        draft.remove(*(row for row in of_it if row["subject"] == "promotion:SPRING" and row["data"]["version"] == 2))

    assert wrong(small_house, unmade, by=Forger.HOUSE)
