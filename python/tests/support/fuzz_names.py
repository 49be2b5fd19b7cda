"""Hostile names of a native library, mixed at random: ``make fuzz FUZZERS=py-names``.

Usage: fuzz_names.py SECONDS [SEED]

No name, comment or schema becomes code in any language: see foreign_names.py.
"""

from __future__ import annotations

import random
import sys
import time

from foreign_names import emitters


def main() -> None:
    end = time.monotonic() + float(sys.argv[1])
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else random.randrange(1, 1 << 31)
    done = 0
    while time.monotonic() < end:
        with emitters(seed + done) as each:
            try:
                each.try_all()
            except BaseException:
                print(f"fuzz_names.py: seed {seed + done}", file=sys.stderr)
                raise
        done += 1
    print(f"{done} sets of names, from seed {seed}; no canary")


if __name__ == "__main__":
    main()
