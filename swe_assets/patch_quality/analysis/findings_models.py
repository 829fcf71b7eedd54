"""What the models say: which estimator leads and why, the odds it finds, and what they hang on."""

from typing import Any

from swe_assets.patch_quality.analysis.column_words import words
from swe_assets.patch_quality.analysis.finding import (
    Finding,
    Strength,
    Tables,
    below,
    interval,
    said,
    said_p,
    value,
    why,
    without,
)
from swe_assets.reporting.tables import Table, Words
from swe_assets.statistics import holm
from swe_assets.statistics.undefined import Undefined, Value

TOTAL = "total"
CONST = "const"
HIGH_VIF = 5
_NAMES = {"ml": ("máxima verossimilhança", "maximum likelihood"), "firth": ("Firth", "Firth")}
_GROUPED = {"cluster": ("erros por grupo", "clustered errors"), "mixed": ("efeitos mistos", "mixed effects")}
MODELS = {
    "total": ("arquivos inteiros", "whole files"),
    "base": ("arquivos antes do patch", "files before the patch"),
    "delta": ("mudança", "the change"),
}


def model_findings(tables: Tables) -> list[Finding]:
    """Return for each model which estimator leads and what it shows, and collinearity of the first."""
    if "fit" not in tables or "logit" not in tables:
        return []
    found = []
    for place, row in enumerate(tables["fit"].records()):
        if row["kind"] != "ml":
            continue
        leader = next(
            (r["kind"] for r in tables["fit"].records() if r["model"] == row["model"] and r["leads"]), None
        )
        names = _predictors(tables["logit"], row["model"])
        about = [
            _leader(place, row, leader) if leader is not None else _leaderless(place, tables["fit"], row)
        ]
        if leader is not None:
            about += _terms(tables, row["model"], leader)
        found += [one.marked(tables["logit"], *names) for one in about]
    names = _predictors(tables["logit"], TOTAL)
    return [*found, *(one.marked(tables["logit"], *names) for one in _collinear(tables["logit"]))]


def _predictors(table: Table, model: str) -> list[str]:
    """Return a model's predictors: each of its numbers is adjusted for all of them, and bears their marks."""
    terms = [row["term"] for row in table.records() if row["model"] == model and row["kind"] == "ml"]
    return [term.removesuffix("_log") for term in terms if term != CONST]


def _leaderless(place: int, fit: Table, row: dict[str, Any]) -> Finding:
    """Return why neither maximum likelihood nor Firth leads: each is distrusted or has no result."""
    pt, en = MODELS[row["model"]]
    rows = [other for other in fit.records() if other["model"] == row["model"] and other["kind"] in _NAMES]
    reasons = [(_NAMES[other["kind"]], other["reason"]) for other in rows if other["reason"]]
    told = words(*("; ".join(f"{names[at]}: {reason}" for names, reason in reasons) for at in (0, 1)))
    sentence = words(
        f"Modelo ({pt}): nenhum estimador a relatar ({told['pt']}).",
        f"Model ({en}): no estimator is to be reported ({told['en']}).",
    )
    return Finding(sentence, "undefined", "fit", place)


def _leader(place: int, row: dict[str, Any], leader: str) -> Finding:
    pt, en = MODELS[row["model"]]
    ratio = value(row["EPV"])
    events = "" if ratio is None else f"; EPV = {ratio:.1f}"
    if leader == "ml":
        sentence = words(
            f"Modelo ({pt}): a máxima verossimilhança serve (n = {row['n']}, McFadden R² = "
            f"{said(row['McFadden'])}, LR {said_p(row['LR_p'])}{events}).",
            f"Model ({en}): maximum likelihood serves (n = {row['n']}, McFadden R² = "
            f"{said(row['McFadden'])}, LR {said_p(row['LR_p'])}{events}).",
        )
        return Finding(sentence, "described", "fit", place)
    reason = row["reason"]
    sentence = words(
        f"Modelo ({pt}): a máxima verossimilhança não merece confiança ({reason}){events}; vale Firth.",
        f"Model ({en}): maximum likelihood is not to be trusted ({reason}){events}; Firth's results lead.",
    )
    return Finding(sentence, "described", "fit", place)


def _terms(tables: Tables, model: str, leader: str) -> list[Finding]:
    """Return the terms whose p is below 0.05 by the leading estimator, or that there is none.

    Holm's correction is over the predictors of the model.
    """
    table = tables["logit"]
    rows = [
        (place, row)
        for place, row in enumerate(table.records())
        if row["model"] == model and row["kind"] == leader and row["term"] != CONST
    ]
    given = [Undefined("no p") if (p := value(row["p"])) is None else p for _place, row in rows]
    adjusted = holm(given).adjusted
    clear = [(item, p) for item, p in zip(rows, adjusted, strict=True) if below(item[1]["p"])]
    if not clear:
        return [_no_term(model, rows)]
    return [_term(tables, place, row, p) for (place, row), p in clear]


def _term(tables: Tables, place: int, row: dict[str, Any], adjusted: Value) -> Finding:
    span, (pt, en) = interval(row["ci_low"], row["ci_high"]), MODELS[row["model"]]
    name, estimator = row["term"], _NAMES[row["kind"]]
    tail, strength = _hangs_on(tables, row)
    looked = _looked_at(tables, row)
    if strength == "strong" and not below(adjusted):
        strength = "moderate"
    tests = f"{said_p(row['p'])}, Holm {said_p(adjusted)}"
    unit = words("uma unidade", "one unit")
    if name.endswith("_log"):
        scale = "±log(1 + |x|)" if row["model"] == "delta" else "log(1 + x)"
        name, unit = name.removesuffix("_log"), words(f"uma unidade de {scale}", f"one unit of {scale}")
    sentence = words(
        f"{unit['pt']} a mais de {name} acompanha chances de resolver multiplicadas por "
        f"{said(row['odds_ratio'])}{span['pt']}, {tests} ({estimator[0]}; {pt}).{tail['pt']}{looked['pt']}",
        f"{unit['en']} more of {name} goes with odds of resolving times {said(row['odds_ratio'])}"
        f"{span['en']}, {tests} ({estimator[1]}; {en}).{tail['en']}{looked['en']}",
    )
    capital = {lang: text[0].upper() + text[1:] for lang, text in sentence.items()}
    return Finding(capital, strength, "logit", place)


def _hangs_on(tables: Tables, row: dict[str, Any]) -> tuple[Words, Strength]:
    """Return what a conclusion hangs on: one instance, repositories, or the choice of an estimator."""
    if "influence" in tables:
        for one in tables["influence"].records():
            same = one["model"] == row["model"] and one["term"] == row["term"]
            if same and one["changes_conclusion"] is True:
                return without(one), "fragile"
    for other in tables["logit"].records():
        same = other["model"] == row["model"] and other["term"] == row["term"]
        grouped = other["kind"] in ("cluster", "mixed") and value(other["p"]) is not None
        plain = other["kind"] in ("ml", "firth") and value(other["p"]) is not None
        if same and plain and not below(other["p"]):
            name, p = _NAMES[other["kind"]], said_p(other["p"])
            return words(f" Por {name[0]}, {p}.", f" By {name[1]}, {p}."), "moderate"
        if same and grouped and not below(other["p"]):
            p = said_p(other["p"])
            tail = words(
                f" Com as instâncias agrupadas por repositório ({_GROUPED[other['kind']][0]}), {p}.",
                f" With instances grouped by repository ({_GROUPED[other['kind']][1]}), {p}.",
            )
            return tail, "moderate"
    return words("", ""), "strong"


def _looked_at(tables: Tables, row: dict[str, Any]) -> Words:
    """Return how many instances were left out to see what one carries, where it was not each of them.

    Also where no row of influence tells of the model, or a test did not end.
    """
    if "influence" not in tables:
        return words("", "")
    own = [one for one in tables["influence"].records() if one["model"] == row["model"]]
    tried, n = next(((one["n_tried"], one["n"]) for one in own if one["n_tried"] is not None), (0, None))
    untested = sum(one["term"] == row["term"] and bool(why(one["changes_conclusion"])) for one in own)
    if n is None:
        return words(
            " Não se viu o que depende de uma instância.", " What hangs on one instance was not looked at."
        )
    told = words("", "")
    if tried != n:
        told = words(
            f" O que depende de uma instância só foi visto em {tried} de {n}.",
            f" What hangs on one instance was looked at in {tried} of {n} only.",
        )
    if untested:
        told = words(
            f"{told['pt']} Sem {untested} instância(s), cada uma só, o teste não tem valor.",
            f"{told['en']} Without {untested} instance(s), each alone, the test has no value.",
        )
    return told


def _no_term(model: str, rows: list[tuple[int, dict[str, Any]]]) -> Finding:
    pt, en = MODELS[model]
    place, row = min(rows, key=lambda item: (1.0 if value(item[1]["p"]) is None else item[1]["p"], item[0]))
    numbers = f"{row['term']}, {said_p(row['p'])}"
    sentence = words(
        f"Modelo ({pt}): nenhum preditor se mostra ligado a pass@1 ao nível de 0.05 (o mais próximo: "
        f"{numbers}).",
        f"Model ({en}): no predictor is shown to go with pass@1 at the 0.05 level (the nearest: {numbers}).",
    )
    return Finding(sentence, "none", "logit", place)


def _collinear(table: Table) -> list[Finding]:
    """Return the predictors of the whole-file model whose VIF is 5 or more, or infinite."""
    high = []
    for place, row in enumerate(table.records()):
        if row["model"] == TOTAL and row["kind"] == "ml" and row["vif"] is not None:
            found = value(row["vif"])
            infinite = getattr(row["vif"], "infinite", False)
            if infinite or (found is not None and found >= HIGH_VIF):
                high.append((place, f"{row['term']} (VIF {'∞' if infinite else said(found)})"))
    if not high:
        return []
    names = ", ".join(name for _place, name in high)
    sentence = words(
        f"Preditores colineares, cujos coeficientes pouco dizem um a um: {names}.",
        f"Collinear predictors, whose coefficients say little one by one: {names}.",
    )
    return [Finding(sentence, "described", "logit", high[0][0])]
