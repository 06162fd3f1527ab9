"""The verifier as a program. Exit 0: all is right; 1: something is wrong, and where; 2: the file cannot be read; 3: all
is right, and there is something that a person should look at.
"""

from __future__ import annotations

import argparse
import json
import sys
from contextlib import nullcontext
from dataclasses import asdict

from ledger.progress import told_to
from ledger.statements import in_fours
from verify.result import Result, Wrong
from verify.verifier import verify


def main(arguments: list[str] | None = None) -> int:
    options = _options(arguments)
    key = "".join(options.key.split()).lower() if options.key else None
    try:
        with open(options.file, "rb") as file, told_to(_tell) if options.json else nullcontext():
            result = verify(file, key=key, ticket=options.ticket, witness=options.witness)
    except OSError as error:
        return _fail(options, 2, unreadable=f"{error.strerror}.", said=f"{options.file}: {error.strerror}.")
    except Wrong as wrong:
        return _fail(options, 1, wrong=str(wrong), said=f"{options.file}: WRONG at {wrong}")
    if options.json:
        _write(right=asdict(result))
    else:
        print(_in_words(options.file, result, key_known=bool(key)))  # noqa: T201
    if options.ticket and not result.ticket:
        said = f"No settled game in this export has a ticket {options.ticket}."
        return _fail(options, 1, no_ticket=said, said=said)
    return 3 if result.attention else 0


def _options(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m verify", description="Check a Meterhouse audit export.")
    parser.add_argument("file")
    parser.add_argument("--key", help="the fingerprint of a sealing key you know to be the venue's (spaces allowed)")
    parser.add_argument("--witness", help="the key of a witness that you know to be independent: name+hash+base64")
    parser.add_argument("--ticket", help="the serial of a ticket: show its place in each of its draws")
    parser.add_argument(
        "--json", action="store_true", help="for programs: how far it is and what was found, a JSON object a line"
    )
    return parser.parse_args(arguments)


def _in_words(file: str, result: Result, *, key_known: bool) -> str:
    return (
        f"{file}: right. {result.venue}, sealed until {result.until}: {result.rows:,} rows, {result.seals:,} "
        f"seals, {result.accounts:,} accounts, every balance to the micro-dollar.\n"
        f"Signed by key {in_fours(result.last_key)}, first key {in_fours(result.first_key)}"
        + (" (known to you)." if key_known else ": compare one of them with what the venue gave you (--key does it).")
        + "".join(f"\n{said}" for said in (*result.rooms, *result.ticket))
        + "".join(f"\nLook at this: {said}" for said in result.attention)
    )


def _fail(options: argparse.Namespace, code: int, *, said: str, **found: str) -> int:
    if options.json:
        _write(**found)
    else:
        print(said, file=sys.stderr)  # noqa: T201
    return code


def _tell(done: int, total: int) -> None:
    _write(progress=[done, total])


def _write(**said: object) -> None:
    print(json.dumps(said), flush=True)  # noqa: T201
