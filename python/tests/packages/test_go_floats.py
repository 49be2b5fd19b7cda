"""Floats that Go code gets in 32 bits: what these cannot hold is refused, as an int is."""

import math

import pytest
from selfsame_ffi import Array

TOO_LARGE = (1e300, -1e39, 3.4028235677973367e38)
FITS = (3.4028234663852886e38, -3.4028234663852886e38, math.inf, -math.inf, 1e-300, 0.1, 2**63 - 1, True)


@pytest.mark.parametrize("value", TOO_LARGE)
def test_a_float_too_large_for_32_bits_is_refused(go, value):
    with pytest.raises(OverflowError, match=r"argument 'x': Float value \S+ does not fit in float32$"):
        go.half32(value)
    with pytest.raises(OverflowError, match="does not fit in float32"):
        go.half32.map([1.0, value])
    with pytest.raises(OverflowError, match="does not fit in float32"):
        go.sum32([1.0, value])
    with pytest.raises(OverflowError, match="does not fit in float32"):
        go.sum32(Array([1.0, value]))
    with pytest.raises(OverflowError, match="does not fit in float32"):
        go.narrow_complex(complex(0, value))
    with pytest.raises(OverflowError, match="does not fit in float32"):
        go.Weighed(value)
    weighed = go.Weighed(1)
    with pytest.raises(OverflowError, match="does not fit in float32"):
        weighed.weight = value
    assert weighed.weight == 1


@pytest.mark.parametrize("value", FITS)
def test_a_float_that_32_bits_hold_or_round_is_taken(go, value):
    half = go.half32(value)
    assert half == pytest.approx(value / 2, rel=1e-6, abs=1e-37) and list(go.half32.map([value])) == [half]
    assert go.sum32([value]) == pytest.approx(float(value), rel=1e-6, abs=1e-37)
    assert go.Weighed(value).weight == pytest.approx(float(value), rel=1e-6, abs=1e-37)


def test_not_a_number_is_taken(go):
    assert math.isnan(go.half32(math.nan)) and math.isnan(go.sum32([math.nan]))
