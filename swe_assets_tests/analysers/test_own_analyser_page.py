"""The page on one's own analyser says what is so."""

from swe_assets_tests.page_blocks import block, page, printed

PAGE = page("own-analyser.md")


def test_the_analyser_on_the_page_works() -> None:
    """The page's analyser runs as it stands and prints what the page says."""
    assert printed(PAGE) == block(PAGE, "text")
