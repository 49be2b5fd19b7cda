#!/bin/sh
# memray reports a peak of 1.2 GB for a program that does nothing but load a Go library, whose memory is a few MB.
#
# Versions: memray 1.20.0, Go 1.26.8
#
# Expected: the memory that Go uses is missing in the report, because Go has an allocator of its own.
#
# Seen: memray counts each mmap in full, and Go reserves address space that it never touches (with no permission to read
# or write it). So the peak of every program with a Go library is over a gigabyte, of "<stack trace unavailable>", while
# the resident memory grows by less than 20 MB, and a leak of some MB does not show in the total. Not in each run: where the
# runtime is quicker than memray's patch of the library just loaded, the reservation is missed, so we look at ten runs.
. "$(dirname "$0")/parts/begin.sh"
go_is 1.26.8
environment "3.11 3.12 3.13" memray==1.20.0
go_library reserve <<'G'
//export Do
func Do() {}
G
cat >load.py <<'P'
import ctypes


def resident():
    with open("/proc/self/statm") as statm:
        return int(statm.read().split()[1]) * 4096


before = resident()
ctypes.CDLL("./reserve.so").Do()
print("MB of resident memory more:", (resident() - before) >> 20)
P
"$python" load.py | tee plain
for try in 1 2 3 4 5 6 7 8 9 10; do
  "$python" -m memray run -q -f -o profile.bin load.py >/dev/null
  "$python" -m memray stats --json -f -o stats.json profile.bin >/dev/null
  grep -q '"peak_memory": [0-9]\{10\}' stats.json && break
done
"$python" - <<'P'
import json

from seen import end, seen

more = int(open("plain").read().split()[-1])
peak = json.load(open("stats.json"))["metadata"]["peak_memory"]
print("peak of memray, bytes:", peak)
seen("over 1 GB reported, under 20 MB resident", (peak > 1e9, more < 20), (True, True))
end()
P
