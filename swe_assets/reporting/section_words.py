"""What stands above and below the figures: headings, how to read them, captions."""

from collections.abc import Mapping

SECTION_WORDS: Mapping[str, tuple[str, str]] = {
    "findings": ("O que se achou", "What was found"),
    "findings_how": (
        "Cada frase vem só das tabelas abaixo e leva a elas. A etiqueta diz a certeza: forte resiste à "
        "correção por testes múltiplos; moderada, só antes dela; frágil depende de uma instância ou do que "
        "falta; não mostrado não é prova de ausência.",
        "Each sentence comes from the tables below alone and leads to them. The label says how sure it is: "
        "strong holds after correction for many tests; moderate only before it; fragile hangs on one "
        "instance or on what is missing; not shown is no proof of absence.",
    ),
    "flow": ("Das instâncias fixadas à matriz", "From the pinned instances to the matrix"),
    "flow_how": (
        "Cada barra são as instâncias que continuam; recuadas, as perdidas com o motivo. A parte cheia são "
        "as resolvidas.",
        "Each bar is the instances that remain; indented, those lost, with the reason. The solid part are "
        "the resolved.",
    ),
    "missing_bounds": ("E se o que falta fosse diferente?", "What if the missing were different?"),
    "missing_bounds_how": (
        "ρ com pass@1 na matriz (losango), e em dois cenários para o que falta, contrário e favorável "
        "(barra).",
        "ρ with pass@1 in the matrix (diamond), and in two scenarios for what is missing, contrary and "
        "favourable (bar).",
    ),
    "distributions": ("Distribuições", "Distributions"),
    "distributions_how": (
        "Um histograma por medida; a linha marca a mediana. Eixos próprios.",
        "One histogram a measure; the line marks the median. Each has its own axes.",
    ),
    "correlations": ("Correlações", "Correlations"),
    "heatmap_how": (
        "ρ de Spearman de cada par. Negrito: p de Holm < 0.05; ◦: só o p sem correção < 0.05.",
        "Spearman's ρ of each pair. Bold: Holm's p < 0.05; ◦: only the uncorrected p < 0.05.",
    ),
    "heatmap": ("Correlações de Spearman", "Spearman correlations"),
    "intervals": ("Correlação de cada medida com pass@1", "Each measure's correlation with pass@1"),
    "intervals_how": (
        "ρ com intervalo de 95 % por reamostragem (linha). Círculo vazio: ρ dado o tamanho do arquivo.",
        "ρ with its 95 % bootstrap interval (line). Hollow circle: ρ given the file's size.",
    ),
    "sides": ("Arquivo inteiro contra a mudança", "The whole file against the change"),
    "sides_how": (
        "ρ com pass@1 medido no arquivo depois do patch, antes dele, e na diferença.",
        "ρ with pass@1 measured on the file after the patch, before it, and on the difference.",
    ),
    "models": ("Modelos de pass@1", "Models of pass@1"),
    "forest": ("Razões de chances", "Odds ratios"),
    "forest_how": (
        "Razão de chances e intervalo de 95 % por estimador, em escala logarítmica; à direita de 1, as "
        "chances de resolver são maiores. Uma seta diz que o intervalo segue além do eixo.",
        "Odds ratio and 95 % interval by estimator, on a logarithmic axis; right of 1, better odds of "
        "resolving. An arrow says that the interval goes on beyond the axis.",
    ),
    "vif": ("Colinearidade (VIF)", "Collinearity (VIF)"),
    "vif_how": (
        "Acima de 5 os coeficientes pouco dizem um a um; acima de 10, quase nada.",
        "Above 5 coefficients say little one by one; above 10, next to nothing.",
    ),
    "judges": ("O juiz diante dos testes", "The judge against the tests"),
    "confusion": ("Vereditos contra testes", "Verdicts against tests"),
    "confusion_how": (
        "Quantas vezes o juiz disse o que os testes mostraram (azul) e o contrário (vermelho).",
        "How often the judge said what the tests showed (blue), and the opposite (red).",
    ),
    "judge_tests": ("Acerto do juiz", "How often the judge is right"),
    "judge_tests_how": (
        "O que o juiz disse contra o que os testes mostraram; taxas com intervalo de Wilson de 95 %.",
        "What the judge said against what the tests showed; rates with Wilson's 95 % interval.",
    ),
    "calibration": ("Calibração", "Calibration"),
    "calibration_how": (
        "Probabilidade dita contra a parte resolvida de fato; na diagonal, ela é o que diz ser.",
        "Probability stated against the share that was resolved; on the diagonal it is what it says.",
    ),
    "discrimination": ("Discriminação", "Discrimination"),
    "discrimination_how": (
        "AUC com intervalo de 95 %: 0.5 é o acaso. Círculo vazio: em validação cruzada.",
        "AUC with its 95 % interval: 0.5 is chance. Hollow circle: cross-validated.",
    ),
    "chances": ("Probabilidades ditas e o que veio delas", "Probabilities stated, and what came of them"),
    "fragility": ("O que depende de uma instância", "What hangs on one instance"),
    "fragility_how": (
        "p de cada termo com todas as instâncias (ponto) e sem a instância que mais o muda (vazio). Se a "
        "linha cruza 0.05, uma só instância decide a conclusão.",
        "p of each term with all instances (dot) and without the one that changes it most (hollow). Where "
        "the line crosses 0.05, one instance decides the conclusion.",
    ),
    "power": ("Poder", "Power"),
    "power_how": (
        "Que diferença esta amostra poderia ter mostrado.",
        "What difference this sample could have shown.",
    ),
    "comparison": ("Comparação de estudos", "Comparison of studies"),
    "comparison_how": (
        "Diferença pareada na taxa resolvida (A − B) sobre as instâncias comuns, com intervalo de 95 %.",
        "Paired difference in resolved rate (A − B) over common instances, with its 95 % interval.",
    ),
    "comparison_metrics": ("Medidas nas instâncias comuns", "Measures on common instances"),
    "comparison_metrics_how": (
        "Diferença pareada (A − B) de cada medida em desvios padrão das diferenças, com o mais largo dos "
        "intervalos de 95 %, por instâncias ou por repositórios; ao lado os valores na unidade da medida.",
        "Paired difference (A − B) of each measure in standard deviations of the differences, with the wider "
        "95 % interval, by instances or by repositories; beside it the values in the measure's own unit.",
    ),
    "rates": ("Taxa resolvida de cada estudo", "Resolved rate of each study"),
    "rates_how": ("Com o intervalo de Wilson de 95 %.", "With Wilson's 95 % interval."),
    "instances": ("Todas as instâncias", "All instances"),
    "instances_how": (
        "O cabeçalho de cada coluna ordena; o nome de cada instância abre medidas, patch e raciocínio.",
        "Each column's heading sorts; each instance's name opens measures, patch and reasoning.",
    ),
    "judge_findings": ("O que se achou sobre os juízes", "What was found on the judges"),
    "judge_findings_how": (
        "Acordo entre os juízes, qualidade diante dos testes e constância: cada frase vem das tabelas abaixo "
        "e leva a elas.",
        "Agreement among judges, quality against the tests, and steadiness: each sentence comes from the "
        "tables below and leads to them.",
    ),
    "others": ("Outras tabelas", "Further tables"),
    "after": ("depois de", "after"),
    "and": ("e", "and"),
    "without": ("sem", "without"),
    "said_yes": ("disse que resolve", "said resolved"),
    "said_no": ("disse que não", "said not"),
    "passed": ("passou nos testes", "passed the tests"),
    "not_passed": ("não passou", "did not pass"),
    "chance_stated": ("probabilidade dita", "probability stated"),
    "share_resolved": ("parte resolvida", "share resolved"),
    "of_resolved": ("resolvidas", "resolved"),
    "unknown_rate": ("desfecho não conhecido", "outcome not known"),
    "strongest": ("Mais fortes", "Strongest"),
    "no_value": ("sem valor", "no value"),
    "median": ("mediana", "median"),
    "fragile_no": ("não muda a conclusão", "does not change the conclusion"),
    "fragile_yes": ("muda a conclusão", "changes the conclusion"),
    "none_crosses": ("Nenhuma muda a conclusão.", "None changes the conclusion."),
    "crossing": ("Mudam a conclusão", "These change the conclusion"),
    "holm_kept": ("resistem a Holm", "hold after Holm"),
}
