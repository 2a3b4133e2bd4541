# SPDX-License-Identifier: Apache-2.0
"""FFTW in single precision, where it is installed (Debian's libfftw3-single3)."""
import ctypes

FORWARD, MEASURE = -1, 0


def load():
    """The library with threads, or None."""
    try:
        fftw = ctypes.CDLL("libfftw3f.so.3", mode=ctypes.RTLD_GLOBAL)
        threads = ctypes.CDLL("libfftw3f_threads.so.3")
    except OSError:
        return None
    threads.fftwf_init_threads()
    fftw.fftwf_plan_dft_1d.restype = ctypes.c_void_p
    fftw.fftwf_plan_dft_1d.argtypes = [ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int, ctypes.c_uint]
    fftw.fftwf_execute.argtypes = [ctypes.c_void_p]
    fftw.plan_with_threads = threads.fftwf_plan_with_nthreads
    return fftw


def transform(x, out, threads):
    """A function that takes complex floats x to out, planned by measuring; None without FFTW. Planning spoils what is in both."""
    fftw = load()
    if fftw is None:
        return None
    kept = x.copy()
    fftw.plan_with_threads(threads)
    plan = fftw.fftwf_plan_dft_1d(len(x), x.ctypes.data, out.ctypes.data, FORWARD, MEASURE)
    x[:] = kept
    return lambda: fftw.fftwf_execute(plan)
