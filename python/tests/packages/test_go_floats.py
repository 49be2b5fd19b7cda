"""Floats that Go code gets in 32 bits: what these cannot hold is refused, as an int is."""

import math

import pytest
from selfsame_ffi import Array

TOO_LARGE = (1e300, -1e39, 3.4028235677973367e38)
FITS = (3.4028234663852886e38, -3.4028234663852886e38, math.inf, -math.inf, 1e-300, 0.1, 2**63 - 1, True)


@pytest.mark.parametrize("value", TOO_LARGE)
def test_a_float_too_large_for_32_bits_is_refused(signatures, value):
    refusal = rf"argument 'x': Float value {value:g} does not fit in float32".replace("+", r"\+")
    with pytest.raises(OverflowError, match=refusal):
        signatures.half32(value)
    with pytest.raises(OverflowError, match="does not fit in float32"):
        signatures.half32.map([1.0, value])
    with pytest.raises(OverflowError, match="does not fit in float32"):
        signatures.sum32([1.0, value])
    with pytest.raises(OverflowError, match="does not fit in float32"):
        signatures.sum32(Array([1.0, value]))
    with pytest.raises(OverflowError, match="does not fit in float32"):
        signatures.narrow_complex(complex(0, value))
    with pytest.raises(OverflowError, match="does not fit in float32"):
        signatures.Weighed(value)
    weighed = signatures.Weighed(1)
    with pytest.raises(OverflowError, match="does not fit in float32"):
        weighed.weight = value
    assert weighed.weight == 1


@pytest.mark.parametrize("value", FITS)
def test_a_float_that_32_bits_hold_or_round_is_taken(signatures, value):
    half = signatures.half32(value)
    assert half == pytest.approx(value / 2, rel=1e-6, abs=1e-37) and list(signatures.half32.map([value])) == [half]
    assert signatures.sum32([value]) == pytest.approx(value, rel=1e-6, abs=1e-37)
    assert signatures.Weighed(value).weight == pytest.approx(value, rel=1e-6, abs=1e-37)


def test_not_a_number_is_taken(signatures):
    assert math.isnan(signatures.half32(math.nan)) and math.isnan(signatures.sum32([math.nan]))
