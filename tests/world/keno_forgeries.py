"""What a forger changes in the export of a Keno house (``tests/world/keno_house.py``), by name."""

from __future__ import annotations

import copy
import re
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

from kernel.canonical import canonical
from kernel.merkle import leaf_hash, root_of
from tests.world.falsified import Change, Draft, Row

DOLLAR = 1_000_000
BALLS, NOBODY_WINS = 2, 3  # games


def tickets(draft: Draft) -> list[Row]:
    """The entries attached, in their order, to be changed in place."""
    return draft.tickets


def ticket(draft: Draft, *numbers: int) -> Row:
    """The ticket that plays these numbers, in one group."""
    return next(each for each in tickets(draft) if each["groups"] == [list(numbers)])


def leave_out(draft: Draft, *serials: str) -> None:
    draft.tickets = [each for each in draft.tickets if each["serial"] not in serials]


def root_anew(draft: Draft, *games: int) -> None:
    """The roots of these games from the entries as they are now, wherever the log has them."""
    stopped = {
        row["subject"].partition(":")[2]: row["data"]
        for kind in ("keno.cancelled", "keno.wagers-voided")
        for row in draft.acts(kind)
    }
    for game in games:
        inside = [
            each
            for each in tickets(draft)
            if each["first_game"] <= game <= each["last_game"]
            and (each["serial"] not in stopped or _stays(stopped[each["serial"]], game))
        ]
        inside.sort(key=lambda each: str(each["serial"]))
        root = root_of(leaf_hash(canonical(each)) for each in inside).hex()
        for row in draft.rows:
            if row["type"] == "act" and row["kind"] == "draw.sealed" and row["subject"] == f"draw:keno/{game}":
                row["data"].update(root=root, count=len(inside))
            elif row["type"] == "act" and row["subject"] == f"keno-game:{game}" and "ticket_root" in row["data"]:
                row["data"].update(ticket_root=root, ticket_count=len(inside))


def _stays(stop: Row, game: int) -> bool:
    """In the sealed set of a game, though it was cancelled."""
    return bool(stop["from"] > game or game in stop["late"])


def of_game(draft: Draft, kind: str, game: int) -> Row:
    return next(row for row in draft.acts(kind) if row["subject"] == f"keno-game:{game}")


def booked_for(draft: Draft, kind: str, game: int) -> Row:
    return next(row for row in draft.transfers(kind) if row["reference"] == f"game/{game}")


def more_for(kind: str, game: int, micros: int = 1000 * DOLLAR) -> Change:
    """More is booked for a game."""

    def change(draft: Draft) -> None:
        booked_for(draft, kind, game)["micros"] += micros

    return change


def sale(draft: Draft, serial: str) -> Row:
    return next(row for row in draft.transfers("keno.sale") if row["reference"] == serial)


def payment(draft: Draft, serial: str) -> Row:
    return next(row for row in draft.transfers("keno.payment") if row["memo"]["ticket"] == serial)


def more(kind: str, micros: int = 1000 * DOLLAR, at: int = 0) -> Change:
    """A transfer with more on it."""

    def change(draft: Draft) -> None:
        draft.transfer(kind, at)["micros"] += micros

    return change


def without(kind: str, at: int = 0) -> Change:
    def change(draft: Draft) -> None:
        found = [row for row in draft.rows if row["kind"] == kind]
        draft.remove(found[at])

    return change


def says(kind: str, at: int = 0, **said: Any) -> Change:
    """An act that says something else."""

    def change(draft: Draft) -> None:
        draft.act(kind, at)["data"].update(said)

    return change


def row(kind: str, at: int = 0, **fields: Any) -> Change:
    """A row with other fields."""

    def change(draft: Draft) -> None:
        [row for row in draft.rows if row["kind"] == kind][at].update(fields)

    return change


def both(*changes: Change) -> Change:
    def change(draft: Draft) -> None:
        for each in changes:
            each(draft)

    return change


def totals(game: int, **said: Any) -> Change:
    return lambda draft: of_game(draft, "keno.settled", game)["data"]["totals"].update(said)


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
    held["subject"] = f"keno-ticket:{ticket(draft, *range(1, 11))['serial']}"
    draft.add_after(of_game(draft, "keno.settled", BALLS), **held)


def read_back_by_who_entered(draft: Draft) -> None:
    balls = [each for each in draft.acts("keno.ball") if each["subject"] == f"keno-game:{BALLS}"]
    data = {"game": BALLS, "attempt": 1, "numbers": [each["data"]["number"] for each in balls]}
    draft.add_after(balls[-1], kind="keno.balls-read-back", data=data)


_AMOUNT = re.compile(r"\d+\.\d{2,6}")
Path = tuple[str | int, ...]


def amounts(row: Row) -> list[Path]:
    """Where amounts and counts stand in a row."""
    if row["type"] == "transfer":
        return [("micros",)]
    return [("data", *path) for path in _numbers(row["data"])]


def _numbers(value: Any) -> list[Path]:
    if isinstance(value, dict):
        return [(key, *path) for key, part in value.items() for path in _numbers(part)]
    if isinstance(value, list):
        return [(at, *path) for at, part in enumerate(value) for path in _numbers(part)]
    counts = isinstance(value, int) and not isinstance(value, bool)
    return [()] if counts or (isinstance(value, str) and _AMOUNT.fullmatch(value)) else []


def raised(at: int, path: Path) -> Change:
    """More in one place of one of Keno's rows."""

    def change(draft: Draft) -> None:
        inside: Any = [row for row in draft.rows if row["kind"].startswith("keno.")][at]
        for step in path[:-1]:
            inside = inside[step]
        old = inside[path[-1]]
        if isinstance(old, str):
            dollars, _, rest = old.partition(".")
            inside[path[-1]] = f"{int(dollars) + 1}.{rest}"
        else:
            inside[path[-1]] = old + (10_000 if path == ("micros",) else 1)

    return change
