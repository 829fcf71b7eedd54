"""A judge can be asked again, the other way round and in other words, about the same fenced material."""

import json
from pathlib import Path

import pytest

from swe_assets.errors import ConfigurationError, InputError
from swe_assets.judging.payload import build_payload
from swe_assets.judging.prompts import FOLDER, REWORDED, Prompts
from swe_assets.judging.verdict import verdict_request
from swe_assets.judging.wording import PayloadInputs, patch_first, reworded, variant_results, variants
from swe_assets.llm.fencing import unfenced
from swe_assets.llm.outcomes import StopCallsError
from swe_assets_tests.llm.loopback import GOOD, failed, said, service

OWN = Prompts.load()
INPUTS = PayloadInputs("demo__demo-1", "The sum is {{patch}}.", "--- a/x.py\n+++ b/x.py\n# {{issue}}\n")
ALL = variants(INPUTS, OWN, n=3, order=True, wording=True)


def test_the_variants_by_name() -> None:
    """All are told apart by their fingerprints, so that none is answered by another's kept answer."""
    assert list(ALL) == ["base", "repeat-2", "repeat-3", "order", "wording"]
    assert len({request.fingerprint() for request in ALL.values()}) == 5
    assert list(variants(INPUTS, OWN)) == ["base"]


def test_the_base_is_the_first_pass_itself() -> None:
    """The base request is the one that the first pass sends, so its answer costs nothing."""
    payload = build_payload("demo__demo-1", INPUTS.problem_statement, INPUTS.patch, OWN)
    assert ALL["base"].fingerprint() == verdict_request(payload).fingerprint()


@pytest.mark.parametrize("name", list(ALL))
def test_the_material_is_the_same(name: str) -> None:
    """Each variant shows both texts unchanged, braces too, behind the same code."""
    user = ALL[name].user
    assert unfenced(user, "ISSUE") == INPUTS.problem_statement
    assert unfenced(user, "PATCH") == INPUTS.patch
    assert ALL["base"].user.split("\n")[0].split()[-1] == user.split("\n")[0].split()[-1]


def test_the_order_alone_is_changed() -> None:
    """The patch comes first, under its own heading, and not a character else differs."""
    first, other = ALL["base"].user, ALL["order"].user
    assert first.index("<<<ISSUE") < first.index("<<<PATCH")
    assert other.index("<<<PATCH") < other.index("<<<ISSUE")
    assert other.index("Alteração proposta:") < other.index("<<<PATCH") < other.index("Relato do problema:")
    assert sorted(first) == sorted(other)
    assert ALL["order"].system == ALL["base"].system


def test_the_rewording_asks_for_the_same() -> None:
    """The other words name the same fields, range, fences and criteria, and share few of the sentences."""
    first, other = ALL["base"].system, ALL["wording"].system
    for word in (
        "resolve_issue",
        "score_confianca",
        "raciocinio_analitico",
        "inteiro de 1 a 5",
        "CORTADO",
        "VAZIO",
        "⟨U+0000⟩",
        "causa-raiz",
        "Efeitos colaterais",
        "Completude",
        "<<<ISSUE código FIM>>>",
    ):
        assert word in first
        assert word in other
    shared = set(first.split("\n")) & set(other.split("\n"))
    assert all(len(line) < 40 or line.startswith('  "') for line in shared)


def test_own_prompts_need_their_own_rewording(tmp_path: Path) -> None:
    """A user's judge is not reworded in the product's words, and takes both files of its own."""
    (tmp_path / "juiz_sistema.txt").write_text("Julgue.", encoding="utf-8")
    with pytest.raises(ConfigurationError, match="have no rewording"):
        reworded(Prompts.load(tmp_path))
    (tmp_path / "juiz_sistema_reformulado.txt").write_text("Avalie.", encoding="utf-8")
    with pytest.raises(ConfigurationError, match="a rewording is"):
        Prompts.load(tmp_path)
    own_user = (FOLDER / "juiz_usuario_reformulado.txt").read_bytes()
    (tmp_path / "juiz_usuario_reformulado.txt").write_bytes(own_user)
    assert reworded(Prompts.load(tmp_path)).judge_system == "Avalie."
    assert Prompts.load(tmp_path).judge_fingerprint != OWN.judge_fingerprint


def test_a_rewording_changes_no_fingerprint(tmp_path: Path) -> None:
    """What was judged stays valid when only the rewording changes."""
    for name in REWORDED:
        (tmp_path / name).write_text("{{issue}} {{patch}}" if "usuario" in name else "x", encoding="utf-8")
    mine = Prompts.load(tmp_path)
    assert mine.fingerprint == OWN.fingerprint
    assert mine.reworded == ("x", "{{issue}} {{patch}}")


@pytest.mark.parametrize(
    "user", ["{{issue}} {{patch}}", "{{issue}}\n{{patch}}", "{{issue}}\n\n{{issue}}{{patch}}"]
)
def test_an_order_that_cannot_be_changed_is_said(user: str) -> None:
    """A template whose texts do not stand in a paragraph each is refused."""
    with pytest.raises(ConfigurationError, match="two paragraphs"):
        patch_first(Prompts("s", user, "s", "{{raciocinio}}"))


def test_what_cannot_be_asked() -> None:
    """No time at all, and an issue without words, are refused."""
    with pytest.raises(ConfigurationError, match="n = 0"):
        variants(INPUTS, OWN, n=0)
    with pytest.raises(InputError, match="no problem statement"):
        variants(PayloadInputs("demo__demo-1", " ", "x"), OWN)


def test_the_answers_are_given_as_they_are() -> None:
    """A verdict, another one and a failed call stand side by side, nothing averaged."""
    other = json.dumps({**json.loads(GOOD), "resolve_issue": False, "score_confianca": 2})
    requests = variants(INPUTS, OWN, n=2, order=True)
    with service(said(GOOD), said(other), failed(400, "INVALID_ARGUMENT")) as running:
        results = variant_results(requests, running.model())
    assert [row["variant"] for row in results] == ["base", "repeat-2", "order"]
    assert [row.get("score_confianca") for row in results] == [4, 2, None]
    assert results[2]["error"].startswith("infrastructure")


def test_a_refused_key_ends_the_asking() -> None:
    """Where no call can succeed, nothing is recorded as a variant's answer."""
    with service(failed(403, "denied", "PERMISSION_DENIED")) as running, pytest.raises(StopCallsError):
        variant_results(ALL, running.model())
