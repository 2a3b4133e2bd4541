/* SPDX-License-Identifier: Apache-2.0
 *
 * fourier [LOG2_N]: the program `fft n`, which nobody tuned, beside FFTW's transform of as many complex floats. FFTW is
 * loaded where it is installed (Debian's libfftw3-single3); else says so and exits with 77.
 */
#include <complex.h>
#include <dlfcn.h>
#include <math.h>
#include <string.h>

#include "support.h"

enum { SKIPPED = 77, FORWARD = -1, MEASURE = 0 };

/* The functions wanted of FFTW, which needs no header for them. */
typedef struct fftw {
    void *(*plan)(int n, float complex *in, float complex *out, int sign, unsigned flags);
    void (*execute)(const void *plan);
    void (*destroy)(void *plan);
    void (*cleanup)(void);
} fftw;

/* POSIX lets what dlsym returns be a function. */
static void find(void *library, const char *name, void *function) {
    void *const found = library != NULL ? dlsym(library, name) : NULL;
    memcpy(function, &found, sizeof found);
}

static double largest_error(const float complex *x, const float complex *right, size_t n) {
    double error = 0, size = 0;
    for (size_t k = 0; k < n; k++) {
        error = fmax(error, (double)cabsf(x[k] - right[k]));
        size = fmax(size, (double)cabsf(right[k]));
    }
    return error / size;
}

int main(int argc, char **argv) {
    const unsigned bits =
        (unsigned)argument(argc, argv, 1, 20, 0, 28, "fourier [LOG2_N]   with 0 <= LOG2_N <= 28");
    const size_t n = (size_t)1 << bits, bytes = n * sizeof(float complex);
    void *const library = dlopen("libfftw3f.so.3", RTLD_NOW);
    fftw other;
    find(library, "fftwf_plan_dft_1d", &other.plan);
    find(library, "fftwf_execute", &other.execute);
    find(library, "fftwf_destroy_plan", &other.destroy);
    find(library, "fftwf_cleanup", &other.cleanup);
    if (other.plan == NULL || other.execute == NULL || other.destroy == NULL || other.cleanup == NULL) {
        printf("skipped: there is no FFTW of floats here to compare with (libfftw3f.so.3)\n");
        return SKIPPED;
    }
    float complex *const in = buffer(bytes), *const out = buffer(bytes), *const right = buffer(bytes);
    void *const theirs = other.plan((int)n, in, right, FORWARD, MEASURE); /* which writes both */
    for (size_t k = 0; k < n; k++)
        in[k] = (float)rand() / (float)RAND_MAX - 0.5F + I * ((float)rand() / (float)RAND_MAX - 0.5F);

    riffle_program_plan *const ours = plan("fft n", NULL, bits, RIFFLE_TYPE_C64, 1);
    check(riffle_program_execute(ours, out, in));
    double begin = now();
    check(riffle_program_execute(ours, out, in));
    const double seconds = now() - begin;
    other.execute(theirs);
    begin = now();
    other.execute(theirs);
    const double its_seconds = now() - begin, error = largest_error(out, right, n);
    printf("%zu points in %u passes and %.2f ms with %u threads; FFTW with one takes %.2f ms; off by %.1e\n", n,
           riffle_program_plan_passes(ours), 1e3 * seconds, riffle_program_plan_threads(ours),
           1e3 * its_seconds, error);
    riffle_program_plan_free(ours);
    other.destroy(theirs);
    other.cleanup();
    dlclose(library);
    riffle_buffer_free(right, bytes);
    riffle_buffer_free(out, bytes);
    riffle_buffer_free(in, bytes);
    return error < 1e-6 * (bits + 1) ? 0 : 1;
}
