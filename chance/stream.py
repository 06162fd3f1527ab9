"""The generator's raw bytes on standard output, for `dieharder -a -g 200` and the like.

    python -m chance.stream | dieharder -a -g 200
    python -m chance.stream --seed 00…1f --bytes 1000000 > sample.bin

Without a seed: a new generator, reseeded from the operating system every 64 MiB. With one: the same bytes every time.
"""

from __future__ import annotations

import argparse
import os
import secrets
import sys
from typing import BinaryIO, Final

from chance.drbg import MAX_REQUEST, HmacDrbg, ReseedRequired, self_test

SEED_SIZE: Final = 32
REQUESTS_PER_SEED: Final = 1024
PERSONALISATION: Final = b"meterhouse/stream/1"


def write_stream(out: BinaryIO, *, seed: bytes | None, count: int | None) -> None:
    """Write ``count`` bytes, or for ever."""
    self_test()
    if seed is None:
        drbg = HmacDrbg(
            entropy=secrets.token_bytes(32),
            nonce=secrets.token_bytes(16),
            personalisation=PERSONALISATION,
            reseed_interval=REQUESTS_PER_SEED,
        )
    else:
        drbg = HmacDrbg(entropy=seed, nonce=bytes(16), personalisation=PERSONALISATION)
    left = count
    while left is None or left > 0:
        size = MAX_REQUEST if left is None else min(MAX_REQUEST, left)
        try:
            out.write(drbg.generate(size))
        except ReseedRequired:
            drbg.reseed(entropy=secrets.token_bytes(32))
            continue
        if left is not None:
            left -= size
    out.flush()


def _seed(text: str) -> bytes:
    try:
        seed = bytes.fromhex(text)
    except ValueError:
        raise argparse.ArgumentTypeError("a seed is written in hexadecimal") from None
    if len(seed) != SEED_SIZE:
        raise argparse.ArgumentTypeError(f"a seed is {SEED_SIZE} bytes ({2 * SEED_SIZE} hexadecimal digits)")
    return seed


def _count(text: str) -> int:
    if not (text.isascii() and text.isdigit()):
        raise argparse.ArgumentTypeError("the number of bytes is a whole number")
    return int(text)


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m chance.stream", description="Raw bytes of the generator.")
    parser.add_argument("--seed", type=_seed, help="32 bytes in hexadecimal: the same bytes every time")
    parser.add_argument("--bytes", type=_count, dest="count", help="how many (default: until the reader has enough)")
    options = parser.parse_args(arguments)
    try:
        write_stream(sys.stdout.buffer, seed=options.seed, count=options.count)
    except BrokenPipeError:
        # The reader has enough. Nothing may be flushed into the closed pipe when Python exits.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 0


if __name__ == "__main__":
    sys.exit(main())
