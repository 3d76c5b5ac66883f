"""Argument checks; each error message gives the argument, its value and the allowed values."""

from __future__ import annotations

import contextlib
import math
import operator
from collections.abc import Callable, Collection, Iterable
from difflib import get_close_matches
from functools import wraps
from inspect import signature
from typing import Any, Concatenate, ParamSpec, TypeVar

import numpy as np
import numpy.typing as npt

LARGEST_SEED = 2**64 - 1
LARGEST_NUMBER = 2**53
"""Limit of numbers that have no other: int64 holds much more, float64 as much exactly."""
ROUNDING = 1e-4
"""Tolerance for sums of probabilities: those of float32, or of few digits, count as 1."""

_MANY = 8
"""Number of options beyond which a message begins with the nearest one."""
_NEAR = 5
"""Maximum number of options that a message lists of many."""
_MOST_LISTED = 20
"""Number of options up to which a message may list all."""

_SHOWN = 200
"""Characters of a value in a message."""
_SHOWN_BITS = 128
"""Bits of a whole number that is written out; beyond 4,300 digits Python refuses to."""

Text = TypeVar("Text", bound=str)
P = ParamSpec("P")


def reject_unknown_kwargs(
    others: Iterable[str],
) -> Callable[[Callable[Concatenate[Any, P], None]], Callable[Concatenate[Any, P], None]]:
    """Make a constructor reject unknown keyword arguments in the name of the object's class.

    Python's own message names the base class that defines the constructor.

    Args:
        others: Accepted arguments that are not in its signature.
    """

    def wrap(constructor: Callable[Concatenate[Any, P], None]) -> Any:
        parameters = signature(constructor).parameters.values()
        known = {each.name for each in parameters if each.kind != each.VAR_KEYWORD} | {*others}

        @wraps(constructor)
        def checked(self: Any, /, *args: P.args, **options: P.kwargs) -> None:
            check_names(type(self).__name__, options, known)
            constructor(self, *args, **options)

        return checked

    return wrap


def check_names(caller: str, given: Iterable[str], known: Collection[str]) -> None:
    """Check that all argument names are known.

    Raises:
        TypeError: A name is unknown; the message suggests the most similar known name.
    """
    for name in given:
        if name not in known:
            near = get_close_matches(name, known, n=1)
            hint = f" (did you mean {near[0]!r}?)" if near else ""
            raise TypeError(f"{caller}() has no argument {name!r}{hint}")


def one_of(name: str, value: Any, allowed: Iterable[Text]) -> Text:
    """Return the value if it is one of the allowed texts.

    Raises:
        ValueError: It is not; the message suggests the most similar allowed text.

    >>> one_of("mode", "cash", ("tournament", "cash"))
    'cash'
    """
    options = tuple(allowed)
    for option in options:
        if isinstance(value, str) and value == option:
            return option
    near = get_close_matches(shown(value).strip("'"), options, n=_NEAR)
    some = options if len(options) <= _MOST_LISTED else near or options[:_NEAR]
    listed = ", ".join(f'"{option}"' for option in some)
    if len(some) < len(options):
        listed = f"{len(options)} values, such as {listed}"
    if near and len(options) > _MANY:
        raise ValueError(
            f'{shown(value)}: did you mean "{near[0]}"? {name} must be one of {listed}'
        )
    hint = f' (did you mean "{near[0]}"?)' if near else ""
    raise ValueError(f"{name} must be one of {listed}; got {shown(value)}{hint}")


def action_id(value: Any, name: str = "action") -> int:
    """Action id from an integer or a one-element integer array; it need not be legal.

    Integers of NumPy and other libraries are accepted; floats, booleans and texts are rejected,
    even with integer values.

    Raises:
        TypeError: It is not an integer; the message contains the name.

    >>> action_id(np.array([1]))
    1
    """
    if type(value) is int:  # at once: every step asks
        return value
    single = value[0] if getattr(value, "shape", None) == (1,) else value
    is_bool = isinstance(single, bool) or "bool" in str(getattr(single, "dtype", ""))
    with contextlib.suppress(TypeError):
        if not is_bool:
            return operator.index(single)
    raise TypeError(
        f"{name} must be a whole number, or an array of shape (1,); "
        f"got {shown(value)} of type {type(value).__name__}"
    )


def action_ids(value: Any, count: int, each: str) -> npt.NDArray[np.int64]:
    """``(count,)`` int64 action ids; values beyond int64 become its maximum, or -1.

    Args:
        value: An integer array, or a value that NumPy converts to one.
        count: Expected number of ids.
        each: Noun in the message for the thing that each id belongs to.

    Raises:
        TypeError: The values are not integers.
        ValueError: The number of ids differs, or the value is not an array.
    """
    wanted = f"actions must be ({count},) whole numbers, one for each {each}"
    try:
        given = np.asarray(value)
    except (ValueError, OverflowError) as error:
        raise ValueError(f"{wanted}; got {shown(value)} ({error})") from None
    if given.dtype.kind not in "iuO":
        raise TypeError(f"{wanted}; got shape {given.shape} of {given.dtype}")
    if given.shape != (count,):
        raise ValueError(f"{wanted}; got shape {given.shape} of {given.dtype}")
    most = np.iinfo(np.int64).max
    if given.dtype.kind == "O":
        numbers = [action_id(number, f"actions[{i}]") for i, number in enumerate(given)]
        return np.array([min(max(number, -1), most) for number in numbers], np.int64)
    if given.dtype.kind == "u":
        given = np.minimum(given, np.uint64(most))
    return np.ascontiguousarray(given, np.int64)


def shown(value: Any) -> str:
    """Short text of any value, for error messages.

    >>> shown(10**5000)
    'a whole number of 16610 bits'
    """
    if isinstance(value, int) and value.bit_length() > _SHOWN_BITS:
        return f"a whole number of {value.bit_length()} bits"
    try:
        text = " ".join(repr(value).split())
    except Exception:  # an object that cannot be written is named by its type
        return f"an object of type {type(value).__name__}"
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}..."


def printable(text: str, *, keep: str = "") -> str:
    r"""A text from a file or a server with blanks for characters that control a terminal.

    Args:
        text: The text.
        keep: Characters that stay, such as line breaks.

    >>> printable("\x1b[2JAnn\n")
    ' [2JAnn '
    """
    return "".join(c if c.isprintable() or c in keep else " " for c in text)


def whole_number(name: str, value: Any, *, least: int, most: int | None = None) -> int:
    """Return the value as an integer, if it is one within the limits.

    NumPy integers are accepted; floats and booleans are rejected. Without ``most`` the limit is
    ``LARGEST_NUMBER``.

    Raises:
        ValueError: It is not an integer, or outside the limits.

    >>> whole_number("count", 3, least=1)
    3
    """
    allowed = f"at least {least}" if most is None else f"in {least} .. {most}"
    try:
        if isinstance(value, (bool, np.bool_)):
            raise TypeError
        number = operator.index(value)
    except TypeError:
        raise ValueError(f"{name} must be a whole number {allowed}; got {shown(value)}") from None
    if most is None and number > LARGEST_NUMBER:
        raise ValueError(f"{name} must be at most {LARGEST_NUMBER}; got {shown(number)}")
    if number < least or (most is not None and number > most):
        raise ValueError(f"{name} must be {allowed}; got {shown(value)}")
    return number


def number(
    name: str, value: Any, *, least: float = -math.inf, most: float = math.inf, above: bool = False
) -> float:
    """Return the value as a float, if it is a finite number within the limits.

    Args:
        name: Name of the argument.
        value: Value to check; booleans are rejected.
        least: Smallest allowed value.
        most: Largest allowed value.
        above: Exclude ``least`` itself.

    Raises:
        ValueError: It is not a finite number, or outside the limits.

    >>> number("step", 0.5, least=0.0, above=True)
    0.5
    """
    is_number = isinstance(value, (int, float, np.integer, np.floating))
    if is_number and not isinstance(value, bool):
        try:
            found = float(value)
        except OverflowError:  # a whole number beyond all floats
            found = math.inf
        above_least = value > least if above else value >= least
        if math.isfinite(found) and above_least and value <= most:
            return found
    if math.isfinite(least) and math.isfinite(most):
        allowed = f" in {least:g} .. {most:g}" + (f" above {least:g}" if above else "")
    elif math.isfinite(least):
        allowed = f" above {least:g}" if above else f" of at least {least:g}"
    else:
        allowed = f" of at most {most:g}" if math.isfinite(most) else ""
    raise ValueError(f"{name} must be a finite number{allowed}; got {shown(value)}")


def share(name: str, value: Any) -> float:
    """Return the value as a float, if it is a share or probability from 0 to 1.

    Raises:
        ValueError: It is not.
    """
    return number(name, value, least=0.0, most=1.0)


def array(
    name: str,
    value: npt.ArrayLike,
    shape: tuple[int | None, ...],
    *,
    dtype: npt.DTypeLike = np.float64,
    least: float = -math.inf,
    most: float = math.inf,
) -> npt.NDArray[Any]:
    """Convert a value to a contiguous array of finite numbers that kernels can trust.

    The data is copied only if necessary.

    Args:
        name: Name of the argument.
        value: Numbers or booleans, in any form that NumPy converts to an array.
        shape: Length of each axis; None for any length.
        dtype: Type of the returned array. Integer types reject floats.
        least: The least that is allowed.
        most: The most that is allowed.

    Raises:
        ValueError: The shape differs, or an element is not a finite number of this type within the
            limits.

    >>> array("chances", [0, 1], (2,), least=0, most=1)
    array([0., 1.])
    """
    wanted = np.dtype(dtype)
    whole = wanted.kind in "iu"
    what = "whole numbers" if whole else "numbers"
    lengths = ", ".join("any" if length is None else str(length) for length in shape)
    expected = f"{name} must be {what} of shape ({lengths}{',' * (len(shape) == 1)})"
    try:
        given = np.asarray(value)
    except ValueError:
        raise ValueError(f"{expected}; got rows of different lengths") from None
    fits = given.ndim == len(shape) and all(
        length is None or length == n for length, n in zip(shape, given.shape, strict=True)
    )
    if not fits or (given.size and given.dtype.kind not in ("biu" if whole else "biuf")):
        raise ValueError(f"{expected}; got shape {given.shape} of {given.dtype}")
    if whole:  # before they become numbers of fewer bits, which may be others
        bits = np.iinfo(wanted)
        if given.size and given.min().item() < bits.min:
            least = max(least, bits.min)
        if given.size and given.max().item() > bits.max:
            most = min(most, bits.max)
        _check_limits(name, what, given, least, most)
        return np.ascontiguousarray(given, wanted)
    with np.errstate(over="ignore"):  # what is too large becomes infinite, and is refused
        found = np.ascontiguousarray(given, wanted)
    _check_limits(name, "finite numbers", found, least, most)
    return found


def _check_limits(
    name: str, what: str, numbers: npt.NDArray[Any], least: float, most: float
) -> None:
    """Reject numbers that are not finite or outside the limits."""
    if numbers.size == 0:
        return
    lowest, highest = numbers.min().item(), numbers.max().item()  # both not a number if one is
    if math.isfinite(lowest) and math.isfinite(highest) and least <= lowest and highest <= most:
        return
    right = np.isfinite(numbers) & (numbers >= least) & (numbers <= most)
    place = tuple(int(i) for i in np.argwhere(~right)[0])
    got = f"{numbers[place]} at {name}[{', '.join(map(str, place))}]"
    if math.isfinite(least) and math.isfinite(most):
        raise ValueError(f"{name} must be {what} in {least:g} .. {most:g}; got {got}")
    bound = f" of at least {least:g}" if math.isfinite(least) else ""
    bound = f" of at most {most:g}" if math.isfinite(most) else bound
    raise ValueError(f"{name} must be {what}{bound}; got {got}")


def check_shares(name: str, sums: npt.NDArray[Any], whose: str = "rows") -> None:
    """Check that shares or probabilities sum to 1, up to rounding.

    Args:
        name: Name of the argument.
        sums: Sum of each group of shares.
        whose: Plural noun for the shares, for the message.

    Raises:
        ValueError: A sum differs from 1.
    """
    wrong = np.abs(sums - 1.0) > ROUNDING
    if wrong.any():
        place = tuple(int(i) for i in np.argwhere(wrong)[0])
        where = ", ".join(map(str, place))
        raise ValueError(
            f"{name}: {whose} must sum to 1, up to {ROUNDING:g}; number ({where}) sums to "
            f"{sums[place]:.6g}"
        )
