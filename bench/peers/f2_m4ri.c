/* SPDX-License-Identifier: Apache-2.0
 *
 * f2_m4ri N [REPEAT]: products, rank profiles, solutions and inverses of N x N matrices over F2, by riffle and by M4RI in turn, one thread
 * each, as JSON. The matrices are random ones with an inverse; the least time of REPEAT (3) counts. M4RI (Debian: libm4ri-dev) is asked for
 * what is nearest: its PLE decomposition gives the column rank profile alone.
 *
 *     cc -O2 -DM4RI=\"$(pkg-config --modversion m4ri)\" bench/peers/f2_m4ri.c -o f2_m4ri $(pkg-config --cflags --libs riffle m4ri)
 */
#include <m4ri/m4ri.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <riffle/f2.h>

typedef struct pair {
    riffle_f2_matrix a, b, to;
    mzd_t *their_a, *their_b, *their_to;
} pair;

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void must(int holds, const char *what) {
    if (holds) return;
    fprintf(stderr, "f2_m4ri: %s\n", what);
    exit(1);
}

static uint64_t
next_random(void) { /* splitmix64: a generator that is linear over F2 makes matrices of a small rank */
    static uint64_t state = 35;
    uint64_t z = (state += 0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
}

static riffle_f2_matrix random_matrix(uint64_t n) {
    riffle_f2_matrix a = {n, n, riffle_f2_stride(n), NULL};
    void *words;
    must(riffle_buffer_create(n * a.stride * sizeof *a.words, &words) == RIFFLE_OK, "no memory");
    a.words = words;
    for (uint64_t k = 0; k < n * a.stride; k++) a.words[k] = next_random();
    return a;
}

/* Keeps what lies below the diagonal, or above, and sets the diagonal. */
static void make_triangular(const riffle_f2_matrix *a, int is_lower) {
    for (uint64_t i = 0; i < a->rows; i++)
        for (size_t w = 0; w < a->stride; w++) {
            const uint64_t below = w < i / 64 ? ~UINT64_C(0) : w > i / 64 ? 0 : ((uint64_t)1 << i % 64) - 1;
            uint64_t *const word = &a->words[i * a->stride + w];
            *word &= is_lower ? below : ~below;
            if (w == i / 64) *word |= (uint64_t)1 << i % 64;
        }
}

static mzd_t *theirs(const riffle_f2_matrix *a) {
    mzd_t *const to = mzd_init((rci_t)a->rows, (rci_t)a->columns);
    for (uint64_t i = 0; i < a->rows; i++)
        memcpy(mzd_row(to, (rci_t)i), a->words + i * a->stride, a->stride * sizeof *a->words);
    return to;
}

static double riffles(const pair *p, int what) {
    const riffle_call_options one = {.threads = 1};
    uint64_t rank;
    const double begin = now();
    riffle_status status;
    switch (what) {
    case 0: status = riffle_f2_product(&p->to, &p->a, &p->b, &one); break;
    case 1: status = riffle_f2_rank_profile(&p->a, &rank, NULL, NULL, &one); break;
    case 2: status = riffle_f2_solve(&p->to, &p->a, &p->b, &one); break;
    default: status = riffle_f2_inverse(&p->to, &p->a, &one); break;
    }
    must(status == RIFFLE_OK, riffle_error_detail());
    return now() - begin;
}

static double m4ris(const pair *p, int what) {
    mzd_t *const a = mzd_copy(NULL, p->their_a), *const b = mzd_copy(NULL, p->their_b);
    mzp_t *const rows = mzp_init(a->nrows), *const columns = mzp_init(a->ncols);
    const double begin = now();
    switch (what) {
    case 0: mzd_mul(p->their_to, a, b, 0); break;
    case 1: mzd_ple(a, rows, columns, 0); break;
    case 2: must(mzd_solve_left(a, b, 0, 1) == 0, "M4RI finds no solution"); break;
    default: mzd_inv_m4ri(p->their_to, a, 0); break;
    }
    const double seconds = now() - begin;
    if (what == 2) mzd_copy(p->their_to, b);
    mzp_free(rows);
    mzp_free(columns);
    mzd_free(a);
    mzd_free(b);
    return seconds;
}

static void compare(const pair *p, int what) {
    mzd_t *const ours = theirs(&p->to);
    if (what != 1) must(mzd_equal(ours, p->their_to), "the results differ");
    mzd_free(ours);
}

static void print_processor(void) {
    char line[256], name[256] = "?";
    FILE *const info = fopen("/proc/cpuinfo", "r");
    while (info != NULL && fgets(line, sizeof line, info) != NULL)
        if (sscanf(line, "model name : %255[^\n]", name) == 1) break;
    if (info != NULL) fclose(info);
    fputs(name, stdout);
}

int main(int argc, char **argv) {
    static const char *const names[] = {"product", "rank profile", "solve", "inverse"};
    const uint64_t n = argc > 1 ? strtoull(argv[1], NULL, 10) : 4096;
    const int repeat = argc > 2 ? atoi(argv[2]) : 3;
    must(n > 0 && n % 64 == 0 && n <= RIFFLE_F2_MAX && repeat > 0,
         "N is a multiple of 64 up to 65536, REPEAT 1 or more");
    pair p = {.a = random_matrix(n), .b = random_matrix(n), .to = random_matrix(n)};
    make_triangular(&p.to, 1);
    make_triangular(&p.b, 0);
    must(riffle_f2_product(&p.a, &p.to, &p.b, NULL) == RIFFLE_OK, riffle_error_detail());
    for (uint64_t k = 0; k < n * p.b.stride; k++) p.b.words[k] = next_random();
    p.their_a = theirs(&p.a);
    p.their_b = theirs(&p.b);
    p.their_to = mzd_init((rci_t)n, (rci_t)n);
    printf("{\"engine\": \"cpu\", \"device\": \"");
    print_processor();
    printf("\", \"m4ri\": \"%s\", \"riffle\": \"%s\", \"threads\": 1, \"n\": %llu, \"results\": [", M4RI,
           riffle_version(), (unsigned long long)n);
    for (int what = 0; what < 4; what++) {
        double ours = 1e9, others = 1e9;
        for (int k = 0; k < repeat; k++) {
            const double a = riffles(&p, what), b = m4ris(&p, what);
            ours = a < ours ? a : ours;
            others = b < others ? b : others;
        }
        compare(&p, what);
        printf("%s\n  {\"what\": \"%s\", \"seconds\": %.4f, \"m4ri_seconds\": %.4f}", what > 0 ? "," : "",
               names[what], ours, others);
        fflush(stdout);
    }
    printf("\n]}\n");
    return 0;
}
