"""The page on one's own judge says what is so."""

import re
from pathlib import Path

from swe_assets.judging.prompts import FILES
from swe_assets.llm.spec_fields import FIELDS
from swe_assets.llm.spec_file import read_specs
from swe_assets_tests.page_blocks import block, page, printed
from swe_assets_tests.shared_data import CHECKOUT

PAGE = page("own-judge.md")
REFERENCE = (CHECKOUT / "docs" / "reference" / "models-toml.md").read_text(encoding="utf-8")


def test_the_provider_on_the_page_works() -> None:
    """The page's provider runs as it stands and prints what the page says."""
    assert printed(PAGE) == block(PAGE, "text")


def test_the_page_names_every_prompt_and_placeholder() -> None:
    """Each prompt file stands on the page with the placeholders that it must hold."""
    for name, placeholders in FILES.items():
        wanted = ", ".join(f"`{{{{{word}}}}}`" for word in sorted(placeholders)) or "none"
        assert f"| `{name}` | {wanted} |" in PAGE


def test_the_models_on_the_page_are_read(tmp_path: Path) -> None:
    """The page's models.toml is one, and each address of its table is taken."""
    path = tmp_path / "models.toml"
    (text,) = [code for code in re.findall(r"```toml\n(.*?)```", PAGE, re.DOTALL) if "[models." in code]
    addresses = re.findall(r"\| `(https?://\S+)` \|", PAGE)
    tables = [
        f'[models.n{at}]\nprovider="openai"\nmodel="m"\nbase_url="{url}"\n'
        for at, url in enumerate(addresses)
    ]
    path.write_text(text + "".join(tables), encoding="utf-8")
    assert list(read_specs(path))[:2] == ["deepseek", "house"]
    assert len(addresses) == 8


def test_the_reference_names_every_field() -> None:
    """Each field of a table has its row in the reference, and no other has one."""
    rows = re.findall(r"^\| ((?:`\w+`(?:, )?)+) \|", REFERENCE, re.MULTILINE)
    assert {name for row in rows for name in re.findall(r"\w+", row)} == FIELDS.keys()
