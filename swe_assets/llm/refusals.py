"""Whether a model declines to answer, by how its words begin in Portuguese, English or Chinese."""

import re
import unicodedata
from itertools import islice

SHORT = {"latin": 400, "han": 160}
LONG = {"latin": 1200, "han": 500}
"""Up to so many characters a text that begins by declining is a refusal: the longer bound where it declines
the request itself ("help with that"), the shorter one where it only says what it cannot do."""

CLAUSES_WITHIN = 160
MOST_LEADS = 7

_HAN = re.compile("[\u3400-\u9fff]")
_MARKS = re.compile("[\u0300-\u036f\u200b-\u200f\u2060\ufeff]+")
_SENTENCE = re.compile(r"(?<=[.!?。\n;])\s{0,4}")

_LEADS = (
    r"(?:i'?m|i am)(?: so| very| really| truly)? sorry|sorry|(?:my )?apologies|(?:i'?m|i am) afraid|"
    r"unfortunately|regrettably|"
    r"i apologi[sz]e(?: for [^,.;]{0,60})?|thank you for [^,.;]{0,60}|it would be|"
    r"(?:as|i am|i'm)(?: just| only)? an? (?:\w+ ){0,3}?(?:ai|model|assistant)(?: language)?(?: model)?"
    r"(?: assistant)?|"
    r"i (?:understand|appreciate|see|know)[^,.;]{0,100}|but|however|hello|hi|no|and|so|"
    r"desculp[ea](?:-me)?(?: por [^,.;]{0,60})?|peco (?:mil )?desculpas|me desculpe|perdao|perdoe-me|"
    r"lamento(?: muito| informar)?|sinto muito|infelizmente|entendo[^,.;]{0,100}|agradeco[^,.;]{0,60}|"
    r"(?:como|sou)(?: apenas)?(?: uma?)? (?:modelo|ia|inteligencia|assistente)(?: de linguagem| virtual|"
    r" artificial)?|"
    r"mas|porem|ola|nao|que|e|(?:isso|ess[ea] (?:tema|assunto)) esta|"
    r"(?:我)?(?:非常|很|十分|深感)?(?:抱歉|遗憾)|对不起|不好意思|遗憾的是|但是?|您?好|你好|感谢[^,.。]{0,20}|"
    r"(?:作为|我是)[^,.。]{0,24}?(?:模型|助手|ai|人工智能)|根据我的[^,.。]{0,12}|目前|现在|此事|对此|"
    r"(?:这|该|此)(?:个|类|种|项)?(?:问题|请求|内容|要求|话题)?|我(?:很|非常)?(?:理解|明白)[^,.。]{0,30}"
)
_LEAD = re.compile(rf"(?:{_LEADS})(?![a-z])[\s,.!:;。—–\-]{{0,4}}")

_EN_DO = (
    r"(?:help(?! (?:but|noticing|thinking|feeling|wonder))|assist|provide|answer|comply|fulfil|continue|"
    r"discuss|"
    r"create|generate|engage|support|share|give|offer|write|do (?:that|this|so)|proceed|participate|complete|"
    r"respond|produce|evaluate|assess|judge|grade|rate|obey|follow|accommodate|make|tell|recommend|perform|"
    r"process|access|browse|view|(?:form|express|hold|have)(?: \w+)? opinions?)"
)
_EN_NOT = (
    r"(?:can'?t|cannot|can not|(?:won'?t|will not)(?: be able to)?|(?:'m|am) (?:not able|unable) to|"
    r"(?:'m|am) not (?:allowed|going|permitted) to|(?:'d|would) rather not|prefer not to|"
    r"do(?: not|n'?t) feel comfortable)"
)
_WITHIN = r"(?: (?!wait|stop|but)\w+){0,4}"
_MAY = r"(?:may |might |appears to )?"
_EN = (
    rf"i(?: really| simply| just)? ?{_EN_NOT}{_WITHIN} {_EN_DO}|"
    r"i(?:'m going to(?: have to)?| will| must| have to|'ll have to)?(?: respectfully| politely)? "
    r"(?:decline to|decline\.|decline$|refuse)|"
    r"i(?:'m going to(?: have to)?| must| have to|'ll have to)(?: respectfully| politely)? decline\b|"
    r"i (?:do not|don'?t) have (?:personal |any )?(?:opinions|beliefs|feelings|access|the ability)|"
    r"(?:this|that|it)(?:'s| is) not something i (?:can|am able|'m able)|"
    rf"(?:this|that|your) (?:request|question|prompt|content) {_MAY}(?:violates?|goes? against|is against|"
    rf"conflicts)|"
    r"my (?:guidelines|policies|instructions|programming) (?:prevent|prohibit|forbid|do not (?:allow|permit)|"
    r"don't)|"
    r"i(?:'m| am) not comfortable \w+ing|we (?:are unable to|cannot|can't) (?:process|fulfil|complete|"
    r"answer) your|"
    r"inappropriate for me to|(?:(?:that|this|it)(?:'s| is| goes| falls) )?(?:beyond|"
    r"outside)(?: of)? what i can\b|"
    r"can'?t (?:help|assist|comply)\b(?! but)"
)
_PT_DO = (
    r"(?:ajud|auxili|respond|atend|fornec|prossegu|continu|cumpri|realiz|fazer? (?:isso|ess|est)|cria|gera|"
    r"discut|particip|dar |oferec|coment|escrev|colabor|divulg|revel|compartilh|obedec|segui|avali|julg|"
    r"dizer|"
    r"process|complet|opin|recomend|produz|acess|assist|inform|cooper|fal)"
)
_PT_NOT = (
    r"(?:nao (?:posso|consigo|poderei|irei|vou|devo|me e (?:possivel|permitido)|e possivel para mim|"
    r"sou capaz de|estou (?:autorizad|apt|em condicoes)[^.;]{0,16})|prefiro nao|sou incapaz de)"
)
_PT_REQUEST = (
    r"(?:(?:ess[ea]|est[ea]|(?:[oa] )?seu|(?:a )?sua) (?:pedido|conteudo|pergunta|solicitacao)|isso|isto)"
)
_PT = (
    rf"(?:eu )?{_PT_NOT}(?: (?:a|te|lhe|lhes|o|voce|me|de|em|mais|lo|la)){{0,3}} {_PT_DO}|"
    r"(?:eu )?(?:me recuso|recuso-me|nego-me|(?:devo|preciso|vou|tenho (?:de|que)) recusar)|"
    r"nao (?:responderei|ajudarei|fornecerei|atenderei|farei isso)|"
    rf"{_PT_REQUEST} (?:viola|vai contra|contraria)|(?:fora|alem) do que (?:eu )?posso|"
    r"minhas (?:diretrizes|politicas|instrucoes|regras) (?:nao (?:me )?permitem|me impedem|proibem|impedem)|"
    r"nao (?:e|seria) apropriado (?:que eu|para mim)|nao tenho (?:opinioes|opiniao pessoal|permissao|"
    r"autorizacao|acesso)"
)
_ZH_NOT = (
    r"(?:实在|暂时|目前|现在|并|确实|也|真的)?(?:无法|不能|没有?办法|没法|不会|不便|不可以|不应|不愿)"
    r"(?:够|再|直接|为|给|向|对|替|您|你|就|此|这|该|个|类|问题|请求)*"
)
_ZH_DO = r"(?:提供|回答|回应|答复|协助|帮|满足|讨论|透露|遵从|服从|评价|评估|评判)"
_ZH_MORE = (
    r"(?:完成|继续|生成(?:此|这|该|任何|图)|参与|处理|执行|支持|告诉|写|给出|访问|查看|浏览|预测|发表|做)"
)
_ZH = (
    rf"(?:我|本助手){_ZH_NOT}(?:{_ZH_DO}|{_ZH_MORE})|{_ZH_NOT}{_ZH_DO}|我(?:必须|只能|需要|要)?拒绝|"
    r"我无权|我没有(?:个人)?(?:观点|看法|情感|权限)|(?:您|你)的(?:请求|问题|要求)违反|恕(?:我)?(?:无法|不能)|"
    r"(?:该|此|这个|这一)(?:请求|问题|内容)违反|超出了?我的(?:能力|权限|范围|职责)"
)
_BARE = rf"(?:cannot|can'?t) {_EN_DO}|{_ZH_NOT}{_ZH_MORE}(?=[^,.。]{{0,4}}(?:意见|建议|看法|评论|请求))"
_DECLINED = re.compile(rf"{_EN}|{_PT}|{_ZH}|{_BARE}")
_CLAUSE = re.compile(r"[,;]\s{0,2}|\b(?:that|and|but|so|because|que|mas|pois|porque|e|ess[ea] tema esta)\s")
_IN_CLAUSE = re.compile(rf"{_EN}|{_PT}|(?=我|超出|恕)(?:{_ZH})")
_THE_REQUEST = re.compile(
    r"\w{0,8}\s?(?:(?:with|to|you|me|in|on|by|of|any|com|em|ao|a|o|para|voce)\s){0,3}"
    r"(?:that|this|it|your|isso|isto|n?ess[ea]s?|n?est[ea]s?|seu|sua|[您你]?(?:这|此|该|您的|你的))"
)
_ANSWERS = re.compile(
    r"\b(?:therefore|thus|hence|portanto|logo|assim)\b(?!,? (?:i|eu|nao|devo|recuso))|"
    r"\b(?:answer|result|value|resposta|resultado|valor)(?: (?:is|e|da|seria|would be)\b|:)|"
    r"\b(?:is|are|e|sao|da|about|approximately|roughly|around|cerca de|aproximadamente|equals|vale)"
    r"[\s:]{1,3}[-+$(\\]{0,3}[\d√π]|[\w)][ ]?[=≈][ ]?[-+\w√(\\]|"
    r"(?:因此|所以|故|于是)(?!.{0,4}(?:无法|不能|拒绝))|答案|结果[是为:]|(?:等于|约为?|是|为)[ ]?[-+]?[\d√π]"
)

_WORDS = re.compile(
    r"\b(?:i(?: am|'m) (?:sorry|unable|not able)|i (?:cannot|can't|can not|won't|must decline|refuse)"
    r"|as an ai|n[ãa]o (?:posso|consigo|irei|vou)|(?:me )?recuso|desculpe|lamento|sinto muito)\b"
    r"|抱歉|对不起|无法|拒绝|不能",
    re.IGNORECASE,
)


def may_decline(text: str) -> bool:
    """Return whether a word of refusal stands anywhere in a text, whatever it is about.

    It is the wider look, for words that stand beside an answer and may take it back.
    """
    return bool(_WORDS.search(text.replace("’", "'")))


def declines(text: str) -> bool:
    """Return whether a text is a refusal: short, and one of its first two sentences declines.

    Words of apology may stand before. What goes on to give an answer ("… so 12", "因此答案是…") is none,
    nor is an impersonal "cannot be written as a fraction".

    >>> declines("Desculpe, não posso ajudar com isso."), declines("无法用有理数表示，因此答案是√2。")
    (True, False)

    Of 21 refusals and 15 look-alikes written after the rules, 14 and 1 were called refusals; what was missed
    was learnt. A refusal in other words, or in another language, counts as an answer.
    """
    script = "han" if _HAN.search(text[:400]) else "latin"
    if len(text) > LONG[script] * 2:
        return False
    plain = _folded(text)
    if len(plain) > LONG[script]:
        return False
    place = _decline_in(plain)
    if place is None:
        return False
    rest = plain[: place[0]] + " " + plain[place[1] :]
    limit = (LONG if _THE_REQUEST.match(plain, place[1]) else SHORT)[script]
    return len(plain) <= limit and not _ANSWERS.search(rest)


def _decline_in(plain: str) -> tuple[int, int] | None:
    """Return where one of the first two sentences declines: at its beginning, else at that of a clause."""
    ends = [found.end() for found in islice(_SENTENCE.finditer(plain), 2)]
    for begin in [0, *ends[:1]]:
        end = _end_at_beginning(plain, begin)
        if end is not None:
            return begin, end
    within = plain[: min(ends[1] if len(ends) == 2 else len(plain), CLAUSES_WITHIN)]
    for clause in _CLAUSE.finditer(within):
        found = _IN_CLAUSE.match(plain, clause.end())
        if found is not None:
            return found.span()
    return None


def _end_at_beginning(plain: str, begin: int) -> int | None:
    """Return where words that decline end, if they stand at ``begin`` or after words of apology there."""
    for _ in range(MOST_LEADS):
        found = _DECLINED.match(plain, begin)
        if found is not None:
            return found.end()
        lead = _LEAD.match(plain, begin)
        if lead is None:
            return None
        begin = lead.end()
    return None


def _folded(text: str) -> str:
    """Return a text in small letters without accents or unseen characters, its apostrophes straight."""
    plain = _MARKS.sub("", unicodedata.normalize("NFKD", text.replace("’", "'"))).lower()
    return plain.strip().lstrip("*_#>\"'“ \n")
