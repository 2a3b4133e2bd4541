# SPDX-License-Identifier: Apache-2.0
"""The table of the suite views: riffle's copies between strided arrays, and others' beside them."""
from markdown import device, markdown

SIZES = [1, 2, 4, 8, 16]
PEERS = {"torch": "PyTorch", "cupy": "CuPy"}
WORDS = {"view:8000x8000:16384,1:8000,1": "8000 x 8000 of 16384 x 16384",
         "view:7999x7999:16384,1:7999,1": "7999 x 7999 of the same",
         "view:7999x7999:7999,1:16384,1": "7999 x 7999 into the same",
         "view:8000x8000:16384,1:16384,1": "8000 x 8000 of one into another",
         "view:1048576x50:64,1:50,1": "50 of each 64, 2^20 rows", "view:4194304x7:9,1:7,1": "7 of each 9, 2^22 rows",
         "view:67108864:2:1": "every second of 2^27", "view:67108864:1:2": "onto every second of 2^27",
         "view:67108864:2:2": "every second onto every second", "view:8192x8192:16384,1:8192,1": "every second row of 8192",
         "view:67108864:-1:1": "2^26 reversed", "view:8192x8192:-8192,1:8192,1": "8192 rows from the last",
         "view:8192x8192:0,1:8192,1": "a row 8192 times", "view:8192x8192:1,0:8192,1": "each element 8192 times",
         "view:7000x7000:1,8192:7000,1": "7000 x 7000 of 8192 x 8192, transposed",
         "view:32x3x1000x1000:3145728,1,3072,3:3000000,1000000,1000,1": "crops of 32 images, channels first"}


def key_of(row):
    return row["by"], row["elem_bytes"]


def times(row):
    return f"{row['ratio']:.2f}" if row and "ratio" in row else "-"


def views(run, runs):
    """A line for each view; for each size of elements what riffle takes, and the others."""
    own = {key_of(row): row for row in run["results"] if row["suite"] == "views" and "ratio" in row}
    beside = {(key_of(row), row["algorithm"]): row for other in runs if other["device"] == run["device"]
              for row in other["results"] if row["suite"] == "views-peers"}
    names = [name for name in PEERS if any(key[1] == name for key in beside)]
    cells = [[WORDS.get(by, f"`{by}`"), *[" / ".join([f"**{times(own.get((by, size)))}**",
                                                     *[times(beside.get(((by, size), name))) for name in names]]) for size in SIZES]]
             for by in dict.fromkeys(by for by, _ in own)]
    if not own:
        return []
    heads = ["elements that are copied", *[f"{size} byte{'s' if size > 1 else ''}" for size in SIZES]]
    what = " / ".join(["riffle", *[PEERS[name] for name in names]])
    return [f"{device(run)} Times a cudaMemcpy of the elements: {what}.", "", *markdown(heads, cells, 1)]


SHOWN = {"views": views}
