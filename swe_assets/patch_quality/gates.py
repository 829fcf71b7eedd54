"""The quality gates: each looks at all current records of the study and names what is wrong."""

from collections import Counter
from collections.abc import Iterator

from swe_assets.patch_quality import matriz_consolidada
from swe_assets.patch_quality.account import EXCLUDED, MISSING, account
from swe_assets.patch_quality.analysis.joining import inner_join
from swe_assets.patch_quality.bench import PatchBench
from swe_assets.patch_quality.check_verdict import CheckVerdict
from swe_assets.patch_quality.metric_sums import METRICS
from swe_assets.storage.records import OK, Record
from swe_assets.storage.summary import ALL

EPV_ENOUGH = 10.0
LOGIT_PREDICTORS = 4
IN_PLACE = ("mode", "renamed", "copied")
"""Changes that leave a file's content as it is on purpose."""


def usable(bench: PatchBench, asset: str) -> Iterator[Record]:
    """Return the records of an asset that are not excluded, in the pinned order."""
    return (record for record in bench.store.records(asset, bench.instances) if record.status == OK)


def ids_unique_and_known(bench: PatchBench) -> CheckVerdict:
    """Pinned ids are unique, in the dataset and among the predictions; no record is of an unknown id."""
    counts = Counter(bench.instances)
    wrong = {i: f"pinned {n} times" for i, n in counts.items() if n > 1}
    wrong |= {i: "not in the dataset" for i in bench.instances if i not in bench.dataset}
    wrong |= {i: "no prediction" for i in bench.instances if i not in bench.predictions}
    stored = set(bench.store.ids("patches"))
    unknown = stored - set(bench.instances) - set(bench.study.removed)
    wrong |= dict.fromkeys(sorted(unknown), "recorded but neither pinned nor removed")
    return CheckVerdict(len(bench.instances), "ids are unique and known", wrong)


def every_patch_has_an_outcome(bench: PatchBench) -> CheckVerdict:
    """Each reconstructed instance has one of the documented outcomes."""
    from swe_assets.repositories.reconstruction import Outcome

    known = {outcome.value for outcome in Outcome}
    records = list(bench.store.records("arquivos_reconstruidos", bench.instances))
    found = {r.instance_id: r.payload.get("outcome") for r in records}
    wrong = {i: f"outcome {outcome!r}" for i, outcome in found.items() if outcome not in known}
    return CheckVerdict(len(records), "every patch has an outcome", wrong)


def measured_file_differs_from_base(bench: PatchBench) -> CheckVerdict:
    """Where the patch says that it changes a measured file, that file differs from its base."""
    wrong: dict[str, str] = {}
    looked_at = 0
    for record in usable(bench, "arquivos_reconstruidos"):
        files = [f for f in record.payload["files"] if f["is_python"] and not f["is_test"]]
        looked_at += 1
        changed = (f for f in files if f["change"] not in IN_PLACE)
        same = [f["path_patched"] for f in changed if f["blob_base"] == f["blob_patched"]]
        if same or not files:
            wrong[record.instance_id] = f"measured files equal their base: {same}" if same else "no file"
    return CheckVerdict(looked_at, "the measured file differs from base", wrong)


def measures_complete_and_in_range(bench: PatchBench) -> CheckVerdict:
    """Each measured instance has every metric on the patched side, none negative, ncloc within lines."""
    wrong: dict[str, str] = {}
    records = list(usable(bench, "metricas_completas"))
    for record in records:
        faults = [_fault(record.payload[side], side) for side in ("base", "patched")]
        lacking = [m for m in METRICS if record.payload["patched"].get(m) is None]
        if lacking:
            faults.append(f"not measured: {', '.join(lacking)}")
        said = [fault for fault in faults if fault]
        if said:
            wrong[record.instance_id] = "; ".join(said)
    return CheckVerdict(len(records), "measures are complete and in range", wrong)


def sums_equal_the_servers_own(bench: PatchBench) -> CheckVerdict:
    """Where a server measured, the sums over an instance's files equal its own number for the whole."""
    wrong: dict[str, str] = {}
    records = [record for record in usable(bench, "metricas_completas") if "own" in record.payload]
    for record in records:
        payload = record.payload
        differing = [
            f"{side} {key}: files sum to {payload[side][key]}, the server says {own[key]}"
            for side, own in payload["own"].items()
            for key in payload["additive"]
            if key in own and payload[side].get(key) is not None and payload[side][key] != own[key]
        ]
        if differing:
            wrong[record.instance_id] = "; ".join(differing)
    return CheckVerdict(len(records), "sums over files equal the server's own", wrong)


def _fault(sums: dict[str, float | None], side: str) -> str:
    negative = [m for m, value in sums.items() if value is not None and value < 0]
    if negative:
        return f"{side} {', '.join(negative)} negative"
    ncloc, lines = sums["ncloc"], sums["lines"]
    if ncloc is not None and lines is not None and ncloc > lines:
        return f"{side} ncloc {ncloc} above lines {lines}"
    return ""


def account_adds_up(bench: PatchBench) -> CheckVerdict:
    """Every pinned instance is in the matrix or excluded with a reason; the numbers add up to the pin."""
    lines = account(bench)
    wrong = {line.instance_id: f"{line.stage} {line.reason}" for line in lines if line.place == MISSING}
    wrong |= {line.instance_id: "no reason" for line in lines if line.place == EXCLUDED and not line.reason}
    rows = matriz_consolidada.rows(bench)
    excluded = sum(line.place == EXCLUDED for line in lines)
    if not wrong and len(rows) + excluded != len(bench.instances):
        wrong["(sum)"] = f"{len(rows)} rows + {excluded} excluded is not {len(bench.instances)} pinned"
    return CheckVerdict(len(lines), "the account adds up to the pinned number", wrong)


def matrix_is_the_join_of_its_sources(bench: PatchBench) -> CheckVerdict:
    """The matrix equals the inner join on instance_id of what its sources hold now."""
    names = matriz_consolidada.STAGE.upstream
    tables = {name: [(record.instance_id, record) for record in usable(bench, name)] for name in names}
    joined = inner_join(tables).rows
    expected = {i: matriz_consolidada.joined_row(*records) for i, records in joined.items()}
    rows = {row["instance_id"]: row for row in matriz_consolidada.rows(bench)}
    wrong = {i: "not what its sources hold now" for i in rows if rows[i] != expected.get(i, rows[i])}
    wrong |= dict.fromkeys((i for i in rows if i not in expected), "in the matrix, not in all its sources")
    wrong |= dict.fromkeys((i for i in expected if i not in rows), "in all sources, not in the matrix")
    held = bench.store.read("amostra", ALL)
    if held is not None and held.payload["rows"] != list(rows.values()) and not wrong:
        wrong["(amostra)"] = "holds other rows than matriz_consolidada: run amostra again"
    return CheckVerdict(len(rows), "the matrix is the join of its sources", wrong)


def matrix_schema(bench: PatchBench) -> CheckVerdict:
    """The matrix follows its schema: columns, types, ranges, unique ids; all faults are named at once."""
    from swe_assets.patch_quality.matrix_schema import schema_faults

    rows = matriz_consolidada.rows(bench)
    return CheckVerdict(len(rows), "the matrix follows its schema", schema_faults(rows))


def large_enough_for_the_logit(bench: PatchBench) -> CheckVerdict:
    """The rarer outcome occurs at least ten times for each predictor (Peduzzi et al. 1996)."""
    rows = matriz_consolidada.rows(bench)
    resolved = sum(row["pass@1"] for row in rows)
    events = min(resolved, len(rows) - resolved)
    epv = events / LOGIT_PREDICTORS
    said = f"{events} events for {LOGIT_PREDICTORS} predictors: EPV {epv:.2f}, below {EPV_ENOUGH:g}"
    wrong = {} if epv >= EPV_ENOUGH else {"(sample)": said}
    return CheckVerdict(len(rows), "the sample is large enough for the logit", wrong)
