"""A second check of a published draw, written from docs/proof alone: it shares no line with chance/ or promotions/.

Nothing of the project is imported. Slow and plain on purpose: the shuffle is a whole list, the tree a recursion.
"""

from __future__ import annotations

import hashlib
import hmac
from typing import Any


def sha(data: bytes) -> bytes:
    return hashlib.sha256(data).digest()


def pack(*fields: str | int | bytes) -> bytes:
    out = b""
    for field in fields:
        raw = field.encode("ascii") if isinstance(field, str) else field
        raw = raw.to_bytes(8, "big") if isinstance(raw, int) else raw
        out += len(raw).to_bytes(4, "big") + raw
    return out


def commitment(purpose: str, game: str, attempt: int, seed: bytes) -> str:
    return sha(pack("meterhouse/commitment/1", purpose, game, attempt, seed)).hex()


def stream(seed: bytes, nonce: bytes, personalisation: bytes) -> Any:
    def h(key: bytes, message: bytes) -> bytes:
        return hmac.new(key, message, "sha256").digest()

    key, value, s = b"\x00" * 32, b"\x01" * 32, seed + nonce + personalisation
    for mark in (b"\x00", b"\x01"):
        key = h(key, value + mark + s)
        value = h(key, value)
    while True:
        block = b""
        for _ in range(2):
            value = h(key, value)
            block += value
        yield from block
        key = h(key, value + b"\x00")
        value = h(key, value)


def order(proof: dict[str, Any], count: int) -> list[int]:
    """The first *count* numbers that seed, occasion, root and count give."""
    where = (proof["purpose"], proof["game"], proof["attempt"])
    nonce = sha(pack("meterhouse/nonce/1", *where))[:16]
    bound = pack("meterhouse/draw/1", *where, bytes.fromhex(proof["ticket_root"]), proof["ticket_count"])
    octets = stream(bytes.fromhex(proof["seed"]), nonce, bound)
    balls = list(range(1, proof["pool"] + 1))
    for place in range(count):
        left = proof["pool"] - place
        bits = (left - 1).bit_length()
        while True:
            number = 0
            for _ in range(-(-bits // 8)):
                number = number << 8 | next(octets)
            number &= (1 << bits) - 1
            if number < left:
                break
        balls[place], balls[place + number] = balls[place + number], balls[place]
    return balls[:count]


def root(leaves: list[bytes]) -> bytes:
    if not leaves:
        return sha(b"")
    if len(leaves) == 1:
        return leaves[0]
    cut = 1
    while cut * 2 < len(leaves):
        cut *= 2
    return sha(b"\x01" + root(leaves[:cut]) + root(leaves[cut:]))


def leads_to(leaf: bytes, index: int, count: int, path: list[str], wanted: str) -> bool:
    r, i, last = leaf, index, count - 1
    for each in map(bytes.fromhex, path):
        if last == 0:
            return False
        if i % 2 or i == last:
            r = sha(b"\x01" + each + r)
            while i % 2 == 0 and i != 0:
                i, last = i // 2, last // 2
        else:
            r = sha(b"\x01" + r + each)
        i, last = i // 2, last // 2
    return last == 0 and r.hex() == wanted


def outcome(people: list[str], published: dict[str, Any]) -> list[tuple[str, int | None]]:
    """(outcome, prize) of each drawn entry, by the three steps of the document."""
    said: list[tuple[str, int | None] | None] = [None] * len(people)
    one, won, out, at = published["one_prize_a_person"], set(), set(), 0
    queue: list[int] = []

    def may_win(place: int) -> bool:
        return people[place] not in out and not (one and people[place] in won)

    short = False

    def next_winner(prize: int) -> None:
        nonlocal at, short
        while queue or at < len(people):
            if queue:
                place = queue.pop(0)
            else:
                place, at = at, at + 1
            if may_win(place):
                said[place] = ("winner", prize)
                won.add(people[place])
                return
            said[place] = ("passed-over", None)
        short = True

    for prize in range(1, len(published["prizes"]) + 1):
        next_winner(prize)
    while len(queue) < published["alternates"] and at < len(people):
        place, at = at, at + 1
        if may_win(place) and not (one and people[place] in {people[other] for other in queue}):
            queue.append(place)
            said[place] = ("alternate", None)
        else:
            said[place] = ("passed-over", None)
    short = short or len(queue) < published["alternates"]
    for loss in published["losses"]:
        place = loss["place"] - 1
        held = said[place]
        assert held is not None
        assert held[0] == "winner"
        said[place] = ("lost", held[1])
        out.add(people[place])
        if loss["redraw"]:
            next_winner(held[1])
    if short and len(people) < published["proof"]["pool"]:
        return []  # entries were left that should have been drawn
    return [each if each is not None else ("not needed", None) for each in said]


def faults(
    published: dict[str, Any],
    *,
    noted_commitment: str,
    noted_root: str,
    noted_count: int,
    leaves: list[bytes] | None = None,
) -> list[str]:
    """What is wrong with a published draw, held against what was noted before it."""
    proof, wrong = published["proof"], []
    where = (proof["purpose"], proof["game"], proof["attempt"])
    if where[:2] != ("promotion", published["draw"]):
        wrong.append("occasion")
    if not proof["pool"] == proof["ticket_count"] == noted_count:
        wrong.append("count")
    if proof["ticket_root"] != noted_root:
        wrong.append("root")
    if leaves is not None and root(leaves).hex() != proof["ticket_root"]:
        wrong.append("list")
    if not noted_commitment == proof["commitment"] == commitment(*where, bytes.fromhex(proof["seed"])):
        wrong.append("commitment")
    numbers = proof["numbers"]
    if order(proof, len(numbers)) != numbers:
        wrong.append("numbers")
    drawn = published["drawn"]
    if [(line["place"], line["entry"]) for line in drawn] != list(enumerate(numbers, start=1)):
        wrong.append("drawn")
    for line in drawn:
        if not leads_to(
            bytes.fromhex(line["leaf"]), line["entry"] - 1, proof["ticket_count"], line["path"], proof["ticket_root"]
        ):
            wrong.append(f"entry {line['entry']}")
    walked = outcome([line["person"] for line in drawn], published)
    if walked != [(line["outcome"], line["prize"]) for line in drawn]:
        wrong.append("winners")
    return wrong
