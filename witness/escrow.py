"""The inspector's offline tool: ``python -m witness.escrow``. On a machine that is not the house's.

    python -m witness.escrow new FILE             makes his key pair; FILE keeps the private half, printed is the public
    python -m witness.escrow open FILE [ACT]      prints the master of the promise ACT (JSON; standard input without it)

The house encrypts the master of every draw to the public half and publishes it in the log (act ``draw.promised``), so
that a master cannot be lost. Only the master that was promised is printed (docs/proof/draws.md).
"""

from __future__ import annotations

import argparse
import json
import os
import re
import sys
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

from kernel import escrow
from kernel.packing import pack
from kernel.promises import COMMITMENT_TAG, FIELDS, bound_to
from witness.trouble import Trouble

_ACT_LIMIT: Final = 100_000
_PRIVATE = re.compile(r"[0-9a-f]{64}").fullmatch


def main(arguments: list[str] | None = None) -> int:
    options = _options(arguments)
    try:
        if options.command == "new":
            _say(f"{new(options.file)}\n")
        else:
            given = options.act.read_text() if options.act is not None else sys.stdin.read(_ACT_LIMIT)
            _say(f"{opened(_private(options.file), given).hex()}\n")
    except OSError as error:
        sys.stderr.write(f"{error.filename}: {error.strerror}.\n")
        return 1
    except Trouble as trouble:
        sys.stderr.write(f"{trouble}\n")
        return 1
    return 0


def new(path: Path) -> str:
    """Make the pair: the private half into a file that only he can read, answered is the public one."""
    private = escrow.new_private()
    try:
        with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
            file.write(f"{private.hex()}\n")
            file.flush()
            os.fsync(file.fileno())
    except FileExistsError:
        raise Trouble(f"{path} is there already: a key is never written over.") from None
    return escrow.public_of(private).hex()


def opened(private: bytes, text: str) -> bytes:
    """The master of the promise whose act this is, as JSON. Trouble where it does not open, or is not the promised."""
    promise = _promise(text)
    named = {name: promise[name] for name in FIELDS}
    try:
        master = escrow.decrypt(private=private, escrow=promise["escrow"], bound_to=bound_to(**named))
    except escrow.EscrowUnreadable:
        ours = escrow.public_of(private).hex()
        raise Trouble(
            f"The escrow does not open with this key, whose public half is {ours}. The act names "
            f"{promise['inspector_key'].hex()}. It was altered, is of another promise, or is for another key."
        ) from None
    if sha256(pack(COMMITMENT_TAG, promise["algorithm"], *named.values(), master)).digest() != promise["commitment"]:
        raise Trouble("The escrow opens, but what is in it is not the master that was promised: the house lied.")
    return master


def _promise(text: str) -> dict[str, Any]:
    """The data of an act ``draw.promised``, alone or as the row of the log that holds it."""
    try:
        given = json.loads(text)
        given = given["data"] if isinstance(given, Mapping) and "data" in given else given
        texts = {name: given[name] for name in (*FIELDS, "algorithm") if name != "witness_key"}
        if not all(isinstance(each, str) and each.isascii() for each in texts.values()):
            raise ValueError
        raw = {name: bytes.fromhex(given[name]) for name in ("witness_key", "commitment", "escrow", "inspector_key")}
    except (KeyError, TypeError, ValueError):
        raise Trouble("This is not the act that promised a draw (draw.promised), as JSON.") from None
    return texts | raw


def _private(path: Path) -> bytes:
    text = path.read_text().strip()
    if not _PRIVATE(text):
        raise Trouble(f"{path} holds no inspector's key: 64 hexadecimal digits are expected.")
    return bytes.fromhex(text)


def _options(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m witness.escrow", description="The inspector's offline key.")
    commands = parser.add_subparsers(dest="command", required=True)
    making = commands.add_parser("new", help="make the key pair; print the public half")
    making.add_argument("file", type=Path, help="where the private half is kept; never on the house's machine")
    opening = commands.add_parser("open", help="print the master of a promise")
    opening.add_argument("file", type=Path, help="the private half")
    opening.add_argument("act", type=Path, nargs="?", help="the act draw.promised as JSON; else from standard input")
    return parser.parse_args(arguments)


def _say(text: str) -> None:
    sys.stdout.write(text)


if __name__ == "__main__":
    sys.exit(main())
