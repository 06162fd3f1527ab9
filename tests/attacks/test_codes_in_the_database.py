"""An operator who can read the database and the logs looks for security codes: with one he pays himself the prize."""

from __future__ import annotations

import base64
import json
from datetime import timedelta

from django.db import connection
from django.utils import timezone

from tests.attacks.counter import code, sell
from tests.attacks.insider import House
from web.models import RequestKey


def everywhere(*secrets: str) -> list[str]:
    """Tables that hold one of these texts in any column of any row."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'public'")
        tables = [name for (name,) in cursor.fetchall()]
        found = []
        for table in tables:
            cursor.execute(
                f'SELECT count(*) FROM "{table}" t WHERE t::text ILIKE ANY(%s)', [[f"%{s}%" for s in secrets]]
            )
            if cursor.fetchone()[0]:
                found.append(table)
    return found


def forms(security_code: str) -> list[str]:
    """As it is sent, as it is grouped on paper, and as base64 of a receipt may hold it."""
    grouped = "-".join(security_code[i : i + 4] for i in range(0, 16, 4))
    return [security_code, grouped]


def test_no_table_and_no_log_holds_a_code(house: House) -> None:
    writer, supervisor = house.insider("writer"), house.insider("supervisor")
    body = {
        "numbers": [1, 2, 3],
        "stake": "2.00",
        "tender": [{"type": "cash", "amount": "9.00"}],
        "rest": "keno-voucher",
    }
    sold = writer.post("keno/tickets", body, key="sale").ok(201)
    serial, voucher = sold["serial"], sold["voucher"]
    printed = writer.post(f"keno/tickets/{serial}/print", {"layout": "data"}, key="print").ok()
    again = supervisor.post(f"keno/tickets/{serial}/reprint", {"layout": "html", "reason": "Torn."}, key="reprint").ok()
    writer.post(f"keno/tickets/{serial}/pay", {"security_code": "0" * 16}).refused("security-code-wrong")
    order = writer.post("keno/orders", {"numbers": [4], "stake": "1.00"}).ok(201)
    issued = writer.post(f"keno/orders/{order['id']}/issue", {}, key="issue").ok(201)
    secrets = [form for each in (sold, voucher, issued) for form in forms(each["security_code"])]
    assert everywhere(*secrets) == []
    paper = json.loads(base64.b64decode(printed["content"]))
    assert paper["security_code"] == sold["security_code"]
    assert everywhere(printed["content"][:60], again["content"][:60]) == []
    log = house.server.log.read_text(errors="replace")
    assert not [form for form in secrets if form in log]

    # And whoever sold it is told it again, as often as he asks: the same answer, and nothing done twice.
    replayed = writer.post("keno/tickets", body, key="sale")
    assert replayed.ok(201) == sold
    assert replayed.headers["idempotency-replayed"] == "true"
    assert writer.get("requests/sale").ok()["answer"] == sold
    assert writer.post(f"keno/tickets/{serial}/print", {"layout": "data"}, key="print").ok() == printed
    assert writer.get("requests/print").ok()["answer"] == printed
    assert supervisor.get("requests/reprint").ok()["answer"] == again
    assert writer.get("requests/issue").ok()["answer"] == issued
    # Another device is told nothing of it.
    for caller in (house.insider("writer"), supervisor, house.insider("manager")):
        assert caller.get("requests/sale").refused("request-unknown")


def test_an_old_key_tells_no_code_any_more(house: House) -> None:
    """Keys stand in the logs of terminals: somebody at a writer's terminal sends last week's again."""
    writer = house.insider("writer")
    body = {"numbers": [1, 2, 3], "stake": "2.00", "tender": [{"type": "cash", "amount": "9.00"}]}
    sold = writer.post("keno/tickets", body | {"rest": "keno-voucher"}, key="sale").ok(201)
    printed = writer.post(f"keno/tickets/{sold['serial']}/print", {"layout": "data"}, key="print").ok()
    RequestKey.objects.update(created_at=timezone.now() - timedelta(minutes=59))
    assert writer.post("keno/tickets", body | {"rest": "keno-voucher"}, key="sale").ok(201) == sold
    RequestKey.objects.update(created_at=timezone.now() - timedelta(minutes=61))
    voucher = sold["voucher"] | {"security_code": "not given again"}
    late = sold | {"security_code": "not given again", "voucher": voucher}
    with house.unchanged():
        again = writer.post("keno/tickets", body | {"rest": "keno-voucher"}, key="sale")
        assert again.ok(201) == late
        assert again.headers["idempotency-replayed"] == "true"
        assert writer.get("requests/sale").ok()["answer"] == late
        paper = writer.post(f"keno/tickets/{sold['serial']}/print", {"layout": "data"}, key="print").ok()
    assert paper == printed | {"lines": [{"name": "Security", "text": "not given again"}], "content": ""}
    assert writer.get("requests/print").ok()["answer"] == paper


def test_a_voucher_of_a_cancellation_is_not_kept_either(house: House) -> None:
    writer = house.insider("writer")
    sold = sell(writer, tender=[{"type": "voucher", "reference": "DINE-9"}])
    address = f"keno/tickets/{sold['serial']}/cancel"
    back = writer.post(address, code(sold), key="back").ok()
    assert everywhere(*forms(back["voucher"]["security_code"])) == []
    assert writer.post(address, code(sold), key="back").ok() == back
    assert writer.get("requests/back").ok()["answer"] == back
