from __future__ import annotations

from django.core.management.base import BaseCommand, CommandError, CommandParser

from house.inspectorate import name_inspectorate
from kernel.refusal import Refusal


class Command(BaseCommand):
    help = (
        "Name the inspectors' own authority by its Ed25519 public key: at the installation, before anything is booked. "
        "Another key needs a signature with the present one."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("name", help="what the authority is called")
        parser.add_argument("public_key", help="64 hexadecimal digits")
        parser.add_argument("--signature", default="", help="of the new key, made with the present one, in hex")

    def handle(self, *args: object, name: str, public_key: str, signature: str, **options: object) -> None:
        try:
            made = name_inspectorate(name=name, public_key=public_key, signature=signature)
        except Refusal as refusal:
            raise CommandError(refusal.detail) from None
        self.stdout.write(f"{made.name} lets inspectors in, with codes signed by {made.public_key}.")
