"""Whether a model declines to answer, by how its words begin in Portuguese, English or Chinese."""

import re
import unicodedata

SHORT = {"latin": 400, "han": 160}
LONG = {"latin": 1200, "han": 500}
"""Up to so many characters a text that begins by declining is a refusal: the longer bound where it declines
the request itself ("help with that"), the shorter one where it only says what it cannot do."""

_HAN = re.compile("[\u3400-\u9fff]")
_MARKS = re.compile("[\u0300-\u036f\u200b-\u200f\u2060\ufeff]+")
_SENTENCE = re.compile(r"(?<=[.!?。\n;])\s{0,4}")

_LEADS = (
    r"(?:i'?m|i am)(?: so| very| really| truly)? sorry|sorry|(?:my )?apologies|"
    r"i apologi[sz]e(?: for [^,.;]{0,60})?|"
    r"unfortunately|regrettably|as an? (?:ai|artificial|large|language|assistant)[^,.;]{0,80}|"
    r"thank you for [^,.;]{0,60}|"
    r"i (?:understand|appreciate|see|know)[^,.;]{0,100}|but|however|hello|hi|no|and|"
    r"desculp[ea](?:-me)?(?: por [^,.;]{0,60})?|perdao|lamento(?: muito| informar)?|sinto muito|infelizmente|"
    r"como (?:um |uma )?(?:modelo|ia|inteligencia|assistente)[^,.;]{0,80}|mas|porem|entendo[^,.;]{0,100}|"
    r"agradeco[^,.;]{0,60}|ola|nao|que|"
    r"非常抱歉|很抱歉|十分抱歉|抱歉|对不起|不好意思|遗憾的是|很遗憾|作为[^,.。]{0,24}(?:模型|助手|ai|"
    r"人工智能)|但是?|您?好|你好|"
    r"感谢[^,.。]{0,20}|目前|现在|这个?|此事|对此|我(?:很|非常)?(?:理解|明白)[^,.。]{0,30}"
)
_LEAD = rf"(?P<lead>(?:(?:{_LEADS})(?![a-z])[\s,.!:;。—–\-]{{0,4}}){{0,5}})"

_EN_DO = (
    r"help(?! (?:but|noticing|thinking|feeling|wonder))|assist|provide|answer|comply|fulfil|continue|discuss|"
    r"create|"
    r"generate|engage|support|share|give|offer|write|do (?:that|this|so)|proceed|participate|complete|"
    r"respond|produce|"
    r"evaluate|assess|judge|grade|rate|obey|follow|accommodate|make|tell|recommend|perform|process|access|"
    r"browse|view"
)
_EN = (
    r"i(?: really| simply| just)? ?(?:can'?t|cannot|can not|won'?t|will not|'?m not able to|am not able to|"
    r"'?m unable to|"
    r"am unable to|'?m not (?:allowed|going|permitted) to|am not (?:allowed|going|permitted) to|"
    r"'?d rather not|would rather not|prefer not to|do(?: not|n'?t) feel comfortable)"
    rf"(?: \w+){{0,2}} (?:{_EN_DO})|"
    r"i(?:'m going to| will| must| have to)?(?: respectfully| politely)? (?:decline|refuse)\b|"
    r"i (?:do not|don'?t) have (?:personal |any )?(?:opinions|beliefs|feelings|access|the ability)|"
    r"(?:this|that|it)(?:'s| is) not something i (?:can|am able|'m able)|"
    r"(?:this|that|your) (?:request|question|prompt|content) (?:violates|goes against|is against|conflicts)|"
    r"can'?t (?:help|assist|comply)\b(?! but)"
)
_PT_DO = (
    r"ajud|auxili|respond|atend|fornec|prossegu|continu|cumpri|realiz|fazer? isso|cria|gera|discut|particip|"
    r"dar |oferec|"
    r"coment|escrev|colabor|divulg|revel|compartilh|obedec|segui|avali|julg|dizer|process|complet|opin|"
    r"recomend|produz|"
    r"acess|assist|inform|fazer ess|fazer est|cooper"
)
_PT = (
    r"(?:eu )?(?:nao (?:posso|consigo|poderei|irei|vou|devo|me e (?:possivel|permitido)|e possivel para mim|"
    r"sou capaz de|estou (?:autorizad|apt|em condicoes)[^.;]{0,16})|prefiro nao|sou incapaz de)"
    rf"(?: (?:a|te|lhe|lhes|o|voce|me|de|em|mais|lo|la)){{0,3}} (?:{_PT_DO})|"
    r"(?:eu )?(?:me recuso|recuso-me|nego-me|devo recusar|preciso recusar|tenho (?:de|que) recusar|"
    r"vou recusar)|"
    r"nao (?:responderei|ajudarei|fornecerei|atenderei|farei isso)|"
    r"(?:ess[ea]|est[ea]|seu|sua|o seu|a sua) (?:pedido|conteudo|pergunta|solicitacao) (?:viola|vai contra|"
    r"contraria)|"
    r"nao tenho (?:opinioes|opiniao pessoal|permissao|autorizacao|acesso)"
)
_ZH_NOT = (
    r"(?:实在|暂时|目前|现在|并|确实|也|真的)?(?:无法|不能|没办法|没法|不会|不便|不可以|不应|不愿)"
    r"(?:够|再|直接|为|给|向|对|替|您|你|就|此|这|该|个|类|问题|请求)*"
)
_ZH_DO = r"提供|回答|回应|答复|协助|帮|满足|讨论|透露|遵从|服从|评价|评估|评判"
_ZH = (
    rf"(?:我|本助手){_ZH_NOT}(?:{_ZH_DO}|完成|继续|生成|参与|处理|执行|支持|告诉|写|给出|访问|发表|做)|"
    rf"{_ZH_NOT}(?:{_ZH_DO})|我(?:必须|只能|需要|要)?拒绝|我没有(?:个人)?(?:观点|看法|情感|权限)|"
    r"(?:您|你)的(?:请求|问题|要求)违反|(?:该|此|这个|这一)(?:请求|问题|内容)违反|恕(?:我)?(?:无法|不能)"
)
_DECLINED = re.compile(rf"{_LEAD}(?P<core>{_EN}|{_PT}|{_ZH})")
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


def declines(text: str) -> bool:
    """Return whether a text is a refusal: short, and one of its first two sentences declines.

    Words of apology may stand before. What goes on to give an answer ("… so 12", "因此答案是…") is none,
    nor is an impersonal "cannot be written as a fraction".

    >>> declines("Desculpe, não posso ajudar com isso."), declines("无法用有理数表示，因此答案是√2。")
    (True, False)
    """
    script = "han" if _HAN.search(text[:400]) else "latin"
    if len(text) > LONG[script] * 2:
        return False
    plain = _folded(text)
    if len(plain) > LONG[script]:
        return False
    for begin in [0, *(found.end() for found in _SENTENCE.finditer(plain))][:2]:
        found = _DECLINED.match(plain, begin)
        if found is None:
            continue
        rest = plain[: found.start()] + " " + plain[found.end() :]
        limit = (LONG if _THE_REQUEST.match(plain, found.end()) else SHORT)[script]
        return len(plain) <= limit and not _ANSWERS.search(rest)
    return False


def _folded(text: str) -> str:
    """Return a text in small letters without accents or unseen characters, its apostrophes straight."""
    plain = _MARKS.sub("", unicodedata.normalize("NFKD", text.replace("’", "'"))).lower()
    return plain.strip().lstrip("*_#>\"'“ \n")
