# SPDX-License-Identifier: Apache-2.0
"""Arrays in parts on GPUs: what is told without one; and on those that there are, one of which may have several parts."""
import numpy as np
import pytest
import riffle
import riffle.multigpu


def test_explain():
    text = riffle.multigpu.explain("axes:2x2x1024:1,0,2", 4096, 2, bytes_per_second=4096)
    for words in ("several GPUs: 2, each with 2048 elements of 4 bytes", "passes:    1:", "volume:    8192 bytes, 50.00 %", "time:      1000 ms"):
        assert words in text
    assert "passes:    2:" in riffle.multigpu.explain("bit-reversal", 4096, 4, 8, in_place=True)
    text = riffle.multigpu.explain("bit-reversal", 4096, 4, 8, transport="copies")
    assert "copies:    of messages, by CUDA" in text and "workspace: 16384 bytes" in text and "no access:" not in text
    with pytest.raises(riffle.errors.InvalidArgument, match="transport: 'nccl'; one of auto, peers, copies is wanted"):
        riffle.multigpu.explain("reverse", 8, 2, transport="nccl")
    assert "volume:    0 bytes" in riffle.multigpu.explain(np.arange(8)[::-1], 8, 1)
    for error, words, arguments in ((riffle.errors.Unsupported, "power of two; these are 3", ("reverse", 8, 3)),
                                    (riffle.errors.Unsupported, "affine", ("rotate:1", 8, 2)),
                                    (riffle.errors.LengthError, "a permutation of 4, and the parts have 8", (riffle.Perm("reverse", 4), 8, 2))):
        with pytest.raises(error, match=words):
            riffle.multigpu.explain(*arguments)


def test_parts_on_the_host_are_refused():
    x = np.arange(4.0)
    for error, words, parts in ((ValueError, "part 0 is on the host", [x, x]), (TypeError, "a list of arrays", x), (ValueError, "no parts", []),
                                (TypeError, "part 1 is 'x'", [x, "x"])):
        with pytest.raises(error, match=words):
            riffle.multigpu.permute(parts, "reverse")


def gpus(torch, parts):
    return [torch.device("cuda", k % torch.cuda.device_count()) for k in range(parts)]


def test_tensors():
    torch = pytest.importorskip("torch")
    if not torch.cuda.is_available():
        pytest.skip("no GPU")
    for parts in (1, 2, 4, 8):
        for spec in ("bit-reversal", "reverse", f"axes:{parts}x{parts}x{4096 // parts}:1,0,2", "random-affine:3"):
            for dtype in (torch.uint8, torch.float32, torch.complex128):
                host = (torch.arange(4096 * parts) % 251).to(dtype)
                x = [part.to(where) for part, where in zip(host.chunk(parts), gpus(torch, parts))]
                p = riffle.Perm(spec, len(host))
                wanted = host[torch.from_numpy((~p).to_numpy())]
                plan, inside = riffle.multigpu.plan(p, x), riffle.multigpu.plan(p, x, in_place=True)
                out = [torch.zeros_like(part) for part in x]
                assert plan(x, out) is not None and inside.passes == 2 and plan.volume_bytes == inside.volume_bytes
                copied = riffle.multigpu.plan(p, x, transport="copies")
                assert copied.transport == ("copies" if plan.volume_bytes else "peers") and copied.volume_bytes == plan.volume_bytes
                y = riffle.multigpu.permute(x, p)
                assert [part.device for part in y] == [part.device for part in x]
                for made in (y, out, copied(x), inside([part.clone() for part in x])):
                    assert torch.equal(torch.cat([part.cpu() for part in made]), wanted)
    x = [torch.zeros(64, device="cuda"), torch.zeros(64, device="cuda")]
    plan = riffle.multigpu.plan("bit-reversal", x)
    for words, wrong in (("1 parts, and the plan is for 2", x[:1]), ("part 1 has 32 elements", [x[0], x[1][:32]]), ("not dense", [x[0], torch.zeros(128, device="cuda")[::2]]),
                         ("parts of 32 elements", [x[0][:32], x[1][:32]])):
        with pytest.raises(ValueError, match=words):
            plan(wrong)
    with pytest.raises(ValueError, match="overlap"):
        plan(x, out=x)
