# SPDX-License-Identifier: Apache-2.0
"""The files of bench/results/: each is one JSON document. Whoever shows them reads them here."""
import json
from pathlib import Path

FOLDER = Path(__file__).resolve().parents[1] / "results"


def read(name):
    """The document in the file of that name below bench/results/, or None where it has not been measured."""
    path = FOLDER / name
    return json.loads(path.read_text()) if path.exists() else None


def read_all(*folders):
    """The documents of some folders, by their files' names: of riffle's own runs and what others took for the same, or of those named."""
    paths = [path for folder in folders or (".", "peers", "small", "sorts") for path in (FOLDER / folder).glob("*.json")]
    return [json.loads(path.read_text()) for path in sorted(paths, key=lambda path: path.name)]


def rows_text(rows):
    """Rows as a document, a line each."""
    return "[\n " + ",\n ".join(json.dumps(row) for row in rows) + "\n]\n"


def write_rows(name, rows):
    path = FOLDER / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(rows_text(rows))


def seconds_of_peers(run, suite, key_of):
    """Seconds of the other libraries in the same file, by what they do and who they are."""
    return {(key_of(row), row["algorithm"]): row["seconds"] for row in run["results"] if row["suite"] == suite and "seconds" in row}


def over_peers(row, key_of, peers, names):
    """A row's time over that of each of the peers' which are named, as cells."""
    times = [peers.get((key_of(row), name)) for name in names]
    return [f"{row['seconds'] / time:.2f}" if time else "" for time in times]
