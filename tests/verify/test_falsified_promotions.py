"""Promotions falsified with every key: each is given away by what the rows themselves say."""

from __future__ import annotations

import pytest

from tests.world.falsified import Change, Draft, Exported, Forger, Row, doubted, wrong


def of(draft: Draft, kind: str, code: str, at: int = 0) -> Row:
    """An act of a promotion."""
    acts = draft.acts(kind)
    return [row for row in acts if code in (row["data"].get("promotion"), row["subject"].partition(":")[2])][at]


def _swap_prizes(draft: Draft) -> None:
    for row in (of(draft, "promotion.prizes-won", "CARS"), of(draft, "promotion.result", "CARS")):
        data = row["data"]
        if "won" in data:
            data["won"][0]["entry"], data["won"][1]["entry"] = data["won"][1]["entry"], data["won"][0]["entry"]
        else:
            data["winners"][0]["entry"], data["winners"][1]["entry"] = data["numbers"][1], data["numbers"][0]


def _other_entry(draft: Draft) -> None:
    """A friend's entry in the place of the first drawn, wherever it is told."""
    drawn = of(draft, "promotion.drawn", "AUTUMN")["data"]
    friend = min(set(range(1, 11)) - set(drawn["numbers"]))
    instead = {drawn["numbers"][0]: friend}
    for row in draft.rows:
        data = row.get("data") or {}
        if row["type"] == "act" and data.get("promotion") == "AUTUMN":
            for key in ("numbers", "next"):
                if key in data:
                    data[key] = [instead.get(n, n) for n in data[key]]
            if "entry" in data:
                data["entry"] = instead.get(data["entry"], data["entry"])
            for each in (*data.get("won", ()), *data.get("winners", ())):
                each["entry"] = instead.get(each["entry"], each["entry"])


def _invented_loss(draft: Draft) -> None:
    """The scrutineer's word alone: nobody noted it, nobody seconded it."""
    draft.remove(of(draft, "promotion.loss-noted", "AUTUMN"), of(draft, "promotion.loss-seconded", "AUTUMN"))


def _seconded_by_the_same(draft: Draft) -> None:
    of(draft, "promotion.loss-seconded", "AUTUMN")["actor"] = of(draft, "promotion.loss-noted", "AUTUMN")["actor"]


def _unsigned_redraw(draft: Draft) -> None:
    draft.remove(of(draft, "promotion.scrutineer-signed", "AUTUMN"))


def _unsigned_car(draft: Draft) -> None:
    draft.remove(of(draft, "promotion.scrutineer-signed", "CARS"))


def _signed_by_the_drawer(draft: Draft) -> None:
    drawer = of(draft, "promotion.drawn", "CARS")["actor"]
    of(draft, "promotion.scrutineer-nominated", "CARS")["data"]["scrutineer"] = drawer
    for kind in ("attends", "signed"):
        of(draft, f"promotion.scrutineer-{kind}", "CARS")["actor"] = drawer


def _paid_twice(draft: Draft) -> None:
    draft.add_after(draft.transfer("promotions.payment"), reference="99/transfer")
    draft.add_after(of(draft, "promotion.prize-paid", "AUTUMN"))["data"]["payment"] = 99


def _paid_to_another(draft: Draft) -> None:
    """The prize of the winner who lost it."""
    lost = of(draft, "promotion.prizes-won", "AUTUMN")["data"]["won"][0]["win"]
    of(draft, "promotion.prize-paid", "AUTUMN")["subject"] = f"promotion-win:{lost}"


def _by_one_person(draft: Draft) -> None:
    of(draft, "promotion.prize-paid", "AUTUMN")["actor"] = of(draft, "promotion.claim-accepted", "AUTUMN")["actor"]


def _void_without_inspector(draft: Draft) -> None:
    numbered = next(row for row in draft.acts("approval.proposed") if row["data"]["about"] == "AGAIN")
    gone = [row for row in draft.rows if row["type"] == "act" and row["subject"] == numbered["subject"]]
    draft.remove(*gone)


def _winner_barred(draft: Draft) -> None:
    first = of(draft, "promotion.drawn", "AUTUMN")["data"]["numbers"][0]
    of(draft, "promotion.draw-begun", "AUTUMN")["data"]["barred"] = [first]


def _booked_for_nothing(draft: Draft) -> None:
    draft.move_after(draft.add_after(draft.transfer("promotions.prize"), reference="999"), draft.rows[-1])


def _void_otherwise(*, drawn: bool) -> Change:
    """What the void attempt gave, told otherwise; *drawn*: its draw, too."""

    def change(draft: Draft) -> None:
        void = next(row for row in draft.acts("draw.void") if row["data"]["occasion"] == "AGAIN")["data"]
        other = 1 if void["numbers"] != [1] else 2
        void["numbers"] = [other]
        if drawn:
            of(draft, "promotion.drawn", "AGAIN")["data"]["numbers"] = [other]
            of(draft, "promotion.prizes-won", "AGAIN")["data"]["won"][0]["entry"] = other
            result = of(draft, "promotion.result", "AGAIN")["data"]
            result["numbers"], result["winners"][0]["entry"] = [other], other

    return change


def _without(kind: str, code: str) -> Change:
    return lambda draft: draft.remove(of(draft, kind, code))


def _told(kind: str, code: str, **fields: object) -> Change:
    return lambda draft: of(draft, kind, code)["data"].update(fields)


def _untold(kind: str, code: str, field: str) -> Change:
    return lambda draft: of(draft, kind, code)["data"].pop(field)


def _prize_worth_more(draft: Draft) -> None:
    of(draft, "promotion.prizes-won", "AUTUMN")["data"]["won"][0]["value"] = "3000.00"
    draft.transfer("promotions.prize")["micros"] += 1_000_000_000


def _cheque_to_cash(draft: Draft) -> None:
    of(draft, "promotion.prize-paid", "AUTUMN")["data"]["parts"][0]["method"] = "cash"
    booked = draft.transfer("promotions.payment")
    booked.update(reference=booked["reference"].replace("transfer", "cash"), credit="promotions:cage")


def _nobody_there(draft: Draft) -> None:
    draft.remove(of(draft, "promotion.scrutineer-attends", "CARS"))


def _machine_oversees(draft: Draft) -> None:
    """A service account in the scrutineer's place, wherever he is told of."""
    machine = next(row["actor"] for row in draft.rows if row.get("actor", "").startswith("device:"))
    of(draft, "promotion.scrutineer-nominated", "CARS")["data"]["scrutineer"] = machine
    for kind in ("attends", "signed"):
        of(draft, f"promotion.scrutineer-{kind}", "CARS")["actor"] = machine


def _by_who_said(kind: str, first: str) -> Change:
    """The second person's word by the first."""

    def change(draft: Draft) -> None:
        said = draft.act(kind)
        said["actor"] = next(row for row in draft.acts(first) if row["subject"] == said["subject"])["actor"]

    return change


def _nobody_kept_out(draft: Draft) -> None:
    """Entries left out and passed over, and whatever two people had said against anybody is gone."""
    kinds = ("promotion.card-", "promotion.exclusion-", "promotion.readmission-", "player.restrict", "player.birth-")
    draft.remove(*(row for row in draft.rows if row["type"] == "act" and row["kind"].startswith(kinds)))


def _nobody_left_out(draft: Draft) -> None:
    _nobody_kept_out(draft)
    left_out = [row for row in draft.acts("promotion.entry-withdrawn") if row["data"]["clause"].endswith("7.3")]
    draft.remove(*left_out)
    of(draft, "promotion.closed", "WINTER")["data"]["entries"] -= len(left_out)


def _left_out_by_a_person(draft: Draft) -> None:
    """As if the list had been sealed without it: one person, in a transaction of his own."""
    left_out = next(row for row in draft.acts("promotion.entry-withdrawn") if row["data"]["clause"].endswith("7.3"))
    draft.move_after(left_out, of(draft, "promotion.closed", "WINTER"))
    left_out["tx"] = of(draft, "promotion.closed", "WINTER")["tx"]


FALSIFIED: dict[str, tuple[Change, str]] = {
    "a device oversees": (_machine_oversees, "is no person who may"),
    "goods that nobody confirmed": (
        _told("promotion.submitted", "CARS", goods_confirmed=False),
        "nobody confirmed what the prizes of version 1 hold",
    ),
    "withdrawn by one": (
        lambda draft: draft.remove(of(draft, "promotion.withdrawal-said", "WINTER")),
        "by the word of staff:manager alone",
    ),
    "withdrawn by who said so": (
        _by_who_said("promotion.entry-withdrawn", "promotion.withdrawal-said"),
        "by the word of staff:supervisor alone",
    ),
    "withdrawn for another reason": (_told("promotion.withdrawal-said", "WINTER", why="Late."), "alone"),
    "withdrawn after the seal": (
        lambda draft: draft.move_after(
            of(draft, "promotion.entry-withdrawn", "WINTER"), of(draft, "promotion.entries-sealed", "WINTER")
        ),
        "withdrawn after the seal, or twice",
    ),
    "import confirmed by who brought it in": (
        _by_who_said("promotion.import-confirmed", "promotion.import-begun"),
        "is confirmed by who brought it in",
    ),
    "import that nobody confirmed": (
        lambda draft: draft.remove(draft.act("promotion.import-confirmed")),
        "which staff:supervisor alone has seen",
    ),
    "another file confirmed": (
        lambda draft: draft.act("promotion.import-confirmed")["data"].update(sha256="0" * 64),
        "is confirmed, and is another",
    ),
    "import with other rows": (
        lambda draft: draft.act("promotion.import-begun")["data"].update(rows=2),
        "ends with other rows than it began with",
    ),
    "import rejected by one": (
        lambda draft: draft.remove(draft.act("promotion.import-rejection-said")),
        "is rejected by the word of staff:manager alone",
    ),
    "import rejected by who said so": (
        _by_who_said("promotion.import-rejected", "promotion.import-rejection-said"),
        "is rejected by the word of staff:supervisor alone",
    ),
    "more rejected than was entered": (
        lambda draft: draft.act("promotion.import-rejected")["data"].update(withdrawn=2),
        "is rejected, and is another",
    ),
    "another file rejected": (
        lambda draft: draft.act("promotion.import-rejected")["data"].update(sha256="0" * 64),
        "is rejected, and is another",
    ),
    "import rejected after the seal": (
        lambda draft: draft.move_after(
            draft.act("promotion.import-rejected"), of(draft, "promotion.entries-sealed", "WINTER")
        ),
        "alone has seen",
    ),
    "exclusion confirmed by who excluded": (
        _by_who_said("promotion.exclusion-confirmed", "promotion.card-excluded"),
        "is no second person",
    ),
    "exclusion of nobody confirmed": (
        lambda draft: draft.remove(draft.act("promotion.card-excluded")),
        "is no second person",
    ),
    "readmitted by who excluded": (
        _by_who_said("promotion.card-readmitted", "promotion.card-excluded"),
        "is no second person",
    ),
    "readmitted by who said so first": (
        _by_who_said("promotion.card-readmitted", "promotion.readmission-said"),
        "is no second person",
    ),
    "readmission said by who excluded": (
        _by_who_said("promotion.readmission-said", "promotion.card-excluded"),
        "is no second person",
    ),
    "readmitted by one": (lambda draft: draft.remove(draft.act("promotion.readmission-said")), "is no second person"),
    "restriction confirmed by who made it": (
        _by_who_said("player.restriction-confirmed", "player.restricted"),
        "is no second person",
    ),
    "lifted by who made it": (_by_who_said("player.restriction-lifted", "player.restricted"), "is no second person"),
    "lifted by who said so first": (
        _by_who_said("player.restriction-lifted", "player.lifting-said"),
        "is no second person",
    ),
    "lifted by one": (lambda draft: draft.remove(draft.act("player.lifting-said")), "is no second person"),
    "birth confirmed by who recorded it": (
        _by_who_said("player.birth-confirmed", "player.birth-recorded"),
        "is no second person",
    ),
    "left out at the seal for nothing": (_nobody_kept_out, "is left out at the seal, and no two people"),
    "passed over for nothing": (_nobody_left_out, "entries are passed over, and no two people"),
    "left out by one person": (_left_out_by_a_person, "a list that is not sealed with that"),
    "age that nobody saw": (_untold("promotion.claim-made", "AUTUMN", "age"), "nobody saw how old"),
    "of an employee's household": (_told("promotion.claim-made", "AUTUMN", household=True), "household or unasked"),
    "household not asked": (_untold("promotion.claim-made", "AUTUMN", "household"), "household or unasked"),
    "winners exchanged": (_swap_prizes, "which did not win"),
    "a friend drawn": (_other_entry, "give other entries than were drawn"),
    "winner barred afterwards": (_winner_barred, "AUTUMN: "),
    "more prizes drawn for": (_told("promotion.draw-begun", "CARS", prizes=3), "not what the terms say"),
    "one prize a person dropped": (
        _told("promotion.draw-begun", "AUTUMN", one_prize_a_person=False),
        "not what the terms say",
    ),
    "loss invented": (_invented_loss, "no two people said so"),
    "loss seconded by who noted it": (_seconded_by_the_same, "seconded by no second person"),
    "loss for another reason": (_told("promotion.prize-lost", "AUTUMN", reason="unclaimed"), "no two people said so"),
    "lost and not drawn again": (_told("promotion.prize-lost", "AUTUMN", redraw=False), "not what the terms say"),
    "redraw without signature": (_unsigned_redraw, "the scrutineer has not signed that"),
    "car without signature": (_unsigned_car, "before the scrutineer has signed"),
    "signed by who drew": (_signed_by_the_drawer, "nominated himself, or draws it"),
    "scrutineer not there": (_nobody_there, "the scrutineer was not there"),
    "another outcome signed": (
        _told("promotion.scrutineer-signed", "CARS", result="0" * 64),
        "has signed another outcome",
    ),
    "result without its draw": (_without("promotion.drawn", "CARS"), "CARS"),
    "winner not written down": (_without("promotion.prizes-won", "CARS"), "it is owed to nobody"),
    "prize worth more": (_prize_worth_more, "is worth $2,000.00"),
    "paid twice": (_paid_twice, "nobody holds that prize"),
    "paid to another": (_paid_to_another, "nobody holds that prize"),
    "paid by who accepted": (_by_one_person, "who accepted the claim"),
    "paid without a claim": (_without("promotion.claim-accepted", "AUTUMN"), "no claim for it was accepted"),
    "paid in cash": (_cheque_to_cash, "never paid in cash"),
    "prize booked and nothing won": (_booked_for_nothing, "nothing in the log says why"),
    "void without the inspector": (_void_without_inspector, "no inspector has decided so"),
    "void attempt told wrongly": (_void_otherwise(drawn=False), "gave other numbers than it is said to"),
    "void attempt gave others": (_void_otherwise(drawn=True), "give other entries than were drawn"),
    "another list": (_told("promotion.entries-sealed", "CARS", entry_root="00" * 32), "not its list of entries"),
    "list before the close": (_without("promotion.closed", "CARS"), "sealed before the close"),
    "started unpromised": (
        lambda draft: draft.move_after(
            next(row for row in draft.acts("draw.promised") if row["data"]["name"] == "CARS"),
            of(draft, "promotion.started", "CARS"),
        ),
        "before its draw was promised",
    ),
    "terms submitted by who wrote them": (
        lambda draft: draft.act("promotion.drafted").update(actor=draft.act("promotion.submitted")["actor"]),
        "submits terms that he wrote himself",
    ),
    "terms never submitted": (_without("promotion.submitted", "CARS"), "under terms that nobody was sent"),
    "amended by nobody": (
        lambda draft: draft.remove(
            next(row for row in draft.acts("approval.approved") if row["data"]["about"] == "SPRING")
        ),
        "nobody approved it",
    ),
    "entry of the list changed": (
        lambda draft: next(line for line in draft.attached if line.get("promotion") == "CARS").update(
            leaves="00" * 32 * 6
        ),
        "the entries attached are not the 6 sealed",
    ),
}


@pytest.mark.parametrize("what", FALSIFIED)
def test_a_forger_with_every_key_is_given_away(small_house: Exported, what: str) -> None:
    change, sentence = FALSIFIED[what]
    assert sentence in doubted(small_house, change)


@pytest.mark.parametrize("what", ["paid to another", "loss invented", "redraw without signature"])
def test_without_keys_every_row_gives_him_away(small_house: Exported, what: str) -> None:
    assert wrong(small_house, FALSIFIED[what][0])
    assert wrong(small_house, FALSIFIED[what][0], by=Forger.HOUSE)
