"""The published vectors of docs/proof/draws.md: ``python -m tests.draws.vectors > docs/proof/draws.json``.

Masters and keys are made of fixed numbers, so that it is the same file every time; real ones never are. The rounds of
drand are real: 123, 1000 and 657413 of quicknet, as its clients' documentation has them.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from copy import deepcopy
from functools import cache
from hashlib import sha256
from typing import Any
from unittest.mock import patch

from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey

from chance import beacon, draw_proof, proof, two_party
from chance.two_party import How, Promise, Said
from kernel import escrow, unique_signatures
from kernel.merkle import nodes_of, root_of
from kernel.packing import pack
from kernel.promises import COMMITMENT_TAG, bound_to
from kernel.questions import Question
from tests.world.witness_vectors import Signer

NAME = "witness.example/vectors"
THROWS = "165423" * 10
RULE = "drand-quicknet+30"
ORIGIN = "meterhouse.log/d87712cad57dd482ad76e4b88c997289"
ROUNDS = {
    123: "b75c69d0b72a5d906e854e808ba7e2accb1542ac355ae486d591aa9d43765482e26cd02df835d3546d23c4b13e0dfc92",
    1000: "b44679b9a59af2ec876b1a6b1ad52ea9b1615fc3982b19576350f93447cb1125e342b73a8dd2bacbe47e4b6b63ed5e39",
    657413: "b713718a38ae728dfd477991af2822e08d2f305e47718cef9f7848ce4050e7be41076862b98fad56e91a6b85b89cd97b",
}
ENTRIES = [f'{{"game":"1042","serial":"{number:06}"}}' for number in range(1, 6)]
LEAVES = [proof.entry_leaf(entry) for entry in ENTRIES]

signer = cache(Signer)


def bytes_of(name: str) -> bytes:
    return sha256(f"meterhouse vectors: {name}".encode()).digest()


def part(number: int) -> bytes:
    return two_party.beacon_round(number, bytes.fromhex(ROUNDS[number]))


def answered_before(number: int) -> int:
    """A second after which the rule means this round."""
    return beacon.time_of(number) - beacon.delay_of(RULE) - 2


def draw(
    *, occasion: str = "1042", attempt: int = 1, purpose: str = "keno", how: How = How.WITNESS,
    with_beacon: bool = False, pool: int = 80, count: int = 20,
) -> dict[str, Any]:  # fmt: skip
    question = Question(
        venue="DEMO", purpose=purpose, occasion=occasion, attempt=attempt, root=root_of(LEAVES), count=len(LEAVES),
        act_index=17, origin=ORIGIN, size=40 + attempt, checkpoint_root=bytes_of(f"head {40 + attempt}"),
    )  # fmt: skip
    rsa = signer().rsa
    promise = Promise(
        venue="DEMO", purpose=purpose, name=occasion, device="rng", witness_key=unique_signatures.fingerprint(rsa),
        beacon=RULE if with_beacon else "",
    )  # fmt: skip
    said = {
        How.WITNESS: signer().answer(question.message()),
        How.DICE: two_party.dice(THROWS),
        How.BEACON: part(657413),
    }[how]
    master = bytes_of(f"master of {purpose} {occasion}")
    return draw_proof.make(
        promise=promise, commitment=two_party.commitment(master, promise), master=master, witness=NAME, rsa=rsa,
        said=Said(question=question, how=how, said=said, beacon=part(1000) if with_beacon else b""),
        pool=pool, count=count, said_at=answered_before(1000),
    )  # fmt: skip


def worked(what: str, made: dict[str, Any]) -> dict[str, Any]:
    """With the bytes on the way, for whoever looks for his own mistake."""
    question, rsa = Question.from_json(made["question"]), unique_signatures.from_pem(made["witness"]["rsa"])
    named = (made["venue"], made["purpose"], made["occasion"])
    heard = made["beacon_round"]
    said = Said(
        question=question, how=How(made["how"]), said=bytes.fromhex(made["said"]),
        beacon=two_party.beacon_round(heard["round"], bytes.fromhex(heard["signature"])) if heard else b"",
    )  # fmt: skip
    master = bytes.fromhex(made["master"])
    attempt = (*named, made["attempt"])
    fields = (*named, made["device"], unique_signatures.fingerprint(rsa), made["beacon"])
    return {
        "what": what,
        "proof": made,
        "working": {
            "commitment_of": pack(COMMITMENT_TAG, two_party.ALGORITHM, *fields, master).hex(),
            "message": question.message().hex(),
            "attempt_seed": two_party.attempt_seed(master, question).hex(),
            "nonce": sha256(pack(two_party.NONCE_TAG, *attempt)).hexdigest()[:32],
            "personalisation": pack(
                two_party.ALGORITHM, question.message(), said.how.value, said.said, said.beacon
            ).hex(),
            "stream": two_party.source(master, said).take(128).hex(),
            "steps": list(draw_proof.check(made)[-1].details),
        },
        "entry": proof.make_entry(entry=ENTRIES[3], index=3, ticket_count=5, node=nodes_of(LEAVES)),
    }


def other_key() -> str:
    """Nobody's key, of the right form."""
    key = bytes.fromhex("308201a2300d06092a864886f70d01010105000382018f003082018a0282018100")
    return unique_signatures.to_pem(key + b"\xff" * unique_signatures.SIZE + bytes.fromhex("0203010001"))


def above_the_modulus(said: str) -> str:
    return ((int(said, 16) + signer().n) % (1 << 3072)).to_bytes(384, "big").hex()


def loose(made: dict[str, Any]) -> str:
    """The padding short, with rubbish behind the hash: who parses it instead of building it takes this."""
    digest = sha256(Question.from_json(made["question"]).message()).digest()
    padded = b"\x00\x01" + b"\xff" * 100 + b"\x00" + bytes.fromhex("3031300d060960864801650304020105000420") + digest
    return signer().power(int.from_bytes(padded.ljust(384, b"\x00"), "big")).hex()


def _question(name: str, other: object) -> Callable[[dict[str, Any]], None]:
    return lambda it: it["question"].update({name: other})


_ASKED = ["question", "witness", "numbers"]
_SIGNED = ["witness", "numbers"]
FORGERIES: dict[str, tuple[Callable[[dict[str, Any]], Any], list[str]]] = {
    "version": (lambda it: it.update(version=1), ["form"]),
    "version as a text": (lambda it: it.update(version="2"), ["form"]),
    "algorithm": (lambda it: it.update(algorithm="meterhouse/draw/1"), ["form"]),
    "venue": (lambda it: it.update(venue="OTHER"), ["commitment", "question"]),
    "purpose": (lambda it: it.update(purpose="promotion"), ["commitment", "question"]),
    "occasion": (lambda it: it.update(occasion="1043"), ["commitment", "question"]),
    "attempt": (lambda it: it.update(attempt=2), ["question"]),
    "device": (lambda it: it.update(device="another"), ["commitment"]),
    "no device": (lambda it: it.pop("device"), ["form"]),
    "a beacon that was not promised": (
        lambda it: it.update(
            beacon=RULE, beacon_round={"round": 1000, "signature": ROUNDS[1000], "at": answered_before(1000)}
        ),
        ["commitment", "numbers"],
    ),
    "a round without a beacon": (
        lambda it: it.update(
            beacon_round={"round": 1000, "signature": ROUNDS[1000], "at": answered_before(1000)}
        ),
        ["form"],
    ),
    "commitment": (lambda it: it.update(commitment="0" * 64), ["commitment"]),
    "commitment in capitals": (lambda it: it.update(commitment=it["commitment"].upper()), ["form"]),
    "master": (lambda it: it.update(master="0" * 64), ["commitment", "numbers"]),
    "witness's key": (lambda it: it["witness"].update(rsa=other_key()), ["commitment", "witness"]),
    "witness's key cut off": (lambda it: it["witness"].update(rsa=other_key()[:-30]), ["form"]),
    "how": (lambda it: it.update(how="dice"), ["unwitnessed", "numbers"]),
    "how, by a round": (lambda it: it.update(how="beacon"), ["unwitnessed", "numbers"]),
    "how, by nothing known": (lambda it: it.update(how="tea leaves"), ["form"]),
    "said": (lambda it: it.update(said="00" * 384), _SIGNED),
    "said, a byte short": (lambda it: it.update(said=it["said"][2:]), _SIGNED),
    "said, above the modulus": (lambda it: it.update(said=above_the_modulus(it["said"])), _SIGNED),
    "said, with loose padding": (lambda it: it.update(said=loose(it)), _SIGNED),
    "dice of the forger": (lambda it: it.update(how="dice", said=two_party.dice("1" * 50).hex()), ["numbers"]),
    "few dice": (
        lambda it: it.update(how="dice", said=pack(two_party.DICE_TAG, "1").hex()), ["unwitnessed", "numbers"],
    ),
    "ticket root": (lambda it: it.update(ticket_root="0" * 64), ["question"]),
    "ticket count": (lambda it: it.update(ticket_count=4), ["question"]),
    "another set, in both places": (
        lambda it: (it.update(ticket_root="ab" * 32), it["question"].update(root="ab" * 32)), _SIGNED,
    ),
    "pool": (lambda it: it.update(pool=200), ["numbers"]),
    "numbers in another order": (lambda it: it["numbers"].reverse(), ["numbers"]),
    "a number twice": (lambda it: it["numbers"].append(it["numbers"][0]), ["form"]),
    "no numbers": (lambda it: it["numbers"].clear(), ["form"]),
    "the question's venue": (_question("venue", "OTHER"), _ASKED),
    "the question's purpose": (_question("purpose", "promotion"), _ASKED),
    "the question's occasion": (_question("occasion", "1043"), _ASKED),
    "the question's attempt": (_question("attempt", 2), _ASKED),
    "the question's root": (_question("root", "0" * 64), _ASKED),
    "the question's count": (_question("count", 4), _ASKED),
    "the question's act": (_question("act_index", 16), _SIGNED),
    "the question's origin": (_question("origin", "meterhouse.log/other"), _SIGNED),
    "the question's size": (_question("size", 42), _SIGNED),
    "the question's head": (_question("checkpoint_root", "0" * 64), _SIGNED),
    "an act beyond the head": (_question("act_index", 41), ["form"]),
    "no origin": (_question("origin", None), ["form"]),
    "a field more in the question": (_question("note", "x"), ["form"]),
}  # fmt: skip
WITH_BEACON: dict[str, tuple[Callable[[dict[str, Any]], Any], list[str]]] = {
    "another rule": (lambda it: it.update(beacon="drand-quicknet+60"), ["commitment", "beacon"]),
    "a rule nobody knows": (lambda it: it.update(beacon="tea leaves"), ["commitment", "beacon"]),
    "another round": (lambda it: it["beacon_round"].update(round=1001), ["beacon", "numbers"]),
    "a round before its time": (lambda it: it["beacon_round"].update(at=answered_before(1000) + 9), ["beacon"]),
    "no round": (lambda it: it.update(beacon_round=None), ["form"]),
}


def vectors() -> dict[str, Any]:
    cases = {
        "Keno, answered by the witness": draw(),
        "Keno, attempt 2, after the first was void": draw(attempt=2),
        "a promotion, the whole order": draw(purpose="promotion", occasion="summer-car", pool=5, count=5),
        "Keno, the witness away, dice in its place": draw(how=How.DICE),
        "Keno, the witness away, round 657413 of quicknet in its place": draw(how=How.BEACON),
        "Keno, with round 1000 of quicknet": draw(with_beacon=True),
    }
    forged = []
    for base, forgeries in ((draw(), FORGERIES), (draw(with_beacon=True), WITH_BEACON)):
        for what, (alter, fails) in forgeries.items():
            made = deepcopy(base)
            alter(made)
            forged.append({"what": what, "proof": made, "fails": fails})
    return {
        "draws": [worked(what, made) for what, made in cases.items()],
        "forged": forged,
        "rounds": [
            {"rule": rule, "at": at, "round": beacon.round_of_rule(rule, at=at)}
            for rule, at in (
                (RULE, 1692806331), (RULE, 1692806333), (RULE, 1692806334), ("drand-quicknet+10", 1794823441),
                ("drand-quicknet+3600", 1794823441),
            )
        ],
        "escrow": _escrow(),
    }  # fmt: skip


def _escrow() -> dict[str, Any]:
    class Fixed:
        from_private_bytes = X25519PrivateKey.from_private_bytes

        @staticmethod
        def generate() -> X25519PrivateKey:
            return X25519PrivateKey.from_private_bytes(bytes_of("the sender's key"))

    private, made = bytes_of("the inspector's key"), draw()
    key = unique_signatures.fingerprint(signer().rsa)
    bound = bound_to(venue="DEMO", purpose="keno", name="1042", device="rng", witness_key=key, beacon="")
    with patch("kernel.escrow.X25519PrivateKey", Fixed):
        sent = escrow.encrypt(inspector=escrow.public_of(private), secret=bytes.fromhex(made["master"]), bound_to=bound)
    act = {
        "venue": "DEMO", "purpose": "keno", "name": "1042", "device": "rng", "witness": NAME, "witness_key": key.hex(),
        "beacon": "", "algorithm": two_party.ALGORITHM, "commitment": made["commitment"], "escrow": sent.hex(),
        "inspector_key": escrow.public_of(private).hex(),
    }  # fmt: skip
    return {"private": private.hex(), "act": act, "bound_to": bound.hex(), "master": made["master"]}


if __name__ == "__main__":
    json.dump(vectors(), sys.stdout, indent=1, ensure_ascii=False)
    sys.stdout.write("\n")
