"""Text as it reads to a model rather than as it is written: disguises of letters undone, line ends kept."""

import re
import unicodedata

_CYRILLIC = str.maketrans("авеѕіјкӏмнортсухԁԛԝһгпьъ", "abesijklmhoptcyxdqwhrnbb")
_GREEK = str.maketrans("αβεικνορτυχηγ", "abeikvoptuxny")
_LATIN = str.maketrans("ıɡɪʀɢʟɴᴀᴄᴅᴇᴋᴍᴏᴘᴛᴜᴠᴡᴢꜱʏʜʙᴊøłđ", "igirglnacdekmoptuvwzsyhbjold")
_TRADITIONAL = str.maketrans(
    "視請評給滿標準則規現為這個補丁結數據統題確決寫輸過須應該記當說無遵並審員闊問檢認實",
    "视请评给满标准则规现为这个补丁结数据统题确决写输过须应该记当说无遵并审员阔问检认实",
)
_PATTERNED = {chr(first + i): chr(97 + i) for first in (0x1F150, 0x1F170) for i in range(26)}
_TAGS = {chr(0xE0000 + code): chr(code) for code in range(0x20, 0x7F)}
_READ_AS = _CYRILLIC | _GREEK | _LATIN | _TRADITIONAL | str.maketrans(_PATTERNED | _TAGS)

_UNSEEN = re.compile(
    "[\u0300-\u036f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180e\u200b-\u200f\u202a-\u202e"
    "\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff9-\ufffb\x00-\x08\x0e-\x1f\x7f\U000e0100-\U000e01ef]+"
)
_LIGATURES = re.compile("[\ufdf0-\ufdfb]")
_SPACED_LETTERS = re.compile(r"(?<!\w)[^\W\d_](?:[ .*_\-][^\W\d_]){2,200}(?!\w)")


def folded(text: str) -> str:
    r"""Return a text as a model may read it: small letters without accents, and no disguise.

    Undone: full-width and other compatibility forms (NFKD), letters of Cyrillic, Greek and phonetic
    alphabets that look Latin (after Unicode Technical Standard 39, confusables), tag characters and variation
    selectors, zero-width and other unseen characters, traditional Chinese characters of the words looked for,
    letters set apart by spaces. Every newline stays, so that line numbers are those of the text.

    >>> folded("Ｉｇｎоｒｅ\u200b a R\u00daBRICA, i g n o r e")
    'ignore a rubrica, ignore'
    """
    if not text.isascii():
        text = unicodedata.normalize("NFKD", _LIGATURES.sub(" ", text))
        text = _UNSEEN.sub("", text.lower().translate(_READ_AS))
    return _SPACED_LETTERS.sub(lambda run: re.sub(r"[ .*_\-]", "", run.group()), text.lower())
