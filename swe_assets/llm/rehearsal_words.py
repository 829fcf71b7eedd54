"""The sentences of a rehearsed judge, and the phrases by which its second pass recognises a judgement."""

import re

SENTENCES: dict[str, dict[int | None, tuple[str, ...]]] = {
    "M_profundidade": {
        1: (
            "A alteração trata apenas o sintoma visível e deixa intacta a origem da falha.",
            "O trecho contorna o problema sem corrigir a causa-raiz.",
        ),
        2: (
            "O caso específico descrito passa a funcionar com a alteração.",
            "O comportamento pedido é obtido para o caso específico relatado.",
        ),
        3: (
            "A alteração corrige a causa-raiz, no ponto em que o valor errado é produzido.",
            "O patch trata a causa-raiz em vez de compensar o seu efeito.",
        ),
        None: ("A alteração toca o módulo mencionado no relato.",),
    },
    "M_integridade": {
        1: (
            "Há risco de regressão: quem depende do comportamento anterior deixa de funcionar.",
            "A mudança viola o contrato da função para os chamadores existentes.",
        ),
        2: (
            "O código resultante traz lógica redundante, embora nada deixe de funcionar.",
            "Há duplicação desnecessária, sem quebra de comportamento.",
        ),
        3: (
            "Não se observam efeitos colaterais negativos.",
            "Os contratos existentes são preservados.",
        ),
        None: ("O estilo segue o do arquivo.",),
    },
    "M_defesa": {
        1: (
            "A solução é incompleta: parte do que a issue descreve continua sem tratamento.",
            "Faltam casos descritos na issue.",
        ),
        2: (
            "Cobre-se o que a issue descreve, sem cobertura adicional.",
            "Apenas o cenário da issue é coberto.",
        ),
        3: (
            "Também são tratados casos de borda implícitos, como entradas vazias ou nulas.",
            "A validação acrescentada dá robustez adicional a entradas inesperadas.",
        ),
        None: ("Os nomes escolhidos são claros.",),
    },
}
"""For each metric the sentences that state a value; under None those that leave it unsaid."""

_CUES: dict[str, tuple[tuple[int, str], ...]] = {
    "M_profundidade": (
        (
            1,
            r"(?:apenas|somente|s[óo]) o sintoma|contorna o problema|paliativ|workaround"
            r"|(?:sem|n[ãa]o) (?:corrig\w+|trata\w*|resolv\w+|atac\w+) (?:a )?(?:causa|origem)",
        ),
        (
            3,
            r"(?<!sem )(?<!não )\b(?:corrig|trat|atac|resolv|elimin)\w* (?:a|na) (?:causa|origem)"
            r"|causa[- ]raiz (?:é|foi) (?:corrigida|tratada)",
        ),
        (2, r"caso espec[íi]fico"),
    ),
    "M_integridade": (
        (
            1,
            r"(?:risco de|introduz|causa|provoca)\s+(?:uma\s+)?regress"
            r"|(?:viola|quebra)\w* (?:o|um|os) (?:contrato|invariante)",
        ),
        (2, r"redundan|duplica[çc][ãa]o|l[óo]gica desnecess[áa]ria"),
        (3, r"(?:n[ãa]o se observam|sem|n[ãa]o h[áa]) (?:efeitos colaterais|regress)|preserva"),
    ),
    "M_defesa": (
        (1, r"incomplet|falta\w* casos|sem tratamento"),
        (3, r"(?<!sem )casos de borda|(?<!sem )robustez adicional"),
        (2, r"sem cobertura adicional|apenas o cen[áa]rio|apenas o caso"),
    ),
}
CUES = {
    metric: tuple((value, re.compile(cue, re.IGNORECASE)) for value, cue in cues)
    for metric, cues in _CUES.items()
}
"""For each metric its values with the phrases that state them, in the order in which they are looked for."""
