"""Tells mypy what a declared field holds once it is read: ``data.stake`` of a ``TicketIn`` is Money, or None.

Only mypy loads this (pyproject.toml). Of a serializer's field the type is what its ``to_internal_value`` gives; of a
list or an object it is made of its ``child``, of a serializer it is itself; with None where the field may be left out
or be null. Of a form's field it is what the form's ``clean_…``, its own ``clean`` or its ``to_python`` gives, with None
where it may be left empty and is no text.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from itertools import chain
from typing import Final

from mypy.checker import TypeChecker
from mypy.expandtype import expand_type_by_instance
from mypy.maptype import map_instance_to_supertype
from mypy.nodes import AssignmentStmt, Expression, FuncDef, NameExpr, TypeInfo
from mypy.plugin import FunctionContext, Plugin
from mypy.types import AnyType, CallableType, FunctionLike, Instance, NoneType, Type, UnionType, get_proper_type

FIELD: Final = "rest_framework.fields.Field"
LIST: Final = "rest_framework.fields.ListField"
OBJECT: Final = "rest_framework.fields.DictField"
SERIALIZER: Final = "web.fields.StrictSerializer"
HOLDS: Final = "web.fields.Holds"
FORM: Final = "web.forms.PageForm"
FORM_HELD: Final = "web.forms.Held"
FORM_FIELD: Final = "django.forms.fields.Field"
FORM_TEXT: Final = "django.forms.fields.CharField"
FORM_CHOICE: Final = "django.forms.fields.ChoiceField"

Options = dict[str | None, tuple[Expression, Type]]


class FieldsPlugin(Plugin):
    def get_function_hook(self, fullname: str) -> Callable[[FunctionContext], Type] | None:
        field, holds = self._kind(fullname), self._kind(HOLDS)
        if field is not None and holds is not None and field.has_base(FIELD):
            return functools.partial(_declared, holds)
        made, held = field or self._made_by(fullname), self._kind(FORM_HELD)
        if made is not None and held is not None and made.has_base(FORM_FIELD):
            return functools.partial(_declared_in_form, held)
        return None

    def _made_by(self, fullname: str) -> TypeInfo | None:
        """What a function makes, where it makes one thing: a form's field with its label and limits."""
        found = self.lookup_fully_qualified(fullname)
        if found is None or not isinstance(found.node, FuncDef) or not isinstance(found.node.type, CallableType):
            return None
        gives = get_proper_type(found.node.type.ret_type)
        return gives.type if isinstance(gives, Instance) else None

    def _kind(self, fullname: str) -> TypeInfo | None:
        found = self.lookup_fully_qualified(fullname)
        return found.node if found is not None and isinstance(found.node, TypeInfo) else None


def _declared(holds: TypeInfo, call: FunctionContext) -> Type:
    field = get_proper_type(call.default_return_type)
    assert isinstance(call.api, TypeChecker)
    if not isinstance(field, Instance) or call.api.scope.active_class() is None:
        return field  # made elsewhere than in the body of a class, it is itself
    given = _options(call)
    held = _held(field, given, call)
    if _is(given, "many", "True"):
        held = call.api.named_generic_type("builtins.list", [held])
    may_lack = _is(given, "required", "False") and "default" not in given
    if may_lack or _is(given, "allow_null", "True") or _is(given, "default", "None"):
        held = UnionType.make_union([held, NoneType()])
    return Instance(holds, [held])


def _held(field: Instance, given: Options, call: FunctionContext) -> Type:
    if "child" in given:
        child = get_proper_type(given["child"][1])
        inner = child.args[0] if isinstance(child, Instance) and child.type.fullname == HOLDS else child
        if field.type.has_base(LIST):
            return call.api.named_generic_type("builtins.list", [inner])
        if field.type.has_base(OBJECT):
            return call.api.named_generic_type(
                "builtins.dict", [call.api.named_generic_type("builtins.str", []), inner]
            )
    method = field.type.get_method("to_internal_value")
    if method is None or method.info.fullname == SERIALIZER:
        return field
    read = get_proper_type(method.type)
    if not isinstance(read, CallableType):
        return field
    return expand_type_by_instance(read.ret_type, map_instance_to_supertype(field, method.info))


def _declared_in_form(holds: TypeInfo, call: FunctionContext) -> Type:
    field = get_proper_type(call.default_return_type)
    assert isinstance(call.api, TypeChecker)
    form = call.api.scope.active_class()
    if not isinstance(field, Instance) or form is None or not form.has_base(FORM):
        return field
    cleaned = _cleaned_by_form(form, call)
    return Instance(holds, [cleaned or _cleaned(field, _options(call), call)])


def _cleaned_by_form(form: TypeInfo, call: FunctionContext) -> Type | None:
    """What the form's own ``clean_name`` gives."""
    for line in form.defn.defs.body:
        if isinstance(line, AssignmentStmt) and line.rvalue is call.context and isinstance(line.lvalues[0], NameExpr):
            method = form.names.get(f"clean_{line.lvalues[0].name}")
            return _given_by(method.type) if method is not None else None
    return None


def _cleaned(field: Instance, given: Options, call: FunctionContext) -> Type:
    may_be_empty = _is(given, "required", "False")
    text = call.api.named_generic_type("builtins.str", [])
    if "coerce" in given and (coerced := _given_by(given["coerce"][1])) is not None:
        return UnionType.make_union([coerced, text]) if may_be_empty else coerced
    for name in ("clean", "to_python"):
        method = field.type.get_method(name)
        read = _given_by(method.type) if method is not None else None
        if read is not None and not isinstance(get_proper_type(read), AnyType):
            is_text = method is not None and method.info.fullname == FORM_TEXT and "empty_value" not in given
            return read if may_be_empty and not is_text else _without_none(read)
    return text if field.type.has_base(FORM_CHOICE) else field


def _given_by(function: Type | None) -> Type | None:
    kind = get_proper_type(function)
    return kind.items[0].ret_type if isinstance(kind, FunctionLike) else None


def _without_none(kind: Type) -> Type:
    proper = get_proper_type(kind)
    if not isinstance(proper, UnionType):
        return kind
    return UnionType.make_union([each for each in proper.items if not isinstance(get_proper_type(each), NoneType)])


def _options(call: FunctionContext) -> Options:
    """What it is called with, by name."""
    arguments = zip(chain(*call.arg_names), chain(*call.args), chain(*call.arg_types), strict=True)
    return {name: (value, kind) for name, value, kind in arguments}


def _is(given: Options, name: str, value: str) -> bool:
    option = given.get(name)
    return option is not None and isinstance(option[0], NameExpr) and option[0].fullname == f"builtins.{value}"


def plugin(version: str) -> type[Plugin]:
    return FieldsPlugin
