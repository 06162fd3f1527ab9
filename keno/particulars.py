"""What is on the paper, as bytes: the particulars that the security code and the ticket root stand for (4.2, 10.3).

One canonical JSON text of nothing but what is printed, so that a player can write it down from his receipt and compute
its hash himself (docs/proof/paper.md): the seconds of the sale, the terminal as it is named there.

A serial is sixty random bits: it tells nothing about how many were sold, and nobody finds one by trying. The security
code is an HMAC over the serial and every particular on the paper, under a secret of this installation: a receipt that
was altered, or never issued, has another one (10.3). It is not stored; it is computed again from the record, so that
a record that was tampered with is found out too. A continuation (10.4) has a code of its own, and the one before it is
dead; the entry in the ticket root stays what it was, with the hash of the first code.

In the ticket root stands the hash of the code, not the code: so an export may hold every entry, for a stranger to
compute every prize from, and gives nobody possession of a ticket. The serial goes into that hash, so that nobody tries
codes against all tickets at once.
"""

from __future__ import annotations

import functools
import hmac
import secrets
from collections.abc import Sequence
from datetime import UTC
from hashlib import sha256
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import parse_qs

from keno.models import Play, Ticket, Voucher
from kernel.canonical import canonical
from kernel.keys import secret
from kernel.merkle import leaf_hash
from kernel.money import Money

if TYPE_CHECKING:
    from keno.new_ticket import NewTicket

_LETTERS: Final = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"  # Crockford's: none that is read as another
_READ_AS: Final = str.maketrans({"O": "0", "I": "1", "L": "1", "-": None, " ": None})
SERIAL_LETTERS: Final = 12
CODE_LETTERS: Final = 16


def new_serial() -> str:
    return _written(secrets.randbits(SERIAL_LETTERS * 5), SERIAL_LETTERS)


def read_serial(text: str) -> str:
    """As a person types it: small letters, dashes and letters that look like digits are forgiven."""
    return text.upper().translate(_READ_AS)


def read_paper(text: str) -> tuple[str, str | None]:
    """Serial and, if it is there, security code: typed as ``SERIAL`` or ``SERIAL:CODE``, or scanned from a receipt."""
    if "#" in text:  # the QR code of a receipt: …/verify/?game=…#serial=…&code=…
        scanned = parse_qs(text.partition("#")[2])
        return read_serial(scanned.get("serial", [""])[0]), scanned.get("code", [None])[0]
    if text.casefold().startswith("keno:"):  # older receipts: keno:SERIAL:CODE:FIRST-LAST
        text = ":".join(text.split(":")[1:3])
    serial, colon, code = text.partition(":")
    return read_serial(serial), code if colon else None


def security_code(particulars: bytes) -> str:
    """Eighty bits, so that guessing one is hopeless, in letters that can be typed."""
    digest = hmac.digest(_key(), particulars, "sha256")
    return _written(int.from_bytes(digest[:10], "big"), CODE_LETTERS)


def agrees(code: str, particulars: bytes) -> bool:
    """Whether the code on the paper is the one of the record, compared in constant time."""
    return hmac.compare_digest(read_serial(code).encode(), security_code(particulars).encode())


@functools.cache
def _key() -> bytes:
    return secret("keno-security-code").encode()


def _written(value: int, length: int) -> str:
    return "".join(_LETTERS[value >> 5 * place & 31] for place in reversed(range(length)))


def written(ticket: Ticket | NewTicket, plays: Sequence[tuple[int, Money]]) -> dict[str, Any]:
    """The particulars of a ticket; *plays*: numbers in a way and stake, in the order of the paper.

    *schedule_version* is the number of the approved special 3; 0 of the schedules of which there is one."""
    return {
        "serial": ticket.serial,
        "kind": str(ticket.kind),
        "groups": [list(group) for group in ticket.groups],
        "plays": [{"spots": spots, "stake": str(stake)} for spots, stake in plays],
        "schedule": ticket.schedule,
        "schedule_version": ticket.schedule_version or 0,
        "jackpot": ticket.jackpot,
        "first_game": ticket.first_game,
        "last_game": ticket.last_game,
        "price": str(ticket.price),
        "gaming_day": ticket.day.isoformat(),
        "sold_at": ticket.sold_at.astimezone(UTC).isoformat(timespec="seconds"),
        "terminal": printed_name(ticket.terminal),
    }


def printed_name(identity: str) -> str:
    """Of a terminal or a writer, as the paper has it."""
    return identity.partition(":")[2]


def of_ticket(ticket: Ticket, plays: Sequence[Play] | None = None) -> dict[str, object]:
    """The particulars of a ticket on record."""
    ordered = sorted(plays if plays is not None else ticket.plays.all(), key=lambda play: play.place)
    return written(ticket, [(play.spots, play.stake) for play in ordered])


def on_paper(ticket: Ticket, plays: Sequence[Play] | None = None, *, paper: int | None = None) -> bytes:
    """What the code of a paper stands for: the particulars, and on a continuation its number (10.4). *paper*: left out,
    the one that is good."""
    number = ticket.paper if paper is None else paper
    particulars = of_ticket(ticket, plays)
    return canonical(particulars if number == 1 else {**particulars, "paper": number})


def code_of(ticket: Ticket, plays: Sequence[Play] | None = None, *, paper: int | None = None) -> str:
    return security_code(on_paper(ticket, plays, paper=paper))


def entry(particulars: dict[str, Any], code: str) -> dict[str, Any]:
    """The entry as it stands in the ticket root: what is on the paper, of the code its hash."""
    return {**particulars, "security_hash": sha256(f"{particulars['serial']}:{code}".encode()).hexdigest()}


def entry_text(particulars: dict[str, object], code: str) -> bytes:
    return canonical(entry(particulars, code))


def leaf(particulars: dict[str, Any], code: str) -> bytes:
    return leaf_hash(entry_text(particulars, code))


def leaf_of(ticket: Ticket, plays: Sequence[Play] | None = None) -> bytes:
    """The leaf as what is on record now makes it; that of the sale is ``ticket.leaf``."""
    particulars = of_ticket(ticket, plays)
    return leaf(particulars, security_code(canonical(particulars)))


def of_voucher(voucher: Voucher) -> bytes:
    return canonical({"voucher": voucher.code, "amount": str(voucher.amount), "gaming_day": voucher.day.isoformat()})
