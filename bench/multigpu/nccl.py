#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""nccl.py GPUS LOG2: NCCL's all-to-all alone, by PyTorch: each GPU sends an equal share of 2^LOG2 bytes to each, and nothing is permuted.

Prints one JSON document, with the time of one of several exchanges that follow each other, the median of the slowest GPU's.
"""
import json
import os
import statistics
import sys
import time

import torch
import torch.distributed as dist
import torch.multiprocessing as mp

TIMES, MOVES = 7, 4


def seconds_of(dst, src):
    torch.cuda.synchronize()
    dist.barrier()
    torch.cuda.synchronize()
    start = time.perf_counter()
    for _ in range(MOVES):
        dist.all_to_all_single(dst, src)
    torch.cuda.synchronize()
    took = torch.tensor([(time.perf_counter() - start) / MOVES], device="cuda")
    dist.all_reduce(took, dist.ReduceOp.MAX)
    return took.item()


def run(rank, gpus, log2):
    os.environ.update(MASTER_ADDR="127.0.0.1", MASTER_PORT="29533")
    torch.cuda.set_device(rank)
    dist.init_process_group("nccl", rank=rank, world_size=gpus)
    src = torch.arange(2 ** log2 // 4, device="cuda", dtype=torch.int32)
    dst = torch.empty_like(src)
    taken = [seconds_of(dst, src) for _ in range(TIMES + 2)][2:]
    if rank == 0:
        print(json.dumps({"device": f"{gpus} {torch.cuda.get_device_name()}", "torch": torch.__version__, "nccl": ".".join(map(str, torch.cuda.nccl.version())),
                          "gpus": gpus, "part_bytes": 2 ** log2, "sent_bytes": 2 ** log2 * (gpus - 1) // gpus, "seconds": statistics.median(taken)}))
    dist.destroy_process_group()


if __name__ == "__main__":
    mp.spawn(run, (int(sys.argv[1]), int(sys.argv[2])), int(sys.argv[1]))
