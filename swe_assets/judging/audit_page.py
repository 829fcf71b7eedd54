"""The page to read and to fill in: one file that fetches nothing and runs only its own script."""

import base64
import hashlib
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from swe_assets.judging.audit_csv import RISKY
from swe_assets.judging.audit_form import AuditForm, DrawnItem
from swe_assets.judging.quotes import CheckedQuote
from swe_assets.llm.plain_text import visible

if TYPE_CHECKING:
    from markupsafe import Markup

FOLDER = Path(__file__).parent / "audit_page_parts"
TEMPLATE, STYLE, SCRIPT = "page.html.j2", "page.css", "page.js"

_HIDDEN = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200c-\u200f\u3164"
    "\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]"  # further marks and joiners that show nothing
)
_SPELLED = re.compile(r"(⟨U\+[0-9A-F]{4,6}⟩)")


@dataclass(frozen=True)
class PageText:
    """A text to be read, already bounded: its short name for anchors, title, text and kind."""

    name: str
    title: str
    text: str
    kind: Literal["plain", "diff"] = "plain"


@dataclass(frozen=True)
class JudgedValue:
    """What a judge gave on a scale: the value in words, where it came from, and the words that support it."""

    scale: str
    value: str
    origin: str = ""
    words: str = ""
    found: CheckedQuote | None = None


@dataclass(frozen=True)
class JudgeWords:
    """One judge on one item: its reasoning, what it quotes there and whether that is so, and its values."""

    judge: str
    reasoning: str
    quotes: tuple[CheckedQuote, ...] = ()
    values: tuple[JudgedValue, ...] = ()


@dataclass(frozen=True)
class PageItem:
    """One item of the page; ``warnings`` show always, ``facts`` only where the judges' values do."""

    drawn: DrawnItem
    texts: tuple[PageText, ...]
    judges: tuple[JudgeWords, ...]
    warnings: tuple[str, ...] = ()
    facts: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class AuditPage:
    """The whole page; ``blind`` leaves judges' names, values and facts out of it."""

    title: str
    form: AuditForm
    items: tuple[PageItem, ...]
    told: tuple[str, ...] = ()
    banners: tuple[str, ...] = ()
    auditor: str = ""
    blind: bool = False


def page_html(page: AuditPage) -> str:
    """Return the page as text: everything escaped, invisible characters spelled out and set apart.

    Its policy (Content-Security-Policy) names the sha256 of the one style and the one script, so that no
    markup in a text can bring another, and lets nothing be fetched. Same input, same bytes.
    """
    import jinja2

    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(FOLDER),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {"lines": lines, "marked": marked, "spelled": spelled}
    style, script = (_inline((FOLDER / name).read_text("utf-8")) for name in (STYLE, SCRIPT))
    return environment.get_template(TEMPLATE).render(
        page=page,
        form=page.form,
        item_scales=[scale for scale in page.form.scales if not scale.of_reasoning],
        reasoning_scales=[scale for scale in page.form.scales if scale.of_reasoning],
        style=style,
        script=script,
        style_hash=_hash(style),
        script_hash=_hash(script),
        risky=RISKY,
        key=_key(page.items),
    )


def spelled(text: str) -> str:
    """Return a text with every character that shows nothing, or turns others round, spelled out."""
    return _HIDDEN.sub(lambda found: f"⟨U+{ord(found.group()):04X}⟩", visible(text))


def marked(text: str) -> "Markup":
    """Return a text escaped, with its spelled-out characters set apart."""
    from markupsafe import Markup, escape

    parts = _SPELLED.split(spelled(text))
    wrapped = (
        Markup("<mark>{}</mark>").format(part) if n % 2 else escape(part) for n, part in enumerate(parts)
    )
    return Markup("").join(wrapped)


def lines(text: PageText) -> Iterator[tuple[int, str, str]]:
    """Yield (number, class, text) of each line; of a diff the class says what the line does."""
    inside = False
    for number, line in enumerate(spelled(text.text).removesuffix("\n").split("\n"), start=1):
        kind = ""
        if text.kind == "diff":
            inside = line.startswith("@@") or (inside and not line.startswith("diff --git "))
            kind = _diff_class(line, inside=inside)
        yield number, kind, line


def _diff_class(line: str, *, inside: bool) -> str:
    """Return what a line of a diff does: ``hunk``, ``add`` or ``del`` inside of hunks, ``head`` outside."""
    if line.startswith("@@"):
        return "hunk"
    if not inside:
        return "head"
    return {"+": "add", "-": "del"}.get(line[:1], "")


def _inline(text: str) -> "Markup":
    """Return our own style or script as it stands in the page; it never holds what a person wrote."""
    from markupsafe import Markup

    return Markup(text)  # noqa: S704 - a file of this package


def _hash(text: str) -> str:
    """Return the source expression of an inline element (CSP level 2, section 4.2.3)."""
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"


def _key(items: Sequence[PageItem]) -> str:
    """Return what tells this draw's page from others, for what the browser keeps."""
    return hashlib.sha256("\n".join(item.drawn.mark for item in items).encode()).hexdigest()[:16]
