"""Calls about entries, files of them, and the people behind them."""

from __future__ import annotations

import io
from base64 import b64encode

from django.db.models import QuerySet

from chance import proof
from kernel.actors import Actor
from promotions import enter, erase, exclude, imports, personal, queries, reject_import, seal, withdraw
from promotions.api import entry_forms, forms
from promotions.locks import find_promotion
from promotions.models import Entrant, Entry, ExcludedCard, Import, ImportRow, Source
from promotions.people import Contact
from promotions.permissions import ENTER, ERASE, EXCLUDE, EXPORT, IMPORT, PERSONAL, SEE, WITHDRAW
from web.fields import Nothing
from web.view import HouseView, Paging, listing, read, verb


class Entries(HouseView):
    @listing(permission=SEE, gives=entry_forms.EntryOut, asks=Paging)
    def get(self, by: Actor, asked: Paging, *, code: str) -> QuerySet[Entry]:
        """The entries, without names."""
        return queries.entries(find_promotion(code))

    @verb(permission=ENTER, takes=entry_forms.EntryIn, gives=entry_forms.EntryOut, status=201)
    def post(self, by: Actor, data: entry_forms.EntryIn, *, code: str) -> Entry:
        """Enter a player once."""
        contact = Contact(
            name=data.name or "",
            address=data.address or "",
            telephone=data.telephone or "",
            email=data.email or "",
        )
        return enter.enter(
            code=code,
            by=by,
            card=data.card or "",
            contact=contact,
            reference=data.reference or "",
            wagered=data.wagered,
            source=Source.API,
        )


class Withdraw(HouseView):
    @verb(permission=WITHDRAW, takes=forms.WhyIn, gives=entry_forms.EntryOut)
    def post(self, by: Actor, data: forms.WhyIn, *, code: str, number: int) -> Entry:
        """Take an entry out of the list before it is sealed, by two people.

        The first says so, and `withdrawn_at` stays null; the entry is out once another has called this, too.
        """
        return withdraw.withdraw_entry(code=code, number=number, why=data.why, by=by)


class EntryProof(HouseView):
    @read(permission=PERSONAL, gives=entry_forms.EntryProofOut)
    def get(self, by: Actor, asked: Nothing, *, code: str, number: int) -> proof.EntryProof:
        """Prove that an entry is in the sealed list. It names the entrant: hand it to nobody else."""
        return seal.entry_proof(code=code, number=number)


class Imports(HouseView):
    @listing(permission=SEE, gives=entry_forms.ImportOut, asks=Paging)
    def get(self, by: Actor, asked: Paging, *, code: str) -> QuerySet[Import]:
        """Files of entries and what became of them."""
        return queries.imports(find_promotion(code))

    # No request key: a key remembers its request, and this one is full of people. The file's own references are keys.
    @verb(permission=IMPORT, takes=entry_forms.ImportIn, gives=entry_forms.ImportOut, status=201, needs_key=False)
    def post(self, by: Actor, data: entry_forms.ImportIn, *, code: str) -> Import:
        """Enter the rows of a file; it goes on in the background. Split a file that is too large."""
        return imports.begin_import(
            code=code,
            name=data.name,
            lines=io.StringIO(data.csv, newline=""),  # only CR and LF end a line: other separators are text
            all_or_nothing=data.all_or_nothing,
            by=by,
        )


class OneImport(HouseView):
    @read(permission=SEE, gives=entry_forms.ImportOut)
    def get(self, by: Actor, asked: Nothing, *, id: int) -> Import:
        """How far an import has got."""
        return imports.find_import(id)


class BadRows(HouseView):
    @listing(permission=SEE, gives=entry_forms.BadRowOut, asks=Paging, order="line")
    def get(self, by: Actor, asked: Paging, *, id: int) -> QuerySet[ImportRow]:
        """The rows that were refused, and why."""
        return queries.refused_rows(imports.find_import(id))


class CancelImport(HouseView):
    @verb(permission=IMPORT, gives=entry_forms.ImportOut)
    def post(self, by: Actor, data: Nothing, *, id: int) -> Import:
        """Stop an import after the batch at hand; what has been entered stays entered."""
        return imports.cancel_import(import_id=id, by=by)


class ConfirmImport(HouseView):
    @verb(permission=IMPORT, gives=entry_forms.ImportOut)
    def post(self, by: Actor, data: Nothing, *, id: int) -> Import:
        """Confirm an import as the second person: the list is not sealed before."""
        return imports.confirm_import(import_id=id, by=by)


class RejectImport(HouseView):
    @verb(permission=WITHDRAW, takes=forms.WhyIn, gives=entry_forms.ImportOut)
    def post(self, by: Actor, data: forms.WhyIn, *, id: int) -> Import:
        """Reject an import before the list is sealed, by two people: everything it entered is withdrawn.

        The first says so, and `rejected_at` stays null; the import is rejected once another has called this, too.
        """
        return reject_import.reject_import(import_id=id, why=data.why, by=by)


class People(HouseView):
    @listing(permission=PERSONAL, gives=entry_forms.PersonOut, asks=Paging)
    def get(self, by: Actor, asked: Paging, *, code: str) -> QuerySet[Entrant]:
        """Who has entered."""
        return personal.people(code=code, by=by)


class Export(HouseView):
    # No request key: a key remembers its answer, and this one is to be remembered nowhere.
    @verb(permission=EXPORT, takes=forms.WhyIn, gives=forms.PaperOut, needs_key=False)
    def post(self, by: Actor, data: forms.WhyIn, *, code: str) -> dict[str, object]:
        """Take away the list of entrants as CSV. That it was taken, and why, is in the log."""
        text = personal.export_people(code=code, why=data.why, by=by)
        return {"media_type": "text/csv; charset=utf-8", "content": b64encode(text.encode()).decode()}


class Erase(HouseView):
    @verb(permission=ERASE, gives=entry_forms.ErasedOut)
    def post(self, by: Actor, data: Nothing, *, code: str) -> dict[str, object]:
        """Delete the personal data of a promotion whose retention is over."""
        return {"forgotten": erase.erase_personal_data(code=code, by=by)}


class Excluded(HouseView):
    @listing(permission=PERSONAL, gives=entry_forms.ExcludedOut, asks=Paging)
    def get(self, by: Actor, asked: Paging) -> QuerySet[ExcludedCard]:
        """Cards that may not enter promotions, and those that might not before."""
        return queries.excluded_cards()

    @verb(permission=EXCLUDE, takes=entry_forms.ExcludeIn, gives=entry_forms.ExcludedOut, status=201)
    def post(self, by: Actor, data: entry_forms.ExcludeIn) -> ExcludedCard:
        """Exclude a card: an employee’s, say."""
        return exclude.exclude_card(card=data.card, why=data.why, note=data.note or "", by=by)


class ConfirmExclusion(HouseView):
    @verb(permission=EXCLUDE, gives=entry_forms.ExcludedOut)
    def post(self, by: Actor, data: Nothing, *, card: str) -> ExcludedCard:
        """Confirm an exclusion as the second person: what the card entered before is left out, too."""
        return exclude.confirm_exclusion(card=card, by=by)


class Readmit(HouseView):
    @verb(permission=EXCLUDE, gives=entry_forms.ExcludedOut)
    def post(self, by: Actor, data: Nothing, *, card: str) -> ExcludedCard:
        """Let a card take part again, by two people other than who excluded it.

        The first says so, and `removed_at` stays null; it may enter once another has called this, too.
        """
        return exclude.readmit_card(card=card, by=by)
