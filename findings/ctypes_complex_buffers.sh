#!/bin/sh
# NumPy cannot read the complex numbers that ctypes has since CPython 3.14, nor its wchar_t, nor a structure with a base class.
#
# Versions: CPython 3.14, numpy 2.5.5
#
# Expected: np.asarray of an array of c_double_complex is complex128, and memoryview.tolist gives the ints of a ctypes array.
#
# Seen: ctypes writes "<D" where NumPy and PEP 3118 have "Zd". The format of a derived structure lists its own fields only, so that
# sizes disagree. tolist of a memoryview takes no format of ctypes, not even "<i", and a memoryview of structures does not equal
# itself.
. "$(dirname "$0")/parts/begin.sh"
environment "3.14" numpy==2.5.5
"$python" -W ignore - <<'P'
import ctypes

import numpy as np
from seen import end, seen


class Base(ctypes.Structure):
    _fields_ = [("a", ctypes.c_int32)]


class Derived(Base):
    _fields_ = [("b", ctypes.c_int32)]


invalid = "ValueError: '{}' is not a valid PEP 3118 buffer format string"
for type_, format_ in ((ctypes.c_double_complex, "<D"), (ctypes.c_float_complex, "<F"), (ctypes.c_wchar, "<u")):
    array = (type_ * 2)()
    seen(f"format of {type_.__name__}", memoryview(array).format, format_)
    seen(f"np.asarray of {type_.__name__}", lambda a=array: np.asarray(a), invalid.format(format_))
seen("format of NumPy's complex128", memoryview(np.zeros(2, complex)).format, "Zd")
seen("the same numbers by np.frombuffer", lambda: np.frombuffer((ctypes.c_double_complex * 2)(1j), complex).tolist(), [1j, 0j])
seen("format of a derived structure", memoryview((Derived * 2)()).format, "T{<i:b:}")
seen("np.asarray of it", lambda: np.asarray((Derived * 2)()), "RuntimeError: ")
ints = memoryview((ctypes.c_int32 * 2)(1, 2))
seen("tolist of ints", ints.tolist, "NotImplementedError: memoryview: unsupported format <i")
seen("tolist of their bytes, cast", lambda: ints.cast("B").cast("i").tolist(), [1, 2])
structures = memoryview((Base * 2)())
seen("a memoryview of structures equals itself", structures == structures, False)  # noqa: PLR0124
end()
P
