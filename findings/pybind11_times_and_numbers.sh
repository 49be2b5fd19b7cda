#!/bin/sh
# pybind11 ignores the time zone of a datetime: midnight in Paris and in Tokyo are the same std::chrono time, that of the machine's
# zone.
#
# Versions: pybind11 3.1.0, CPython 3.11, GCC
#
# Expected: an aware datetime arrives as its moment, and what does not fit is an error, as 256 is for a uint8_t.
#
# Seen: as above; it comes back without a zone, and `fold` is ignored, so that two hours of a year are one. The year 9999 and
# timedelta.max wrap to negative numbers, 1.9 s is 1 s. A float is refused for an int, and Decimal("1.5") is taken as 1, also by a
# variant of int and double; a float parameter takes 1e300 as infinity.
. "$(dirname "$0")/parts/begin.sh"
needs g++
environment "3.11 3.12 3.13" pybind11==3.1.0 tzdata==2026.6
cat >casters.cpp <<'C'
#include <pybind11/chrono.h>
#include <pybind11/stl.h>

namespace chrono = std::chrono;
using Time = chrono::system_clock::time_point;

PYBIND11_MODULE(casters, m) {
  m.def("hours_since_1970", [](Time t) { return chrono::duration<double, std::ratio<3600>>(t.time_since_epoch()).count(); });
  m.def("same_time", [](Time t) { return t; });
  m.def("nanoseconds", [](chrono::nanoseconds d) { return d.count(); });
  m.def("seconds", [](chrono::seconds d) { return d.count(); });
  m.def("integer", [](int i) { return i; });
  m.def("byte", [](uint8_t i) { return i; });
  m.def("single", [](float f) { return f; });
  m.def("either", [](std::variant<int, double> v) { return v; });
}
C
include=$("$python" -c 'import pybind11, sysconfig; print("-I" + pybind11.get_include(), "-I" + sysconfig.get_path("include"))')
g++ -O0 -std=c++17 -shared -fPIC -fvisibility=hidden $include casters.cpp -o casters.so || missing "the headers of CPython"
TZ=America/New_York PYTHONPATH="$PYTHONPATH:." "$python" - <<'P'
from datetime import datetime, timedelta, timezone
from decimal import Decimal
from zoneinfo import ZoneInfo

import casters
from seen import end, seen

for zone in (timezone.utc, ZoneInfo("Europe/Paris"), ZoneInfo("Asia/Tokyo"), None):
    seen(f"midnight of 1970 in {zone}", lambda z=zone: casters.hours_since_1970(datetime(1970, 1, 1, tzinfo=z)), 5.0)
seen("what comes back", lambda: casters.same_time(datetime(1970, 1, 1, tzinfo=timezone.utc)).tzinfo, None)
twice = datetime(2026, 11, 1, 1, 30)
seen("hours between the two 1:30", lambda: casters.hours_since_1970(twice.replace(fold=1)) - casters.hours_since_1970(twice), 0.0)
seen("the year 9999 is before 1970", lambda: casters.hours_since_1970(datetime(9999, 1, 1)) < 0, True)
seen("timedelta.max is negative", lambda: casters.nanoseconds(timedelta.max) < 0, True)
seen("1.9 seconds", lambda: casters.seconds(timedelta(seconds=1.9)), 1)
seen("256 for a byte", lambda: casters.byte(256), "TypeError: ")
seen("1.5 for an int", lambda: casters.integer(1.5), "TypeError: ")
seen("Decimal('1.5') for an int", lambda: casters.integer(Decimal("1.5")), 1)
seen("Decimal('1.5') for an int or a double", lambda: casters.either(Decimal("1.5")), 1)
seen("1e300 for a float", lambda: casters.single(1e300), float("inf"))
end()
P
