"""Reasons in Portuguese: what the product says in English on a page in Portuguese has its words."""

import ast
import re
from pathlib import Path

import pytest

import swe_assets
from swe_assets.reporting.reasons import in_words

SOURCES = Path(swe_assets.__file__).parent


@pytest.mark.parametrize(
    ("english", "portuguese"),
    [
        ("all values are equal", "todos os valores são iguais"),
        ("MCC: what was said is all one class", "MCC: o que foi dito é de uma só classe"),
        (
            "3 unit(s) to hold out, at least 2 are needed",
            "3 unidade(s) para deixar de fora; são precisas 2 ou mais",
        ),
        ("predictor 'x' is constant", "o preditor 'x' é constante"),
        ("separation unknown", "não se sabe se há separação"),
        ("the deviations of each cluster cancel", "os desvios de cada grupo se anulam"),
        ("empty", "vazio"),
        ("missing: failed", "falta: failed"),
        ("none", "nenhuma"),
    ],
)
def test_reasons_have_words(english: str, portuguese: str) -> None:
    """A reason is put into Portuguese with its numbers and names, and stays as it is in English."""
    assert in_words(english, "pt") == portuguese and in_words(english, "en") == english


@pytest.mark.parametrize("text", ["", "demo__pkg-1", "M_defesa", "none of these", "arquivos inteiros"])
def test_what_is_no_reason_stays(text: str) -> None:
    """Names, and what is Portuguese already, stay as they are."""
    assert in_words(text, "pt") == text


def literal(node: ast.expr) -> str:
    """Return a string as the source has it, a number where a value is put in; empty where it is no text."""
    if isinstance(node, ast.JoinedStr):
        return "".join(map(literal, node.values))
    if isinstance(node, ast.FormattedValue):
        return "'7'" if node.conversion == ord("r") else "7"
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""


def test_every_reason_of_the_product_has_words() -> None:
    """No reason written in the statistics, the analysis or the judging lacks its words in Portuguese."""
    reasons = []
    for folder in ("statistics", "patch_quality/analysis", "judging"):
        for path in (SOURCES / folder).rglob("*.py"):
            calls = (n for n in ast.walk(ast.parse(path.read_text("utf-8"))) if isinstance(n, ast.Call))
            named = [c for c in calls if isinstance(c.func, ast.Name) and c.func.id == "Undefined" and c.args]
            reasons += [literal(call.args[0]) for call in named]
    told = [reason for reason in reasons if re.search("[a-z]{2}", reason)]
    assert len(told) > 80
    assert [reason for reason in told if in_words(reason, "pt") == reason] == []
