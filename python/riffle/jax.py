# SPDX-License-Identifier: Apache-2.0
"""riffle's moves as JAX's primitives: inside jit, with derivatives and vmap, on the host and on a GPU.

    y = riffle.jax.permute(x, "bit-reversal")     y.ravel()[p(i)] = x.ravel()[i]
    y = riffle.jax.take(x, indices)

Plans are made when a function is compiled, and kept as long as the process lives."""
import functools
import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

import jax
import jax.numpy as jnp
import jax.typing
import numpy
from jax.extend.core import Primitive
from jax.interpreters import ad, batching, mlir

from . import _core
from ._arrays import along
from ._perm import Perm
from .errors import InvalidArgument

if TYPE_CHECKING:
    import riffle

__all__ = ["permute", "shuffle", "take", "transpose"]

for (_name, _platform), _target in _core.jax_targets().items():
    jax.ffi.register_ffi_target(_name, _target, platform=_platform)


def _primitive(name, abstract):
    primitive = Primitive(name)
    primitive.def_abstract_eval(abstract)
    primitive.def_impl(lambda *arguments, **options: jax.jit(functools.partial(primitive.bind, **options))(*arguments))
    return primitive


def _call(context, target, room, *operands, **numbers):
    """The foreign call; on a GPU with its workspace as one more result, which is dropped."""
    if room:
        context = context.replace(avals_out=[*context.avals_out, jax.core.ShapedArray((room,), numpy.uint8)])
    lowered = jax.ffi.ffi_lowering(target)(context, *operands, **{name: numpy.int64(value) for name, value in numbers.items()})
    return lowered[:1]


def _form(shape, axis):
    return math.prod(shape[:axis]), shape[axis], math.prod(shape[axis + 1:])


# ------------------------------------------------------------------- permute

@functools.cache
def _kept(perm, batch, elem_bytes, device):
    return _core.plan(perm._handle, None, batch, elem_bytes, 0, device, "auto", 0, 0, False)


def _lower_permute(context, x, *, perm, axis, device):
    aval, = context.avals_in
    batch, _, behind = _form(aval.shape, axis)
    if aval.size == 0:
        return [x]
    plan = _kept(perm, batch, behind * aval.dtype.itemsize, device)
    return _call(context, "riffle_execute", plan.workspace_bytes if device >= 0 else 0, x, plan=plan.address)


_permute = _primitive("riffle_permute", lambda x, *, perm, axis: x)
ad.deflinear2(_permute, lambda grad, x, *, perm, axis: [_permute.bind(grad, perm=~perm, axis=axis)])
mlir.register_lowering(_permute, functools.partial(_lower_permute, device=-1), platform="cpu")
mlir.register_lowering(_permute, functools.partial(_lower_permute, device=0), platform="cuda")


def _batch_permute(values, dims, *, perm, axis):
    return _permute.bind(values[0], perm=perm, axis=axis + (dims[0] <= axis)), dims[0]


batching.primitive_batchers[_permute] = _batch_permute


def permute(x: jax.typing.ArrayLike, p: "riffle.Perm | str", axis: int | None = None) -> jax.Array:
    """riffle.permute for JAX's arrays. p is a Perm, or the text of one; it is part of the program that is compiled."""
    x = jnp.asarray(x)
    moved = x.reshape(-1) if axis is None else x
    at = 0 if axis is None else along(axis, x.ndim)
    p = p if isinstance(p, Perm) else Perm(p, moved.shape[at])
    if p.n != moved.shape[at]:
        raise InvalidArgument(f"x: {moved.shape[at]} elements to be moved, and the permutation is of {p.n}")
    y, given = _permute.bind(moved, perm=p, axis=at), p.output_shape
    if axis is None:
        return y.reshape(given or x.shape)
    return y.reshape(*x.shape[:at], *given, *x.shape[at + 1:]) if given else y


def transpose(x: jax.typing.ArrayLike, axes: Sequence[int] | None = None) -> jax.Array:
    """riffle.transpose for JAX's arrays."""
    x = jnp.asarray(x)
    order = tuple(range(x.ndim))[::-1] if axes is None else tuple(along(k, x.ndim, "axes") for k in axes)
    if sorted(order) != list(range(x.ndim)):
        raise InvalidArgument(f"axes: {order} is no order of {x.ndim} axes")
    if x.size == 0 or x.ndim == 0:
        return x.reshape([x.shape[k] for k in order])
    return permute(x, f"axes:{'x'.join(map(str, x.shape))}:{','.join(map(str, order))}")


def shuffle(x: jax.typing.ArrayLike, seed: int, axis: int = 0) -> jax.Array:
    """riffle.shuffle for JAX's arrays: rows in the order of random:SEED."""
    return permute(x, f"random:{seed}", axis)


# --------------------------------------------------------------------- takes

def _taken(x, indices, *, axis):
    return jax.core.ShapedArray((*x.shape[:axis], *indices.shape, *x.shape[axis + 1:]), x.dtype)


def _lower_take(context, x, indices, *, axis, on_gpu):
    of_x, of_indices = context.avals_in
    batch, n, behind = _form(of_x.shape, axis)
    numbers = dict(batch=batch, n=n, m=of_indices.size, entry_bytes=of_indices.dtype.itemsize, row_bytes=behind * of_x.dtype.itemsize)
    if context.avals_out[0].size == 0:
        return [mlir.ir_constant(numpy.zeros(context.avals_out[0].shape, of_x.dtype))]
    workspace = _core.take_workspace(numbers["m"], n, numbers["entry_bytes"], numbers["row_bytes"]) if on_gpu else 0
    return _call(context, "riffle_take", workspace, x, indices, workspace=workspace, **numbers)


def _transpose_take(grad, x, indices, *, axis):
    where = (slice(None),) * axis + (indices,)
    return [jnp.zeros(x.aval.shape, x.aval.dtype).at[where].add(grad), None]


def _batch_take(values, dims, *, axis):
    x, indices = values
    of_x, of_indices = dims
    if of_indices is None:
        return _take.bind(jnp.moveaxis(x, of_x, 0), indices, axis=axis + 1), 0
    indices = jnp.moveaxis(indices, of_indices, 0)
    if of_x is None:
        return _take.bind(x, indices, axis=axis), axis
    rows = jnp.moveaxis(jnp.moveaxis(x, of_x, 0), axis + 1, 1)  # batch, n, the rest: one long axis
    first = jnp.arange(rows.shape[0], dtype=indices.dtype) * rows.shape[1]
    taken = _take.bind(rows.reshape(-1, *rows.shape[2:]), indices + first.reshape(-1, *[1] * (indices.ndim - 1)), axis=0)
    kept = indices.ndim - 1
    return jnp.moveaxis(taken, tuple(range(1, 1 + kept)), tuple(range(1 + axis, 1 + axis + kept))), 0


_take = _primitive("riffle_take", _taken)
ad.defjvp(_take, lambda grad, x, indices, *, axis: _take.bind(grad, indices, axis=axis), None)
ad.primitive_transposes[_take] = _transpose_take
batching.primitive_batchers[_take] = _batch_take
mlir.register_lowering(_take, functools.partial(_lower_take, on_gpu=False), platform="cpu")
mlir.register_lowering(_take, functools.partial(_lower_take, on_gpu=True), platform="cuda")


def take(x: jax.typing.ArrayLike, indices: jax.typing.ArrayLike, axis: int = 0) -> jax.Array:
    """riffle.take for JAX's arrays: indices of any shape, none below zero. On the host one that is out of range is an error of the
    program; on a GPU the result holds anything."""
    x, indices = jnp.asarray(x), jnp.asarray(indices)
    if not jnp.issubdtype(indices.dtype, jnp.integer):
        raise InvalidArgument(f"indices: of dtype {indices.dtype}; indices are integers")
    if indices.dtype.itemsize < 4:
        indices = indices.astype(jnp.int32)
    return _take.bind(x, indices, axis=along(axis, x.ndim))
