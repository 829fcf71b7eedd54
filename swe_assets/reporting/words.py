"""The page's own words in each language; what the tables say, they say themselves."""

from collections.abc import Mapping

from swe_assets.reporting.section_words import SECTION_WORDS

LANGUAGES = ("pt", "en")
HTML_LANGUAGES = {"pt": "pt-BR", "en": "en"}

_WORDS: Mapping[str, tuple[str, str]] = {
    "report": ("Relatório", "Report"),
    "skip": ("Ir para o conteúdo", "Skip to the content"),
    "contents": ("Conteúdo", "Contents"),
    "data": ("Dados", "Data"),
    "row": ("linha", "row"),
    "rows": ("linhas", "rows"),
    "download": ("Baixar CSV", "Download CSV"),
    "undefined": ("Indefinido", "Undefined"),
    "first_rows": (
        "Primeiras {shown} de {all} linhas; o CSV tem todas.",
        "The first {shown} of {all} rows; the CSV has them all.",
    ),
    "where": ("ver os números", "see the numbers"),
    "no_findings": ("As tabelas não dão nenhuma frase.", "The tables give no sentence."),
    "certainty": ("Certeza", "Certainty"),
    "absent": ("O que não está neste relatório", "What is not in this report"),
    "no_script": (
        "Sem JavaScript a lista de instâncias fica no arquivo tables/instances.csv, ao lado desta página.",
        "Without JavaScript the instances are in the file tables/instances.csv beside this page.",
    ),
    "search": ("Procurar instâncias", "Search instances"),
    "search_hint": ("id, repositório, motivo…", "id, repository, reason…"),
    "show": ("Mostrar", "Show"),
    "all": ("todas", "all"),
    "resolved": ("resolvidas", "resolved"),
    "unresolved": ("não resolvidas", "not resolved"),
    "outside": ("fora da matriz", "not in the matrix"),
    "disagree": ("juiz e testes discordam", "judge and tests disagree"),
    "count": ("{shown} de {all} instâncias", "{shown} of {all} instances"),
    "page_of": ("Página {page} de {pages}", "Page {page} of {pages}"),
    "previous": ("Anterior", "Previous"),
    "next": ("Próxima", "Next"),
    "none_found": ("Nenhuma instância corresponde.", "No instance matches."),
    "details_of": ("Detalhes de", "Details of"),
    "sort_by": ("Ordenar por", "Sort by"),
    "measure": ("medida", "measure"),
    "total": ("total", "total"),
    "base": ("base", "base"),
    "delta": ("mudança", "change"),
    "no_texts": (
        "Nem patch nem raciocínio foram guardados.", "Neither patch nor reasoning was kept."
    ),
    "text_failed": ("Este texto não pôde ser aberto", "This text could not be opened"),
    "yes": ("sim", "yes"),
    "no": ("não", "no"),
    "manifest": ("Manifesto", "Manifest"),
    "manifest_text": (
        "De que e com que este relatório foi feito; `swe-assets verify PASTA` o refaz e compara cada célula. "
        "Os decimais levam ponto, como nas tabelas em CSV e nos arquivos do estudo.",
        "What this report was made from, and with what; `swe-assets verify FOLDER` makes it again and "
        "compares every cell.",
    ),
}  # fmt: skip

MARKS: Mapping[str, tuple[str, str]] = {
    "rehearsal": ("ensaio", "rehearsal"),
    "stand_in": ("substituto", "stand-in"),
    "small_model": ("modelo pequeno", "small model"),
}
"""The marks as they stand beside a name; ``latex.mark_words`` says them in full."""

VALUES: Mapping[str, tuple[str, str]] = {
    "total": ("arquivos inteiros", "whole files"),
    "base": ("antes do patch", "before the patch"),
    "delta": ("a mudança", "the change"),
    "ml": ("máxima verossimilhança", "maximum likelihood"),
    "firth": ("Firth", "Firth"),
    "cluster": ("erros por repositório", "errors by repository"),
    "mixed": ("efeitos mistos", "mixed effects"),
    "pinned": ("fixadas", "pinned"),
    "in_matrix": ("na matriz", "in the matrix"),
    "excluded": ("excluída", "excluded"),
    "missing": ("falta", "missing"),
    "strong": ("forte", "strong"),
    "moderate": ("moderada", "moderate"),
    "fragile": ("frágil", "fragile"),
    "none": ("não mostrado", "not shown"),
    "undefined": ("indefinido", "undefined"),
    "described": ("descrição", "description"),
    "model: total": ("modelo, arquivos inteiros", "model, whole files"),
    "model: base": ("modelo, antes do patch", "model, before the patch"),
    "model: delta": ("modelo, a mudança", "model, the change"),
    "jury": ("júri", "jury"),
    "all": ("todas", "all"),
    "const": ("constante", "constant"),
    "spearman": ("Spearman", "Spearman"),
    "paired_difference": ("diferença pareada", "paired difference"),
    "accuracy": ("acurácia", "accuracy"),
    "sensitivity": ("sensibilidade", "sensitivity"),
    "specificity": ("especificidade", "specificity"),
    "precision": ("precisão", "precision"),
    "negative_predictive_value": ("valor preditivo negativo", "negative predictive value"),
    "prevalence": ("prevalência", "prevalence"),
    "mcc": ("MCC", "MCC"),
    "auc": ("AUC", "AUC"),
    "f1": ("F1", "F1"),
    "balanced_accuracy": ("acurácia balanceada", "balanced accuracy"),
    "brier": ("Brier", "Brier"),
    "brier_reliability": ("Brier: confiabilidade", "Brier: reliability"),
    "brier_resolution": ("Brier: resolução", "Brier: resolution"),
    "brier_uncertainty": ("Brier: incerteza", "Brier: uncertainty"),
    "brier_skill": ("Brier: ganho", "Brier: skill"),
    "expected_calibration_error": ("erro de calibração esperado", "expected calibration error"),
    "Wilson score": ("Wilson", "Wilson score"),
    "percentile": ("percentis", "percentile"),
    "order": ("o patch primeiro", "the patch first"),
    "wording": ("outras palavras", "other words"),
    "separation_cells": ("Células da separação", "Cells of the separation"),
    "exact": ("Resultados exatos", "Exact results"),
    "spearman_sides": ("Arquivo inteiro contra a mudança", "The whole file against the change"),
    "stated": ("afirmadas", "stated"),
    "in_sample": ("as do ajuste", "in sample"),
    "cross_validated": ("validação cruzada", "cross-validated"),
    "unseen_repositories": ("repositórios não vistos", "unseen repositories"),
}
"""What names in cells are called; a name that is not here is shown as it is."""


_RATIO = "odds_ratio "
MANIFEST_KEYS: Mapping[str, tuple[str, str]] = {
    "inputs": ("entradas", "inputs"),
    "versions": ("versões", "versions"),
    "settings": ("configuração", "settings"),
    "seed": ("semente", "seed"),
    "draws": ("sorteios", "draws"),
    "permutations": ("permutações", "permutations"),
    "folds": ("partes da validação cruzada", "folds"),
    "lang": ("língua", "lang"),
    "labels": ("rótulos", "labels"),
    "rehearsal": ("ensaio", "rehearsal"),
    "small_model": ("modelo pequeno", "small model"),
    "stand_in": ("substituto", "stand-in"),
    "marks": ("marcas", "marks"),
    "judges": ("juízes", "judges"),
    "provenance": ("proveniência", "provenance"),
    "study": ("estudo", "study"),
    "studies": ("estudos", "studies"),
    "changed": ("mudou", "changed"),
    "sources": ("fontes", "sources"),
    "analyser": ("analisador", "analyser"),
    "metadata": ("metadados", "metadata"),
    "commands": ("comandos", "commands"),
    "verify": ("para conferir", "verify"),
}
"""What the manifest's own keys are called on the page."""


def language(lang: str) -> int:
    """Return the place of a language in the pairs of words; raises ValueError for an unknown one.

    >>> language("en")
    1
    """
    if lang not in LANGUAGES:
        raise ValueError(f"language {lang!r}: give one of {', '.join(LANGUAGES)}")
    return LANGUAGES.index(lang)


def word(key: str, lang: str) -> str:
    """Return the page's words for a key; raises KeyError for a key that has none."""
    pair = _WORDS.get(key) or SECTION_WORDS[key]
    return pair[language(lang)]


def named(value: str, lang: str) -> str:
    """Return what a name in a cell is called in a language, the name itself where it has no words."""
    if value.startswith(_RATIO):
        return f"{('razão de chances', 'odds ratio')[language(lang)]} {value.removeprefix(_RATIO)}"
    pair = VALUES.get(value)
    return pair[language(lang)] if pair else value


def mark_word(mark: str, lang: str) -> str:
    """Return the short word of a mark, the mark itself where it has none."""
    pair = MARKS.get(mark)
    return pair[language(lang)] if pair else mark
