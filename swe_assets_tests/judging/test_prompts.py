"""Prompts are files that a user can replace one by one, and their fingerprint follows their words."""

from pathlib import Path

import pytest

from swe_assets.errors import ConfigurationError
from swe_assets.judging.prompts import FILES, FOLDER, MAX_BYTES, Prompts, filled

OWN = Prompts.load()


def test_our_own_say_what_they_must() -> None:
    """The product's prompts name every field and every value that the readers require."""
    for word in ("resolve_issue", "score_confianca", "raciocinio_analitico", "causa-raiz", "regressão"):
        assert word in OWN.judge_system
    for word in (
        "M_profundidade",
        "M_integridade",
        "M_defesa",
        "just_defesa",
        "origem_defesa",
        "no máximo 15",
    ):
        assert word in OWN.extraction_system
    assert [
        line.split("reserva: ")[1][0] for line in OWN.extraction_system.splitlines() if "(reserva: " in line
    ] == [
        "2",
        "3",
        "2",
    ]


def test_one_file_is_replaced_and_the_rest_kept(tmp_path: Path) -> None:
    """A folder with one prompt changes that pass's fingerprint and not the other's."""
    (tmp_path / "juiz_sistema.txt").write_bytes(b"\xef\xbb\xbfJulgue.\r\nBem.\n")
    mine = Prompts.load(tmp_path)
    assert mine.judge_system == "Julgue.\nBem."
    assert mine.judge_user == OWN.judge_user
    assert mine.judge_fingerprint != OWN.judge_fingerprint
    assert mine.extraction_fingerprint == OWN.extraction_fingerprint
    assert mine.fingerprint != OWN.fingerprint


def test_a_copy_has_the_same_fingerprint(tmp_path: Path) -> None:
    """The fingerprint is of the words, not of the place."""
    for name in FILES:
        (tmp_path / name).write_bytes((FOLDER / name).read_bytes())
    assert Prompts.load(tmp_path) == OWN
    assert Prompts.load(tmp_path).fingerprint == OWN.fingerprint


@pytest.mark.parametrize(
    ("name", "content", "reason"),
    [
        ("juiz_usuario.txt", b"{{issue}}", r"needs \{\{issue\}\}, \{\{patch\}\}"),
        ("juiz_usuario.txt", b"{{issue}} {{patch}} {{gold}}", r"placeholders \['gold', 'issue', 'patch'\]"),
        ("juiz_sistema.txt", b"{{issue}}", "it needs none"),
        ("extracao_usuario.txt", b"{{raciocinio}} {{patch}}", "no others"),
        ("juiz_sistema.txt", b" \n", "blank"),
        ("juiz_sistema.txt", b"\xff\xfe", "not readable UTF-8"),
        ("juiz_sistema.txt", b"x" * (MAX_BYTES + 1), "longer than"),
        ("judge.txt", b"x", r"holds \['judge.txt'\]: the files are called juiz_sistema.txt"),
    ],
)
def test_what_cannot_be_a_prompt_is_refused(name: str, content: bytes, reason: str, tmp_path: Path) -> None:
    """A misnamed, blank, unreadable or overlong file, or wrong placeholders, are refused with the reason."""
    (tmp_path / name).write_bytes(content)
    with pytest.raises(ConfigurationError, match=reason):
        Prompts.load(tmp_path)


def test_a_folder_without_prompts_is_refused(tmp_path: Path) -> None:
    """An empty folder, and one that is not there, are refused."""
    for folder in (tmp_path, tmp_path / "none"):
        with pytest.raises(ConfigurationError, match=r"holds no prompt|is not a folder"):
            Prompts.load(folder)


def test_values_are_filled_once() -> None:
    """A value that holds a placeholder is not filled again, and braces of code stay."""
    assert filled("{{a}} {{b}} {x} {{{a}}}", {"a": "{{b}}", "b": "2"}) == "{{b}} 2 {x} {{{b}}}"
