"""What tests may expect of the NumPy that is installed."""

import pytest


def _is_before(release):
    try:
        import numpy
    except ImportError:
        return False  # tests that need it are skipped anyway
    return numpy.lib.NumpyVersion(numpy.__version__) < release


#: For tests that write into the array of a foreign tensor.
writes_through_dlpack = pytest.mark.skipif(
    _is_before("2.1.0"), reason="this NumPy makes the arrays of foreign tensors read-only"
)


#: For tests with read-only arrays, which earlier releases do not export at all.
exports_read_only_arrays = pytest.mark.skipif(
    _is_before("2.1.0"), reason="this NumPy has no versioned DLPack, and so refuses read-only arrays"
)
