"""Attempts at a draw: the seed that is promised, kept, used and revealed (decision 6).

The key is a secret of this installation. A seed that does not open any more (another machine, a lost key) can only be
declared void: the next attempt has a seed of its own.
"""

from __future__ import annotations

from datetime import datetime
from hashlib import sha256

from chance import seeds
from chance.commitment import commitment, new_seed
from config import environment
from keno.models import Device, Draw, Game


def _key() -> bytes:
    return sha256(b"meterhouse/keno-seed-key/1:" + environment.secret("keno-seed-key").encode()).digest()


def make_attempt(*, game: Game, attempt: int, now: datetime) -> Draw:
    """A new attempt with, for a random number generator, a new seed from the operating system and its commitment."""
    draw = Draw(game=game, attempt=attempt, device=game.device, made_at=now)
    if game.device == Device.RNG:
        seed, occasion = new_seed(), draw.occasion
        draw.commitment = commitment(seed, occasion)
        draw.sealed_seed = seeds.seal(key=_key(), seed=seed, occasion=occasion)
    draw.save(force_insert=True)
    return draw


def seed_of(draw: Draw) -> bytes:
    """The seed of an attempt by random number generator. For drawing, and for revealing it when all is over."""
    assert draw.sealed_seed is not None
    return seeds.unseal(key=_key(), sealed=bytes(draw.sealed_seed), occasion=draw.occasion)


def standing(game: Game) -> Draw:
    """The attempt that is not void."""
    return Draw.objects.get(game=game, voided_at=None)
