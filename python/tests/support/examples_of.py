"""How many examples the tests with Hypothesis try: the same ones each time, or SELFSAME_EXAMPLES new ones."""

import os

import pytest

hypothesis = pytest.importorskip("hypothesis")


def settings(usual: int) -> "hypothesis.settings":
    """The settings of a test that usually tries `usual` examples."""
    wanted = os.environ.get("SELFSAME_EXAMPLES")
    return hypothesis.settings(
        max_examples=int(wanted or usual),
        derandomize=wanted is None,
        database=None,
        deadline=None,
        suppress_health_check=list(hypothesis.HealthCheck),
    )
