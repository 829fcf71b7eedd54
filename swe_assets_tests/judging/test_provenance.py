"""A judgement's provenance changes with what it depends on, and with nothing else."""

from dataclasses import replace

from swe_assets.judging.prompts import Prompts
from swe_assets.judging.provenance import extraction_provenance, judge_provenance
from swe_assets.llm.registry import ModelSettings, model_named

PROMPTS = Prompts.load()
GEMINI = model_named("gemini", ModelSettings(check=False))


def test_what_it_says() -> None:
    """Provider, model, temperature, prompts and reader are all text."""
    said = judge_provenance(GEMINI, PROMPTS)
    assert said == {
        "provider": "gemini",
        "model": "gemini-2.5-flash",
        "temperature": "0.0",
        "prompts": PROMPTS.judge_fingerprint,
        "reader": "3.2",
    }


def test_another_model_is_another_provenance() -> None:
    """Models differ, also by version, and so do addresses; patience does not count."""
    other = model_named("gemini:gemini-2.5-pro", ModelSettings(check=False))
    away = model_named("gemini", ModelSettings(check=False, base_url="https://example.org/"))
    patient = model_named("gemini", ModelSettings(check=False, timeout_s=9))
    said = [judge_provenance(model, PROMPTS) for model in (GEMINI, other, away, model_named("rehearsal"))]
    assert all(one != two for at, one in enumerate(said) for two in said[:at])
    assert judge_provenance(patient, PROMPTS) == said[0]


def test_extraction_prompts_leave_verdicts_fresh() -> None:
    """Editing the second pass's prompt makes extractions stale and no paid verdict."""
    edited = replace(PROMPTS, extraction_system="outro")
    assert judge_provenance(GEMINI, edited) == judge_provenance(GEMINI, PROMPTS)
    assert extraction_provenance(GEMINI, edited) != extraction_provenance(GEMINI, PROMPTS)
