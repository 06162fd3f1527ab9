"""``manage.py audit export FILE``: the signed audit trail out. Also: seal, rotate-key, status."""

from __future__ import annotations

import os
import sys
import tempfile
from argparse import ArgumentParser
from pathlib import Path

from django.core.management.base import BaseCommand, CommandError

from house.queries import venue_name
from kernel.actors import system
from kernel.refusal import Refusal
from ledger.export import export
from ledger.keys import KeyMissing
from ledger.parts import Cut, NoPart, cut_of
from ledger.seal import CannotSeal, last_seal, rotate_key, seal_now
from ledger.statements import in_fours

OPERATOR = system("manage.py")


class Command(BaseCommand):
    help = "Export the sealed audit trail, seal now, hand over to a new sealing key, or tell where the seals stand."

    def add_arguments(self, parser: ArgumentParser) -> None:
        verbs = parser.add_subparsers(dest="verb", required=True)
        export_ = verbs.add_parser("export", help="write the audit trail as JSON lines")
        export_.add_argument("file", help="where to; - for standard output")
        export_.add_argument("--since", metavar="OLD", help="only what was sealed after this export, which you have")
        export_.add_argument("--as-sealed", action="store_true", help="only what is sealed, and seal nothing")
        verbs.add_parser("seal", help="seal what can be sealed")
        verbs.add_parser("rotate-key", help="hand over to a new sealing key")
        verbs.add_parser("status", help="the last seal and the key in force")

    def handle(self, *args: object, verb: str, **options: object) -> None:
        try:
            getattr(self, f"_{verb.replace('-', '_')}")(**options)
        except (Refusal, CannotSeal, KeyMissing, NoPart) as refusal:
            raise CommandError(str(refusal)) from refusal

    def _export(self, *, file: str, as_sealed: bool, since: str | None, **_: object) -> None:
        after = self._cut(since) if since else None
        if not as_sealed:
            seal_now()
        name = venue_name() or "no venue yet"
        if file == "-":
            export(to=sys.stdout.buffer, by=OPERATOR, venue=name, after=after)
            return
        target = Path(file)
        try:
            # Beside its place, then renamed: a broken-off export never looks like a whole one.
            with tempfile.NamedTemporaryFile(dir=target.parent, prefix=f".{target.name}.", delete=False) as part:
                try:
                    done = export(to=part, by=OPERATOR, venue=name, after=after)
                    os.chmod(part.name, 0o644)
                    os.replace(part.name, target)
                except BaseException:
                    os.unlink(part.name)
                    raise
        except OSError as error:
            raise CommandError(f"{file}: {error.strerror}.") from error
        self.stdout.write(f"{file}: {done.rows:,} rows under {done.seals:,} seals.")
        self.stdout.write(f"Check it: python -m verify {file}" + (f" --since {since}" if since else ""))

    @staticmethod
    def _cut(old: str) -> Cut:
        try:
            with open(old, "rb") as file:
                return cut_of(file)
        except OSError as error:
            raise CommandError(f"{old}: {error.strerror}.") from error

    def _seal(self, **_: object) -> None:
        seal = seal_now()
        self.stdout.write(f"Seal {seal.number} over {seal.size:,} rows." if seal else "Nothing new to seal.")

    def _rotate_key(self, **_: object) -> None:
        self.stdout.write(f"From the next seal on, key {in_fours(rotate_key(by=OPERATOR))} signs.")

    def _status(self, **_: object) -> None:
        seal = last_seal()
        if seal is None:
            self.stdout.write("Nothing has been sealed yet.")
            return
        self.stdout.write(f"Seal {seal.number} of {seal.at:%Y-%m-%d %H:%M:%S} UTC over {seal.size:,} rows.")
        self.stdout.write(f"Signed by key {in_fours(seal.key)}.")
