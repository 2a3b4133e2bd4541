# SPDX-License-Identifier: Apache-2.0
"""riffle.mpi by mpirun, where mpi4py and libriffle-mpi are: ranks.py compares with one memory; another MPI is refused."""
import os
import re
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

FOLDER = Path(os.environ.get("RIFFLE_TEST_MPI") or os.environ.get("RIFFLE_LIBRARY_PATH") or ".").resolve()  # has libriffle-mpi
LIBRARY = "libriffle-mpi.so.0.1"
MPIRUN = shutil.which("mpirun")
ENVIRONMENT = {**os.environ, "RIFFLE_LIBRARY_PATH": str(FOLDER), "OMP_NUM_THREADS": "1", "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "OMPI_MCA_btl": "self,vader",
               "OMPI_MCA_btl_vader_single_copy_mechanism": "none", "OMPI_MCA_rmaps_base_oversubscribe": "1", "OMPI_MCA_hwloc_base_binding_policy": "none",
               "OMPI_MCA_mpi_yield_when_idle": "1"}
PAGE = Path(__file__).resolve().parents[2] / "docs/beyond.md"

pytestmark = [pytest.mark.skipif(find_spec("mpi4py") is None, reason="no mpi4py: pip install riffle-arrays[mpi]"),
              pytest.mark.skipif(MPIRUN is None, reason="no mpirun: install an MPI"),
              pytest.mark.skipif(not (FOLDER / LIBRARY).exists(), reason=f"no {LIBRARY}: build riffle where MPI is found, and let RIFFLE_LIBRARY_PATH name its folder")]


def mpirun(count, *words, **environment):
    """By mpi4py's runner, which ends all ranks where one raises."""
    return subprocess.run([MPIRUN, "-n", str(count), sys.executable, "-m", "mpi4py", *map(str, words)], env={**ENVIRONMENT, **environment}, capture_output=True, text=True, timeout=100)


@pytest.mark.parametrize("count, what", [(1, "moves sorts plans groups faults"), (2, "moves plans"), (3, "sorts plans groups faults"), (5, "moves sorts groups")])
def test_ranks(count, what):
    done = mpirun(count, Path(__file__).with_name("ranks.py"), *what.split())
    assert (done.returncode, done.stdout) == (0, "all is right\n"), done.stderr


@pytest.mark.parametrize("count", [1, 2, 3])
def test_gpus(count):
    torch = pytest.importorskip("torch")
    if not torch.cuda.is_available():
        pytest.skip("no GPU")
    done = mpirun(count, Path(__file__).with_name("ranks.py"), "gpus")
    assert (done.returncode, done.stdout) == (0, "all is right\n"), done.stderr


def test_page():
    """The program of docs/beyond.md, and what it prints."""
    program, = re.findall(r"```python\n(.*?)```", PAGE.read_text(), re.DOTALL)
    done = mpirun(3, "-c", program)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == re.findall(r"print\(.*# (.*)", program)


@pytest.mark.parametrize("when, program", [("before", "import mpi4py; mpi4py.rc.initialize = False; import riffle.mpi; riffle.mpi.MPI.Init(); riffle.mpi.cache(); riffle.mpi.MPI.Finalize()"),
                                           ("behind", "from mpi4py import MPI; MPI.Finalize(); import riffle.mpi")])
def test_import(when, program):
    """Before MPI runs, and when it has ended."""
    done = subprocess.run([sys.executable, "-c", program], env=ENVIRONMENT, capture_output=True, text=True, timeout=100)
    assert done.returncode == 0, (when, done.stderr)


def cc(*words):
    subprocess.run(["cc", "-shared", "-fPIC", *map(str, words)], check=True)


@pytest.mark.skipif(shutil.which("cc") is None, reason="no C compiler: pretends to be another MPI")
def test_another_mpi(tmp_path):
    (tmp_path / "mpi.c").write_text('int MPI_Comm_rank(void) { return 0; }\n'
                                    'int MPI_Get_library_version(char *words, int *length) { __builtin_strcpy(words, "MPICH Version:\\t4.9\\nbuilt"); *length = 20; return 0; }\n')
    (tmp_path / "riffle.c").write_text("int MPI_Comm_rank(void);\nint riffle_mpi_agree(void) { return MPI_Comm_rank(); }\n")
    cc(tmp_path / "mpi.c", "-o", tmp_path / "libanother.so")
    cc(tmp_path / "riffle.c", "-o", tmp_path / LIBRARY, f"-L{tmp_path}", "-lanother", f"-Wl,-rpath,{tmp_path}")
    done = mpirun(1, "-c", "import riffle.mpi\nriffle.mpi.sort([1])", RIFFLE_LIBRARY_PATH=str(tmp_path))
    assert done.returncode != 0
    assert f"{tmp_path / LIBRARY} is for MPICH Version: 4.9, and mpi4py for " in done.stderr
    assert "let RIFFLE_LIBRARY_PATH name the folder" in done.stderr


@pytest.mark.skipif(shutil.which("cc") is None, reason="no C compiler: pretends to be of another build")
def test_another_build(tmp_path):
    (tmp_path / "riffle.c").write_text('const char *riffle_mpi_build(void) { return "0.1.0 0123456789abcdef"; }\n')
    cc(tmp_path / "riffle.c", "-o", tmp_path / LIBRARY, "-Wl,--no-as-needed", f"-L{FOLDER}", f"-l:{LIBRARY}", f"-Wl,-rpath,{FOLDER}")
    done = mpirun(1, "-c", "import riffle.mpi\nriffle.mpi.sort([1])", RIFFLE_LIBRARY_PATH=str(tmp_path))
    assert done.returncode != 0
    assert f"{tmp_path / LIBRARY} is of another build, 0.1.0 0123456789abcdef, than this riffle, 0.1.0 " in done.stderr
    assert "install riffle-arrays and libriffle-mpi of one build" in done.stderr


def test_no_library(tmp_path):
    done = mpirun(1, "-c", "import riffle.mpi\nriffle.mpi.sort([1])", RIFFLE_LIBRARY_PATH=str(tmp_path))
    assert done.returncode != 0
    assert "riffle.mpi needs" in done.stderr and "build riffle where MPI is found" in done.stderr
