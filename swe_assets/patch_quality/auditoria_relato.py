"""An audit's agreement and disagreements as sheets and as Markdown, in the words of the study's reports."""

from collections.abc import Mapping, Sequence

from swe_assets.judging.audit_agreement import GroupAgreement, ScaleAgreement
from swe_assets.judging.audit_csv import sheet_bytes
from swe_assets.judging.audit_disagreements import Disagreement
from swe_assets.judging.audit_page import spelled
from swe_assets.judging.jury_agreement import PairAgreement
from swe_assets.patch_quality.auditoria_itens import SCALES
from swe_assets.statistics.estimate import Estimate
from swe_assets.statistics.kappa import Kappa
from swe_assets.statistics.undefined import Undefined, Value

MOST_SHOWN = 200
_INERT = str.maketrans({sign: f"&#{ord(sign)};" for sign in "\\`*[]<>|#&~"})
AGREEMENT_HEADER = (
    "escala",
    "avaliador_1",
    "avaliador_2",
    "n",
    "iguais",
    "diferenca_media",
    "kappa_quadratico",
    "kappa_inferior",
    "kappa_superior",
    "alpha_ordinal",
    "alpha_inferior",
    "alpha_superior",
    "confusao",
    "nota",
)
DISAGREEMENT_HEADER = (
    "instance_id",
    "escala",
    "auditor",
    "juiz",
    "humano",
    "julgado",
    "diferenca",
    "parte_da_escala",
    "sinalizado",
    "pass@1",
    "comentario",
)
Comments = Mapping[tuple[str, str], str]


def agreement_sheet(pairs: Sequence[ScaleAgreement], groups: Sequence[GroupAgreement]) -> bytes:
    """Return a row a pair and scale, then a row a group and scale; an empty cell is an undefined value."""
    rows: list[tuple[str, ...]] = [
        (
            one.scale.name,
            one.pair.a,
            one.pair.b,
            str(one.pair.n),
            str(one.pair.same),
            _number(one.difference),
            *_kappa_cells(one.pair.kappa),
            *_alpha_cells(one.alpha),
            "; ".join(f"{one.scale.write(a)}/{one.scale.write(b)}: {n}" for a, b, n in one.confusion),
            _why(one.pair.kappa, one.alpha),
        )
        for one in pairs
    ]
    rows += [
        (g.scale, ", ".join(g.raters), "", *[""] * 6, *_alpha_cells(g.alpha), "", _why(g.alpha))
        for g in groups
    ]
    return sheet_bytes(AGREEMENT_HEADER, rows)


def disagreement_sheet(apart: Sequence[Disagreement], comments: Comments, passed: Mapping[str, int]) -> bytes:
    """Return a row a disagreement, in the order given."""
    return sheet_bytes(
        DISAGREEMENT_HEADER,
        (
            (
                one.item_id,
                one.scale,
                one.auditor,
                one.judge,
                SCALES[one.scale].write(one.human),
                SCALES[one.scale].write(one.judged),
                f"{one.difference:g}",
                f"{one.part:.4g}",
                "sim" if one.flagged else "não",
                str(passed[one.item_id]),
                comments.get((one.auditor, one.item_id), ""),
            )
            for one in apart
        ),
    )


def agreement_markdown(pairs: Sequence[ScaleAgreement], groups: Sequence[GroupAgreement]) -> str:
    """Return the agreement as a table, undefined values with their reasons below."""
    if not pairs:
        return "# Concordância\n\nNenhuma planilha de auditoria foi devolvida ainda.\n"
    head = "| escala | avaliadores | n | iguais | diferença média | kappa quadrático | alpha ordinal |"
    rows = [
        f"| {one.scale.name} | {_cell(one.pair.a)} × {_cell(one.pair.b)} | {one.pair.n} | "
        f"{_share(one.pair)} | {_number(one.difference) or '–'} | {_kappa_text(one.pair.kappa)} | "
        f"{_alpha_text(one.alpha)} |"
        for one in pairs
    ]
    rows += [
        f"| {g.scale} | {_cell(', '.join(g.raters))} |  |  |  |  | {_alpha_text(g.alpha)} |" for g in groups
    ]
    whys = {_why(one.pair.kappa, one.alpha) for one in pairs} | {_why(g.alpha) for g in groups}
    notes = [f"- {_cell(why)}" for why in sorted(whys - {""})]
    confusions = [
        f"- {one.scale.name}, {_cell(one.pair.a)} / {_cell(one.pair.b)}: "
        + "; ".join(f"{one.scale.write(a)}/{one.scale.write(b)} = {n}" for a, b, n in one.confusion)
        for one in pairs
        if one.confusion
    ]
    parts = [
        "# Concordância",
        "",
        "Entre colchetes, intervalos de 95 %.",
        "",
        head,
        "| --- | --- | ---: | ---: | ---: | --- | --- |",
        *rows,
        "",
    ]
    parts += ["## Confusão (primeiro/segundo = quantos)", "", *confusions, ""] if confusions else []
    parts += ["## Sem valor, e por quê", "", *notes, ""] if notes else []
    return "\n".join(parts)


def disagreement_markdown(
    apart: Sequence[Disagreement], comments: Comments, passed: Mapping[str, int], threshold: float
) -> str:
    """Return the disagreements as a table, the largest first; a very long list is cut and says so."""
    flagged = flagged_items(apart)
    told = (
        f"{len(apart)} discordâncias, das quais {sum(one.flagged for one in apart)} sinalizadas "
        f"(|humano − juiz| > {threshold:g}, ou veredito contrário), em {len(flagged)} instâncias."
    )
    head = "| instance_id | escala | auditor | juiz | humano | julgado | dif. | sinal | pass@1 | comentário |"
    rows = [
        f"| {_cell(one.item_id)} | {one.scale} | {_cell(one.auditor)} | {_cell(one.judge)} | "
        f"{SCALES[one.scale].write(one.human)} | {SCALES[one.scale].write(one.judged)} | "
        f"{one.difference:+g} | {'⚑' if one.flagged else ''} | {passed[one.item_id]} | "
        f"{_cell(comments.get((one.auditor, one.item_id), ''))} |"
        for one in apart[:MOST_SHOWN]
    ]
    table = [head, "| --- | --- | --- | --- | ---: | ---: | ---: | --- | ---: | --- |", *rows, ""]
    cut = [f"… e mais {len(apart) - MOST_SHOWN}: veja discordancias.csv.", ""] if apart[MOST_SHOWN:] else []
    return "\n".join(["# Discordâncias", "", told, "", *(table if rows else []), *cut])


def flagged_items(apart: Sequence[Disagreement]) -> list[str]:
    """Return the ids with a flagged disagreement, each once, in order of size."""
    return list(dict.fromkeys(one.item_id for one in apart if one.flagged))


def _share(pair: PairAgreement) -> str:
    return f"{pair.same} ({100 * pair.same / pair.n:.0f} %)" if pair.n else "0"


def _number(value: Value) -> str:
    return "" if isinstance(value, Undefined) else f"{value:.4g}"


def _kappa_cells(kappa: Kappa | Undefined) -> tuple[str, str, str]:
    if isinstance(kappa, Undefined):
        return "", "", ""
    return _number(kappa.value), _number(kappa.low), _number(kappa.high)


def _alpha_cells(alpha: Estimate | Undefined) -> tuple[str, str, str]:
    if isinstance(alpha, Undefined):
        return "", "", ""
    return _number(alpha.value), _number(alpha.low), _number(alpha.high)


def _kappa_text(kappa: Kappa | Undefined) -> str:
    return _interval(_kappa_cells(kappa))


def _alpha_text(alpha: Estimate | Undefined) -> str:
    return _interval(_alpha_cells(alpha))


def _interval(cells: tuple[str, str, str]) -> str:
    value, low, high = cells
    if not value:
        return "indefinido"
    return f"{value} [{low}, {high}]" if low and high else f"{value} [sem intervalo]"


def _why(*values: Kappa | Estimate | Undefined) -> str:
    """Return why values or their intervals are not there."""
    whys = [part for value in values for part in _whys(value)]
    return "; ".join(dict.fromkeys(whys))


def _whys(value: Kappa | Estimate | Undefined) -> list[str]:
    name = "alpha" if isinstance(value, Estimate) else "kappa"
    if isinstance(value, Undefined):
        return [value.reason]
    return [f"{name}: {value.low.reason}"] if isinstance(value.low, Undefined) else []


def _cell(text: str) -> str:
    """Return a text fit for a cell of a Markdown table: one line, nothing that is markup."""
    return " ".join(spelled(text).split()).translate(_INERT)
