"""Random operations on native objects and wrappers agree with a model in plain Python (identity_model.py).

``SELFSAME_MODEL_SECONDS`` sets how long (default 5; ``make model`` runs minutes), ``SELFSAME_MODEL_SEED`` repeats a run
from the seed that a failure printed.
"""

# Requirements: C1, C2, C3, C4, C7, C8, C9, C10, C11, C16

import os
import random
import time

from identity_model import run


def test_random_operations_agree_with_the_model(native):
    given = os.environ.get("SELFSAME_MODEL_SEED")
    seed = int(given) if given else random.SystemRandom().randrange(2**32)
    end = time.monotonic() + float(os.environ.get("SELFSAME_MODEL_SECONDS", "5"))
    while True:
        print(f"SELFSAME_MODEL_SEED={seed}")  # pytest shows it when the test fails
        run(native, seed, steps=300)
        if time.monotonic() > end:
            return
        seed += 1
