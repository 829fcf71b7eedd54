"""Why a value is undefined and what a fit's notes say, in Portuguese; the statistics say it in English."""

import re
from collections.abc import Mapping, Sequence
from functools import cache

_PHRASES: Sequence[tuple[str, str]] = (
    (r"(\d+) unit\(s\) to draw from, at least (\d+) are needed",
     r"\1 unidade(s) para sortear; são precisas \2 ou mais"),
    (r"(\d+) unit\(s\) to hold out, at least (\d+) are needed",
     r"\1 unidade(s) para deixar de fora; são precisas \2 ou mais"),
    (r"(\d+) units? to draw from", r"\1 unidade(s) para sortear"),
    (r"(\d+) predictors, at least 1 is needed", r"\1 preditores; é preciso 1 ou mais"),
    (r"(\d+) rows, at least (\d+) are needed for p", r"\1 linhas; para p são precisas \2 ou mais"),
    (r"(\d+) rows, at least (\d+) are needed", r"\1 linhas; são precisas \2 ou mais"),
    (r"(\d+) value\(s\), at least (\d+) are needed", r"\1 valor(es); são precisos \2 ou mais"),
    (r"(\d+) score\(s\) in (\d+) cluster\(s\), at least 2 of both are needed",
     r"\1 nota(s) em \2 grupo(s); são precisos 2 ou mais de ambos"),
    (r"(\d+) score\(s\), at least (\d+) are needed", r"\1 nota(s); são precisas \2 ou mais"),
    (r"(\d+) items, at least (\d+) are needed", r"\1 itens; são precisos \2 ou mais"),
    (r"samples of (\d+) and (\d+), at least (\d+) are needed",
     r"amostras de \1 e \2; são precisas \3 ou mais"),
    (r"(\d+) rows, (\d+) parameters: collinear, or too few rows",
     r"\1 linhas, \2 parâmetros: colineares, ou linhas de menos"),
    (r"(\d+) rows for (\d+) parameters", r"\1 linhas para \2 parâmetros"),
    (r"(\d+) rows of the rarer class for (\d+) folds", r"\1 linhas da classe mais rara para \2 partes"),
    (r"(\d+) rows at a rate of ([\d.eE+-]+)", r"\1 linhas com taxa de \2"),
    (r"(\d+) raters and (\d+) units", r"\1 avaliadores e \2 unidades"),
    (r"(\d+) clusters for (\d+) coefficients: more clusters are needed",
     r"\1 grupos para \2 coeficientes: são precisos mais grupos"),
    (r"(\d+) clusters for (\d+) folds", r"\1 grupos para \2 partes"),
    (r"only (\d+) clusters: the errors are likely too small",
     r"só \1 grupos: os erros são provavelmente pequenos demais"),
    (r"no convergence within (\d+) Newton steps", r"sem convergência em \1 passos de Newton"),
    (r"no convergence within (\d+) (?:iterations|steps)", r"sem convergência em \1 iterações"),
    (r"no convergence without fold (\d+)", r"sem convergência sem a parte \1"),
    (r"no convergence: no maximum where the search ended",
     "sem convergência: não há máximo onde a busca parou"),
    (r"not converged", "não convergiu"),
    (r"constant predictor\(s\): ", "preditor(es) constante(s): "),
    (r"predictor ('[^']*') is constant", r"o preditor \1 é constante"),
    (r"column ('[^']*') is constant", r"a coluna \1 é constante"),
    (r"column ('[^']*') is determined by the given ones", r"a coluna \1 é determinada pelas dadas"),
    (r"infinite: predictor ('[^']*') is collinear with the others",
     r"infinito: o preditor \1 é colinear com os outros"),
    (r"infinite: the sum is the (most|least) possible", "infinito: a soma está no extremo do possível"),
    (r"given the others, the sum of ('[^']*') can only be what it is",
     r"dados os outros, a soma de \1 só pode ser a que é"),
    (r"more than (\d+) values of the sufficient statistics: not a tiny table",
     r"mais de \1 valores das estatísticas suficientes: não é uma tabela mínima"),
    (r"left out above (\d+) rows with events enough: maximum likelihood serves",
     r"omitido acima de \1 linhas com eventos bastantes: a máxima verossimilhança serve"),
    (r"separated already by (.+?) alone", r"já separados só por \1"),
    (r"no finite maximum likelihood estimate of ", "sem estimativa finita de máxima verossimilhança de "),
    (r"no finite estimate of ", "sem estimativa finita de "),
    (r"(separation) by ([^;]+); take firth", r"\1 por \2; use Firth"),
    (r"quasi-complete separation", "separação quase completa"),
    (r"complete separation", "separação completa"),
    (r"without fold (\d+) the predictors are collinear, or the rows too few",
     r"sem a parte \1 os preditores são colineares, ou as linhas de menos"),
    (r"without fold (\d+) all outcomes are (\d)", r"sem a parte \1 todos os desfechos são \2"),
    (r"without fold (\d+) ", r"sem a parte \1: "),
    (r"all (\d+) outcomes are (\d)", r"todos os \1 desfechos são \2"),
    (r"all outcomes are one class", "os desfechos são de uma só classe"),
    (r"all outcomes are (\d)", r"todos os desfechos são \1"),
    (r"all (\d+) scores are ([\d.]+)", r"todas as \1 notas são \2"),
    (r"all (\d+) draws give ([^:;]+): an interval of width zero would be no certainty",
     r"todos os \1 sorteios dão \2: um intervalo de largura zero não seria certeza"),
    (r"(\d+) of (\d+) draws have no value", r"\1 de \2 sorteios não têm valor"),
    (r"all values are equal", "todos os valores são iguais"),
    (r"no variance: all (\d+) ratings are ", r"sem variância: todas as \1 notas são "),
    (r"both raters give (\S+) to all (\d+) units", r"ambos os avaliadores dão \1 a todas as \2 unidades"),
    (r"one class only: (\d+) of (\d+) outcomes are 1", r"uma só classe: \1 de \2 desfechos são 1"),
    (r"one class only", "uma só classe"),
    (r"MCC: no pairs", "MCC: nenhum par"),
    (r"what was said is all one class", "o que foi dito é de uma só classe"),
    (r"what is is all one class", "o desfecho é de uma só classe"),
    (r"f1: nothing is positive, nor was said to be", "F1: nada é positivo, nem foi dito que fosse"),
    (r"a share of 0 trials", "uma proporção de 0 casos"),
    (r"a column with itself has no test", "uma coluna consigo mesma não tem teste"),
    (r"a class of one case has no spread", "uma classe de um só caso não tem dispersão"),
    (r"the placements have no spread", "as posições não têm dispersão"),
    (r"the (\d+) pairs have no spread: the large-sample error is 0",
     r"os \1 pares não têm dispersão: o erro de amostras grandes é 0"),
    (r"one value has no spread", "um só valor não tem dispersão"),
    (r"the outcome of (\d+) of (\d+) is not known", r"o desfecho de \1 de \2 não é conhecido"),
    (r"the repository of an instance is not known", "o repositório de uma instância não é conhecido"),
    (r"the matrix has no (\S+)", r"a matriz não tem \1"),
    (r"this method has no standard error", "este método não tem erro padrão"),
    (r"the statistic has no value for the whole sample", "a estatística não tem valor na amostra inteira"),
    (r"the profile does not fall by ([\d.]+) up to ([\d.e+-]+)", r"o perfil não cai \1 até \2"),
    (r"exp\(([^()]+)\) is beyond a float", r"exp(\1) não cabe em um número de ponto flutuante"),
    (r"no unit was rated by both", "nenhuma unidade foi avaliada por ambos"),
    (r"no unit has two ratings", "nenhuma unidade tem duas notas"),
    (r"no row has all predictors", "nenhuma linha tem todos os preditores"),
    (r"no jury: one judge alone", "não há júri: um só juiz"),
    (r"nothing was judged", "nada foi julgado"),
    (r"not asked for", "não foi pedido"),
    (r"no instance was rated by both", "nenhuma instância foi avaliada por ambos"),
    (r"no instance has two verdicts", "nenhuma instância tem dois vereditos"),
    (r"no instance has the measure in both", "nenhuma instância tem a medida em ambos"),
    (r"no instance has a verdict in both forms", "nenhuma instância tem veredito nas duas formas"),
    (r"no instance", "nenhuma instância"),
    (r"no estimator leads", "nenhum estimador é o indicado"),
    (r"no degree of freedom", "nenhum grau de liberdade"),
    (r"no upper bound", "sem limite superior"),
    (r"no rows", "nenhuma linha"),
    (r"without the instance there is no estimate", "sem a instância não há estimativa"),
    (r"without the instance the likelihood ratio test did not end",
     "sem a instância o teste da razão de verossimilhanças não terminou"),
    (r"BCa has no value: its quantiles lie outside the draws",
     "BCa não tem valor: seus quantis caem fora dos sorteios"),
    (r"no draw on one side of the value", "nenhum sorteio de um dos lados do valor"),
    (r"the jackknife has no spread", "o jackknife não tem dispersão"),
    (r"BCa has no value: ", "BCa não tem valor: "),
    (r"factor ('[^']*') has one level only", r"o fator \1 tem um só nível"),
    (r"factor ('[^']*') has a level for each 0 or 1: its spread cannot be told",
     r"o fator \1 tem um nível para cada 0 ou 1: sua dispersão não se pode dizer"),
    (r"singular: the standard deviation of (.+?) is estimated as 0",
     r"singular: o desvio padrão de \1 é estimado em 0"),
    (r"sd of (\d+) repositories ([\d.]+), ([\d.]+) % of the variance",
     r"desvio padrão de \1 repositórios \2, \3 % da variância"),
    (r"EPV ([\d.]+) is below (\d+)", r"EPV \1 abaixo de \2"),
    (r"p is not accurate for more than (\d+) values", r"p não é exato acima de \1 valores"),
    (r"not looked for", "não foi procurada"),
    (r"no reason was kept", "nenhum motivo foi guardado"),
    (r"perfectly collinear: ", "perfeitamente colineares: "),
    (r"predictor\(s\) with one value only: ", "preditor(es) de um só valor: "),
    (r"constant outcome", "desfecho constante"),
    (r"constant predictor", "preditor constante"),
    (r"collinear predictors", "preditores colineares"),
    (r"too few rows", "linhas de menos"),
)  # fmt: skip
_WHOLE: Mapping[str, str] = {
    "complete": "completa",
    "quasi-complete": "quase completa",
    "none": "nenhuma",
    "too few": "insuficiente",
    "few": "no limite",
    "enough": "suficiente",
    "percentile": "percentis",
    "Wilson score": "Wilson",
}
"""Texts of a cell that are one word; within a sentence they may be anything."""


def in_words(reason: str, lang: str) -> str:
    """Return a reason in a language; what has no words in it stays as it is, as names and numbers do.

    >>> in_words("M_defesa: all values are equal", "pt")
    'M_defesa: todos os valores são iguais'
    >>> in_words("all values are equal", "en")
    'all values are equal'
    """
    if lang != "pt":
        return reason
    if reason in _WHOLE:
        return _WHOLE[reason]
    for pattern, words in _compiled():
        reason = pattern.sub(words, reason)
    return reason


@cache
def _compiled() -> tuple[tuple[re.Pattern[str], str], ...]:
    return tuple((re.compile(rf"(?<!\w){english}"), portuguese) for english, portuguese in _PHRASES)
