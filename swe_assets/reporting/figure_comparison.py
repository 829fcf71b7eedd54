"""The comparison of studies: each one's rate, and each pair's paired difference."""

from swe_assets.reporting.drawing import Drawing
from swe_assets.reporting.figure_intervals import Axis, Estimate, Row, interval_plot
from swe_assets.reporting.figure_style import Style, Tables, number, said
from swe_assets.reporting.readable import p_words, readable


def comparison(tables: Tables, style: Style) -> Drawing:
    """Return each pair's difference in resolved rate with its interval and p after Holm."""
    rows = [
        Row(
            f"{row['a']} − {row['b']}",
            (Estimate(number(row["difference"]), number(row["low"]), number(row["high"]), text=_told(row)),),
        )
        for row in tables["comparison"].records()
    ]
    return interval_plot(rows, style, Axis())


def metrics(tables: Tables, style: Style) -> Drawing:
    """Return each pair's paired differences of measures in standard deviations, with the wider interval."""
    rows: list[Row] = []
    last = None
    for row in tables["comparison_metrics"].records():
        pair = f"{row['a']} − {row['b']}"
        if pair != last:
            rows.append(Row(pair, ()))
            last = pair
        estimate = Estimate(number(row["d"]), number(row["d_low"]), number(row["d_high"]), text=_told(row))
        rows.append(Row(style.label(str(row["metric"])), (estimate,)))
    return interval_plot(rows, style, Axis(), title=_label_of_d(tables, style))


def metrics_alt(tables: Tables, style: Style) -> str:
    """Return the figure's message: each pair's difference in each measure."""
    return "; ".join(
        f"{row['a']} − {row['b']}, {style.label(str(row['metric']))}: {_told(row)}"
        for row in tables["comparison_metrics"].records()
    )


def _label_of_d(tables: Tables, style: Style) -> str:
    return next(c.label for c in tables["comparison_metrics"].columns if c.name == "d")[style.lang]


def comparison_alt(tables: Tables, style: Style) -> str:
    """Return the figure's message: each pair's difference."""
    del style
    return "; ".join(f"{row['a']} − {row['b']}: {_told(row)}" for row in tables["comparison"].records())


def rates(tables: Tables, style: Style) -> Drawing:
    """Return each study's resolved rate with its interval."""
    rows = [
        Row(
            str(row["study"]),
            (
                Estimate(
                    number(row["rate"]), number(row["low"]), number(row["high"]),
                    text=f"{readable(row['rate'], 'share', style.lang)} (n = {row['n']})",
                ),
            ),
        )
        for row in tables["comparison_studies"].records()
    ]  # fmt: skip
    return interval_plot(rows, style, Axis(at=None))


def rates_alt(tables: Tables, style: Style) -> str:
    """Return the figure's message: each study's rate."""
    return "; ".join(
        f"{row['study']}: {readable(row['rate'], 'share', style.lang)}"
        for row in tables["comparison_studies"].records()
    )


def _told(row: dict[str, object]) -> str:
    """Return a difference with its interval and p after Holm, those of them that have a value."""
    p, low = number(row["p_holm"]), number(row["low"])
    span = "" if low is None else f" ({said(row['low'])} – {said(row['high'])})"
    return f"{said(row['difference'])}{span}{'' if p is None else f', p {p_words(p)}'}"
