"""The caps of the house style: module 300 lines, function 50, six positional arguments. A raise needs a reason here."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

SOURCE = Path(__file__).parents[1] / "src" / "youju"
MODULE_LINES, FUNCTION_LINES, ARGUMENTS = 300, 50, 6
LONGER_MODULES = {"types.py": "every noun of the product stands on one page"}
LONGER_FUNCTIONS: dict[str, str] = {}
FORBIDDEN_NAMES = {"utils", "helpers", "manager", "common", "misc"}


def modules() -> list[Path]:
    # Migrations are history: written once, never edited.
    return sorted(path for path in SOURCE.rglob("*.py") if "versions" not in path.parts)


def functions(path: Path) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    yield from (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef))


def test_there_is_something_to_measure() -> None:
    assert len(modules()) > 30


def test_no_module_is_longer_than_the_cap() -> None:
    sizes = {str(path.relative_to(SOURCE)): len(path.read_text(encoding="utf-8").splitlines()) for path in modules()}
    assert {name: size for name, size in sizes.items() if size > MODULE_LINES and name not in LONGER_MODULES} == {}


def test_no_function_is_longer_than_the_cap() -> None:
    long = {
        f"{path.relative_to(SOURCE)}:{node.name}": node.end_lineno - node.lineno + 1
        for path in modules()
        for node in functions(path)
        if node.end_lineno is not None and node.end_lineno - node.lineno + 1 > FUNCTION_LINES
    }
    assert {name: size for name, size in long.items() if name not in LONGER_FUNCTIONS} == {}


def test_no_function_takes_more_positional_arguments_than_the_cap() -> None:
    wide = {
        f"{path.relative_to(SOURCE)}:{node.name}"
        for path in modules()
        for node in functions(path)
        if len([arg for arg in node.args.posonlyargs + node.args.args if arg.arg not in {"self", "cls"}]) > ARGUMENTS
    }
    assert wide == set()


def test_no_module_has_a_name_that_says_nothing() -> None:
    assert [path for path in modules() if path.stem in FORBIDDEN_NAMES] == []
