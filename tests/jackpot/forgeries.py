"""What a forger with every key changes in the export of the tables' evening (``tests/world/jackpot_evening.py``)."""

from __future__ import annotations

import copy
from typing import Any

from kernel.money import Money
from tests.world.falsified import Draft

Row = dict[str, Any]


# How a forger finds his rows


def transfers(draft: Draft, kind: str, reference: str = "") -> list[Row]:
    return [row for row in draft.transfers(kind) if reference in row["reference"]]


def hit(draft: Draft, kind: str, hand: str | None, at: int = 0) -> Row:
    return [row for row in draft.acts(kind) if row["data"]["hand"] == hand and row["data"]["link"] == "CSP"][at]


def started(draft: Draft, table: str, at: int = 0) -> Row:
    return [row for row in draft.acts("jackpot.round-started") if row["data"]["table"] == table][at]


def finished(draft: Draft, number: int) -> Row:
    return next(row for row in draft.acts("jackpot.round-finished") if row["data"]["round"] == number)


def everywhere(draft: Draft, number: int, **changed: object) -> None:
    """In every act of a hit."""
    for kind in ("jackpot.hit", "jackpot.hit-verified", "jackpot.hit-paid", "jackpot.hit-denied"):
        for row in draft.acts(kind):
            if row["data"]["hit"] == number:
                row["data"].update(changed)


def same_transaction(draft: Draft, row: Row) -> list[Row]:
    return [each for each in draft.rows if each["tx"] == row["tx"]]


def put_after(draft: Draft, after: Row, row: Row, **changed: Any) -> Row:
    """A copy of a row somewhere else."""
    made: Row = copy.deepcopy(row) | changed
    draft.log.insert(next(at for at, each in enumerate(draft.log) if each is after) + 1, made)
    return made


# Contributions


def times_a_hundred(draft: Draft) -> None:
    for row in transfers(draft, "jackpot.contribution", "round/"):
        row["micros"] *= 100


def batch_times_a_hundred(draft: Draft) -> None:
    for row in transfers(draft, "jackpot.contribution", "batch/"):
        if "CSP" in row["reference"]:
            row["micros"] *= 100
            row["memo"]["wagers"] *= 100


def into_the_house(draft: Draft) -> None:
    """What belongs to the reserve is kept."""
    transfers(draft, "jackpot.contribution", "BOOM/")[1]["credit"] = "jackpot:BOOM:house"


def one_batch_twice(draft: Draft) -> None:
    number = transfers(draft, "jackpot.contribution", "CSP/batch/")[0]["reference"].rpartition("/")[0]
    last = draft.rows[-1]
    for row in reversed(transfers(draft, "jackpot.contribution", number)):
        put_after(draft, last, row, tx=last["tx"] + 1)


def by_other_terms(draft: Draft) -> None:
    transfers(draft, "jackpot.contribution", "CSP/batch/")[0]["memo"]["terms"] = 2


def counted_before_it_was_played(draft: Draft) -> None:
    transfers(draft, "jackpot.contribution", "CSP/batch/")[0]["memo"]["last"] = "2099-01-01T00:00:00Z"


def rejected_and_counted(draft: Draft) -> None:
    draft.act("jackpot.contributions-rejected")["kind"] = "jackpot.contributions-released"


def released_by_who_sent_it(draft: Draft) -> None:
    draft.act("jackpot.contributions-released")["actor"] = draft.act("jackpot.contributions-held")["actor"]


def held_and_counted_alone(draft: Draft) -> None:
    draft.remove(draft.act("jackpot.contributions-held"), draft.act("jackpot.contributions-released"))


def a_round_never_contributed(draft: Draft) -> None:
    rows = transfers(draft, "jackpot.contribution", f"round/{started(draft, 'CSP-01')['data']['round']}/")
    draft.remove(*rows)


# Rounds and hands


def cards_changed(draft: Draft) -> None:
    hit(draft, "jackpot.hit-verified", "royal-flush")["data"]["dealt"]["pieces"][0] = "2C"


def cards_and_what_was_seen_changed(draft: Draft) -> None:
    data = hit(draft, "jackpot.hit-verified", "royal-flush")["data"]
    data["dealt"]["pieces"] = data["verification"]["cards"] = ["AH", "KH", "QH", "JH", "TH"]


def a_winner_left_unpaid(draft: Draft) -> None:
    hand = next(hand for row in draft.acts("jackpot.round-finished") for hand in row["data"]["hands"] if hand["pieces"])
    hand["pieces"] = ["2S", "2H", "2D", "3S", "3H"]


def displayed_more(draft: Draft) -> None:
    started(draft, "BOOM-01")["data"]["displayed"]["prize"] = "10001.00"


def terms_not_in_force(draft: Draft) -> None:
    started(draft, "CSP-01")["data"]["terms"] = 2


def a_wager_more(draft: Draft) -> None:
    started(draft, "GJ-01")["data"]["boxes"].append(7)


def pools_moved_at_the_lock(draft: Draft) -> None:
    """A dollar more in the pool when the royal was locked, and everything that follows from it."""
    number = hit(draft, "jackpot.hit", "royal-flush", 1)["data"]["hit"]
    act = finished(draft, hit(draft, "jackpot.hit", "royal-flush", 1)["data"]["round"])
    act["data"]["pools"]["prize"] = str(Money.parse_exact(act["data"]["pools"]["prize"]) + Money.dollars(1))
    everywhere(draft, number, amount="50013.25", from_pool="50013.25", measured_on="50013.25")
    for kind in ("jackpot.win", "jackpot.payment"):
        transfers(draft, kind, f"hit/{number}/")[0]["micros"] += 1_000_000


def seen_what_was_not_there(draft: Draft) -> None:
    act = started(draft, "CSP-04")
    oldest = min(row["tx"] for row in draft.rows)
    act["data"]["seen"] = f"{oldest}:{oldest}:"


def a_folded_box_of_boomerang_wins(draft: Draft) -> None:
    row = next(row for row in draft.acts("jackpot.hit") if row["data"]["link"] == "BOOM")
    finished(draft, row["data"]["round"])["data"]["folded"] = [row["data"]["box"]]


def a_void_hand_kept_its_wager(draft: Draft) -> None:
    draft.remove(*draft.transfers("jackpot.void-hand")[:4])


def a_void_hand_forgotten(draft: Draft) -> None:
    act = next(row for row in draft.acts("jackpot.round-finished") if row["data"]["void"])
    act["data"]["void"] = []


# Hits


def another_amount(draft: Draft) -> None:
    everywhere(draft, hit(draft, "jackpot.hit", "straight-flush")["data"]["hit"], amount="6177.80")


def an_invented_hit(draft: Draft) -> None:
    row = hit(draft, "jackpot.hit", "flush")
    made = put_after(draft, same_transaction(draft, row)[-1], row)
    made["data"]["hit"], made["data"]["sequence"] = 999, 99


def order_changed(draft: Draft) -> None:
    """The royal before the straight flush."""
    straight, royal = (hit(draft, "jackpot.hit", hand)["data"] for hand in ("straight-flush", "royal-flush"))
    straight["place"], royal["place"] = royal["place"], straight["place"]


def paid_before_its_turn(draft: Draft) -> None:
    first, last = (hit(draft, "jackpot.hit-paid", hand) for hand in ("full-house", "royal-flush"))
    for row in reversed(same_transaction(draft, first)):
        draft.move_after(row, same_transaction(draft, last)[-1])


def paid_twice(draft: Draft) -> None:
    row = hit(draft, "jackpot.hit-paid", "full-house")
    payment = transfers(draft, "jackpot.payment", f"hit/{row['data']['hit']}/")[0]
    last = draft.rows[-1]
    act = put_after(draft, last, row, tx=last["tx"] + 1)
    put_after(draft, act, payment, tx=last["tx"] + 1)


def payment_booked_twice(draft: Draft) -> None:
    payment = draft.transfer("jackpot.payment")
    draft.add_after(payment, reference=payment["reference"][:-1] + "2")


def paid_more_than_owed(draft: Draft) -> None:
    transfers(draft, "jackpot.payment")[-1]["micros"] += 1_000_000_000


def denied_and_paid(draft: Draft) -> None:
    denied = hit(draft, "jackpot.hit-denied", "full-house")
    data = copy.deepcopy(denied["data"]) | {"status": "paid", "method": "cash", "reported": False}
    data.pop("reason"), data.pop("dealt")
    last = draft.rows[-1]
    more = {"kind": "jackpot.hit-paid", "data": data, "actor": "staff:other", "tx": last["tx"] + 1}
    put_after(draft, last, denied, **more)


def verifier_pays(draft: Draft) -> None:
    paid = hit(draft, "jackpot.hit-paid", "full-house")
    paid["actor"] = hit(draft, "jackpot.hit-verified", "full-house")["actor"]


def dealer_verifies(draft: Draft) -> None:
    hit(draft, "jackpot.hit-verified", "full-house")["actor"] = started(draft, "CSP-01")["actor"]


def never_verified(draft: Draft) -> None:
    draft.remove(hit(draft, "jackpot.hit-verified", "full-house"))


def set_aside_forgotten(draft: Draft) -> None:
    draft.remove(*transfers(draft, "jackpot.win", "CSP/hit/")[:1])


def won_at_anothers_expense(draft: Draft) -> None:
    """The house's part of a royal out of the reserve."""
    row = next(row for row in draft.transfers("jackpot.win") if row["debit"] == "jackpot:CSP:house")
    row["debit"] = "jackpot:CSP:reserve"


def denied_and_kept(draft: Draft) -> None:
    """The pool's part of a denied royal stays with the winners' account."""
    number = hit(draft, "jackpot.hit-denied", "royal-flush")["data"]["hit"]
    draft.remove(*transfers(draft, "jackpot.win.reversal", f"hit/{number}/"))


# What the house puts in, and takes back


def top_up_invented(draft: Draft) -> None:
    row = draft.transfer("jackpot.top-up")
    draft.add_after(row, reference=row["reference"].replace("settled/", "settled/9"), micros=1_000_000_000)


def top_up_larger(draft: Draft) -> None:
    draft.transfer("jackpot.top-up")["micros"] += 10_000


def restart_from_the_house_alone(draft: Draft) -> None:
    row = next(row for row in draft.transfers("jackpot.restart") if row["debit"] == "jackpot:CSP:reserve")
    row["debit"] = "jackpot:CSP:advance"


def restart_forgotten(draft: Draft) -> None:
    draft.remove(*transfers(draft, "jackpot.restart", "GJ/"))


def made_good_too_much(draft: Draft) -> None:
    draft.transfer("jackpot.made-good")["micros"] += 1_000_000


def void_and_kept(draft: Draft) -> None:
    row = next(row for row in draft.acts("jackpot.round-void") if row["data"]["table"] == "CSP-04")
    draft.remove(*transfers(draft, "jackpot.contribution.reversal", f"round/{row['data']['round']}/"))


def refunded_less(draft: Draft) -> None:
    draft.act("jackpot.round-void")["data"]["refunded"] = "1.00"


def forfeited_without_word(draft: Draft) -> None:
    draft.act("jackpot.round-invalidated")["data"]["forfeited"] = []


def a_purse_below_nothing(draft: Draft) -> None:
    row = draft.transfer("jackpot.adjustment")
    row["micros"] = 1_000_000_000_000_000
    row["debit"], row["credit"] = row["credit"], row["debit"]
    act = draft.act("jackpot.adjusted")
    act["data"]["amount"] = "-1000000000.00"
    for kind in ("approval.proposed", "approval.effective"):
        for each in draft.acts(kind):
            if (each["data"]["kind"], each["data"]["about"]) == ("jackpot.adjustment", "jackpot:CSP"):
                each["data"]["new"]["amount"] = "-1000000000.00"


# Two people, and the authority


def adjusted_otherwise(draft: Draft) -> None:
    draft.act("jackpot.adjusted")["data"]["amount"] = "20.00"
    draft.transfer("jackpot.adjustment")["micros"] *= 2


def adjusted_by_nobody(draft: Draft) -> None:
    for kind in ("approval.approved", "approval.effective"):
        draft.remove(*[row for row in draft.acts(kind) if row["data"]["kind"] == "jackpot.adjustment"])


def approved_by_who_proposed(draft: Draft) -> None:
    approved = next(row for row in draft.acts("approval.approved") if row["data"]["kind"] == "jackpot.adjustment")
    proposed = next(row for row in draft.acts("approval.proposed") if row["subject"] == approved["subject"])
    approved["actor"] = proposed["actor"]


def terms_without_approval(draft: Draft) -> None:
    act = next(row for row in draft.acts("jackpot.terms-set") if row["data"]["version"] == 2)
    act["data"]["proposal"] = None


def other_terms_than_approved(draft: Draft) -> None:
    act = next(row for row in draft.acts("jackpot.terms-set") if row["data"]["version"] == 2)
    act["data"]["terms"]["bonus"] = "301.00"


def a_version_left_out(draft: Draft) -> None:
    draft.remove(next(row for row in draft.acts("jackpot.terms-set") if row["data"]["version"] == 2))


def retired_elsewhere(draft: Draft) -> None:
    for row in draft.transfers("jackpot.retirement"):
        row["credit"] = row["credit"].replace("BOOM", "CSP")


def retired_and_kept(draft: Draft) -> None:
    draft.remove(draft.transfer("jackpot.retirement"))


# Must-hit-by


def a_movement_decided_otherwise(draft: Draft) -> None:
    act = next(row for row in draft.acts("jackpot.movement-decided") if row["data"]["falls"])
    fell = act["data"]["falls"][0]
    fell["wager"] = fell["wager"][:-1] + ("1" if fell["wager"].endswith("7") else "7")


def the_next_pool_started_higher(draft: Draft) -> None:
    transfers(draft, "jackpot.restart", "MYS/fall/")[-1]["micros"] += 1_000_000


def a_wager_that_was_never_made(draft: Draft) -> None:
    act = draft.act("jackpot.movement-sealed")
    act["data"]["wagers"][0]["wager"] = "round/999/1"


# A late claim


def another_late_hand(draft: Draft) -> None:
    draft.act("jackpot.hand-claimed-late")["data"]["pieces"] = ["AH", "KH", "QH", "JH", "TH"]


def a_late_hand_by_nobody(draft: Draft) -> None:
    draft.act("jackpot.hand-claimed-late")["data"]["proposal"] = 999_999


def pools_moved_at_a_late_claim(draft: Draft) -> None:
    draft.act("jackpot.hand-claimed-late")["data"]["pools"]["reserve"] = "77.00"
