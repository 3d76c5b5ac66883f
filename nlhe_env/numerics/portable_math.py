"""Exponential, logarithm, cosine and normal quantile, bit-identical with any C library.

They use basic arithmetic in a fixed order, so games are identical on every machine.
"""

from __future__ import annotations

import numpy as np

from nlhe_env.jit.array_types import Float, LaneValues
from nlhe_env.jit.compilation import kernel
from nlhe_env.numerics.lane_math import choose, floor, two_to_the

_F = np.float32
_LOG2_E = _F(1.44269504088896341)
_LN2_HIGH = _F(0.693359375)  # ln 2 in two parts, the first exact in few bits
_LN2_LOW = _F(-2.12194440e-4)
_HALF = _F(0.5)
_ONE = _F(1.0)
_TWO = _F(2.0)
_LIMIT = _F(87.0)
_P0 = _F(1.9875691500e-4)
_P1 = _F(1.3981999507e-3)
_P2 = _F(8.3334519073e-3)
_P3 = _F(4.1665795894e-2)
_P4 = _F(1.6666665459e-1)


SIGMOID_LOW, SIGMOID_HIGH = -_LIMIT, _F(17.5)
"""Below the first, ``sigmoid32`` is its minimum 1.6e-38; from the second on it is 1."""


@kernel
def exp32(x: LaneValues | Float) -> LaneValues | Float:
    """exp(x) in float32, relative error below 1.2e-7; x is clipped to -87 .. 87.

    For a number or lanes; a loop over an array is vectorized, which min() and max() would prevent.
    """
    x = choose(x < _LIMIT, x, _LIMIT)
    x = choose(x > -_LIMIT, x, -_LIMIT)
    n = floor(x * _LOG2_E + _HALF)
    r = x - n * _LN2_HIGH - n * _LN2_LOW
    p = ((((_P0 * r + _P1) * r + _P2) * r + _P3) * r + _P4) * r + _HALF
    y = p * (r * r) + r + _ONE
    return y * two_to_the(n)


@kernel
def sigmoid32(x: LaneValues | Float) -> LaneValues | Float:
    """1 / (1 + exp(-x)) in float32, for a number or lanes."""
    return _ONE / (_ONE + exp32(-x))


@kernel
def tanh32(x: LaneValues | Float) -> LaneValues | Float:
    """tanh(x) in float32."""
    return _TWO / (_ONE + exp32(-_TWO * x)) - _ONE


_MANTISSA_64 = np.int64(0x000FFFFFFFFFFFFF)
_EXPONENT_OF_ONE = np.int64(0x3FF0000000000000)
_LN2 = 0.6931471805599453
_SQRT2 = 1.4142135623730951


@kernel
def log64(x: Float) -> Float:
    """ln(x) for a normal positive float64, relative error below 1e-14."""
    bits = np.float64(x).view(np.int64)
    exponent = (bits >> 52) - 1023
    mantissa = np.int64((bits & _MANTISSA_64) | _EXPONENT_OF_ONE).view(np.float64)
    if mantissa > _SQRT2:
        mantissa *= 0.5
        exponent += 1
    # ln m = 2 atanh(z), z = (m - 1) / (m + 1), |z| < 0.172: the series in z^2.
    z = (mantissa - 1.0) / (mantissa + 1.0)
    w = z * z
    series = 0.0
    for k in range(21, 0, -2):
        series = series * w + 1.0 / k
    return exponent * _LN2 + 2.0 * z * series


_PERIODS = 1.0 / 6.283185307179586
_PERIOD_HIGH = 6.28125  # 2 pi in two parts, the first exact in few bits
_PERIOD_LOW = 0.0019353071795864769
_MOST_PERIODS = 2.0**31


@kernel
def cos64(x: Float) -> Float:
    """cos(x), error below 1e-9, or 1e-14 for |x| below 1000; nan beyond 2^31 periods."""
    n = np.floor(x * _PERIODS + 0.5)
    if not abs(n) < _MOST_PERIODS:
        return np.nan
    r = x - n * _PERIOD_HIGH - n * _PERIOD_LOW
    w = r * r
    series = 0.0  # the series of cos, of degree 30: |r| is at most pi and a little
    for k in range(30, 0, -2):
        series = (1.0 - series) * w / (k * (k - 1))
    return min(1.0, max(-1.0, 1.0 - series))


@kernel
def normal_quantile(p: Float) -> Float:
    """The standard normal deviate below which a share ``p`` in (0, 1) lies, error about 1e-15.

    Source: Wichura's PPND16 (Algorithm AS 241, Applied Statistics 37, 1988).
    """
    q = p - 0.5
    if -0.425 <= q <= 0.425:
        r = 0.180625 - q * q
        top: Float = 2.5090809287301226727e3
        top = top * r + 3.3430575583588128105e4
        top = top * r + 6.7265770927008700853e4
        top = top * r + 4.5921953931549871457e4
        top = top * r + 1.3731693765509461125e4
        top = top * r + 1.9715909503065514427e3
        top = top * r + 1.3314166789178437745e2
        top = top * r + 3.3871328727963666080e0
        bottom: Float = 5.2264952788528545610e3
        bottom = bottom * r + 2.8729085735721942674e4
        bottom = bottom * r + 3.9307895800092710610e4
        bottom = bottom * r + 2.1213794301586595867e4
        bottom = bottom * r + 5.3941960214247511077e3
        bottom = bottom * r + 6.8718700749205790830e2
        bottom = bottom * r + 4.2313330701600911252e1
        bottom = bottom * r + 1.0
        return q * top / bottom
    r = np.sqrt(-log64(p if q < 0 else 1.0 - p))
    if r <= 5.0:
        r -= 1.6
        top = 7.74545014278341407640e-4
        top = top * r + 2.27238449892691845833e-2
        top = top * r + 2.41780725177450611770e-1
        top = top * r + 1.27045825245236838258e0
        top = top * r + 3.64784832476320460504e0
        top = top * r + 5.76949722146069140550e0
        top = top * r + 4.63033784615654529590e0
        top = top * r + 1.42343711074968357734e0
        bottom = 1.05075007164441684324e-9
        bottom = bottom * r + 5.47593808499534494600e-4
        bottom = bottom * r + 1.51986665636164571966e-2
        bottom = bottom * r + 1.48103976427480074590e-1
        bottom = bottom * r + 6.89767334985100004550e-1
        bottom = bottom * r + 1.67638483018380384940e0
        bottom = bottom * r + 2.05319162663775882187e0
        bottom = bottom * r + 1.0
    else:
        r -= 5.0
        top = 2.01033439929228813265e-7
        top = top * r + 2.71155556874348757815e-5
        top = top * r + 1.24266094738807843860e-3
        top = top * r + 2.65321895265761230930e-2
        top = top * r + 2.96560571828504891230e-1
        top = top * r + 1.78482653991729133580e0
        top = top * r + 5.46378491116411436990e0
        top = top * r + 6.65790464350110377720e0
        bottom = 2.04426310338993978564e-15
        bottom = bottom * r + 1.42151175831644588870e-7
        bottom = bottom * r + 1.84631831751005468180e-5
        bottom = bottom * r + 7.86869131145613259100e-4
        bottom = bottom * r + 1.48753612908506148525e-2
        bottom = bottom * r + 1.36929880922735805310e-1
        bottom = bottom * r + 5.99832206555887937690e-1
        bottom = bottom * r + 1.0
    z = top / bottom
    return -z if q < 0 else z
