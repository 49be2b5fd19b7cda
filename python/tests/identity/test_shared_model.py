"""Objects that threads share keep their state, whatever the others do (shared_model.py).

``SELFSAME_MODEL_SECONDS``, ``SELFSAME_MODEL_STEPS`` (of all threads together) and ``SELFSAME_MODEL_SEED`` are those of
test_identity_model.py.
"""

# Requirements: C1, C2, C3, C12, I2

import itertools
import os
import random
import sys
import time

import pytest
import shared_model

THREADS = 4
STEPS = 3000  # of one thread of one world


@pytest.mark.skipif(sys.platform == "win32", reason="fork")
def test_threads_lose_no_state_of_shared_objects(native):
    given = os.environ.get("SELFSAME_MODEL_SEED")
    seed = int(given) if given else random.SystemRandom().randrange(2**32)
    steps = int(os.environ.get("SELFSAME_MODEL_STEPS", "0"))
    end = time.monotonic() + float(os.environ.get("SELFSAME_MODEL_SECONDS", "0"))
    for done in itertools.count(THREADS * STEPS, THREADS * STEPS):
        shared_model.run(native, seed, threads=THREADS, steps=STEPS, forks=2)
        if done >= steps if steps else time.monotonic() > end:
            print(f"{done:,} steps")
            return
        seed += 100
