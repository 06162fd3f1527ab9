"""A second check of a published draw, written from docs/proof alone: it shares no line with chance/ or promotions/.

Nothing of the project is imported. Slow and plain on purpose: the shuffle is a whole list, the tree a recursion.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
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


def key_of(proof: dict[str, Any]) -> bytes:
    """The witness's RSA key, from its PEM."""
    lines = proof["witness"]["rsa"].strip().splitlines()
    return base64.b64decode("".join(lines[1:-1]))


def commitment(proof: dict[str, Any]) -> str:
    fields = (proof["venue"], proof["purpose"], proof["occasion"], proof["device"], sha(key_of(proof)), proof["beacon"])
    master = bytes.fromhex(proof["master"])
    return sha(pack("meterhouse/commitment/2", "meterhouse/draw/2", *fields, master)).hex()


def message(question: dict[str, Any]) -> bytes:
    """What the witness signs."""
    q = {name: bytes.fromhex(v) if name in ("root", "checkpoint_root") else v for name, v in question.items()}
    first, last = ["venue", "purpose", "occasion", "attempt", "root", "count"], ["origin", "size", "checkpoint_root"]
    names = [*first, "act_index", *last]
    assert sorted(names) == sorted(q)
    return pack("meterhouse/witness/2", *[q[name] for name in names])


def is_signed(proof: dict[str, Any]) -> bool:
    """RSA PKCS#1 v1.5 with SHA-256 over the question: 384 bytes, e = 65537."""
    key, signature = key_of(proof), bytes.fromhex(proof["said"])
    n = int.from_bytes(key[33:417], "big")
    if len(signature) != 384 or len(key) != 422 or key[417:] != bytes.fromhex("0203010001"):
        return False
    digest = bytes.fromhex("3031300d060960864801650304020105000420") + sha(message(proof["question"]))
    padded = b"\x00\x01" + b"\xff" * (384 - 3 - len(digest)) + b"\x00" + digest
    number = int.from_bytes(signature, "big")
    return number < n and pow(number, 65537, n).to_bytes(384, "big") == padded


def is_thrown(proof: dict[str, Any]) -> bool:
    """An inspector's dice: at least fifty throws, packed under their own tag."""
    said = bytes.fromhex(proof["said"])
    throws = said[8 + len("meterhouse/dice/2") :].decode("ascii")
    return pack("meterhouse/dice/2", throws) == said and len(throws) >= 50 and not set(throws) - set("123456")


def is_said(proof: dict[str, Any]) -> bool:
    return {"witness": is_signed, "dice": is_thrown}[proof["how"]](proof)


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
    """The first *count* numbers that master, question and answer give."""
    where = (proof["venue"], proof["purpose"], proof["occasion"], proof["attempt"])
    seed = hmac.new(bytes.fromhex(proof["master"]), pack("meterhouse/seed/2", *where), "sha256").digest()
    nonce = sha(pack("meterhouse/nonce/2", *where))[:16]
    bound = pack("meterhouse/draw/2", message(proof["question"]), proof["how"], bytes.fromhex(proof["said"]), b"")
    octets = stream(seed, nonce, bound)
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


def outcome(people: list[str], published: dict[str, Any], *, losses: int | None = None) -> list[tuple[str, int | None]]:
    """(outcome, prize) of each drawn entry, by the three steps of the document; after so many losses, or all."""
    said: list[tuple[str, int | None] | None] = [None] * len(people)
    one, won, out, at = published["one_prize_a_person"], set(), set(), 0
    queue: list[int] = []

    def may_win(place: int) -> bool:
        if published["drawn"][place]["entry"] in published["barred"]:
            return False
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
    for loss in published["losses"][:losses]:
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


def void_faults(published: dict[str, Any]) -> list[str]:
    """Every attempt before this one is told, from the same promise and list."""
    proof, wrong = published["proof"], []
    if [each["attempt"] for each in published["void"]] != list(range(1, proof["attempt"])):
        wrong.append("void")
    for each in published["void"]:
        before = each["proof"]
        same = all(before[name] == proof[name] for name in ("commitment", "master", "ticket_root", "ticket_count"))
        if not same or not is_said(before) or order(before, len(before["numbers"])) != before["numbers"]:
            wrong.append(f"void {each['attempt']}")
    return wrong


def signed_results(published: dict[str, Any]) -> list[str]:
    """What there was to sign: SHA-256 of the outcome after the draw, after the first loss, after the second, …"""
    people, drawn, found = [line["person"] for line in published["drawn"]], published["drawn"], []
    for lost in range(len(published["losses"]) + 1):
        walked = zip(drawn, outcome(people, published, losses=lost), strict=False)
        lines = [[line["place"], line["entry"], *said] for line, said in walked if said[0] != "not needed"]
        text = json.dumps({"draw": published["draw"], "drawn": lines}, separators=(",", ":"), sort_keys=True)
        found.append(sha(text.encode()).hex())
    return found


def signature_faults(published: dict[str, Any]) -> list[str]:
    """Every loss is signed; the draw itself where a prize is worth more than $10,000; and nothing else is."""
    results, signed = signed_results(published), [each["result"] for each in published["signatures"]]
    overseen = any(float(prize["value"]) > 10_000 for prize in published["prizes"])
    needed = results if overseen else results[1:]
    return [] if set(needed) <= set(signed) <= set(results) else ["signatures"]


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
    question = proof["question"]
    if (proof["purpose"], proof["occasion"]) != ("promotion", published["draw"]):
        wrong.append("occasion")
    about = (question["venue"], question["purpose"], question["occasion"], question["attempt"])
    if about != (proof["venue"], proof["purpose"], proof["occasion"], proof["attempt"]):
        wrong.append("question")
    if not proof["pool"] == proof["ticket_count"] == question["count"] == noted_count:
        wrong.append("count")
    if not proof["ticket_root"] == question["root"] == noted_root:
        wrong.append("root")
    if leaves is not None and root(leaves).hex() != proof["ticket_root"]:
        wrong.append("list")
    if not noted_commitment == proof["commitment"] == commitment(proof):
        wrong.append("commitment")
    if not is_said(proof):
        wrong.append("witness")
    wrong += void_faults(published)
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
    else:
        wrong += signature_faults(published)
    return wrong
