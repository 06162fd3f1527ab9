"""Calls about entries, files of them, and the people behind them."""

from __future__ import annotations

from base64 import b64encode
from typing import Any

from django.db.models import QuerySet

from house.actors import Actor
from house.api.view import HouseView, Paging, listing, read, verb
from promotions import enter, erase, exclude, imports, personal, seal, withdraw
from promotions.api import entry_forms, forms
from promotions.locks import find_promotion
from promotions.models import Entrant, Entry, ExcludedCard, Import, ImportRow, Source
from promotions.people import Contact
from promotions.permissions import ENTER, ERASE, EXCLUDE, EXPORT, IMPORT, PERSONAL, SEE, WITHDRAW

_PERSON = ("name", "address", "telephone", "email")


class Entries(HouseView):
    @listing(permission=SEE, gives=entry_forms.EntryOut, asks=Paging)
    def get(self, by: Actor, asked: dict[str, Any], *, code: str) -> QuerySet[Entry]:
        """The entries, without names."""
        return Entry.objects.filter(promotion=find_promotion(code))

    @verb(permission=ENTER, takes=entry_forms.EntryIn, gives=entry_forms.EntryOut, status=201)
    def post(self, by: Actor, data: dict[str, Any], *, code: str) -> Entry:
        """Enter somebody once."""
        contact = Contact(**{name: data.pop(name) for name in _PERSON if name in data})
        return enter.enter(code=code, by=by, contact=contact, source=Source.API, **data)


class Withdraw(HouseView):
    @verb(permission=WITHDRAW, takes=forms.WhyIn, gives=entry_forms.EntryOut)
    def post(self, by: Actor, data: dict[str, Any], *, code: str, number: int) -> Entry:
        """Take an entry out of the list before it is sealed."""
        return withdraw.withdraw_entry(code=code, number=number, by=by, **data)


class EntryProof(HouseView):
    @read(permission=PERSONAL, gives=entry_forms.EntryProofOut)
    def get(self, by: Actor, asked: dict[str, Any], *, code: str, number: int) -> dict[str, Any]:
        """Prove that an entry is in the sealed list. It names the entrant: hand it to nobody else."""
        return seal.entry_proof(code=code, number=number)


class Imports(HouseView):
    @listing(permission=SEE, gives=entry_forms.ImportOut, asks=Paging)
    def get(self, by: Actor, asked: dict[str, Any], *, code: str) -> QuerySet[Import]:
        """Files of entries and what became of them."""
        return Import.objects.filter(promotion=find_promotion(code)).select_related("promotion")

    # No request key: a key remembers its request, and this one is full of people. The file's own references are keys.
    @verb(permission=IMPORT, takes=entry_forms.ImportIn, gives=entry_forms.ImportOut, status=201, needs_key=False)
    def post(self, by: Actor, data: dict[str, Any], *, code: str) -> Import:
        """Enter the rows of a file; it goes on in the background. Larger files: `manage.py import_entries`."""
        lines = data.pop("csv").splitlines(keepends=True)
        return imports.begin_import(code=code, lines=lines, by=by, **data)


class OneImport(HouseView):
    @read(permission=SEE, gives=entry_forms.ImportOut)
    def get(self, by: Actor, asked: dict[str, Any], *, id: int) -> Import:
        """How far an import has got."""
        return imports.find_import(id)


class BadRows(HouseView):
    @listing(permission=SEE, gives=entry_forms.BadRowOut, asks=Paging, order="line")
    def get(self, by: Actor, asked: dict[str, Any], *, id: int) -> QuerySet[ImportRow]:
        """The rows that were refused, and why."""
        return ImportRow.objects.filter(of=imports.find_import(id)).exclude(error="")


class CancelImport(HouseView):
    @verb(permission=IMPORT, gives=entry_forms.ImportOut)
    def post(self, by: Actor, data: dict[str, Any], *, id: int) -> Import:
        """Stop an import after the batch at hand; what has been entered stays entered."""
        return imports.cancel_import(import_id=id, by=by)


class People(HouseView):
    @listing(permission=PERSONAL, gives=entry_forms.PersonOut, asks=Paging)
    def get(self, by: Actor, asked: dict[str, Any], *, code: str) -> QuerySet[Entrant]:
        """Who has entered."""
        return personal.people(code=code, by=by)


class Export(HouseView):
    # No request key: a key remembers its answer, and this one is to be remembered nowhere.
    @verb(permission=EXPORT, takes=forms.WhyIn, gives=forms.PaperOut, needs_key=False)
    def post(self, by: Actor, data: dict[str, Any], *, code: str) -> dict[str, Any]:
        """Take away the list of entrants as CSV. That it was taken, and why, is in the log."""
        text = personal.export_people(code=code, by=by, **data)
        return {"media_type": "text/csv; charset=utf-8", "content": b64encode(text.encode()).decode()}


class Erase(HouseView):
    @verb(permission=ERASE, gives=entry_forms.ErasedOut)
    def post(self, by: Actor, data: dict[str, Any], *, code: str) -> dict[str, Any]:
        """Delete the personal data of a promotion whose retention is over."""
        return {"forgotten": erase.erase_personal_data(code=code, by=by)}


class Excluded(HouseView):
    @listing(permission=PERSONAL, gives=entry_forms.ExcludedOut, asks=Paging)
    def get(self, by: Actor, asked: dict[str, Any]) -> QuerySet[ExcludedCard]:
        """Cards that may not enter promotions, and those that might not before."""
        return ExcludedCard.objects.all()

    @verb(permission=EXCLUDE, takes=entry_forms.ExcludeIn, gives=entry_forms.ExcludedOut, status=201)
    def post(self, by: Actor, data: dict[str, Any]) -> ExcludedCard:
        """Exclude a card: an employee’s, say."""
        return exclude.exclude_card(by=by, **data)


class Readmit(HouseView):
    @verb(permission=EXCLUDE, gives=entry_forms.ExcludedOut)
    def post(self, by: Actor, data: dict[str, Any], *, card: str) -> ExcludedCard:
        """Let a card take part again."""
        return exclude.readmit_card(card=card, by=by)
