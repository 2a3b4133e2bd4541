#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""pytorch_user.py: the program of docs/tutorial-pytorch.md. Moves tensors by the package `riffle`, on a GPU if there is one, and
compares each result with PyTorch's."""
import torch

import riffle
import riffle.torch

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"


def tensors_in_and_out():
    images = torch.randint(0, 256, (8, 32, 48, 3), dtype=torch.uint8, device=DEVICE)
    planes = riffle.transpose(images, (0, 3, 1, 2))
    assert planes.is_contiguous() and planes.device == images.device
    assert torch.equal(planes, images.permute(0, 3, 1, 2))


def rows_of_your_own_order():
    x = torch.randn(1000, 64, device=DEVICE)
    order = torch.randperm(1000, device=DEVICE)
    assert torch.equal(riffle.take(x, order), x[order])

    mixed, labels = riffle.shuffle(x, seed=1), riffle.shuffle(torch.arange(1000, device=DEVICE), seed=1)
    assert torch.equal(mixed, x[labels])  # a row and its label stay together


def gradients():
    x = torch.randn(4, 6, dtype=torch.float64, device=DEVICE, requires_grad=True)
    y = riffle.torch.permute(x, "transpose:4x6")
    weight = torch.arange(24, dtype=torch.float64, device=DEVICE).reshape(6, 4)
    (y * weight).sum().backward()
    back = riffle.permute(weight, ~riffle.Perm("transpose:4x6", 24))
    assert torch.equal(x.grad, back)


def within_a_compiled_step():
    order = riffle.Perm("random:4", 24)

    def step(x):
        return riffle.torch.permute(x, order).sum(0) + riffle.torch.shuffle(x, 1).sum(0)

    x = torch.randn(4, 6, device=DEVICE)
    compiled = torch.compile(step, fullgraph=True, backend="aot_eager")
    torch.testing.assert_close(compiled(x), step(x))


def a_loader():
    data = list(range(10_007))
    sampler = riffle.torch.Shuffle(data, seed=1)
    loader = torch.utils.data.DataLoader(data, batch_size=64, sampler=sampler)
    first = torch.cat(list(loader)).tolist()
    assert first != data and sorted(first) == data

    sampler.set_epoch(1)  # another order, of the same seed
    assert torch.cat(list(loader)).tolist() != first


def a_tensor_that_wants_gradients():
    try:
        riffle.permute(torch.randn(8, requires_grad=True), "reverse")
    except riffle.Error as error:
        return str(error)
    raise AssertionError("gradients would have been lost")


def main():
    tensors_in_and_out()
    rows_of_your_own_order()
    gradients()
    within_a_compiled_step()
    a_loader()
    print(a_tensor_that_wants_gradients())


main()
