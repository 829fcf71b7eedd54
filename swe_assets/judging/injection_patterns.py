"""What a text says when it speaks to its judge: phrases in Portuguese, English and Chinese, and forged marks.

The patterns are matched on text that ``folded`` gave: small letters, no accents, no disguise. Each repetition
is bounded, so that no text makes them slow. A gap between two words may hold a line end and the marks of a
comment or of a diff.
"""

import re

_GAP = r"[\W_]{0,24}"


def _phrase(*groups: str) -> str:
    """Return a pattern of groups of alternatives one after the other; any number to five of a ``*`` group."""
    return "".join(
        f"(?:(?:{group[1:]}){_GAP}){{0,5}}" if group.startswith("*") else f"(?:{group}){_GAP}"
        for group in groups
    )


_EN_FILL = (
    "*all|any|of|the|your|these|those|this|every|previous|prior|above|earlier|preceding|given|system|grading|"
    "scoring|evaluation|judging|initial|original|existing|and|judge'?s?|other"
)
_EN_JUDGE = (
    r"judges?|graders?|evaluators?|llms?|language model|ai (?:model|judge|reviewer|grader|assistant)|raters?"
)
_EN_WORK = "patch|solution|fix|answer|change|diff|submission|response|code|issue|implementation|it|this"
_PT_FILL = (
    "*todas?|todos?|as?|os?|quaisquer|qualquer|suas?|seus?|essas?|esses?|estas?|estes?|d[aeo]s?|anteriores|anterior|"
    "acima|previas|previos|demais|outras?|tudo|e"
)
_PT_JUDGE = "juiz|juiza|juizes|avaliador(?:a|es)?|corretor|examinador|banca|modelo de linguagem|ia"
_PT_WORK = "patch|correcao|solucao|resposta|alteracao|mudanca|codigo|issue|isto|isso"
_ZH_SOME = r"[^\n。!！?？]{0,16}"
_LINE = r"(?m:^)[\W_]{0,16}"

_SOURCES: dict[str, str] = {
    "override_en": r"\b"
    + _phrase(
        r"ignor(?:e|ing)|disregard|forget|overrid(?:e|ing)|overrule|bypass|neglect|"
        r"(?:do not|don'?t|never|stop) (?:follow|obey|apply|use|respect)(?:ing)?|pay no attention to|"
        r"no longer (?:follow|apply)",
        _EN_FILL,
        r"rubrics?|instructions?|criteri(?:a|on)|guidelines?|system prompt|prompts?\b|grading|scoring rules|"
        r"(?:previous|prior|above|earlier|your|judging) (?:rules|directions|text|orders|context)",
    ),
    "grade_en": r"\b"
    + _phrase(
        r"give|assign|award|grant|return|output|answer with|respond with|reply with|rate|score|grade|mark|"
        r"set|deserves?|"
        r"report|write",
        "*me|us|it|this|the|a|an|patch|answer|solution|response|at|with|as|of|is|to|them|its",
        r"(?:full|maximum|maximal|max|top|highest|perfect)[\s_*#/+\-]{1,24}(?:marks?|score|confidence|grade|"
        r"points|rating|credit)",
    ),
    "confidence_en": r"\bconfidence(?: score| level)?\b[\W_]{0,4}(?:of|is|to|at|be|must be|"
    r"should be)?[\W_]{0,4}"
    r"(?:5(?![\d.%])|five\b|(?:5|10)/(?:5|10)\b)",
    "accept_en": r"\b"
    + _phrase(
        r"mark|consider|treat|rate|judge|classify|accept|evaluate|declare|grade|label|approve",
        f"*{_EN_WORK}|the|as|is|being|that|fully|totally|completely",
        r"resolved\b|solved\b|perfect\b|passing\b|fully correct\b|a (?:correct|perfect|complete) (?:fix|"
        r"solution)",
    ),
    "address_en": r"\b(?:"
    + _phrase(
        r"dear|hey|hello|attention|note (?:to|for)|message (?:to|for)|instructions? (?:to|for)",
        "*the|any|all",
        _EN_JUDGE,
    )
    + r"\b|"
    + _phrase(
        r"you are (?:now|no longer)|act as|pretend to be|from now on you are",
        "*an?|the",
        rf"{_EN_JUDGE}|lenient|generous",
    )
    + r"|(?:the |this )?"
    + _phrase(
        rf"(?:{_EN_JUDGE}) (?:must|should|shall|has to|have to|needs? to)",
        "*now|always",
        r"give|assign|award|return|mark|answer|set|accept|ignore|rate|score|grade|output|approve",
    )
    + ")",
    "takeover_en": r"\b(?:new|updated|real|actual) (?:system )?instructions?[\W_]{0,3}[:=]|"
    r"\bsystem (?:prompt|override)\b|"
    r"\bprompt injection\b|\bjailbreak",
    "override_pt": r"\b"
    + _phrase(
        r"ignor(?:e|ar|em|ando)|desconsider(?:e|ar|em)|esqueca(?:m)?|esquecer|despreze(?:m)?|desprezar|"
        r"descarte|"
        r"(?:nao|nunca) (?:siga|seguir|considere|use|aplique|obedeca|respeite)m?|deixe de (?:seguir|aplicar|"
        r"usar)|pare de (?:seguir|aplicar)",
        _PT_FILL,
        r"rubricas?|instruc(?:ao|oes)|criterios?|orientac(?:ao|oes)|diretrizes|prompts?|comandos?|"
        r"regras? (?:acima|anterior(?:es)?|d[eao])|enunciado|sistema de notas",
    ),
    "grade_pt": r"\b(?:"
    + _phrase(
        r"de|dar|deem|atribua|atribuir|conceda|conceder|coloque|responda|marque|avalie|pontue|merece|defina|"
        r"use|ponha|escreva",
        "*me|a|o|com|um|uma|para|esta|este|resposta|patch|como|de|sempre",
        r"(?:nota|pontuacao|confianca|avaliacao|score)[\W_]{1,3}(?:maxim[ao]|total|perfeita|cheia|5(?!\d)|"
        r"cinco|10(?!\d)|dez)",
    )
    + r"|confianca[\W_]{1,3}(?:maxima|total|plena|5(?!\d)|cinco)|nota[\W_]{1,3}(?:maxima|5(?!\d)|cinco|"
    r"10(?!\d)|dez)\b)",
    "accept_pt": r"\b"
    + _phrase(
        r"marque|considere|trate|julgue|classifique|aceite|declare|aprove|diga|conclua",
        f"*{_PT_WORK}|[oa]|est[ae]|ess[ae]|como|que|esta|foi|e|sendo|totalmente",
        r"resolvid[ao]|corret[ao]\b|perfeit[ao]|aprovad[ao]|solucionad[ao]",
    ),
    "address_pt": r"\b(?:"
    + _phrase(
        r"car[oa]|senhora?|prezad[oa]|atencao|aviso|recado|mensagem|instruc(?:ao|oes)|nota|ola",
        "*senhor|sr|ao|aos|a|o|para|pro",
        rf"(?:{_PT_JUDGE})\b",
    )
    + r"|"
    + _phrase(
        r"voce (?:agora |ja nao )?(?:e|sera)|aja como|finja ser|a partir de agora",
        "*voce|um|uma|e|o",
        rf"(?:{_PT_JUDGE}|assistente)\b",
    )
    + r"|"
    + _phrase(
        rf"(?:{_PT_JUDGE}) (?:deve|precisa|tem de|tem que)",
        "*sempre|agora",
        r"dar|atribuir|marcar|responder|aceitar|ignorar|aprovar|devolver|considerar",
    )
    + ")",
    "takeover_pt": r"\b(?:novas? instruc(?:ao|oes)|instruc(?:ao|oes) do sistema|prompt d[eo] sistema|"
    r"comando do sistema)\b",
    "override_zh": rf"(?:忽略|无视|忽视|不要理会|不用管|不要遵[循守]|别管|忘记|忘掉|跳过|抛开|绕过|"
    rf"不必遵[循守]|停止遵[循守]){_ZH_SOME}"
    r"(?:评分|评判|评价|标准|指令|指示|规则|提示词?|要求|说明|准则|细则|量规)",
    "grade_zh": rf"(?:请|给(?!了)|打(?!了)|评|判|输出|返回|应|值得){_ZH_SOME}(?:满分|最高分|(?<!\d)(?:5|10|"
    rf"100)[\W_]?分(?!钟)|五分(?!之|钟)|十分(?!之|钟)满?(?=[。!,\s]|$))|"
    r"(?:置信度|信心|把握)[\W_]{0,3}(?:为|是|设为|打)?[\W_]{0,3}(?:5(?!\d)|五|最高|满)",
    "accept_zh": rf"(?:标记|视|判定?|认定|评定?|当作|记){_ZH_SOME}(?:为|作|"
    rf"成)[\W_]{{0,3}}(?:完全)?(?:已解决|解决了|正确|通过|完美)",
    "address_zh": r"(?:请|致|亲爱的|尊敬的|各位)[\W_]{0,3}(?:评委|评审|裁判|评分[者人员]|判官|法官|阅卷|"
    r"评判者|大?模型)|"
    r"(?:评委|评审|裁判|评分[者员])(?:老师|员)?[\W_]{0,3}(?:请|必须|应当?|需要)|"
    r"(?:你现在是|从现在起你?是?|请扮演|作为)[\W_]{0,3}(?:一[个名位])?[^\n。,]{0,8}(?:评委|评审|裁判|评分|"
    r"助手|ai)",
    "takeover_zh": r"系统(?:提示词?|指令|消息)|新的?(?:指令|指示)[\W_]{0,2}[::]|提示词?注入",
    "role_marker": r"<\|(?:im_start|im_end|system|user|assistant|endoftext|eot_id|start_header_id|"
    r"begin_of_text|end)[^\n]{0,20}\|>|"
    r"\[/?inst\]|<</?sys>>|<(?:start|end)_of_turn>|</?(?:system|assistant|system_prompt|instructions?)>|"
    r"<\|(?:begin|end)[^\n|]{0,20}\|>|"
    + _LINE
    + r"(?:assistant|assistente|助手|system prompt|系统)[ \t]{0,3}:|"
    + _LINE
    + r"(?:system|sistema)[ \t]{0,3}:[ \t]{0,3}(?:you|voce|ignor|from now|the judge|new|o juiz)|"
    + r"(?m:^)[ \t+#]{0,8}###[ \t]{0,3}(?:system|instructions?|assistant|response)[ \t]{0,3}:",
    "forged_fence": r"<<<[\W_]{0,3}(?:patch|issue|raciocinio|resposta|answer|data|dados|rubric|"
    r"rubrica)\b[^\n>]{0,80}>>>|"
    r"[\[<(=\-*#]{1,8}[ \t]{0,3}/?(?:begin|end|start|fim|inicio|final|fin)(?: of| do| da| dos)?[ _](?:the )?"
    r"(?:data|patch|issue|answer|input|user input|submission|response|material|dados|resposta|"
    r"entrada)[ \t]{0,3}[\])>=\-*#]{1,8}|"
    r"</(?:patch|issue|answer|submission|rubric|student_answer|candidate|resposta|rubrica)>|"
    r"[\[【<(=\-*#]{1,8}[ \t]{0,3}(?:数据|补丁|问题|回答|答案|输入)(?:结束|开始|完)",
    "forged_verdict": r"resolve_issue|score_confianca|raciocinio_analitico|m_(?:profundidade|integridade|"
    r"defesa)\b|"
    r"[\"'“”]?(?:score|grade|verdict|rating|nota|veredito|评分|得分|"
    r"分数)[\"'“”]?[ \t]{0,3}[:=][ \t]{0,3}[\"'“”]?[\w.,]{1,8}[\"'“”]?[ \t]{0,3},\s{0,40}"
    r"[\"'“”](?:quote|reason(?:ing)?|justification|explanation|rationale|justificativa|citacao|feedback|"
    r"理由|引用)[\"'“”]|"
    + _LINE
    + r"(?:final[\W_])?(?:grade|verdict|nota(?: final)?|veredito|评分|得分|总分|"
    r"最终得分)[ \t*]{0,4}[:=][ \t*]{0,4}"
    r"(?:(?:5|10|100)(?![\d.])|true|pass|resolved|solved|correct|resolvid|corret|满分|正确|通过)|"
    + _LINE
    + r"(?:final[\W_])?score[ \t*]{0,4}:[ \t*]{0,4}(?:5|10|100)(?:[ \t]{0,2}/[ \t]{0,2}(?:5|10|"
    r"100))?[ \t*.!]{0,4}(?m:$)",
}

HIDDEN = re.compile(
    "[\U000e0020-\U000e007f]{3}|[\ufe00-\ufe0f\U000e0100-\U000e01ef]{3}|[\u200b-\u200d\u2060-\u2064\ufeff]{4}"
    "|[\u202a-\u202e\u2066-\u2069]"
)
"""Characters that a person does not see and a model may read, in numbers that have no use in a text."""

PATTERNS: dict[str, re.Pattern[str]] = {name: re.compile(source) for name, source in _SOURCES.items()}
"""For each kind of phrase, by name, what finds it in folded text."""
