"""What a stored judgement depends on, so that it counts as stale when one of these changes."""

from swe_assets.judging.prompts import Prompts
from swe_assets.llm.json_text import READER_VERSION
from swe_assets.llm.protocol import ChatModel
from swe_assets.llm.specs import ModelSpec

VERDICT_VERSION = "2"
"""Raise it when a verdict would now be validated or recorded otherwise than before."""

EXTRACTION_VERSION = "2"
"""Raise it when an extraction would now be validated or recorded otherwise than before."""


def judge_provenance(model: ChatModel, prompts: Prompts) -> dict[str, str]:
    """Return what a verdict depends on besides its payload: provider, model, parameters, prompts, reader."""
    return _provenance(model, prompts.judge_fingerprint, VERDICT_VERSION)


def extraction_provenance(model: ChatModel, prompts: Prompts) -> dict[str, str]:
    """Return what an extraction depends on besides the verdict: model, parameters, prompts, reader."""
    return _provenance(model, prompts.extraction_fingerprint, EXTRACTION_VERSION)


def _provenance(model: ChatModel, prompts: str, version: str) -> dict[str, str]:
    """Return a model's provenance with its parameters, prompts and the version of what reads the reply."""
    spec: ModelSpec | None = getattr(model, "spec", None)
    return {
        **model.provenance(),
        **({} if spec is None else {name: str(value) for name, value in spec.parameters().items()}),
        "prompts": prompts,
        "reader": f"{READER_VERSION}.{version}",
    }
