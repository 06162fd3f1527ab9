"""The same request twice has one effect (decision 10).

The key is inserted first, in the transaction of the effect. A concurrent twin therefore waits on the unique index until
the first is through: committed, it finds the row and repeats the answer; rolled back, it goes on as if it were alone. A
process that dies before the commit leaves neither key nor effect, one that dies after it leaves both.

An answer is kept without its secrets (the security code of a ticket): whoever gives it again derives them again
(``web.view.Secrets``). So nobody reads them here. They are told again for an hour, as long as a terminal may be away
from the line; later the answer is the same but for them, and says so: a key found in an old log is not a ticket.
"""

from __future__ import annotations

import datetime as dt
import hashlib
import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.utils import timezone

from kernel.actors import Actor
from kernel.prepared import execute
from kernel.refusal import Busy, Conflict, Malformed, NotFound, Refusal
from kernel.transactions import one_transaction
from web.models.requests import RequestKey

HEADER = "Idempotency-Key"
REPLAYED = "Idempotency-Replayed"
KEY_CHARACTERS_LIMIT = 200
KEEP = dt.timedelta(days=30)
SECRETS_TOLD_AGAIN_FOR = dt.timedelta(hours=1)

Effect = Callable[[], tuple[int, str]]

_CLAIM = """
INSERT INTO web_requestkey (actor, key, method, path, body_hash, answer, created_at)
VALUES (%(actor)s, %(key)s, %(method)s, %(path)s, %(hash)s, '', %(now)s)
ON CONFLICT (actor, key) DO NOTHING RETURNING id
"""

_ANSWER = "UPDATE web_requestkey SET status = %(status)s, answer = %(answer)s WHERE id = %(id)s RETURNING id"


@dataclass(frozen=True, slots=True)
class Answer:
    status: int
    body: str
    replayed: bool
    secrets_told: bool = True
    """Whether it is still given whole."""


def readable(key: str | None) -> str:
    """The key as sent, if it is one: 1 to 200 printable ASCII characters."""
    if key and len(key) <= KEY_CHARACTERS_LIMIT and key.isascii() and key.isprintable() and key.strip():
        return key
    raise Malformed(
        "idempotency-key-missing",
        f"This call needs an {HEADER} header of 1 to {KEY_CHARACTERS_LIMIT} printable ASCII characters, "
        "the same one each time this request is sent.",
    )


def hash_of(*, method: str, path: str, body: object) -> bytes:
    """Over the parsed body, so that spacing and the order of fields do not make it another request."""
    canonical = json.dumps([method, path, body], sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    return hashlib.sha256(canonical.encode()).digest()


def claim(*, by: Actor, key: str, method: str, path: str, body: object) -> dict[str, Any]:
    """The row of a key, as the statements take it that claim one."""
    return {
        "actor": by.identity,
        "key": key,
        "method": method,
        "path": path,
        "hash": hash_of(method=method, path=path, body=body),
        "now": timezone.now(),
    }


def once(
    *,
    by: Actor,
    key: str,
    method: str,
    path: str,
    body: object,
    effect: Effect,
    refused: Callable[[Refusal], tuple[int, str]],
) -> Answer:
    """Run *effect* unless this actor's *key* has been used; then give the answer it gave.

    A final refusal is an answer too and is remembered, its effects undone. A passing one (busy, no right) leaves no
    trace, so the same key may try again.
    """
    wanted = claim(by=by, key=key, method=method, path=path, body=body)
    try:
        return _answer(wanted, effect)
    except Refusal as error:
        if not error.final:
            raise
        refusal, said = error, refused(error)

    def answered() -> tuple[int, str]:
        refusal.take_note()
        return said

    # Undone with all that it did, key included; now on record by itself. A twin that came in between has the say.
    return _answer(wanted, answered)


def once_outside(*, by: Actor, key: str, effect: Effect, **request: Any) -> Answer:
    """The same for what is no single transaction, because it waits for somebody else: each of its steps is done once by
    the state of what it is done to. What it answered is kept afterwards; of two at once, the first to be through is.
    """
    if RequestKey.objects.filter(actor=by.identity, key=key, status__isnull=False).exists():
        hashed = hash_of(**{name: request[name] for name in ("method", "path", "body")})
        return _replay(actor=by.identity, key=key, hashed=hashed)
    done = effect()
    return once(by=by, key=key, effect=lambda: done, **request)


def _answer(claim: dict[str, Any], effect: Effect) -> Answer:
    with one_transaction():
        claimed = execute(_CLAIM, claim)
        if not claimed:
            return _replay(actor=claim["actor"], key=claim["key"], hashed=claim["hash"])
        status, answer = effect()
        execute(_ANSWER, {"status": status, "answer": answer, "id": claimed[0][0]})
    return Answer(status, answer, replayed=False)


def _replay(*, actor: str, key: str, hashed: bytes) -> Answer:
    before = RequestKey.objects.filter(actor=actor, key=key).first()
    if before is None or before.status is None:  # purged between the two statements
        raise Busy("busy", "This key is being forgotten just now. Nothing was done; try again.")
    if bytes(before.body_hash) != hashed:
        raise Conflict(
            "idempotency-key-reused",
            f"This {HEADER} was used for another request ({before.method} {before.path}). "
            "Take a new key for a new request.",
        )
    return Answer(before.status, before.answer, replayed=True, secrets_told=secrets_told(before))


def secrets_told(kept: RequestKey) -> bool:
    return timezone.now() - kept.created_at < SECRETS_TOLD_AGAIN_FOR


def outcome(*, by: Actor, key: str) -> RequestKey:
    """What became of a request whose answer was lost. Each caller sees its own keys only."""
    found = RequestKey.objects.filter(actor=by.identity, key=key).first()
    if found is None:
        raise NotFound(
            "request-unknown",
            "Nothing has been done under this key. If the request is still under way, sending it again is safe.",
        )
    return found


def purge(*, now: dt.datetime) -> int:
    """Forget keys that no terminal will ask for any more."""
    gone, _ = RequestKey.objects.filter(created_at__lt=now - KEEP).delete()
    return gone
