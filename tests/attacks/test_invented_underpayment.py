"""A supervisor writes down that a box was paid $9,000 too little, pays it from the cage to somebody he knows, and says
that it is settled; a manager writes down an overpayment for the chips that he took, and gives it up."""

from __future__ import annotations

from tablegames.demo import build_demo
from tests.attacks.insider import House

SHORT = {"cause": "cash-change", "table": "CSP-01", "owed": "9000.00", "paid": "0.00", "what": "He was given nothing."}
PAID = {"amount": "9000.00", "how": "In cash."}


def test_who_wrote_it_down_does_not_pay_it(house: House) -> None:
    build_demo()
    console, supervisor = house.at_console("supervisor"), house.insider("supervisor", holder="supervisor")
    error = supervisor.post("tablegames/payment-errors", SHORT).ok(201)["id"]
    with house.unchanged():
        assert supervisor.post(f"tablegames/payment-errors/{error}/rectify", PAID).refused("same-person")
        assert console.call(f"tablegames/payment-errors/{error}/rectify", PAID).refused("same-person")
        assert console.post(f"/tables/errors/{error}/rectify/", PAID).status in (403, 422)
    other = house.insider("supervisor")
    other.post(f"tablegames/payment-errors/{error}/rectify", PAID).ok()


def test_who_wrote_it_down_does_not_give_it_up(house: House) -> None:
    build_demo()
    manager, other = house.insider("manager"), house.insider("manager")
    error = manager.post("tablegames/payment-errors", SHORT | {"owed": "0.00", "paid": "9000.00"}).ok(201)["id"]
    at = f"tablegames/payment-errors/{error}"
    manager.post(f"{at}/intent", {"intent": "unintentional", "enquiries": "Looked at the pictures."}).ok()
    manager.post(f"{at}/steps", {"kind": "identify", "how": "Footage.", "succeeded": False}).ok()
    gone = {"outcome": "attempted", "what": "He is gone."}
    with house.unchanged():
        assert manager.post(f"{at}/close", gone).refused("same-person")
    other.post(f"{at}/close", gone).ok()
