"""Whether a verdict and its confidence agree, computed without a call."""


def m_coerencia(resolve_issue: bool, score_confianca: float) -> int:
    """Return M_coerencia: 0 where the issue is called resolved with a confidence of 2 or less, else 1.

    A jury's confidence is a mean, which need not be whole.

    >>> m_coerencia(True, 2), m_coerencia(True, 3), m_coerencia(False, 1)
    (0, 1, 1)
    """
    return 0 if resolve_issue and score_confianca <= 2 else 1
