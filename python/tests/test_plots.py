# SPDX-License-Identifier: Apache-2.0
"""plot(), without a window, where Matplotlib is; else what it says."""
import importlib.util
from pathlib import Path

import numpy as np
import pytest
import riffle

HAS_MATPLOTLIB = importlib.util.find_spec("matplotlib") is not None
FILE = Path(__file__).resolve().parents[2] / "examples/lint/transpose_naive.cu"
drawn = pytest.mark.skipif(not HAS_MATPLOTLIB, reason="no Matplotlib")


@pytest.fixture(autouse=True)
def no_window(monkeypatch):
    monkeypatch.setenv("MPLBACKEND", "Agg")
    yield
    if HAS_MATPLOTLIB:
        from matplotlib import pyplot
        pyplot.close("all")


def words(ax):
    ax.figure.canvas.draw()
    return [label.get_text() for label in ax.get_yticklabels()]


@drawn
def test_permutations():
    dots = riffle.Perm("bit-reversal", 8).plot().lines[0]
    assert dots.get_xdata().tolist() == list(range(8)) and dots.get_ydata().tolist() == [0, 4, 2, 6, 1, 5, 3, 7]
    p = riffle.Perm("random:1", 1 << 30)
    dots = p.plot().lines[0]
    assert len(dots.get_xdata()) == 1 << 14 and p(int(dots.get_xdata()[77])) == dots.get_ydata()[77]
    riffle.Perm("identity", 0).plot()


@drawn
def test_plans():
    ax = riffle.plan("bit-reversal", np.zeros(1 << 20, np.float32)).plot()
    assert words(ax) == ["a copy", "memory", "time"] and ax.get_title() == "affine, 1 pass"
    assert [bar.get_width() for bar in ax.patches][:2] == [1, 1] and ax.patches[2].get_width() > 1
    assert words(riffle.plan("reverse", np.zeros(0)).plot()) == ["a copy"]  # nothing to move
    ax = riffle.program("fft n", np.zeros(1 << 20, np.complex64)).plot()
    assert words(ax) == ["passes", "at least", "one stage at a time"] and [bar.get_width() for bar in ax.patches] == [2, 2, 20]


@drawn
@pytest.mark.lines
def test_reports():
    from matplotlib import pyplot
    report = riffle.lint(FILE, kernel="transpose", grid=(4, 4), block=(32, 8), args=["float:16384", "float:16384:random", "int=128"])
    given = pyplot.subplots()[1]
    assert report.plot(given) is given
    red = [name for name, bar in zip(words(given), given.patches) if bar.get_facecolor()[0] > 0.7]
    assert red == ["transpose_naive.cu:24 shared read of tile"]
    assert given.patches[words(given).index(red[0])].get_width() == 16384
    assert len(riffle.machine.simulate("bit-reversal", 1024, algorithm="scheduled").plot().patches) > 0


@pytest.mark.skipif(HAS_MATPLOTLIB, reason="Matplotlib is here")
def test_without_matplotlib():
    with pytest.raises(riffle.errors.Unsupported, match="plot: Matplotlib is not installed; pip install matplotlib"):
        riffle.Perm("reverse", 8).plot()
