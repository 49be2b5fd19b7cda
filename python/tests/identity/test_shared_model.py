"""Objects that threads share keep their state, whatever the others do (shared_model.py).

``SELFSAME_MODEL_SECONDS`` and ``SELFSAME_MODEL_SEED`` are those of test_identity_model.py.
"""

# Requirements: C1, C2, C3, C12

import os
import random
import sys
import time

import pytest
import shared_model


@pytest.mark.skipif(sys.platform == "win32", reason="fork")
def test_threads_lose_no_state_of_shared_objects(native):
    given = os.environ.get("SELFSAME_MODEL_SEED")
    seed = int(given) if given else random.SystemRandom().randrange(2**32)
    end = time.monotonic() + float(os.environ.get("SELFSAME_MODEL_SECONDS", "0"))
    while True:
        shared_model.run(native, seed, threads=4, steps=3000, forks=2)
        if time.monotonic() > end:
            return
        seed += 100
