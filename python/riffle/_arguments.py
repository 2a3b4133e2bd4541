# SPDX-License-Identifier: Apache-2.0
"""Checks of arguments that are no arrays, made before the core sees them."""
import operator

from .errors import InvalidArgument, Unsupported, WrongType


def text(value, name):
    """A str without NUL, where the library would take it to end."""
    if not isinstance(value, str):
        raise WrongType(f"{name}: {shown(value)}; a text is wanted")
    if "\0" in value:
        raise InvalidArgument(f"{name}: has the character NUL at {value.index(chr(0))}, where it would be cut")
    try:
        value.encode()
    except UnicodeEncodeError as error:
        raise InvalidArgument(f"{name}: has a character at {error.start} that UTF-8 cannot have") from None
    return value


def whole(value, name, least=0, most=(1 << 32) - 1):
    """An int from least to most; NumPy's are ints too."""
    try:
        number = operator.index(value)
    except TypeError:
        raise WrongType(f"{name}: {shown(value)}; a whole number is wanted") from None
    if not least <= number <= most:
        raise InvalidArgument(f"{name}: {number}; it is from {least} to {most}")
    return number


def several(values, name):
    """A tuple of what can be gone through."""
    try:
        return tuple(values)
    except TypeError:
        raise WrongType(f"{name}: {shown(values)}; several are wanted, a list say") from None


def real(value, name):
    """A float."""
    try:
        return float(value)
    except (TypeError, ValueError):
        raise WrongType(f"{name}: {shown(value)}; a number is wanted") from None


def check_name(value):
    """The name of a check: True is the full one, False none."""
    if isinstance(value, str):
        return value
    if value is None or value not in (False, True):
        raise WrongType(f"check: {shown(value)}; it is True, False, or a check's name")
    return "full" if value else "none"


def is_checked(value):
    """True for the full check, the only one of what is no move."""
    name = check_name(value)
    if name == "passes":
        raise Unsupported("check: 'passes' is of permute, plan and sort alone; take 'full'")
    if name not in ("none", "full"):
        raise InvalidArgument(f"check: {name!r}; it is True, False, 'full' or 'none'")
    return name == "full"


def shown(value):
    """A value in a sentence; its type where it is long."""
    words = repr(value)
    return words if len(words) <= 60 else f"a {type(value).__name__}"
