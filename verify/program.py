"""The verifier as a program. Exit 0: all is right; 1: something is wrong, and where; 2: the file cannot be read; 3: all
is right, and there is something that a person should look at.
"""

from __future__ import annotations

import argparse
import json
import sys
from contextlib import nullcontext
from dataclasses import asdict

from kernel.export_check import Wanted
from ledger.progress import told_to
from ledger.statements import in_fours
from verify.result import Result, Wrong
from verify.verifier import verify


def main(arguments: list[str] | None = None) -> int:
    options = _options(arguments)
    key = "".join(options.key.split()).lower() if options.key else None
    try:
        with open(options.file, "rb") as file, told_to(_tell) if options.json else nullcontext():
            result = verify(file, key=key, witness=options.witness, wanted=_wanted(options))
    except OSError as error:
        return _fail(options, 2, unreadable=f"{error.strerror}.", said=f"{options.file}: {error.strerror}.")
    except Wrong as wrong:
        return _fail(options, 1, wrong=str(wrong), said=f"{options.file}: WRONG at {wrong}")
    if options.json:
        _write(right=asdict(result))
    else:
        print(_in_words(options.file, result, key_known=bool(key)))  # noqa: T201
    asked = _wanted(options).names()
    if asked and not result.shown:
        said = f"There is no {' and no '.join(f'{what} {name}' for what, name in asked.items())} in this export."
        return _fail(options, 1, not_found=said, said=said)
    return 3 if result.attention else 0


def _options(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m verify", description="Check a Meterhouse audit export.")
    parser.add_argument("file")
    parser.add_argument("--key", help="the fingerprint of a sealing key you know to be the venue's (spaces allowed)")
    parser.add_argument("--witness", help="the key of a witness that you know to be independent: name+hash+base64")
    parser.add_argument("--ticket", help="the serial of a ticket: show its place in each of its draws")
    parser.add_argument("--game", type=int, help="the number of a Keno game: show how it was drawn and what it paid")
    parser.add_argument("--link", help="the code of a jackpot link: show its meter, its hits and who was paid")
    parser.add_argument("--promotion", help="the code of a promotion: show its draws, losses and prizes")
    parser.add_argument(
        "--json", action="store_true", help="for programs: how far it is and what was found, a JSON object a line"
    )
    return parser.parse_args(arguments)


def _wanted(options: argparse.Namespace) -> Wanted:
    return Wanted(ticket=options.ticket, game=options.game, link=options.link, promotion=options.promotion)


def _in_words(file: str, result: Result, *, key_known: bool) -> str:
    return (
        f"{file}: right. {result.venue}, sealed until {result.until}: {result.rows:,} rows, {result.seals:,} "
        f"seals, {result.accounts:,} accounts, every balance to the micro-dollar.\n"
        f"Signed by key {in_fours(result.last_key)}, first key {in_fours(result.first_key)}"
        + (" (known to you)." if key_known else ": compare one of them with what the venue gave you (--key does it).")
        + "".join(f"\n{said}" for said in (*result.rooms, *result.shown))
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
