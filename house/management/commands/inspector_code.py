from __future__ import annotations

import secrets
from datetime import UTC, datetime, timedelta
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import load_pem_private_key
from django.core.management.base import BaseCommand, CommandError, CommandParser

from house.inspector_code import ENROL, WITHDRAW, InspectorCode, make


class Command(BaseCommand):
    help = "For the inspectors' authority, on its own machine: print a code for one of its people. Reads no database."
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("username")
        parser.add_argument("name", help="the inspector's full name")
        parser.add_argument("--key", type=Path, required=True, help="the authority's private key, Ed25519, PEM")
        parser.add_argument("--venue", required=True, help="the code of the venue")
        parser.add_argument("--days", type=int, default=7, help="for how long the code is good")
        parser.add_argument("--withdraw", action="store_true", help="take the inspector back instead")

    def handle(
        self,
        *args: object,
        username: str,
        name: str,
        key: Path,
        venue: str,
        days: int,
        withdraw: bool,
        **options: object,
    ) -> None:
        private = load_pem_private_key(key.read_bytes(), password=None)
        if not isinstance(private, Ed25519PrivateKey):
            raise CommandError("That is no Ed25519 key.")
        code = InspectorCode(
            what=WITHDRAW if withdraw else ENROL,
            venue=venue,
            username=username,
            name=name,
            until=(datetime.now(UTC) + timedelta(days=days)).date().isoformat(),
            nonce=secrets.token_hex(16),
        )
        self.stdout.write(make(code, key=private))
