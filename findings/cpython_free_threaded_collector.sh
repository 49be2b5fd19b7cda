#!/bin/sh
# On free-threaded CPython gc.collect(0) is a full collection, and constants and interned names never go away.
#
# Versions: CPython 3.14.7 free-threaded, beside 3.14
#
# Expected: garbage that has survived two collections is not found by a collection of the youngest generation.
#
# Seen: gc.collect(0) finds it, because there are no generations, although gc.get_threshold and gc.get_stats still show
# three; the count of a constant of code is that of an immortal object, and the next object of a type does not
# get the address of the one before, so that tests by id() pass there by chance.
. "$(dirname "$0")/parts/begin.sh"
cat >test.py <<'P'
import gc
import sys

from seen import end, seen

free = not sys._is_gil_enabled()


def old_garbage():
    gc.collect()
    ring = []
    ring.append(ring)
    gc.collect(0)
    gc.collect(1)
    del ring
    return gc.collect(0)


seen("old garbage that gc.collect(0) finds", old_garbage(), int(free))
seen("thresholds and statistics", (len(gc.get_threshold()), len(gc.get_stats())), (3, 3))
seen("the count of a constant is that of an immortal", sys.getrefcount(10**10) == sys.getrefcount(None), free)
end()
P
on_each "3.14t 3.14"
