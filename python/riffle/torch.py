# SPDX-License-Identifier: Apache-2.0
"""riffle's moves as PyTorch's operators: with gradients, inside torch.compile and vmap, on the current stream.

    y = riffle.torch.permute(x, "bit-reversal")        the gradient moves along the inverse
    y = riffle.torch.take(x, indices)                  the gradient adds up what was taken twice
    grouped = riffle.torch.group(x, experts, 64)       rows brought together, and their gradients back
    loader = DataLoader(data, sampler=riffle.torch.Shuffle(data, seed=1))

Operators are riffle::permute, riffle::permute_table, riffle::take, riffle::group, riffle::group_columns, riffle::ungroup, riffle::transpose and riffle::shuffle. A permutation is a text or
a riffle.Perm (whose text is short), or a tensor of integers, its table. CUDA graphs capture calls whose plan is made: call once
before."""
import operator
from collections.abc import Iterator
from typing import Any, List, Optional, Sequence, Tuple, Union

import torch
from torch.library import custom_op

import riffle

from . import _core
from ._group import is_table, like, with_room
from ._plan import _plan
from .errors import WrongType

__all__ = ["Shuffle", "group", "permute", "shuffle", "take", "transpose", "ungroup"]


def _plain(x):
    """The tensor as an operator's own code is given it: no gradients, and in memory what it stands for."""
    return x.detach().resolve_conj().resolve_neg()


# ------------------------------------------------------------------- permute

@custom_op("riffle::permute", mutates_args=())
def _permute(x: torch.Tensor, spec: str, inverse: bool, axis: Optional[int]) -> torch.Tensor:
    x = _plain(x)
    return _plan(spec, x, axis, False, inverse, "auto", 0, 0)(x)


def _shape_after(shape, spec, inverse, axis):
    """The result's shape, as riffle.permute has it."""
    n = 1
    for length in shape if axis is None else [shape[axis]]:
        n *= int(length)
    perm = riffle.Perm(spec, n)
    given = (~perm if inverse else perm).output_shape
    if given is None:
        return list(shape)
    return list(given) if axis is None else [*shape[:axis], *given, *shape[axis % len(shape) + 1:]]


@_permute.register_fake
def _(x, spec, inverse, axis):
    return x.new_empty(_shape_after(x.shape, spec, inverse, axis))


def _permute_context(ctx, inputs, output):
    x, ctx.spec, ctx.inverse, ctx.axis = inputs
    ctx.shape, ctx.after = x.shape, output.shape


def _permute_backward(ctx, grad):
    """Back along the inverse. A permutation that splits its axis is undone along that axis as one."""
    axis = ctx.axis
    if axis is not None:
        axis %= len(ctx.shape)
        grad = grad.reshape(ctx.shape)
    return _permute(grad, ctx.spec, not ctx.inverse, axis).reshape(ctx.shape), None, None, None


_permute.register_autograd(_permute_backward, setup_context=_permute_context)


@_permute.register_vmap
def _(info, in_dims, x, spec, inverse, axis):
    x = x.movedim(in_dims[0], 0)
    if axis is not None:
        return _permute(x, spec, inverse, axis % (x.dim() - 1) + 1), 0
    after = _shape_after(x.shape[1:], spec, inverse, None)
    return _permute(x.reshape(x.shape[0], -1), spec, inverse, 1).reshape(x.shape[0], *after), 0


@custom_op("riffle::permute_table", mutates_args=())
def _permute_table(x: torch.Tensor, table: torch.Tensor, inverse: bool, axis: int) -> torch.Tensor:
    x = _plain(x)
    return _plan(table, x, axis, False, inverse, "auto", 0, 0)(x).reshape(x.shape)


@_permute_table.register_fake
def _(x, table, inverse, axis):
    return x.new_empty(x.shape)


def _table_context(ctx, inputs, output):
    _, table, ctx.inverse, ctx.axis = inputs
    ctx.save_for_backward(table)


def _table_backward(ctx, grad):
    table, = ctx.saved_tensors
    return _permute_table(grad, table, not ctx.inverse, ctx.axis), None, None, None


_permute_table.register_autograd(_table_backward, setup_context=_table_context)


@_permute_table.register_vmap
def _(info, in_dims, x, table, inverse, axis):
    if in_dims[1] is not None:
        raise NotImplementedError("riffle::permute_table: a table for each of a batch; loop over them")
    return _permute_table(x.movedim(in_dims[0], 0), table, inverse, axis % (x.dim() - 1) + 1), 0


def permute(x: torch.Tensor, p: Any, axis: Optional[int] = None) -> torch.Tensor:
    """riffle.permute as an operator: y[p(i)] = x[i]. p is a Perm, a text, or its table, a tensor of integers."""
    if not isinstance(p, (str, torch.Tensor, riffle.Perm)):
        raise WrongType(f"p: a {type(p).__name__}; it is a Perm, a text, or a tensor of integers")
    if isinstance(p, riffle.Perm) and p._text is None:
        p = torch.from_numpy(p.to_numpy()).to(x.device)
    if isinstance(p, torch.Tensor):
        return _permute_table(x, p, False, axis) if axis is not None else _permute_table(x.reshape(-1), p, False, 0).reshape(x.shape)
    return _permute(x, p if isinstance(p, str) else p._text, False, axis)


# --------------------------------------------------------------------- takes

@custom_op("riffle::take", mutates_args=())
def _take(x: torch.Tensor, indices: torch.Tensor, axis: int) -> torch.Tensor:
    return riffle.take(_plain(x), indices, axis)


def _taken_shape(x, indices, axis):
    axis %= x.dim()
    return [*x.shape[:axis], *indices.shape, *x.shape[axis + 1:]]


@_take.register_fake
def _(x, indices, axis):
    return x.new_empty(_taken_shape(x, indices, axis))


def _take_context(ctx, inputs, output):
    x, indices, axis = inputs
    ctx.shape, ctx.axis = x.shape, axis % x.dim()
    ctx.save_for_backward(indices)


def _places(indices, n):
    """Indices as torch's own functions take them: of 64 bits, from 0 on."""
    wide = indices.to(torch.int64)
    return torch.where(wide < 0, wide + n, wide)


def _take_backward(ctx, grad):
    """Gradients of elements that were taken several times add up."""
    indices, = ctx.saved_tensors
    axis = ctx.axis
    rows = grad.reshape([*ctx.shape[:axis], indices.numel(), *ctx.shape[axis + 1:]])
    return grad.new_zeros(ctx.shape).index_add(axis, _places(indices, ctx.shape[axis]).reshape(-1), rows), None, None


_take.register_autograd(_take_backward, setup_context=_take_context)


@_take.register_vmap
def _(info, in_dims, x, indices, axis):
    of_x, of_indices = in_dims[:2]
    axis %= x.dim() - (of_x is not None)
    if of_indices is None:
        return _take(x.movedim(of_x, 0), indices, axis + 1), 0
    indices = indices.movedim(of_indices, 0)
    if of_x is None:
        return _take(x, indices, axis), axis
    rows = x.movedim(of_x, 0).movedim(axis + 1, 1)  # batch, n, the rest: one long axis
    batch, n = rows.shape[:2]
    places = _places(indices, n)
    first = n * torch.arange(batch, device=x.device).reshape(-1, *[1] * (indices.dim() - 1))
    # An index outside its row is outside of all rows, and refused as it is without a batch.
    long = (places + first).masked_fill((places < 0) | (places >= n), batch * n)
    taken = _take(rows.reshape(-1, *rows.shape[2:]), long, 0)
    kept = indices.dim() - 1
    return taken.movedim(tuple(range(1, 1 + kept)), tuple(range(1 + axis, 1 + axis + kept))), 0


def take(x: torch.Tensor, indices: torch.Tensor, axis: int = 0) -> torch.Tensor:
    """riffle.take as an operator: x.take(indices, axis) as NumPy has it. Indices are a tensor of integers where x is."""
    return _take(x, indices, axis)


# -------------------------------------------------------------------- groups

@custom_op("riffle::group", mutates_args=())
def _group(x: torch.Tensor, keys: torch.Tensor, groups: int, by: str, multiple: int,
           capacity: int) -> Tuple[torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor]:
    rows, *numbers = with_room([_plain(x)], keys, groups, by, multiple or None, capacity or None, None)
    return rows[0], *numbers


@custom_op("riffle::group_columns", mutates_args=())
def _group_columns(x: List[torch.Tensor], keys: torch.Tensor, groups: int, by: str, multiple: int, capacity: int) -> List[torch.Tensor]:
    rows, *numbers = with_room([_plain(each) for each in x], keys, groups, by, multiple or None, capacity or None, None)
    return [*rows, *numbers]


def _group_room(entries, groups, multiple, capacity):
    """Rows that any keys may need, as riffle_group_plan_room has it."""
    used, each = min(entries, groups), max(multiple, 1)
    most = -(-(min(capacity, entries) if capacity else entries) // each) * each
    return min(entries + used * (each - 1), used * most)


@_group_columns.register_fake
def _group_like(x, keys, groups, by, multiple, capacity):
    entries = keys.shape[0] * (keys.shape[1] if keys.dim() == 2 else 1)
    numbers = [keys.new_empty(shape, dtype=torch.int64) for shape in ((groups + 1,), (groups,), tuple(keys.shape), (2,))]
    return [each.new_empty((_group_room(entries, groups, multiple, capacity), *each.shape[1:])) for each in x] + numbers


@_group.register_fake
def _(x, *others):
    return tuple(_group_like([x], *others))


def _group_context(ctx, inputs, output):
    ctx.save_for_backward(output[3])


def _group_backward(ctx, grad, *others):
    """Gradients come back along places; those of a row that went to several groups add up in the order of its keys."""
    places, = ctx.saved_tensors
    return _ungroup(grad, places, None), None, None, None, None, None


_group.register_autograd(_group_backward, setup_context=_group_context)


def _group_columns_context(ctx, inputs, output):
    ctx.save_for_backward(output[-2])
    ctx.columns = len(inputs[0])


def _group_columns_backward(ctx, grads):
    places, = ctx.saved_tensors
    has_gradient = [grad is not None and (grad.is_floating_point() or grad.is_complex()) for grad in grads[:ctx.columns]]
    return [_ungroup(grad, places, None) if has else None for grad, has in zip(grads, has_gradient)], None, None, None, None, None


_group_columns.register_autograd(_group_columns_backward, setup_context=_group_columns_context)


def group(x: Union[torch.Tensor, Sequence[torch.Tensor]], keys: torch.Tensor, groups: int, by: str = "value", multiple: Optional[int] = None,
          capacity: Optional[int] = None) -> "riffle.Grouped":
    """riffle.group as an operator, of a table's columns too. On the host, too, rows have room for all that keys could ask for, and behind
    offsets[-1] is anything."""
    if is_table(x):
        *rows, offsets, counts, places, left_out = _group_columns(list(x), keys, groups, by, multiple or 0, capacity or 0)
        return riffle.Grouped(like(x, rows), offsets, counts, places, left_out)
    return riffle.Grouped(*_group(x, keys, groups, by, multiple or 0, capacity or 0))


@custom_op("riffle::ungroup", mutates_args=())
def _ungroup(x: torch.Tensor, places: torch.Tensor, weights: Optional[torch.Tensor]) -> torch.Tensor:
    return riffle.ungroup(_plain(x), places, None if weights is None else _plain(weights))


@_ungroup.register_fake
def _(x, places, weights):
    return x.new_empty((places.shape[0], *x.shape[1:]))


def _ungroup_context(ctx, inputs, output):
    ctx.save_for_backward(*inputs)


def _ungroup_backward(ctx, grad):
    """A row's gradient goes to each of its places, times the weight; a weight's is the product of both rows. Places that are none have a row
    of their own, which is thrown away."""
    x, places, weights = ctx.saved_tensors
    rows, wide = x.shape[0], torch.float64 if x.dtype == torch.float64 else torch.float32
    index = torch.where(places < 0, rows, places).reshape(places.shape[0], -1)
    flat = grad.reshape(grad.shape[0], 1, -1)
    terms = flat if weights is None else (flat.to(wide) * weights.reshape(*index.shape, 1)).to(x.dtype)
    terms = terms.expand(*index.shape, flat.shape[2]).reshape(-1, flat.shape[2])
    to_x = x.new_zeros((rows + 1, flat.shape[2])).index_add(0, index.reshape(-1), terms)[:rows].reshape(x.shape)
    if weights is None:
        return to_x, None, None
    padded = torch.cat([x.reshape(rows, -1), x.new_zeros((1, flat.shape[2]))])
    taken = padded.index_select(0, index.reshape(-1)).reshape(*index.shape, -1)
    return to_x, None, (taken.to(wide) * flat.to(wide)).sum(-1).reshape(weights.shape)


_ungroup.register_autograd(_ungroup_backward, setup_context=_ungroup_context)


def ungroup(x: torch.Tensor, places: torch.Tensor, weights: Optional[torch.Tensor] = None) -> torch.Tensor:
    """riffle.ungroup as an operator: rows of a grouping where they came from, or sums of them; gradients of rows and of weights."""
    return _ungroup(x, places, weights)


# ---------------------------------------------------------------- transposes

@custom_op("riffle::transpose", mutates_args=())
def _transpose(x: torch.Tensor, axes: List[int]) -> torch.Tensor:
    return riffle.transpose(_plain(x), axes)


@_transpose.register_fake
def _(x, axes):
    return x.new_empty([x.shape[k] for k in axes])


def _transpose_context(ctx, inputs, output):
    ctx.axes = [k % len(inputs[1]) for k in inputs[1]]


def _transpose_backward(ctx, grad):
    return _transpose(grad, sorted(range(len(ctx.axes)), key=ctx.axes.__getitem__)), None


_transpose.register_autograd(_transpose_backward, setup_context=_transpose_context)


@_transpose.register_vmap
def _(info, in_dims, x, axes):
    return _transpose(x.movedim(in_dims[0], 0), [0, *(k % len(axes) + 1 for k in axes)]), 0


def transpose(x: torch.Tensor, axes: Optional[Sequence[int]] = None) -> torch.Tensor:
    """riffle.transpose as an operator: x.permute(axes).contiguous()."""
    return _transpose(x, list(range(x.dim()))[::-1] if axes is None else list(axes))


# ------------------------------------------------------------------ shuffles

@custom_op("riffle::shuffle", mutates_args=())
def _shuffle(x: torch.Tensor, seed: int, axis: int) -> torch.Tensor:
    return riffle.shuffle(_plain(x), seed, axis)


@_shuffle.register_fake
def _(x, seed, axis):
    return x.new_empty(x.shape)


def _shuffle_context(ctx, inputs, output):
    _, ctx.seed, ctx.axis = inputs


def _shuffle_backward(ctx, grad):
    return _permute(grad, f"random:{ctx.seed}", True, ctx.axis), None, None


_shuffle.register_autograd(_shuffle_backward, setup_context=_shuffle_context)


@_shuffle.register_vmap
def _(info, in_dims, x, seed, axis):
    return _shuffle(x.movedim(in_dims[0], 0), seed, axis % (x.dim() - 1) + 1), 0


def shuffle(x: torch.Tensor, seed: int, axis: int = 0) -> torch.Tensor:
    """riffle.shuffle as an operator: rows in the order of random:SEED."""
    return _shuffle(x, seed, axis)


class Shuffle(torch.utils.data.Sampler):
    """A data loader's sampler: each epoch all indices of a data set once, in an order that is computed and nowhere stored.

    data           the data set, or its length
    seed           of the order; with set_epoch(e) each epoch has its own
    rank, replicas each of several processes gets every replicas-th index; the last ones are left out where they do not suffice
                   for all
    """

    CHUNK = 4096

    def __init__(self, data: Any, seed: int = 0, rank: int = 0, replicas: int = 1) -> None:
        self.n = data if isinstance(data, int) else len(data)
        if not 0 <= operator.index(rank) < operator.index(replicas):
            raise riffle.errors.InvalidArgument(f"rank: {rank} of {replicas} replicas")
        self.seed, self.rank, self.replicas, self.epoch = seed, rank, replicas, 0

    def set_epoch(self, epoch: int) -> None:
        """Gives the epoch an order of its own."""
        self.epoch = epoch

    def __len__(self) -> int:
        return self.n // self.replicas

    def __iter__(self) -> Iterator[int]:
        import numpy
        perm = riffle.Perm(f"random:{(self.seed + 0x9e3779b97f4a7c15 * self.epoch) % (1 << 64)}", self.n)
        first, end = 0, len(self) * self.replicas
        while first < end:
            images = numpy.empty(min(self.CHUNK * self.replicas, end - first), numpy.int64)
            _core.perm_map(perm._handle, first, images)
            yield from images[self.rank::self.replicas].tolist()
            first += len(images)
