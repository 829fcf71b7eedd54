"""The columns of the analysis' tables: their names, headings in both languages, and kinds."""

from typing import get_args

from swe_assets.reporting.tables import Column, Kind, Words

_WORDS: dict[str, tuple[Kind, str, str]] = {
    "a": ("id", "A", "A"),
    "accuracy": ("share", "acurácia", "accuracy"),
    "at": ("number", "em", "at"),
    "auc": ("share", "AUC", "AUC"),
    "auc_cv_repo": ("share", "AUC em repositórios não vistos", "AUC, unseen repositories"),
    "auc_cv": ("share", "AUC validada", "AUC, cross-validated"),
    "b": ("id", "B", "B"),
    "only_a": ("integer", "só A resolve", "only A resolves"),
    "balanced_accuracy": ("share", "acurácia balanceada", "balanced accuracy"),
    "base": ("number", "base", "base"),
    "bin": ("integer", "faixa", "bin"),
    "both": ("integer", "ambas", "both"),
    "brier": ("number", "Brier", "Brier"),
    "brier_cv": ("number", "Brier validado", "Brier, cross-validated"),
    "only_b": ("integer", "só B resolve", "only B resolves"),
    "changes_conclusion": ("truth", "muda a conclusão", "changes the conclusion"),
    "ci_high": ("number", "IC 95 % sup.", "95 % CI high"),
    "ci_low": ("number", "IC 95 % inf.", "95 % CI low"),
    "ci_method": ("text", "método do IC", "CI method"),
    "coef": ("number", "coeficiente", "coefficient"),
    "coef_without": ("number", "coeficiente sem ela", "coefficient without it"),
    "column": ("id", "coluna", "column"),
    "converged": ("truth", "convergiu", "converged"),
    "difference": ("number", "diferença", "difference"),
    "ece": ("number", "ECE", "ECE"),
    "effect": ("number", "efeito", "effect"),
    "en": ("text", "frase (en)", "sentence (en)"),
    "f1": ("share", "F1", "F1"),
    "fn": ("integer", "FN", "FN"),
    "fp": ("integer", "FP", "FP"),
    "high": ("number", "IC 95 % sup.", "95 % CI high"),
    "icc": ("share", "ICC", "ICC"),
    "instance_id": ("id", "instância", "instance"),
    "judge": ("id", "juiz", "judge"),
    "kind": ("id", "estimador", "estimator"),
    "leads": ("truth", "a relatar", "leads"),
    "low": ("number", "IC 95 % inf.", "95 % CI low"),
    "max": ("number", "máx.", "max"),
    "mcc": ("number", "MCC", "MCC"),
    "mean": ("number", "média", "mean"),
    "mean_a": ("number", "média A", "mean A"),
    "mean_b": ("number", "média B", "mean B"),
    "mean_said": ("share", "chance dita", "chance stated"),
    "median": ("number", "mediana", "median"),
    "method": ("text", "método", "method"),
    "metric": ("id", "métrica", "measure"),
    "min": ("number", "mín.", "min"),
    "model": ("id", "medidas", "measures"),
    "n": ("integer", "n", "n"),
    "n_clusters": ("integer", "grupos", "clusters"),
    "neither": ("integer", "nenhuma", "neither"),
    "normal": ("truth", "normalidade não rejeitada", "normality not rejected"),
    "note": ("text", "nota", "note"),
    "odds_ratio": ("ratio", "razão de chances", "odds ratio"),
    "order": ("integer", "ordem", "order"),
    "outcome": ("id", "aplicação", "application"),
    "p": ("p", "p", "p"),
    "p_bh": ("p", "p (Benjamini-Hochberg)", "p (Benjamini-Hochberg)"),
    "p_holm": ("p", "p (Holm)", "p (Holm)"),
    "p_mcnemar": ("p", "p (McNemar exato)", "p (exact McNemar)"),
    "p_permutation": ("p", "p (permutação)", "p (permutation)"),
    "p_without": ("p", "p sem ela", "p without it"),
    "partial_p": ("p", "p parcial", "partial p"),
    "partial_rho_given_size": ("number", "ρ parcial dado o tamanho", "partial ρ given size"),
    "pass@1": ("integer", "pass@1", "pass@1"),
    "place": ("id", "lugar", "place"),
    "median_unbiased": ("ratio", "mediana não viesada", "median unbiased"),
    "power": ("share", "poder", "power"),
    "precision": ("share", "precisão", "precision"),
    "pt": ("text", "frase (pt)", "sentence (pt)"),
    "q1": ("number", "1º quartil", "1st quartile"),
    "q3": ("number", "3º quartil", "3rd quartile"),
    "rate": ("share", "taxa resolvida", "resolved rate"),
    "rate_a": ("share", "taxa A", "rate A"),
    "rate_b": ("share", "taxa B", "rate B"),
    "reason": ("text", "motivo", "reason"),
    "repo": ("id", "repositório", "repository"),
    "resolve_issue": ("truth", "o juiz diz que resolve", "judge says resolved"),
    "resolved": ("integer", "resolvidas", "resolved"),
    "rho": ("number", "ρ", "ρ"),
    "rho_best": ("number", "ρ no melhor caso", "ρ, best case"),
    "rho_worst": ("number", "ρ no pior caso", "ρ, worst case"),
    "row": ("integer", "linha", "row"),
    "score_confianca": ("number", "confiança", "confidence"),
    "sd": ("number", "desvio padrão", "sd"),
    "se": ("number", "erro padrão", "se"),
    "sensitivity": ("share", "sensibilidade", "sensitivity"),
    "separated": ("text", "separado", "separated"),
    "separation": ("text", "separação", "separation"),
    "specificity": ("share", "especificidade", "specificity"),
    "stage": ("id", "etapa", "stage"),
    "step": ("id", "etapa", "step"),
    "strength": ("id", "certeza", "certainty"),
    "study": ("id", "estudo", "study"),
    "table": ("id", "tabela", "table"),
    "term": ("id", "termo", "term"),
    "test": ("id", "teste", "test"),
    "tn": ("integer", "TN", "TN"),
    "tp": ("integer", "TP", "TP"),
    "unresolved": ("integer", "não resolvidas", "unresolved"),
    "vif": ("number", "VIF", "VIF"),
    "W": ("number", "W", "W"),
    "what": ("id", "o quê", "what"),
    "what_en": ("text", "efeito (en)", "effect (en)"),
    "what_pt": ("text", "efeito (pt)", "effect (pt)"),
    "who": ("id", "quem", "who"),
    "z": ("number", "z", "z"),
    "zeros": ("integer", "zeros", "zeros"),
}


def columns(*names: str) -> tuple[Column, ...]:
    """Return columns by name, ``name:kind`` where the kind is another; unlisted ones keep their name.

    >>> [(column.name, column.kind) for column in columns("p", "rate:number", "delta_ncloc")]
    [('p', 'p'), ('rate', 'number'), ('delta_ncloc', 'number')]
    """
    return tuple(_column(*name.partition(":")[::2]) for name in names)


def words(pt: str, en: str) -> Words:
    """Return one text in both languages."""
    return {"pt": pt, "en": en}


def _column(name: str, asked: str) -> Column:
    kind, pt, en = _WORDS.get(name, ("number", name, name))
    return Column(name, words(pt, en), next((k for k in get_args(Kind) if k == asked), kind))
