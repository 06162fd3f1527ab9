"""Terms as a form. It reads and never judges: what is missing or wrong is said by the checklist, with its clause."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Mapping
from typing import Any, Final

from django import forms
from django.utils import timezone

from house.rules.age import ADULT_YEARS
from promotions.models import Edition, PrizeKind
from promotions.rules.editions import METHODS, NOTIFY_BY
from promotions.rules.particulars import OF_A_KIND, REQUIRED, UNCLAIMED, WHEN_PRESENT, Form, Particular
from promotions.rules.prohibited import NEVER
from promotions.rules.terms import PRIZES_LIMIT, instant, is_instant
from promotions.terms_text import heading
from web.forms import PageForm, reason

_MOMENT: Final = "%Y-%m-%dT%H:%M:%S"
_LINES: Final = frozenset(
    {
        "accessories",
        "airfares",
        "transfers",
        "meals",
        "place",
        "awarded_where",
        "make",
        "model",
        "duration",
        "expires",
        "address",
        "dwelling",
    }
)
_YES_NO: Final = (("", "Choose"), ("yes", "Yes"), ("no", "No"))
_UNCLAIMED: Final = dict(
    zip(UNCLAIMED, ("goes to the next alternate winner", "is drawn again", "is kept by the casino"), strict=True)
)
# The steps of the wizard, and what is asked in each, in the order a person thinks of it.
STEPS: Final[tuple[tuple[str, str, tuple[str, ...]], ...]] = (
    ("when", "When, where", ("starts_at", "entries_close_at", "draw_at", "awarded_at", "place", "awarded_where")),
    (
        "who",
        "Who",
        (
            "eligibility",
            "minimum_wager",
            "card_required",
            "limit_per_person",
            "minimum_age",
            "households_excluded",
            "earning_on",
            "earning_per",
            "earning_entries",
        ),
    ),
    ("draw", "Draw", ("manner", "must_be_present", "call_seconds", "one_prize_a_person")),
    ("prizes", "Prizes", ("nature", "reservations")),
    (
        "after",
        "Afterwards",
        ("claim", "claim_within_days", "unclaimed", "notification", "publication", "retention_days", "text"),
    ),
)


def field_of(asked: Particular, *, label: str) -> forms.Field:  # noqa: PLR0911  a line a form
    """A field for a particular, by its form."""
    more: dict[str, Any] = {"label": label, "required": False}
    match asked.form:
        case Form.INSTANT:
            widget = forms.DateTimeInput(attrs={"type": "datetime-local", "step": "1"})
            return forms.CharField(max_length=40, widget=widget, **more)
        case Form.YES_NO:
            return forms.ChoiceField(choices=_YES_NO, **more)
        case Form.UNCLAIMED:
            return forms.ChoiceField(choices=[("", "Choose"), *_UNCLAIMED.items()], **more)
        case Form.NOTIFY:
            return forms.MultipleChoiceField(
                choices=[(each, each.replace("-", " ").capitalize()) for each in NOTIFY_BY],
                widget=forms.CheckboxSelectMultiple,
                **more,
            )
        case Form.WHOLE | Form.AMOUNT_OR_NONE:
            hint = "A number." if asked.form is Form.WHOLE else "Like 20.00, or none."
            widget_ = forms.TextInput(attrs={"inputmode": "decimal", "autocomplete": "off"})
            return forms.CharField(max_length=20, widget=widget_, help_text=hint, **more)
    if asked.key in _LINES:
        return forms.CharField(max_length=4_000, widget=forms.TextInput(attrs={"autocomplete": "off"}), **more)
    return forms.CharField(max_length=4_000, widget=forms.Textarea(attrs={"rows": 2}), **more)


def written(value: Any, form: Form) -> Any:
    """A stored particular as its field shows it."""
    if form is Form.INSTANT:
        return timezone.localtime(instant(value)).strftime(_MOMENT) if is_instant(value) else value
    if form is Form.YES_NO:
        return {True: "yes", False: "no"}.get(value, "")
    return value


def stored(text: Any, form: Form, before: Any = None) -> object:
    """What a field says, as the terms hold it; what cannot be read is passed on for the checklist to say so."""
    if text in ("", [], None):
        return None
    if before is not None and text == written(before, form):
        return before  # untouched: a moment keeps the fraction of its second
    if form is Form.INSTANT:
        return _moment(text)
    if form is Form.YES_NO:
        return text == "yes"
    if form is Form.WHOLE:
        return whole_number(text)
    return amount(text) if form is Form.AMOUNT_OR_NONE else text


def whole_number(text: str) -> int | str | None:
    plain = text.strip()
    return int(plain) if plain.isascii() and plain.isdigit() else plain or None


def amount(text: str) -> str | None:
    """``$1,200`` as 1200.00; words stay words."""
    plain = text.replace("$", "").replace(",", "").strip()
    return f"{plain}.00" if plain.isascii() and plain.isdigit() else plain.lower() or None


def _moment(text: str) -> str:
    try:
        return timezone.make_aware(dt.datetime.fromisoformat(text)).isoformat()
    except ValueError:
        return text


class PrizeForm(PageForm):
    name = forms.CharField(label="What it is", max_length=200, required=False)
    kind = forms.ChoiceField(label="Kind", choices=[("", "Choose"), *PrizeKind.choices], required=False)
    value = forms.CharField(label="Value of one", max_length=20, required=False)
    quantity = forms.CharField(label="How many", max_length=6, required=False)
    alternates = forms.CharField(label="Alternates", max_length=4, required=False)
    conditions = forms.CharField(label="Conditions, or none", max_length=4_000, required=False)
    payment = forms.MultipleChoiceField(
        label="Paid or handed over by",
        choices=[(each, each.replace("-", " ").capitalize()) for each in METHODS],
        widget=forms.CheckboxSelectMultiple,
        required=False,
    )
    alternative = forms.CharField(label="Money instead", max_length=20, required=False)
    liquor_litres = forms.CharField(label="Litres of liquor in one", max_length=8, required=False)
    contains = forms.MultipleChoiceField(
        label="Contains",
        choices=[(each, each.replace("-", " ").capitalize()) for each in NEVER],
        widget=forms.CheckboxSelectMultiple,
        required=False,
    )

    def __init__(self, *args: object, place: int, stored: Mapping[str, object] | None = None, **kwargs: object) -> None:
        self.place = place
        prefix = f"prize-{place}"
        super().__init__(*args, prefix=prefix, initial=self._initial(stored or {}), **kwargs)
        chosen = self.data.get(f"{prefix}-kind") if self.is_bound else self.initial.get("kind")
        self.particulars = OF_A_KIND.get(chosen or "", ())
        for asked in self.particulars:
            self.fields[f"details-{asked.key}"] = field_of(asked, label=asked.key.replace("_", " ").capitalize())

    @staticmethod
    def _initial(prize: Mapping[str, Any]) -> dict[str, object]:
        asked = OF_A_KIND.get(prize.get("kind", ""), ())
        details = prize.get("details", {})
        initial = {key: value for key, value in prize.items() if key != "details"}
        return initial | {f"details-{each.key}": written(details.get(each.key), each.form) for each in asked}

    @property
    def detail_fields(self) -> list[object]:
        return [self[f"details-{each.key}"] for each in self.particulars]

    @property
    def prize(self) -> dict[str, Any]:
        self.full_clean()
        given = {key: self.data.get(f"{self.prefix}-{key}", "").strip() for key in ("name", "kind", "conditions")}
        prize: dict[str, Any] = {
            **given,
            "value": amount(self._text("value")),
            "quantity": whole_number(self._text("quantity")),
            "alternates": whole_number(self._text("alternates")),
            "payment": self._many("payment"),
            "alternative": amount(self._text("alternative")),
            "liquor_litres": self._text("liquor_litres").strip(),
            "contains": self._many("contains"),
            "details": {
                each.key: value
                for each in self.particulars
                if (value := stored(self._text(f"details-{each.key}"), each.form)) is not None
            },
        }
        return {key: value for key, value in prize.items() if value not in (None, "", [], {})}

    def _text(self, name: str) -> str:
        return str(self.data.get(f"{self.prefix}-{name}", ""))

    def _many(self, name: str) -> list[str]:
        getlist = getattr(self.data, "getlist", None)
        return getlist(f"{self.prefix}-{name}") if getlist else []


class TermsForm(PageForm):
    """Every particular of the rule, and the prizes below it. Nothing is required: a draft may be half done."""

    card_required = forms.ChoiceField(label="Is a player card needed?", choices=_YES_NO[1:], required=False)
    limit_per_person = forms.CharField(label="Entries a person, at most", max_length=8, required=False)
    minimum_age = forms.CharField(
        label="Least age", max_length=2, required=False, help_text="Stated, a winner shows how old he is."
    )
    households_excluded = forms.ChoiceField(
        label="May employees’ households take part?",
        choices=[("", "The terms do not say"), ("yes", "No: they are excluded"), ("no", "Yes")],
        required=False,
        help_text="Stated, a winner is asked whether he is of one.",
    )
    one_prize_a_person = forms.ChoiceField(
        label="Does a person win only once?", choices=[("no", "No"), ("yes", "Yes")], required=False
    )
    earning_on = forms.CharField(
        label="Entries earned on",
        max_length=200,
        required=False,
        help_text="keno, or codes of tables. Leave empty where play earns no entries.",
    )
    earning_per = forms.CharField(label="For every", max_length=20, required=False, help_text="Like 20.00.")
    earning_entries = forms.CharField(label="So many entries", max_length=4, required=False)
    retention_days = forms.CharField(
        label="Days personal data is kept after the end", max_length=4, required=False, help_text="Empty: 90."
    )
    text = forms.CharField(
        label="Further terms", max_length=20_000, required=False, widget=forms.Textarea(attrs={"rows": 3})
    )

    def __init__(self, *args: object, stored: Mapping[str, Any] | None = None, **kwargs: object) -> None:
        self.stored = dict(stored or {})
        super().__init__(*args, initial=self._initial(), **kwargs)
        for asked in (*REQUIRED, WHEN_PRESENT):
            self.fields[asked.key] = field_of(asked, label=heading(asked.key))
        self.fields["call_seconds"].help_text = "Seconds; only where entrants must be present."
        held = self.stored.get("prizes") or [{}]
        count = len(held)
        if self.is_bound:
            count = min(int(whole_number(str(self.data.get("prizes", ""))) or 0), PRIZES_LIMIT) if self._counted else 1
        self.prizes = [
            PrizeForm(self.data if self.is_bound else None, place=at, stored=held[at] if at < len(held) else {})
            for at in range(count)
        ]

    @property
    def _counted(self) -> bool:
        return isinstance(whole_number(str(self.data.get("prizes", ""))), int)

    def _initial(self) -> dict[str, object]:
        held = self.stored
        earning = held.get("earning") or {}
        initial = {each.key: written(held.get(each.key), each.form) for each in (*REQUIRED, WHEN_PRESENT)}
        return initial | {
            "card_required": "yes" if held.get("card_required", True) else "no",
            "one_prize_a_person": "yes" if held.get("one_prize_a_person") else "no",
            "limit_per_person": held.get("limit_per_person"),
            "minimum_age": held.get("minimum_age"),
            "households_excluded": written(held.get("households_excluded"), Form.YES_NO),
            "earning_on": " ".join(earning.get("on", [])),
            "earning_per": earning.get("per"),
            "earning_entries": earning.get("entries"),
            "retention_days": held.get("retention_days"),
            "text": held.get("text"),
        }

    @property
    def terms(self) -> dict[str, Any]:
        """What the form says as the terms hold it; None takes a particular out."""
        data: Any = self.data
        many: Any = getattr(data, "getlist", lambda _: [])
        terms = {
            each.key: stored(
                many(each.key) if each.form is Form.NOTIFY else str(data.get(each.key, "")).strip(),
                each.form,
                self.stored.get(each.key),
            )
            for each in (*REQUIRED, WHEN_PRESENT)
        }
        return terms | {
            "card_required": None if data.get("card_required", "yes") == "yes" else False,
            "one_prize_a_person": True if data.get("one_prize_a_person") == "yes" else None,
            "limit_per_person": whole_number(str(data.get("limit_per_person", ""))),
            "minimum_age": whole_number(str(data.get("minimum_age", ""))),
            "households_excluded": stored(str(data.get("households_excluded", "")), Form.YES_NO),
            "earning": self._earning(),
            "retention_days": whole_number(str(data.get("retention_days", ""))),
            "text": str(data.get("text", "")).strip() or None,
            "prizes": [prize for form in self.prizes if (prize := form.prize)],
        }

    def _earning(self) -> dict[str, object] | None:
        on, per = str(self.data.get("earning_on", "")).split(), amount(str(self.data.get("earning_per", "")))
        if not on and per is None:
            return None
        entries = whole_number(str(self.data.get("earning_entries", "")))
        return {"on": on, "per": per} | ({} if entries is None else {"entries": entries})

    @property
    def steps(self) -> Iterator[dict[str, Any]]:
        for number, (code, title, names) in enumerate(STEPS, start=2):
            yield {"number": number, "code": code, "title": title, "fields": [self[name] for name in names]}


class DraftForm(TermsForm):
    title = forms.CharField(label="Title", max_length=160, widget=forms.TextInput(attrs={"autofocus": True}))
    code = forms.CharField(label="Code", max_length=32, help_text="Capitals, digits and dashes, like SPRING-CAR.")
    edition = forms.ChoiceField(label="Run under", choices=list(reversed(Edition.choices)))
    refused_as = {"edition_code": "edition"}  # noqa: RUF012

    def _initial(self) -> dict[str, object]:
        return super()._initial() | {"minimum_age": ADULT_YEARS, "households_excluded": "yes"}


class EditForm(TermsForm):
    title = forms.CharField(label="Title", max_length=160)


class AmendForm(TermsForm):
    why = reason("What is amended, and why")
    how = forms.CharField(label="Sent by", max_length=80, initial="email")
    reference = forms.CharField(label="The regulator’s reference", max_length=120, required=False)

    def _initial(self) -> dict[str, object]:
        return super()._initial() | {"how": "email"}
