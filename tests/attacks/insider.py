"""Hostile insiders at a running copy of the demo venue, and what they must not have moved.

def test_…(house: House) -> None:
    writer = house.insider("writer")            # a terminal or device of that role, by its token
    manager = house.at_console("manager")       # a person signed in, with cookies and both steps
    with house.unchanged():                     # every account and the log are as before
        assert writer.post("keno/tickets/…/cancel", {}).refused("code-missing")
"""

from __future__ import annotations

import json
import re
import secrets
import urllib.parse
import uuid
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from http.cookies import SimpleCookie
from typing import Any

from django.conf import settings

from house import demo
from house.devices import service_token
from house.models import Staff
from ledger.models import Account, Act
from tests.world.server import Server
from tests.world.sessions import signed_in


@dataclass(frozen=True, slots=True)
class Answer:
    status: int
    body: Any
    """What JSON says, or the text of a page."""
    headers: dict[str, str]

    def ok(self, status: int | None = None) -> Any:
        """What it says, where it was done."""
        assert self.status == status if status else self.status < 300, (self.status, self.body)
        return self.body

    def refused(self, *codes: str) -> bool:
        """Refused, with one of these codes where any are given; never a fault of ours."""
        assert 400 <= self.status < 500, (self.status, self.body)
        if codes:
            assert isinstance(self.body, dict), self.body
            assert self.body["code"] in codes, self.body
        return True


class Caller:
    """A token's calls. ``None`` is a stranger."""

    def __init__(self, server: Server, token: str | None = None, identity: str = "") -> None:
        self.server, self.token, self.identity = server, token, identity

    def get(self, path: str, **headers: str) -> Answer:
        return self.send("GET", path, **headers)

    def post(self, path: str, body: Any = None, *, key: str | None = None, **headers: str) -> Answer:
        keyed = {"Idempotency-Key": key or str(uuid.uuid4())}
        return self.send("POST", path, {} if body is None else body, **keyed, **headers)

    def send(self, method: str, path: str, body: Any = None, **headers: str) -> Answer:
        signed = {"Authorization": f"Bearer {self.token}"} if self.token else {}
        address = path if path.startswith("/") else f"/api/v1/{path}"
        status, content, said = self.server.send(method, address, body, **signed, **headers)
        return Answer(status, _read(content), {name.lower(): value for name, value in said.items()})


class Person:
    """Somebody at the console: cookies, and the token that every form carries."""

    def __init__(self, server: Server) -> None:
        self.server = server
        self.cookies: dict[str, str] = {}

    def enter(self, username: str) -> Person:
        """As after both steps of the sign-in."""
        client = signed_in(Staff.objects.get(username=username))
        self.cookies["csrftoken"] = secrets.token_hex(16)
        self.cookies[settings.SESSION_COOKIE_NAME] = client.cookies[settings.SESSION_COOKIE_NAME].value
        return self

    def sign_in(self, username: str) -> Person:
        """Through the pages of the door."""
        who = next(each for each in demo.credentials() if each.username == username)
        first = self.post("/sign-in/", {"username": username, "password": who.password})
        assert first.status == 302, first
        second = self.post("/sign-in/second-step/", {"code": who.code})
        assert second.status == 302, second
        return self

    def get(self, path: str, **more: str) -> Answer:
        return self._send("GET", path, None, **more)

    def post(self, path: str, form: dict[str, Any] | None = None, **more: str) -> Answer:
        if "csrftoken" not in self.cookies:
            self.get("/sign-in/")
        return self._send("POST", path, urllib.parse.urlencode(form or {}, doseq=True), **more)

    def call(self, path: str, body: Any = None) -> Answer:
        """A call of the API, as the console's own pages make it: by the session, with the page's token."""
        if "csrftoken" not in self.cookies:
            self.get("/sign-in/")
        here = f"http://127.0.0.1:{self.server.port}"
        headers = {
            "Cookie": "; ".join(f"{name}={value}" for name, value in self.cookies.items()),
            "X-CSRFToken": self.cookies.get("csrftoken", ""),
            "Idempotency-Key": str(uuid.uuid4()),
            "Referer": here,
            "Origin": here,
        }
        status, content, said = self.server.send("POST", f"/api/v1/{path}", {} if body is None else body, **headers)
        return Answer(status, _read(content), {name.lower(): value for name, value in said.items()})

    def _send(self, method: str, path: str, form: str | None, **more: str) -> Answer:
        headers = {"Cookie": "; ".join(f"{name}={value}" for name, value in self.cookies.items())}
        if form is not None:
            here = f"http://127.0.0.1:{self.server.port}"
            headers |= {
                "Content-Type": "application/x-www-form-urlencoded",
                "X-CSRFToken": self.cookies.get("csrftoken", ""),
                "Referer": here,
                "Origin": here,
            }
        status, content, said = self.server.send_text(method, path, form, **headers | more)
        for name, value in said:
            if name.lower() == "set-cookie":
                self.cookies |= {each.key: each.value for each in SimpleCookie(value).values()}
        return Answer(status, content.decode(errors="replace"), {name.lower(): value for name, value in said})


def _read(content: bytes) -> Any:
    try:
        return json.loads(content)
    except ValueError:
        return content.decode(errors="replace")


class House:
    """The demo venue, served by the running copy of this test process."""

    def __init__(self, server: Server) -> None:
        self.server = server

    def insider(self, role: str, **of: Any) -> Caller:
        """A new device or service account of that role (``manage.py token``), by its token."""
        issued = service_token(role=role, **of)
        return Caller(self.server, issued.secret, issued.device.identity)

    def stranger(self) -> Caller:
        return Caller(self.server)

    def at_console(self, username: str) -> Person:
        return Person(self.server).enter(username)

    def money(self) -> dict[str, str]:
        """Every account and what is in it, as the ledger's own rows add up."""
        from ledger.balance import balances

        codes = list(Account.objects.order_by("code").values_list("code", flat=True))
        return {code: str(found.amount) for code, found in balances(codes).items()}

    def log(self) -> int:
        """How far the log has come."""
        return Act.objects.order_by("-id").values_list("id", flat=True).first() or 0

    def acts_since(self, position: int) -> list[str]:
        return list(Act.objects.filter(id__gt=position).order_by("id").values_list("kind", flat=True))

    @contextmanager
    def unchanged(self, *, but: Collection[str] = ()) -> Iterator[None]:
        """No account moves, and nothing is written to the log but acts of the kinds named."""
        money, position = self.money(), self.log()
        yield
        assert self.money() == money
        assert [kind for kind in self.acts_since(position) if kind not in but] == []


def form_fields(page: str) -> dict[str, str]:
    """What the hidden and filled-in fields of a page's forms hold."""
    found = {}
    for tag in re.findall(r"<input[^>]*>", page):
        name, value = re.search(r'name="([^"]*)"', tag), re.search(r'value="([^"]*)"', tag)
        if name:
            found[name[1]] = value[1] if value else ""
    return found
