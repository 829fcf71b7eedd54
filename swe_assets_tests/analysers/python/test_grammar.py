"""What parses and what does not, by the grammar that SonarQube reads Python with."""

import pytest

from swe_assets_tests.analysers.python.measured import refusal

ACCEPTED = """
a = 0777 + 10L + 0xFFl + 0o17 + 0b1 + 1_000.5e-3j
a = ur'x' + Rb"y" + `b, c`
a <> b
print
print -1, a,
print >>a
exec = print = 1
exec[1:2]
exec "a" in b
raise A, "b", c
def f((a, (b, c)), d=1): pass
def f(a,,): pass
def f(a, /,,): pass
def f(*, **k): pass
def f(a, /, b, *, c, **d,): pass
def f(*a: *b): pass
lambda (a, b), *c: a
lambda *, a: a
async = await_ = match = case = type = 1
True = None
type A[T: int = str, *U = *V, **P] = b
match[a] = match(b)
(*a)
a[b:c:d, ::, *e, f := 1]
f(a for a in b, c)
[a for a in b, c]
[a for a in lambda: b if c]
[a for a in b if lambda: c]
{**a, 'b': c}
{*a, b := 1}
x = yield = 1
f(1, (a) for a in b)
f(a)(b)[c].d
not a is not b not in c
...
f'{a!r:>{b}} {c=} {{}} \\N{DASH} {d["e"]}'
f"{'a' f"{b}"}"
rf'\\{a}'
t'{a}' t"{b}"
a: int = *b, c
a = b = yield c
with (a): pass
with (a, b): pass
with (a as b, c,): pass
with (a) as b, c: pass
with (yield a): pass
for a, *b in *c, d: pass
del a, (b)
from . import a
from ...a import (b as c,)
from a import b,
import a.b as c, d
@a := b\\ndef f(): pass
x = 1;
if a: pass\\nelif b: pass
try: pass\\nexcept A, b: pass
try: pass\\nexcept A as b.c: pass
if a:\\n\\tx = 1\\n        y = 2
if a:\\n        x = 1\\n    y = 2
x = 'a\\nb'
naïve = ½ = 中 = 1
await a ** -b
def f(): return not await a
"""

REFUSED = """
x = [1, 2
x = )
x = (1]
def f(: pass
def f(*): return *
def f(a, *b, *c): pass
def f(**a, b): pass
def f(*a,,): pass
def f(a, *b,,): pass
def f(a,,,): pass
lambda a,,: a
def f(/, a): pass
lambda *a=1: a
1__0
a = 089
x = 1 ? 2
x = $a
await = 1
await -a
print.a
print == a
print >>a,
print, a
a b
a = not
a + not b
a or lambda: b
a if b
a if lambda: b else c
x = 1 +
f(a.b=1)
f((a)=1)
f(None=1)
f(1, a for a in b)
f(a for a in b, c=1)
f(*a for a in b)
(a.b := 1)
a[]
a[b:c:d:e]
{a: b, c}
{a, b: c}
{**a for a in b}
[a for a in b if c else d, e f]
[a for a in]
[a for a in b if c if d else e]
[a, for a in b]
a, b := 1
import a,
from a import (b
from a import ()
from import a
global a.b
assert
raise A,
try: pass
try: pass\\nexcept* A: pass\\nexcept B: pass
try: pass\\nexcept*: pass
for a in b:\\n  try: pass\\n  except* A: break
def f():\\n  try: pass\\n  except* A: return
else: pass
if a: if b: pass
if a:
  x = 1
x = 1\\n  y = 2
if a:\\npass
@a
@a\\nx = 1
class A(: pass
match a:\\n  x = 1
match a: pass
;
x = 1;;
f'{}'
f'{a'
f'{a!x}'
f'{lambda a: b}'
f'a
t'a' 'b'
'a' t'b'
'a
x = 1 \\\\ y
`a
None: int = 1 2
"""


def lines(table: str) -> list[str]:
    r"""Return a table's sources, where \n stands for a line end and \t for a tab."""
    return [line.replace(r"\n", "\n").replace(r"\t", "\t") for line in table.splitlines() if line]


@pytest.mark.parametrize("source", lines(ACCEPTED))
def test_accepted(source: str) -> None:
    """The source parses, whatever CPython says."""
    assert refusal(source + "\n") == ""


@pytest.mark.parametrize("source", lines(REFUSED))
def test_refused(source: str) -> None:
    """The source does not parse, and the reason says where."""
    assert refusal(source + "\n").startswith("no longer parses: line ")


def test_a_jump_may_stay_inside_what_an_except_group_holds() -> None:
    """Break in a loop and return in a function are fine inside except*."""
    loop = "try: pass\nexcept* A:\n  for a in b: break\n  else: pass\n"
    function = "try: pass\nexcept* A:\n  def f(): return\n"
    assert (refusal(loop), refusal(function)) == ("", "")


PATTERNS = """
1 -1 1+2j -1-2j None True 'a'\\t'b' a _ a.b (a) (a,b) (a,) () [] [*a,b] [*_] {} {'a':b,**c} {**a,}
{a.b:1,-1:c} {True:a} A() A(b,c=d,) a.b(c)|None (a|b) [(a)] 1|2|3 a,b *a,b a, (((a))) f'{b}'
"""
NO_PATTERNS = "*a (*a) {a:1} {**a,'b':c} A(b=1,c) 1+a a.1 a+b [a b] (a {1} **a a|*b lambda not A(*a) [**a]"


@pytest.mark.parametrize("pattern", [p.replace("\\t", " ") for p in PATTERNS.split()])
def test_patterns(pattern: str) -> None:
    """The pattern parses, with a guard and, where it is closed, under another name too."""
    assert refusal(f"match x:\n  case {pattern} if y: pass\n") == ""


@pytest.mark.parametrize("pattern", NO_PATTERNS.split())
def test_no_patterns(pattern: str) -> None:
    """The pattern does not parse."""
    assert refusal(f"match x:\n  case {pattern}: pass\n")


@pytest.mark.parametrize("name", ["a as b", "a | b as c", "[a as b, c]", "A(a as b)", "{'a': b as c}"])
def test_pattern_names(name: str) -> None:
    """`as` binds a pattern at any depth."""
    assert refusal(f"match x:\n  case {name}: pass\n") == ""
