"""The verifier as a program. Exit 0: all is right; 1: something is wrong, and where; 2: the file cannot be read; 3: all
is right, and there is something that a person should look at.
"""

from __future__ import annotations

import argparse
import gc
import json
import sys
from contextlib import nullcontext
from dataclasses import asdict
from pathlib import Path
from typing import Final

from kernel.export_check import Wanted
from kernel.notes import Checkpoint, Note, NoteError
from ledger.parts import NoPart
from ledger.progress import told_to
from ledger.statements import in_fours
from verify.again import last_head
from verify.periods import whole
from verify.report import page
from verify.result import Result, Wrong
from verify.verifier import verify

RIGHT, WRONG, UNREADABLE, LOOK = 0, 1, 2, 3
_NEW_OBJECTS: Final = 50_000  # until those that refer to themselves are looked for


def main(arguments: list[str] | None = None) -> int:
    options = _options(arguments)
    gc.freeze()  # what was imported stays: it need not be looked through again and again
    gc.set_threshold(_NEW_OBJECTS)
    key = "".join(options.key.split()).lower() if options.key else None
    known = {"key": key, "witness": options.witness, "wanted": _wanted(options)}
    try:
        heads = _heads(options)
        with whole(options.file, options.since) as file, told_to(_tell) if options.json else nullcontext():
            result = verify(file, heads=heads, **known)
    except OSError as error:
        said = f"{error.filename or options.file}: {error.strerror}."
        return _fail(options, UNREADABLE, unreadable=f"{error.strerror}.", said=said)
    except (NoteError, NoPart) as error:
        return _fail(options, UNREADABLE, unreadable=str(error), said=str(error))
    except Wrong as wrong:
        _report(options, wrong)
        return _fail(options, WRONG, wrong=str(wrong), said=f"{options.file}: WRONG at {wrong}")
    _report(options, result, key_known=bool(key))
    if options.json:
        _write(right=asdict(result))
    else:
        print(_in_words(options.file, result, key_known=bool(key)))  # noqa: T201
    asked = _wanted(options).names()
    if asked and not result.shown:
        said = f"There is no {' and no '.join(f'{what} {name}' for what, name in asked.items())} in this export."
        return _fail(options, WRONG, not_found=said, said=said)
    return LOOK if result.attention else RIGHT


def _options(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="verify", description="Check a Meterhouse audit export.")
    parser.add_argument("file")
    parser.add_argument("--key", help="the fingerprint of a sealing key you know to be the venue's (spaces allowed)")
    parser.add_argument("--witness", help="the key of a witness that you know to be independent: name+hash+base64")
    parser.add_argument(
        "--since",
        metavar="OLD",
        action="append",
        default=[],
        help="an export of this house that you have: this one must extend it. Of an export of a period: all before it",
    )
    parser.add_argument(
        "--head",
        metavar="FILE",
        action="append",
        default=[],
        help="a checkpoint that you have seen (/log/checkpoint, the witness's page): it must be in this export",
    )
    parser.add_argument("--ticket", help="the serial of a ticket: show its place in each of its draws")
    parser.add_argument("--game", type=int, help="the number of a Keno game: show how it was drawn and what it paid")
    parser.add_argument("--link", help="the code of a jackpot link: show its meter, its hits and who was paid")
    parser.add_argument("--promotion", help="the code of a promotion: show its draws, losses and prizes")
    parser.add_argument("--report", metavar="FILE", help="write what was found as a page of its own (HTML)")
    parser.add_argument(
        "--json", action="store_true", help="for programs: how far it is and what was found, a JSON object a line"
    )
    return parser.parse_args(arguments)


def _wanted(options: argparse.Namespace) -> Wanted:
    return Wanted(ticket=options.ticket, game=options.game, link=options.link, promotion=options.promotion)


def _heads(options: argparse.Namespace) -> list[Checkpoint]:
    """What the reader knows of this log from before."""
    heads = [Checkpoint.parse(Note.parse(Path(name).read_bytes()).text) for name in options.head]
    for name in options.since:
        with open(name, "rb") as old:
            heads.append(last_head(old))
    return heads


def _in_words(file: str, result: Result, *, key_known: bool) -> str:
    return (
        f"{file}: right. {result.venue}, sealed until {result.until}: {result.rows:,} rows, {result.seals:,} "
        f"seals, {result.accounts:,} accounts, every balance to the micro-dollar.\n"
        f"Signed by key {in_fours(result.last_key)}, first key {in_fours(result.first_key)}"
        + (" (known to you)." if key_known else ": compare one of them with what the venue gave you (--key does it).")
        + (f"\nIt extends what you had by {result.extends:,} rows." if result.extends else "")
        + "".join(f"\n{said}" for said in (*result.rooms, *result.shown))
        + "".join(f"\nLook at this: {said}" for said in result.attention)
    )


def _report(options: argparse.Namespace, found: Result | Wrong, *, key_known: bool = False) -> None:
    if options.report:
        Path(options.report).write_text(page(Path(options.file).name, found, key_known=key_known), encoding="utf-8")


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
