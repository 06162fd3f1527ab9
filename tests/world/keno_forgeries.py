"""What a forger changes in the export of a Keno house (``tests/world/keno_house.py``), by name."""

from __future__ import annotations

import copy
from collections.abc import Callable
from datetime import datetime, timedelta

from tests.world.falsified import Change, Draft, Row
from tests.world.keno_changes import (
    BALLS,
    DOLLAR,
    NOBODY_WINS,
    booked_for,
    leave_out,
    of_game,
    payment,
    root_anew,
    sale,
    ticket,
)


def settled_with_thousand_more(draft: Draft) -> None:
    """In the books and in the act alike."""
    said = of_game(draft, "keno.settled", BALLS)["data"]["totals"]
    dollars, _, cents = said["prizes"].partition(".")
    said["prizes"] = f"{int(dollars) + 1000}.{cents}"
    booked_for(draft, "keno.prizes", BALLS)["micros"] += 1000 * DOLLAR


def unsold_ticket(draft: Draft) -> None:
    """A winner that nobody bought, in entries and root."""
    made = copy.deepcopy(ticket(draft, 11, 12))
    made["serial"] = made["serial"][:-1] + ("Y" if made["serial"][-1] != "Y" else "Z")
    draft.tickets.append(made)
    draft.tickets.sort(key=lambda each: (each["first_game"], each["serial"]))
    root_anew(draft, BALLS)
    of_game(draft, "keno.settled", BALLS)["data"]["totals"]["tickets"] += 1


def left_out(draft: Draft) -> None:
    """A winner that was bought, out of entries and root."""
    leave_out(draft, ticket(draft, 11, 12)["serial"])
    root_anew(draft, BALLS)
    of_game(draft, "keno.settled", BALLS)["data"]["totals"]["tickets"] -= 1


def attached_less(draft: Draft) -> None:
    leave_out(draft, ticket(draft, 11, 12)["serial"])


def stake_raised(*, price: bool = False, sold: bool = False) -> Change:
    """Ten dollars in the place of one, on a winner."""

    def change(draft: Draft) -> None:
        entry = ticket(draft, 11, 12)
        entry["plays"][0]["stake"] = "10.00"
        if price:
            entry["price"] = "10.00"
        if sold:
            sale(draft, entry["serial"])["micros"] = 10 * DOLLAR
        root_anew(draft, BALLS)

    return change


def numbers_exchanged(draft: Draft) -> None:
    """A loser becomes a winner after the draw."""
    ticket(draft, 61, 62, 63)["groups"] = [[11, 12, 13]]
    root_anew(draft, BALLS)


def games_added(draft: Draft) -> None:
    entry = ticket(draft, 61, 62, 63)
    entry["last_game"] += 1
    root_anew(draft, BALLS, NOBODY_WINS)
    of_game(draft, "keno.settled", NOBODY_WINS)["data"]["totals"]["tickets"] += 1


def sold_after_the_close(draft: Draft) -> None:
    """Past-posting: the sale of a winner stands behind the numbers."""
    draft.move_after(sale(draft, ticket(draft, 11, 12)["serial"]), of_game(draft, "keno.drawn", BALLS))


def sale_gone(draft: Draft) -> None:
    draft.remove(sale(draft, ticket(draft, 61, 62, 63)["serial"]))


def sale_cheaper(draft: Draft) -> None:
    sale(draft, ticket(draft, *range(1, 11))["serial"])["micros"] -= DOLLAR


def paid_to(*numbers: int) -> Change:
    """The large payment on another ticket; none: on one that nobody knows."""

    def change(draft: Draft) -> None:
        paid = payment(draft, ticket(draft, *range(1, 11))["serial"])
        paid["memo"]["ticket"] = ticket(draft, *numbers)["serial"] if numbers else "ZZZZZZZZZZZZ"

    return change


def paid_to_the_cancelled(draft: Draft) -> None:
    gone = draft.act("keno.cancelled")["subject"].partition(":")[2]
    draft.transfer("keno.payment", 2)["memo"]["ticket"] = gone


def paid_twice(draft: Draft) -> None:
    paid = draft.transfer("keno.payment", 2)
    draft.add_after(paid, reference="987654")


def promise_after_the_close(draft: Draft) -> None:
    """What was promised for game 4 before it opened is made another's; the promise comes once the tickets are sold."""
    promised = next(each for each in draft.acts("draw.promised") if each["subject"] == "promise:keno/4")
    draft.add_after(of_game(draft, "keno.closed", 4), **copy.deepcopy(promised))
    promised["subject"], promised["data"]["name"] = "promise:keno/400", "400"


def acts_of_a_game_gone(draft: Draft) -> None:
    gone = {f"keno-game:{NOBODY_WINS}", f"draw:keno/{NOBODY_WINS}"}
    draft.remove(*[each for each in draft.rows if each["type"] == "act" and each["subject"] in gone])


def never_settled(draft: Draft) -> None:
    draft.remove(of_game(draft, "keno.settled", BALLS))


def settled_twice(draft: Draft) -> None:
    draft.add_after(of_game(draft, "keno.settled", NOBODY_WINS))


def relabelled(draft: Draft) -> None:
    of_game(draft, "keno.settled", NOBODY_WINS)["data"]["device"] = "rng"


def another_ball(draft: Draft) -> None:
    """A ball of a mechanical draw, wherever it stands: the winners are others."""
    for each in draft.rows:
        if each["type"] == "act" and each["subject"] == "keno-game:2":
            said = each["data"]
            if said.get("number") == 1:
                said["number"] = 61
            if 1 in said.get("numbers", ()):
                said["numbers"] = [61 if number == 1 else number for number in said["numbers"]]


def cancelled_for_more(draft: Draft) -> None:
    """In the act and in the books alike."""
    draft.act("keno.cancelled")["data"]["refund"] = "13.00"
    draft.transfer("keno.cancel")["micros"] += DOLLAR


def by_the_proposer(at: int) -> Change:
    def change(draft: Draft) -> None:
        approved = draft.act("approval.approved", at)
        proposed = next(each for each in draft.acts("approval.proposed") if each["subject"] == approved["subject"])
        approved["actor"] = proposed["actor"]

    return change


def authorised_by_the_payer(draft: Draft) -> None:
    paid = payment(draft, ticket(draft, *range(1, 11))["serial"])
    draft.act("keno.payment-authorised")["actor"] = paid["actor"]


def dropped_alone(draft: Draft) -> None:
    moved = draft.transfer("keno.drop")
    moved["memo"]["with"] = moved["actor"]


def less_handed_in(draft: Draft) -> None:
    """A dollar stays in the drawer, and the count says so."""
    draft.transfer("keno.handed-in")["micros"] -= DOLLAR
    draft.act("keno.shift-closed")["data"].update(counted_cash="48.00", expected_cash="49.00")


def tendered(change: Callable[[Row], object], at: int = 0) -> Change:
    return lambda draft: change(draft.act("keno.tendered", at)["data"])


def loser_voided(draft: Draft) -> None:
    loser = ticket(draft, 61, 62, 63)["serial"]
    void = draft.act("keno.win-voided")
    for each in (*draft.transfers("keno.prize-void"), *draft.transfers("keno.void-refund")):
        each["reference"] = f"{loser}/2"
    for each in (void, draft.act("keno.prize-held"), draft.act("keno.prize-released")):
        each["subject"] = f"keno-ticket:{loser}"
    for kind in ("approval.proposed", "approval.approved", "approval.effective"):
        draft.act(kind)["data"]["about"] = f"keno-ticket:{loser}"
    _incident_of_hold(draft)["data"]["about"] = f"ticket:{loser}"


def invalidated_for_more(draft: Draft) -> None:
    said = draft.act("keno.invalidated")["data"]
    dollars, _, cents = said["refunded"].partition(".")
    said["refunded"] = f"{int(dollars) + 1}.{cents}"
    draft.transfer("keno.refunds")["micros"] += DOLLAR


def special_3_paid_more(draft: Draft) -> None:
    installed = next(each for each in draft.acts("approval.installed") if each["data"]["kind"] == "keno.special-3")
    installed["data"]["value"]["tables"]["2"]["1"] = "1.00"


def premium_raised(draft: Draft) -> None:
    installed = next(each for each in draft.acts("approval.installed") if each["data"]["code"] == "premium")
    installed["data"]["value"] = "0.40"


def bonus_budget_raised(draft: Draft) -> None:
    installed = next(each for each in draft.acts("approval.installed") if each["data"]["kind"] == "keno.bonus")
    installed["data"]["value"]["budget"] = "2500.00"


def another_split(draft: Draft) -> None:
    """Another ratio comes into force before the balls are drawn."""
    value = {"prize": 2_000, "secondary": 300, "reimbursement": 200}
    data = {"kind": "keno.jackpot-ratio", "code": "KENO-6", "value": value, "authority": "inspector", "number": 9_999}
    fields = {"kind": "approval.installed", "subject": "keno.jackpot-ratio:KENO-6", "actor": "system:x", "data": data}
    draft.add_after(of_game(draft, "keno.settled", 1), **fields)


def limited(code: str, value: str) -> Change:
    """A limit of the house to what a game may pay, as if it had been in force before the game of the balls opened."""
    data = {"kind": "keno.amount", "code": code, "value": value, "authority": "house", "number": 9_999}
    fields = {"kind": "approval.installed", "subject": f"keno.amount:{code}", "actor": "system:x", "data": data}

    def change(draft: Draft) -> None:
        last = draft.acts("approval.installed")[-1]
        at = datetime.fromisoformat(last["at"]) - timedelta(hours=1)  # what is quite new a sale may not have read
        draft.add_after(last, at=f"{at:%Y-%m-%dT%H:%M:%S.%f}Z", **fields)

    return change


def stakes_for_jackpots(draft: Draft) -> None:
    of_game(draft, "keno.closed", BALLS)["data"]["jackpot_stakes"]["6"] = "9.00"


def false_reversal(draft: Draft) -> None:
    """It says that it takes another one back."""
    paid = draft.transfer("keno.payment", 2)
    memo = paid.pop("memo")
    paid |= {"reverses": draft.transfer("keno.payment")["id"], "memo": memo}


def on_hold_before_paid(draft: Draft) -> None:
    """A ticket that was paid had been put on hold, and nobody had ended that."""
    held = copy.deepcopy(draft.act("keno.prize-held"))
    serial = ticket(draft, *range(1, 11))["serial"]
    held["subject"] = f"keno-ticket:{serial}"
    put_in = draft.add_after(of_game(draft, "keno.settled", BALLS), **held)
    incident = copy.deepcopy(_incident_of_hold(draft))
    incident["data"]["about"] = f"ticket:{serial}"
    draft.add_after(put_in, **incident | {"subject": "incident:4711", "tx": put_in["tx"]})


def _incident_of_hold(draft: Draft) -> Row:
    return next(each for each in draft.acts("incident.reported") if each["data"]["kind"] == "keno-prize-held")


def claim_for_another(draft: Draft) -> None:
    draft.act("keno.claim-made")["data"]["ticket"] = ticket(draft, 11, 12)["serial"]


def claim_made_afterwards(draft: Draft) -> None:
    made = draft.act("keno.claim-made")
    draft.move_after(
        made, next(each for each in draft.acts("approval.effective") if each["data"]["about"] == made["subject"])
    )


def again(kind: str) -> Change:
    return lambda draft: draft.add_after(draft.act(kind))


def read_back_by_who_entered(draft: Draft) -> None:
    balls = [each for each in draft.acts("keno.ball") if each["subject"] == f"keno-game:{BALLS}"]
    data = {"game": BALLS, "attempt": 1, "numbers": [each["data"]["number"] for each in balls]}
    draft.add_after(balls[-1], kind="keno.balls-read-back", data=data)
