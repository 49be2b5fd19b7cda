"""Random operations on native objects and wrappers agree with a model in plain Python (identity_model.py).

``SELFSAME_MODEL_SECONDS`` sets how long (default 5; ``make model`` runs minutes) or ``SELFSAME_MODEL_STEPS`` how many
steps, ``SELFSAME_MODEL_SEED`` repeats a run from the seed that a failure printed.
"""

# Requirements: C1, C2, C3, C4, C7, C8, C9, C10, C11, C16

import itertools
import os
import random
import time

from identity_model import run

STEPS = 300  # of one world


def test_random_operations_agree_with_the_model(native):
    given = os.environ.get("SELFSAME_MODEL_SEED")
    seed = int(given) if given else random.SystemRandom().randrange(2**32)
    steps = int(os.environ.get("SELFSAME_MODEL_STEPS", "0"))
    end = time.monotonic() + float(os.environ.get("SELFSAME_MODEL_SECONDS", "5"))
    for done in itertools.count(STEPS, STEPS):
        print(f"SELFSAME_MODEL_SEED={seed}")  # pytest shows it when the test fails
        run(native, seed, steps=STEPS)
        if done >= steps if steps else time.monotonic() > end:
            print(f"{done:,} steps")
            return
        seed += 1
