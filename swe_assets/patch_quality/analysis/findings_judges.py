"""What is said of the judges, of the model's predictions and of the sample's power."""

from typing import Any

from swe_assets.patch_quality.analysis.column_words import words
from swe_assets.patch_quality.analysis.finding import (
    Finding,
    Strength,
    Tables,
    interval,
    said,
    said_share,
    shown_apart,
    value,
    why,
)
from swe_assets.patch_quality.analysis.findings_models import MODELS
from swe_assets.reporting.tables import Table, Words


def judge_findings(tables: Tables) -> list[Finding]:
    """Return how each judge stands to the tests, and how well probabilities are told and stated."""
    found = []
    if "judge_tests" in tables:
        table = tables["judge_tests"]
        found += [_judge(table, place, row) for place, row in enumerate(table.records())]
    if "discrimination" in tables:
        table = tables["discrimination"]
        told = (_chances(table, place, row) for place, row in enumerate(table.records()))
        found += [one for one in told if one is not None]
    return found


def _judge(table: Table, place: int, row: dict[str, Any]) -> Finding:
    name, mcc = row["judge"], row["mcc"]
    if why(mcc):
        sentence = words(
            f"Juiz {name} diante dos testes (n = {row['n']}): MCC indefinido ({why(mcc)}); acerta "
            f"{said_share(row['accuracy'])}.",
            f"Judge {name} against the tests (n = {row['n']}): MCC undefined ({why(mcc)}); right in "
            f"{said_share(row['accuracy'])}.",
        )
        return Finding(sentence, "undefined", "judge_tests", place).marked(table, "judge")
    span, low, high = interval(row["mcc_low"], row["mcc_high"]), value(row["mcc_low"]), value(row["mcc_high"])
    strength, verdict = shown_apart(low, high), words("", "")
    if strength == "none":
        verdict = words("; não se mostra melhor que o acaso", "; not shown to be better than chance")
    elif strength == "described":
        reason = why(row["mcc_low"]) or why(row["mcc_high"])
        verdict = words(f"; o IC não tem valor ({reason})", f"; the CI has no value ({reason})")
    sentence = words(
        f"Juiz {name} diante dos testes: MCC = {said(mcc)}{span['pt']}, n = {row['n']}; reconhece "
        f"{said_share(row['sensitivity'])} das resolvidas e {said_share(row['specificity'])} das não "
        f"resolvidas{verdict['pt']}.",
        f"Judge {name} against the tests: MCC = {said(mcc)}{span['en']}, n = {row['n']}; it tells "
        f"{said_share(row['sensitivity'])} of the resolved and {said_share(row['specificity'])} of the "
        f"unresolved{verdict['en']}.",
    )
    if strength == "strong" and low is not None and low < 0:
        sentence = {
            "pt": sentence["pt"].rstrip(".") + "; aponta para o lado errado.",
            "en": sentence["en"].rstrip(".") + "; it points the wrong way.",
        }
    return Finding(sentence, strength, "judge_tests", place).marked(table, "judge")


def _chances(table: Table, place: int, row: dict[str, Any]) -> Finding | None:
    """Return what a row says of its probabilities; None for one in sample, told beside the validated one.

    A model's area is that of instances that its fit had not seen; unseen repositories are told with it.
    """
    who, area, sample = row["who"], row["auc"], row["sample"]
    if sample not in ("stated", "cross_validated"):
        return None
    name, beside = _named(who), _beside(table, who)
    validated = words("", "") if sample == "stated" else words(" em validação cruzada", ", cross-validated")
    if why(area):
        sentence = words(
            f"AUC {name['pt']}{validated['pt']}: indefinida ({why(area)}){beside['pt']}.",
            f"AUC {name['en']}{validated['en']}: undefined ({why(area)}){beside['en']}.",
        )
        return Finding(sentence, "undefined", "discrimination", place).marked(table, _origin(who))
    span, off = interval(row["low"], row["high"]), words("", "")
    error = value(row["ece"])
    if error is not None:
        points = f"{100 * error:.0f}"
        off = words(
            f"; as probabilidades erram em média {points} pontos",
            f"; probabilities are {points} points off on average",
        )
    sentence = words(
        f"AUC {name['pt']}{validated['pt']}: {said(area)}{span['pt']}{beside['pt']}{off['pt']}.",
        f"AUC {name['en']}{validated['en']}: {said(area)}{span['en']}{beside['en']}{off['en']}.",
    )
    low = value(row["low"])
    strength: Strength = "strong" if low is not None and low > 0.5 else "none"
    if low is None:
        strength = (
            "described"  # a bound that has no value, as of a perfect area, shows nothing and denies nothing
        )
    return Finding(sentence, strength, "discrimination", place).marked(table, _origin(who))


def _beside(table: Table, who: str) -> Words:
    """Return the areas of a model on the instances of its fit and on repositories that it had not seen."""
    areas = {row["sample"]: row["auc"] for row in table.records() if row["who"] == who}
    found = words("", "")
    for sample, pt, en in (
        ("in_sample", "nas próprias instâncias do ajuste", "on the very instances of the fit"),
        ("unseen_repositories", "em repositórios não vistos", "on unseen repositories"),
    ):
        if value(areas.get(sample)) is not None:
            told = said(areas[sample])
            found = words(f"{found['pt']}; {pt}, {told}", f"{found['en']}; {en}, {told}")
    return found


def _named(who: str) -> Words:
    """Return who states the probabilities, in words."""
    if not who.startswith("model: "):
        return words(f"do juiz {who}", f"of judge {who}")
    pt, en = MODELS[who.removeprefix("model: ")]
    return words(f"do modelo ({pt})", f"of the model ({en})")


def _origin(who: str) -> str:
    """Return what a row's numbers come from: a model's use the ratings, all others are a judge's."""
    return "M_" if who.startswith("model") else "judge"


def power_findings(tables: Tables) -> list[Finding]:
    """Return what this sample could have shown in four of five cases."""
    if "power" not in tables:
        return []
    found = []
    for place, row in enumerate(tables["power"].records()):
        if value(row["effect"]) is None or str(row["what"]).startswith("odds_ratio"):
            continue
        effect, share, n = said(row["effect"]), said_share(row["power"]), row["n"]
        held = words("", "")
        if row["tests"] > 1:
            corrected, m = said(row["effect_holm"]), row["tests"]
            held = words(
                f" ({corrected} para resistir a Holm sobre {m} testes)",
                f" ({corrected} to hold after Holm over {m} tests)",
            )
        sentence = words(
            f"Poder: com n = {n}, {row['what_pt']}, de pelo menos {effect}{held['pt']}, seria vista em "
            f"{share} dos casos; menor, muitas vezes não.",
            f"Power: with n = {n}, {row['what_en']}, of at least {effect}{held['en']}, would be seen in "
            f"{share} of cases; a smaller one often not.",
        )
        found.append(Finding(sentence, "described", "power", place))
    return found
