#!/bin/sh
# Since CPython 3.15 a weak reference without a callback still gives the object in the __del__ of a cycle, and outlives a
# resurrection there; up to 3.14 it was dead before.
#
# Versions: CPython 3.9 to 3.15
#
# Expected: the collector clears all weak references to a garbage cycle before it calls a finalizer, as it has done since
# 3.4, so that no code can fetch an object that is being finalized.
#
# Seen: 3.15 clears those with a callback before, and those without one after the finalizers, if the object is still
# garbage. Code in __del__ that looks an object up in a table of weak references without callbacks finds it again, and a
# resurrected object is still in that table. A WeakValueDictionary, which has callbacks, is as before.
. "$(dirname "$0")/parts/begin.sh"
cat >cycle.py <<'P'
import gc
import weakref

from seen import end, seen


class Node:
    def __del__(self):
        found.append((weak() is self, called() is self, "node" in table))
        kept.append(self)


def run(new):
    global weak, called, table
    node = Node()
    node.itself = node
    weak, called = weakref.ref(node), weakref.ref(node, lambda _: None)
    table = weakref.WeakValueDictionary(node=node)
    del node
    gc.collect()
    seen("in __del__: weak reference, one with a callback, WeakValueDictionary give it", found, [(new, False, False)])
    seen("the weak reference of a resurrected object gives it", weak() is kept[0], new)
    end()


found, kept = [], []
P
for version in 3.9 3.12 3.13 3.14 3.15; do
  (python_for $version) >/dev/null || continue
  python_for $version
  new=$([ $version = 3.15 ] && echo True || echo False)
  echo "CPython $version"
  (cat cycle.py; echo "run($new)") >test.py
  "$python" test.py
  last=$version
done
[ "${last:-}" = 3.15 ] || missing "CPython 3.15"
