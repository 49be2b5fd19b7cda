#!/bin/sh
# On free-threaded CPython __del__ runs on the thread that made the object, when that next runs, not on the one that drops it.
#
# Versions: CPython 3.14.7 free-threaded, beside 3.14
#
# Expected: the thread that drops the last reference runs __del__ at once, as with the GIL.
#
# Seen: the object lives on, its weak reference gives it, until the thread that made it runs Python code again. While that one
# waits, the object stays: files stay open and locks in __del__ are taken on a thread that never touched the object. Where the
# thread that made it has ended, the one that drops it runs __del__.
. "$(dirname "$0")/parts/begin.sh"
cat >test.py <<'P'
import sys
import threading
import weakref

from seen import end, seen, wait_until_main_sleeps

free = not sys._is_gil_enabled()
ran_on = []


class Thing:
    def __del__(self):
        ran_on.append(threading.current_thread().name)


def on_thread(name, work):
    thread = threading.Thread(target=work, name=name)
    thread.start()
    return thread


box, waiting, dropped, looked = [Thing()], [], threading.Lock(), []
dropped.acquire()
reference = weakref.ref(box[0])


def drop():
    while not waiting:
        pass
    wait_until_main_sleeps()
    box.clear()
    looked.append(reference() is None)
    dropped.release()


thread = on_thread("other", drop)
waiting.append(True)
dropped.acquire()  # in C, asleep: the thread that made it does not run Python code
thread.join()
seen("dead at once", looked, [not free])
seen("__del__ ran on", ran_on, ["MainThread" if free else "other"])
ran_on.clear()
on_thread("maker", lambda: box.append(Thing())).join()
on_thread("dropper", box.clear).join()
seen("of a thread that has ended, on", ran_on, ["dropper"])
end()
P
on_each "3.14 3.14t"
