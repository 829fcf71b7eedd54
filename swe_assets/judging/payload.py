"""The judge's question about one instance: issue and patch as fenced data, never as instructions."""

from swe_assets.errors import InputError
from swe_assets.judging.prompts import Prompts, filled
from swe_assets.llm.fencing import bounded, fence_code, fenced

ISSUE_LIMIT = 60_000
PATCH_LIMIT = 200_000
"""Characters shown of each text; a longer one is cut in its middle and says so."""


def build_payload(
    instance_id: str, problem_statement: str, patch: str | None, prompts: Prompts
) -> dict[str, str]:
    r"""Return {instance_id, system_prompt, user_prompt} for one instance.

    Both texts may hold anything: lone surrogates, NUL and other invisible characters are spelled out,
    ``\r\n`` becomes ``\n``, what exceeds ISSUE_LIMIT or PATCH_LIMIT is left out of the middle and the cut is
    stated. The code of the fences is a function of both texts and occurs in neither. A patch that is None
    or blank is shown as empty.

    Raises InputError where there is no problem statement to judge by.
    """
    if not problem_statement.strip():
        raise InputError(f"instance {instance_id!r} has no problem statement: there is nothing to judge by")
    issue = bounded(problem_statement, ISSUE_LIMIT)
    change = bounded("" if patch is None or patch.isspace() else patch, PATCH_LIMIT)
    code = fence_code(issue.head, issue.tail, change.head, change.tail)
    values = {
        "codigo": code,
        "issue": fenced("ISSUE", issue, code),
        "patch": fenced("PATCH", change, code),
    }
    return {
        "instance_id": instance_id,
        "system_prompt": prompts.judge_system,
        "user_prompt": filled(prompts.judge_user, values),
    }
