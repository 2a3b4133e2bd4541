# SPDX-License-Identifier: Apache-2.0
"""PyTorch's tensors, and riffle's operators: where PyTorch is installed, on the host and on a GPU if there is one."""
import collections
import re

import numpy as np
import pytest
import riffle
from hypothesis import given, settings
from hypothesis import strategies as st

torch = pytest.importorskip("torch")
import riffle.torch  # noqa: E402

DEVICES = ["cpu"] + (["cuda"] if torch.cuda.is_available() else [])
DTYPES = [torch.uint8, torch.bool, torch.int16, torch.int32, torch.int64, torch.float16, torch.bfloat16, torch.float32, torch.float64,
          torch.complex64, torch.complex128]
device = pytest.mark.parametrize("device", DEVICES)
Columns = collections.namedtuple("Columns", "x y")


def numbers(shape, dtype, device):
    """Numbers that every dtype can hold apart."""
    return (torch.arange(int(np.prod(shape)), device=device) % 100).reshape(shape).to(dtype)


@st.composite
def tensors(draw, device, min_dims=0):
    shape = draw(st.lists(st.integers(0, 6), min_size=min_dims, max_size=4))
    x = numbers(shape, draw(st.sampled_from(DTYPES)), device)
    kind = draw(st.sampled_from(["C", "transposed", "steps", "expanded"]))
    if kind == "transposed" and x.dim() > 1:
        return numbers(shape[::-1], x.dtype, device).permute(*range(x.dim())[::-1])
    if kind == "steps" and x.dim():
        return numbers([*shape[:-1], 2 * shape[-1]], x.dtype, device)[..., ::2]
    return x[:1].expand(5, *shape[1:]) if kind == "expanded" and x.dim() and shape[0] else x


def moved(x, p, axis):
    where = torch.from_numpy((~p).to_numpy()).to(x.device)
    return x.reshape(-1)[where].reshape(x.shape) if axis is None else x.index_select(axis, where)


@device
@given(data=st.data())
def test_moves(device, data):
    x = data.draw(tensors(device, 1))
    before = x.clone()
    axis = data.draw(st.sampled_from([None, *range(x.dim())]))
    n = x.numel() if axis is None else x.shape[axis]
    p = riffle.Perm(data.draw(st.sampled_from(["reverse", "rotate:3", "random:5"])), n)
    expected = moved(x, p, axis)
    for y in (riffle.permute(x, p, axis), riffle.permute(x, p, axis, out=torch.empty_like(expected)), riffle.torch.permute(x, p, axis),
              riffle.torch.permute(x, torch.from_numpy(p.to_numpy()).to(device), axis)):
        assert y.dtype == x.dtype and y.device == x.device and torch.equal(y, expected)
    order = data.draw(st.permutations(range(x.dim())))
    for y in (riffle.transpose(x, order), riffle.torch.transpose(x, order)):
        assert y.is_contiguous() and torch.equal(y, x.permute(order))
    axis = data.draw(st.integers(0, x.dim() - 1))
    if x.shape[axis]:
        indices = torch.randint(0, x.shape[axis], data.draw(st.lists(st.integers(0, 4), max_size=2)), device=device, generator=None)
        expected = x.index_select(axis, indices.reshape(-1)).reshape([*x.shape[:axis], *indices.shape, *x.shape[axis + 1:]])
        for y in (riffle.take(x, indices, axis), riffle.take(x, indices.int(), axis, check=True), riffle.torch.take(x, indices, axis)):
            assert torch.equal(y, expected)
    expected = moved(x, riffle.Perm("random:9", x.shape[axis]), axis)
    assert torch.equal(riffle.shuffle(x, 9, axis), expected) and torch.equal(riffle.torch.shuffle(x, 9, axis), expected)
    assert torch.equal(x, before)


@device
def test_new_tensors(device):
    """Results are as PyTorch's own: empty ones, subclasses', and in its modes."""
    for shape in ([0], [3, 0, 2], [], [5, 1, 4]):
        x = numbers(shape, torch.float64, device)
        y, z = riffle.permute(x, "reverse"), x.flatten().flip(0).reshape(shape)
        assert (y.shape, y.stride(), y.dtype, y.device) == (z.shape, z.stride(), z.dtype, z.device) and torch.equal(y, z)
    x = numbers([6], torch.float32, device)
    y = riffle.permute(torch.nn.Parameter(x, requires_grad=False), "reverse")
    assert torch.equal(y, x.flip(0)) and not y.requires_grad
    with torch.inference_mode():
        assert riffle.permute(x, "reverse").is_inference()


@device
def test_in_place_and_programs(device):
    x = numbers((1 << 12,), torch.float32, device)
    before = x.clone()
    assert riffle.permute(x, "bit-reversal", out=x) is x
    assert torch.equal(x, moved(before, riffle.Perm("bit-reversal", 1 << 12), None))
    assert torch.equal(riffle.run("sort n", x), x.sort().values)
    z = torch.complex(before, before.flip(0))
    torch.testing.assert_close(riffle.run("fft n", z), torch.fft.fft(z), rtol=1e-3, atol=1)


@device
def test_long(device):
    x = torch.randn(3 << 18, device=device)
    table = torch.randperm(x.numel(), device=device)
    assert torch.equal(riffle.plan(table, x, inverse=True)(x), x[table])
    y = torch.empty_like(x)
    y[table] = x
    assert torch.equal(riffle.permute(x, table), y)
    assert torch.equal(riffle.take(x, table[:1000] % 7), x[table[:1000] % 7])
    assert torch.equal(riffle.shuffle(x, 3), moved(x, riffle.Perm("random:3", x.numel()), 0))


@device
def test_sorts(device):
    """On a GPU arrays of one dimension, and no parts of sorts; Unsupported says what is not done."""
    generator = torch.Generator().manual_seed(6)
    for dtype in (torch.uint8, torch.int16, torch.int32, torch.int64, torch.float16, torch.float32, torch.float64):
        for n in (0, 1, 2, 1000, 70_001):
            x = torch.randint(0, 200, (n,), generator=generator).to(dtype).to(device)
            y, order = x.sort(stable=True)
            values = torch.arange(n, dtype=torch.float32, device=device)
            assert torch.equal(riffle.sort(x), y) and torch.equal(riffle.argsort(x), order) and riffle.argsort(x).device == x.device
            assert all(map(torch.equal, riffle.sort(x, return_index=True), (y, order)))
            assert all(map(torch.equal, riffle.sort(x, values=values), (y, values[order])))
            down, back = riffle.sort(x, descending=True, return_index=True)
            assert torch.equal(down, x[back]) and torch.equal(down, y.flip(0))
            assert riffle.sort(x, out=x) is x and torch.equal(x, y)
    x = torch.tensor([float("nan"), 1, -1, float("nan"), 0], device=device)
    assert riffle.argsort(x).tolist() == [2, 4, 1, 0, 3] and riffle.argsort(x, descending=True).tolist() == [1, 4, 2, 0, 3]
    runs = [torch.randint(0, 99, (n,), generator=generator, dtype=torch.int32).sort().values.to(device).view(torch.uint32) for n in (100, 0, 57, 1)]
    assert torch.equal(riffle.merge(runs).view(torch.int32), torch.cat([run.view(torch.int32) for run in runs]).sort().values)
    rows = torch.randint(0, 99, (5, 40), generator=generator).to(device)
    for mine, theirs in ((lambda: riffle.sort(rows), lambda: rows.sort().values), (lambda: riffle.argsort(rows, 0), lambda: rows.sort(dim=0, stable=True).indices),
                         (lambda: riffle.top(rows, 3), lambda: rows.sort().values[:, :3]), (lambda: riffle.partition(rows[0], 7)[7], lambda: rows[0].sort().values[7]),
                         (lambda: riffle.unique(rows), lambda: rows.unique())):
        try:
            assert torch.equal(mine(), theirs())
        except riffle.errors.Unsupported as error:
            assert device == "cuda" and re.search("one array at a time|no GPU", str(error))
    x, first = torch.randint(0, 50, (5000,), generator=generator).to(device), [0, 700, 700, 4999, 5000]
    parts = [x[a:b] for a, b in zip(first, first[1:])]
    for bounds in (first, torch.tensor(first, device=device)):
        assert torch.equal(riffle.sort(x, first=bounds), torch.cat([part.sort().values for part in parts]))
        assert torch.equal(x[riffle.argsort(x, first=bounds)], riffle.sort(x, first=bounds))
        assert all(map(torch.equal, riffle.unique(x, first=bounds), [part.unique() for part in parts]))
    assert all(map(torch.equal, riffle.top(x, 20, first=first), [part.sort().values[:20] for part in parts]))
    assert torch.equal(riffle.sort(x, first=[0, 5000]), x.sort().values) and torch.equal(riffle.unique(x, first=[0, 5000])[0], x.unique())


@device
def test_histograms(device):
    generator = torch.Generator().manual_seed(10)
    for dtype in (torch.uint8, torch.bool, torch.uint16):
        for n in (0, 1, 1000, 300_001):
            numbers = torch.randint(0, 2 if dtype == torch.bool else 200, (n,), generator=generator)
            size = 65536 if dtype == torch.uint16 else 256
            x, expected = numbers.to(dtype).to(device), torch.bincount(numbers, minlength=size).to(device)
            out = torch.full((size,), -7, device=device)
            assert riffle.histogram(x, out=out) is out
            for counts in (riffle.histogram(x), out):
                assert counts.dtype == torch.int64 and counts.device == expected.device and torch.equal(counts, expected)
    x = torch.arange(60, dtype=torch.uint8, device=device).reshape(6, 10)[::2, 1:]
    assert torch.equal(riffle.histogram(x), torch.bincount(x.reshape(-1), minlength=256))
    with pytest.raises(NotImplementedError, match="keys: of dtype torch.int8"):
        riffle.histogram(x.to(torch.int8))
    with pytest.raises(ValueError, match="out: of dtype torch.int32; counts are int64"):
        riffle.histogram(x, out=torch.empty(256, dtype=torch.int32, device=device))


@device
def test_hulls(device):
    generator = torch.Generator().manual_seed(7)
    for dtype in (torch.float32, torch.float64, torch.int16, torch.int64):
        for n in (0, 1, 2, 30, 5000, 200_000):
            points = (torch.randn(n, 2, generator=generator) * 1000).to(dtype)
            there, expected = points.to(device), torch.from_numpy(riffle.hull(points.numpy()))
            found = riffle.hull(there)
            assert found.device == there.device and torch.equal(found.cpu(), expected)
            corners, lengths = riffle.hull(there, padded=True)
            assert torch.equal(corners[:int(lengths[0])].cpu(), expected)
            assert torch.equal(riffle.hull(there.T.contiguous().T).cpu(), expected)  # an array of other strides
    sets = torch.randn(40, 25, 2, generator=generator)
    first = [0, 7, 7, 500, 1000]
    for mine, theirs in ((riffle.hull(sets.to(device)), riffle.hull(sets.numpy())),
                         (riffle.hull(sets.to(device), all=True), riffle.hull(sets.numpy(), all=True)),
                         (riffle.hull(sets.to(device).reshape(-1, 2), first=first), riffle.hull(sets.numpy().reshape(-1, 2), first=first)),
                         (riffle.hull(sets.to(device).reshape(-1, 2), first=torch.tensor(first, device=device)),
                          riffle.hull(sets.numpy().reshape(-1, 2), first=first))):
        assert [one.tolist() for one in mine] == [one.tolist() for one in theirs]
    points = torch.randn(1000, 2, generator=generator).to(device)
    if device == "cuda":
        assert torch.equal(riffle.hull(points, algorithm="paper"), riffle.hull(points))
        assert torch.equal(riffle.hull(points).cpu(), riffle.hull(points.cpu()))
    points[17, 1] = float("inf")
    with pytest.raises(ValueError, match="point 17"):
        riffle.hull(points)
    if device == "cuda":
        assert riffle.hull(points, padded=True)[1].tolist() == [0]


@device
def test_refusals(device):
    x = numbers((8,), torch.float32, device)
    with pytest.raises(ValueError, match="x: a tensor that requires gradients; call the function of riffle.torch"):
        riffle.permute(x.clone().requires_grad_(), "reverse")
    z = numbers((8,), torch.complex64, device)
    with pytest.raises(ValueError, match=r"x: a conjugate view; pass x.resolve_conj\(\)"):
        riffle.permute(z.conj(), "reverse")
    with pytest.raises(ValueError, match=r"x: a negated view; pass x.resolve_neg\(\)"):
        riffle.permute(z.conj().imag, "reverse")
    assert torch.equal(riffle.torch.permute(z.conj(), "reverse"), z.conj().flip(0))
    with pytest.raises(NotImplementedError, match="x: a tensor that is not dense"):
        riffle.permute(x.to_sparse(), "reverse")
    with pytest.raises(IndexError, match="indices: number 1 is 8"):
        riffle.take(x, torch.tensor([0, 8], device=device), check=True)
    with pytest.raises(ValueError, match="of dtype torch.float32; indices are integers"):
        riffle.take(x, x)
    with pytest.raises(ValueError, match="out: of another dtype"):
        riffle.permute(x, "reverse", out=torch.empty(8, dtype=torch.int32, device=device))
    if device == "cuda":
        with pytest.raises(ValueError, match="both must be in one memory"):
            riffle.take(x, torch.tensor([0]))
        with pytest.raises(ValueError, match="the plan is for host"):
            riffle.plan("reverse", x.cpu())(x)


@device
def test_gradients(device):
    x = torch.randn(4, 6, dtype=torch.float64, device=device, requires_grad=True)
    table, indices = torch.randperm(6, device=device), torch.tensor([[1, 1], [0, 3]], device=device)
    for move in (lambda x: riffle.torch.permute(x, "random:1"), lambda x: riffle.torch.permute(x, "rotate:2", 1),
                 lambda x: riffle.torch.permute(x, "transpose:4x6"), lambda x: riffle.torch.permute(x, "transpose:2x3", 1),
                 lambda x: riffle.torch.permute(x, riffle.Perm("reverse", 24)), lambda x: riffle.torch.permute(x, table, 1),
                 lambda x: riffle.torch.take(x, indices), lambda x: riffle.torch.take(x, indices, 1), lambda x: riffle.torch.transpose(x),
                 lambda x: riffle.torch.shuffle(x, 3)):
        assert torch.autograd.gradcheck(move, x)
        assert torch.autograd.gradgradcheck(move, x)


@device
def test_vmap(device):
    x, indices = torch.randn(3, 4, 5, device=device), torch.tensor([1, 1, 0], device=device)
    many = torch.randint(0, 4, (3, 2), device=device)
    for move in (lambda x: riffle.torch.permute(x, "reverse"), lambda x: riffle.torch.permute(x, "random:2", 1),
                 lambda x: riffle.torch.permute(x, "transpose:2x2", 0), lambda x: riffle.torch.permute(x, "transpose:4x5"),
                 lambda x: riffle.torch.take(x, indices, 1), lambda x: riffle.torch.transpose(x), lambda x: riffle.torch.shuffle(x, 1),
                 lambda x: riffle.torch.permute(x, torch.tensor([2, 0, 3, 1], device=device), 0)):
        assert torch.equal(torch.vmap(move)(x), torch.stack([move(row) for row in x]))
        sideways = x.movedim(0, 2)
        assert torch.equal(torch.vmap(move, in_dims=2)(sideways), torch.stack([move(row) for row in x]))
    for axis in (0, 1):
        take = lambda x, i: riffle.torch.take(x, i, axis)  # noqa: E731
        assert torch.equal(torch.vmap(take)(x, many), torch.stack([take(row, i) for row, i in zip(x, many)]))
        assert torch.equal(torch.vmap(take, (None, 0))(x[0], many), torch.stack([take(x[0], i) for i in many]))
        assert torch.equal(torch.vmap(take)(x, many.to(torch.int8)), torch.vmap(take)(x, many))
        if device == "cpu":
            assert torch.equal(torch.vmap(take)(x, many - x.shape[axis + 1]), torch.vmap(take)(x, many))
            with pytest.raises(IndexError):
                torch.vmap(take)(x, many + 5 * (many == many.max()))


@device
def test_opcheck(device):
    x = torch.randn(4, 6, device=device, requires_grad=True)
    table, indices = torch.randperm(6, device=device), torch.tensor([1, 1, 0], device=device)
    ops = torch.ops.riffle
    for op, arguments in ((ops.permute, (x, "transpose:4x6", False, None)), (ops.permute, (x, "rotate:2", True, 1)),
                          (ops.permute_table, (x, table, False, 1)), (ops.take, (x, indices, 0)), (ops.transpose, (x, [1, 0])),
                          (ops.shuffle, (x, 3, 0))):
        torch.library.opcheck(op.default, arguments)


@device
def test_compile(device):
    """Without a graph break. The backend is PyTorch's that runs the graph as it is, so no compiler is needed."""
    x, p = torch.randn(4, 6, device=device), riffle.Perm("random:4", 24)
    indices = torch.tensor([1, 1, 0], device=device)

    def step(x):
        return riffle.torch.take(riffle.torch.permute(x, p) + riffle.torch.shuffle(x, 1), indices).sum(0) + riffle.torch.transpose(x).sum()

    compiled = torch.compile(step, fullgraph=True, backend="aot_eager")
    torch.testing.assert_close(compiled(x), step(x))
    x.requires_grad_()
    step(x).sum().backward()
    expected, x.grad = x.grad, None
    compiled(x).sum().backward()
    torch.testing.assert_close(x.grad, expected)


def test_sampler():
    data = list(range(10007))
    sampler = riffle.torch.Shuffle(data, seed=1)
    first = list(sampler)
    assert len(sampler) == 10007 and sorted(first) == data and first != data and list(sampler) == first
    sampler.set_epoch(1)
    assert sorted(sampler) == data and list(sampler) != first
    parts = [list(riffle.torch.Shuffle(10007, 1, rank, 4)) for rank in range(4)]
    assert [len(part) for part in parts] == [10007 // 4] * 4 and len(set().union(*parts)) == 10007 // 4 * 4
    assert parts[1][:3] == first[1:12:4]
    loader = torch.utils.data.DataLoader(data, batch_size=7, sampler=riffle.torch.Shuffle(data, 1))
    assert torch.cat(list(loader)).tolist() == first
    with pytest.raises(ValueError, match="rank: 4 of 4 replicas"):
        riffle.torch.Shuffle(8, rank=4, replicas=4)


@pytest.mark.skipif(not torch.cuda.is_available(), reason="no GPU")
def test_streams_and_graphs():
    """Work goes to the current stream; a plan serves several at once; a captured call is replayed."""
    x = torch.randn(1 << 22, device="cuda")
    p = riffle.Perm("random:1", x.numel())
    plan, expected = riffle.plan(p, x), moved(x, p, None)
    streams, results = [torch.cuda.Stream() for _ in range(4)], []
    torch.cuda.synchronize()
    for stream in streams:
        with torch.cuda.stream(stream):
            torch.cuda._sleep(10_000_000)
            results.append(plan(x * 1))
            assert not stream.query()  # nothing waited
    torch.cuda.synchronize()
    assert all(torch.equal(y, expected) for y in results)
    y, graph = torch.empty_like(x), torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        plan(x, y)
    y.zero_()
    graph.replay()
    assert torch.equal(y, expected)


@pytest.mark.skipif(not torch.cuda.is_available(), reason="no GPU")
def test_sorts_and_hulls_on_streams():
    """Queued on the current stream; a sort that was called before is captured; several streams have hulls at once."""
    x, points = torch.randn(1 << 20, device="cuda"), torch.randn(1 << 20, 2, device="cuda")
    expected, corners = x.sort().values, riffle.hull(points)
    riffle.sort(x)
    streams, results = [torch.cuda.Stream() for _ in range(3)], []
    torch.cuda.synchronize()
    for _ in range(3):
        for stream in streams:
            with torch.cuda.stream(stream):
                torch.cuda._sleep(10_000_000)
                results.append((riffle.sort(x * 1), riffle.hull(points * 1, padded=True)))
                assert not stream.query()  # nothing waited
    torch.cuda.synchronize()
    assert all(torch.equal(y, expected) and torch.equal(hull[:int(length)], corners) for y, (hull, length) in results)
    graph, moved = torch.cuda.CUDAGraph(), x.clone()
    with torch.cuda.graph(graph):
        y, (hull, length) = riffle.sort(moved), riffle.hull(points, padded=True)
    moved.copy_(-x)
    points.copy_(points.flip(0))
    graph.replay()
    assert torch.equal(y, (-x).sort().values) and torch.equal(hull[:int(length)], riffle.hull(points))


@pytest.mark.skipif(torch.cuda.device_count() < 2, reason="no two GPUs")
def test_plans_belong_to_their_arrays_gpu():
    x = torch.randn(1 << 16, device="cuda:1")
    assert torch.cuda.current_device() == 0
    assert torch.equal(riffle.permute(x, "random:1"), moved(x, riffle.Perm("random:1", x.numel()), None))
    assert torch.equal(riffle.sort(x), x.sort().values) and torch.equal(riffle.run("sort n", x), x.sort().values)
    assert torch.equal(riffle.hull(x.reshape(-1, 2)).cpu(), riffle.hull(x.cpu().reshape(-1, 2)))


@pytest.mark.skipif(not torch.cuda.is_available(), reason="no GPU")
def test_no_device_memory_leaks():
    x, points = torch.randn(1 << 12, device="cuda"), torch.randn(1 << 12, 2, device="cuda")
    plan, table = riffle.plan("random:1", x), torch.randperm(1 << 12, device="cuda")
    now_and_then = [lambda: riffle.take(x, table), lambda: riffle.permute(x, "reverse"), lambda: riffle.shuffle(x, 2), lambda: riffle.transpose(points),
                    lambda: riffle.sort(x, return_index=True), lambda: riffle.unique(x), lambda: riffle.hull(points), lambda: riffle.histogram(x.view(torch.uint8)),
                    lambda: riffle.torch.take(x, table), lambda: plan(x[::1].clone())]
    for call in (lambda: plan(x), *now_and_then):
        call()
    torch.cuda.synchronize()
    free, held = torch.cuda.mem_get_info()[0], torch.cuda.memory_allocated()
    for k in range(100_000):
        plan(x)
        if k % 10 == 0:
            now_and_then[k // 10 % len(now_and_then)]()
    for _ in range(300):
        riffle.plan(table, x)(x)
    torch.cuda.synchronize()
    assert torch.cuda.memory_allocated() == held and torch.cuda.mem_get_info()[0] > free - (64 << 20)


@device
def test_groups(device):
    generator = torch.Generator().manual_seed(11)
    x = torch.randn((500, 16), generator=generator, dtype=torch.float64)
    keys = torch.randint(-1, 9, (500, 3), generator=generator)
    number = keys.reshape(-1)
    order = torch.argsort(number, stable=True)
    order = order[(number[order] >= 0) & (number[order] < 8)]
    got = riffle.group(x.to(device), keys.to(device), 8)
    assert torch.equal(got.rows[:len(order)].cpu(), x[order // 3])
    assert torch.equal(got.counts.cpu(), torch.bincount(number[order], minlength=8))
    for dtype in (torch.float16, torch.bfloat16, torch.float32):
        rows = got.rows.to(dtype)
        weights = torch.randn((500, 3), generator=generator)
        here = riffle.ungroup(rows.cpu(), got.places.cpu(), weights)
        assert torch.equal(riffle.ungroup(rows, got.places, weights.to(device)).cpu(), here)


@device
def test_groups_of_columns(device):
    generator = torch.Generator().manual_seed(13)
    x = torch.randn((30, 3), generator=generator, dtype=torch.float64).to(device).requires_grad_()
    y = torch.randn(30, generator=generator, dtype=torch.float64).to(device).requires_grad_()
    ids = torch.arange(30, dtype=torch.int32, device=device)
    keys = torch.randint(-1, 5, (30, 2), generator=generator).to(device)
    got = riffle.torch.group([x, ids, y], keys, 4)
    used = int(got.offsets[-1])
    assert isinstance(got.rows, list) and isinstance(riffle.torch.group(Columns(x, y), keys, 4).rows, Columns)
    assert torch.equal(got.rows[1][:used], riffle.group(ids, keys, 4).rows[:used])
    assert torch.equal(got.rows[0][:used], x[got.rows[1][:used].long()]) and torch.equal(got.rows[2][:used], y[got.rows[1][:used].long()])
    rows_of = lambda x, y: tuple(each[:used] for each in riffle.torch.group((x, y), keys, 4).rows)
    assert torch.autograd.gradcheck(rows_of, (x, y))
    assert torch.autograd.gradcheck(lambda x: riffle.torch.group([x, ids], keys, 4).rows[0][:used], (x,))
    assert not torch.is_floating_point(got.places) and torch.compile(rows_of, fullgraph=True, backend="aot_eager")(x, y)[1].shape == (used,)


@device
def test_gradients_of_groups(device):
    generator = torch.Generator().manual_seed(12)
    x = torch.randn((20, 3), generator=generator, dtype=torch.float64).to(device).requires_grad_()
    keys = torch.randint(-1, 5, (20, 2), generator=generator).to(device)
    weights = torch.randn((20, 2), generator=generator, dtype=torch.float64).to(device).requires_grad_()
    used = int(riffle.group(x.detach(), keys, 4).offsets[-1])
    assert torch.autograd.gradcheck(lambda x: riffle.torch.group(x, keys, 4).rows[:used], (x,))
    places = riffle.torch.group(x.detach(), keys, 4).places
    rows = torch.randn((40, 3), generator=generator, dtype=torch.float64).to(device).requires_grad_()
    assert torch.autograd.gradcheck(lambda rows, weights: riffle.torch.ungroup(rows, places, weights), (rows, weights))
    assert torch.autograd.gradcheck(lambda rows: riffle.torch.ungroup(rows, places), (rows,))
    assert torch.autograd.gradcheck(lambda rows: riffle.torch.ungroup(rows, places[:, 0]), (rows,))
