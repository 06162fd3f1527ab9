"""The verifier as one file, ``meterhouse-verify.pyz``: every module that it imports, from this very source. Pure.

The same source gives the same bytes, whoever packs it: modules by name, no times, nothing compressed. ``make verifier``
writes it, ``/log/meterhouse-verify.pyz`` serves it, and its SHA-256 is in the log.
"""

from __future__ import annotations

import ast
import io
import sys
import zipfile
from collections.abc import Iterator
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from typing import Final

NAME: Final = "meterhouse-verify.pyz"
_BEGINS: Final = "verify.program"
_SHEBANG: Final = b"#!/usr/bin/env python3\n"
_MAIN: Final = """import sys

from verify.program import main

if __name__ == "__main__":
    sys.exit(main())
"""
_NO_TIME: Final = (1980, 1, 1, 0, 0, 0)
_ROOT: Final = Path(__file__).resolve().parent.parent


@lru_cache(maxsize=1)
def bundle() -> bytes:
    packed = io.BytesIO(_SHEBANG)
    packed.seek(0, io.SEEK_END)
    with zipfile.ZipFile(packed, "a", zipfile.ZIP_STORED) as archive:
        for name, source in sorted({"__main__.py": _MAIN.encode(), **modules()}.items()):
            entry = zipfile.ZipInfo(name, _NO_TIME)
            entry.external_attr = 0o644 << 16
            entry.create_system = 3  # as on Unix, wherever it is packed
            archive.writestr(entry, source)
    return packed.getvalue()


@lru_cache(maxsize=1)
def digest() -> str:
    return sha256(bundle()).hexdigest()


def modules() -> dict[str, bytes]:
    """Every file of ours that the verifier imports, by its path."""
    found: dict[str, bytes] = {}
    waiting = [_BEGINS]
    while waiting:
        module = waiting.pop()
        path = _path_of(module)
        if path is None or path in found:
            continue
        source = (_ROOT / path).read_bytes()
        found[path] = source
        package = module if path.endswith("__init__.py") else module.rpartition(".")[0]
        waiting += [package, *_imported(ast.parse(source))]
    return found


def _path_of(module: str) -> str | None:
    if not module:
        return None
    place = module.replace(".", "/")
    return next((path for path in (f"{place}.py", f"{place}/__init__.py") if (_ROOT / path).is_file()), None)


def _imported(node: ast.AST) -> Iterator[str]:
    """The modules that are named in a source, but for what only a type checker reads. Expressions name none."""
    for child in ast.iter_child_nodes(node):
        if not isinstance(child, ast.stmt | ast.ExceptHandler | ast.match_case):
            continue
        if isinstance(child, ast.If) and isinstance(child.test, ast.Name) and child.test.id == "TYPE_CHECKING":
            continue
        if isinstance(child, ast.Import):
            for alias in child.names:
                yield from _with_packages(alias.name)
        elif isinstance(child, ast.ImportFrom) and child.module is not None:
            yield from _with_packages(child.module)
            yield from (f"{child.module}.{alias.name}" for alias in child.names)
        else:
            yield from _imported(child)


def _with_packages(module: str) -> Iterator[str]:
    while module:
        yield module
        module = module.rpartition(".")[0]


def write(folder: Path) -> Path:
    """The file, and beside it its SHA-256 as ``sha256sum -c`` reads it."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / NAME
    path.write_bytes(bundle())
    path.chmod(0o755)
    (folder / f"{NAME}.sha256").write_text(f"{digest()}  {NAME}\n")
    return path


if __name__ == "__main__":
    sys.stdout.write(f"{digest()}  {write(Path(sys.argv[1]))}\n")
