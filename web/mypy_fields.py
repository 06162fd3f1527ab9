"""Tells mypy what a declared field holds once it is read: ``data.stake`` of a ``TicketIn`` is Money, or None.

Only mypy loads this (pyproject.toml). The type is what the field's ``to_internal_value`` gives; of a list or an object
it is made of its ``child``, of a serializer it is itself; with None where the field may be left out or be null.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from itertools import chain
from typing import Final

from mypy.checker import TypeChecker
from mypy.expandtype import expand_type_by_instance
from mypy.maptype import map_instance_to_supertype
from mypy.nodes import Expression, NameExpr, TypeInfo
from mypy.plugin import FunctionContext, Plugin
from mypy.types import CallableType, Instance, NoneType, Type, UnionType, get_proper_type

FIELD: Final = "rest_framework.fields.Field"
LIST: Final = "rest_framework.fields.ListField"
OBJECT: Final = "rest_framework.fields.DictField"
SERIALIZER: Final = "web.fields.StrictSerializer"
HOLDS: Final = "web.fields.Holds"

Options = dict[str | None, tuple[Expression, Type]]


class FieldsPlugin(Plugin):
    def get_function_hook(self, fullname: str) -> Callable[[FunctionContext], Type] | None:
        field, holds = self._kind(fullname), self._kind(HOLDS)
        if field is None or holds is None or not field.has_base(FIELD):
            return None
        return functools.partial(_declared, holds)

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


def _options(call: FunctionContext) -> Options:
    """What it is called with, by name."""
    arguments = zip(chain(*call.arg_names), chain(*call.args), chain(*call.arg_types), strict=True)
    return {name: (value, kind) for name, value, kind in arguments}


def _is(given: Options, name: str, value: str) -> bool:
    option = given.get(name)
    return option is not None and isinstance(option[0], NameExpr) and option[0].fullname == f"builtins.{value}"


def plugin(version: str) -> type[Plugin]:
    return FieldsPlugin
