/* SPDX-License-Identifier: Apache-2.0
 *
 * A program that is run on two processors, whose lines must be alike: a line a case, with a sum of the bytes that it made; of a simulation, which
 * checks its result itself, with its time units.
 *
 * It has of the memory machine what counts moves, and of libriffle what the linker takes for these cases.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "device/families.h"
#include "device/machine/compile.h"
#include "device/machine_library.h"
#include "machine/runtime/machine.h"
#include "riffle.h"
#include "riffle/hull.h"
#include "riffle/machine.h"
#include "riffle/program.h"
#include "riffle/sort.h"

enum { BYTES = 1 << 16 };

static unsigned char source[BYTES], result[BYTES];

const machine_library riffle_machine_library = {.head = {build_id, status_last},
                                                .create = machine_create,
                                                .free = machine_free,
                                                .take_report = machine_take_report,
                                                .device_of = device_of_machine,
                                                .report_time_units = report_time_units,
                                                .report_free = report_free};

#define NO_KERNELS(name)                                                                                       \
    machine_entry machine_##name##_kernel(unsigned number, size_t elem_bytes) {                                \
        (void)number, (void)elem_bytes;                                                                        \
        return NULL;                                                                                           \
    }
NO_KERNELS(once)
NO_KERNELS(program)
NO_KERNELS(hull)
NO_KERNELS(sort)
NO_KERNELS(merge)
NO_KERNELS(histogram)
NO_KERNELS(group)
NO_KERNELS(check)
NO_KERNELS(bits)
NO_KERNELS(f2)
NO_KERNELS(hull_steps)

/* No case has an operation of the user's. */
riffle_status machine_compile(const device *d, const char *text, const char *kernel, users_kernel *out,
                              char **messages) {
    (void)d, (void)text, (void)kernel, (void)out, (void)messages;
    return RIFFLE_ERROR_UNSUPPORTED;
}

static void want(riffle_status status, const char *what) {
    if (status == RIFFLE_OK) return;
    printf("%s: %s: %s\n", what, riffle_status_string(status), riffle_error_detail());
    exit(EXIT_FAILURE);
}

static void say(const char *what, const char *more, unsigned number) {
    uint64_t sum = UINT64_C(0xcbf29ce484222325); /* FNV-1a */
    for (size_t k = 0; k < BYTES; k++) sum = (sum ^ result[k]) * UINT64_C(0x100000001b3);
    printf("%s%s, %u: %016" PRIx64 "\n", what, more, number, sum);
}

static void fill_with_words(void) {
    for (size_t k = 0; k < BYTES; k += sizeof(uint32_t)) {
        const uint32_t word = (uint32_t)(k / sizeof word) * UINT32_C(2654435761);
        memcpy(source + k, &word, sizeof word);
    }
}

/* Sums of these halves are halves. */
static void fill_with_halves(void) {
    for (size_t k = 0; k < BYTES; k += sizeof(uint16_t)) {
        const uint16_t half = (uint16_t)(0x3c00 | (k * 2654435761u >> 8 & 0x83f0));
        memcpy(source + k, &half, sizeof half);
    }
}

/* ------------------------------------------------------------------- moves */

typedef struct moved {
    const char *by;
    size_t elem_bytes;
    riffle_algorithm algorithm;
    bool in_place;
} moved;

static const moved moves[] = {
    {.by = "bit-reversal", .elem_bytes = 1},
    {.by = "bit-reversal", .elem_bytes = 2},
    {.by = "bit-reversal", .elem_bytes = 4},
    {.by = "bit-reversal", .elem_bytes = 8},
    {.by = "bit-reversal", .elem_bytes = 16},
    {.by = "bit-reversal", .elem_bytes = 4, .algorithm = RIFFLE_ALGORITHM_AFFINE},
    {.by = "bit-reversal", .elem_bytes = 4, .in_place = true},
    {.by = "reverse", .elem_bytes = 1},
    {.by = "reverse", .elem_bytes = 3},
    {.by = "reverse", .elem_bytes = 4},
    {.by = "reverse", .elem_bytes = 2, .in_place = true},
    {.by = "rotate:5", .elem_bytes = 4},
    {.by = "shuffle", .elem_bytes = 4},
    {.by = "~random-affine:3|shuffle", .elem_bytes = 4},
    {.by = "random-affine:3", .elem_bytes = 1},
    {.by = "random-affine:3", .elem_bytes = 8},
    {.by = "transpose:128x128", .elem_bytes = 4},
    {.by = "transpose:256x256", .elem_bytes = 1},
    {.by = "axes:16x32x32:2,0,1", .elem_bytes = 4},
    {.by = "axes:21845x3:1,0", .elem_bytes = 1},
    {.by = "axes:3x10922:1,0", .elem_bytes = 2},
    {.by = "axes:5461x3:1,0", .elem_bytes = 4},
    {.by = "axes:25x26x25:2,1,0", .elem_bytes = 4},
    {.by = "axes:32x64x32:1,0,2", .elem_bytes = 1},
    {.by = "bits:3,1,2,0,5,4,7,6,9,8,11,10", .elem_bytes = 16},
    {.by = "random:1", .elem_bytes = 4},
    {.by = "random:1", .elem_bytes = 8},
    {.by = "random:1", .elem_bytes = 4, .algorithm = RIFFLE_ALGORITHM_BUCKET},
    {.by = "random:1", .elem_bytes = 4, .algorithm = RIFFLE_ALGORITHM_ONCE},
};

/* The elements that the axes hold, where they say a length; else all that there is room for. */
static uint64_t length_of(const moved *m) {
    uint64_t n = 1;
    if (strncmp(m->by, "axes:", 5) == 0) {
        char *at = (char *)(uintptr_t)m->by + 4;
        do n *= strtoull(at + 1, &at, 10);
        while (*at == 'x');
        return n;
    }
    return strncmp(m->by, "bits:", 5) == 0 ? 4096 : BYTES / m->elem_bytes;
}

static void move(const moved *m) {
    riffle_perm *perm;
    riffle_plan *plan;
    const riffle_plan_options options = {.threads = 2, .algorithm = m->algorithm, .in_place = m->in_place};
    want(riffle_perm_parse(m->by, length_of(m), &perm), m->by);
    want(riffle_plan_create(perm, m->elem_bytes, RIFFLE_ENGINE_CPU, &options, &plan), m->by);
    memcpy(result, source, sizeof result);
    want(riffle_execute(plan, result, m->in_place ? result : source), m->by);
    say(m->by, m->in_place ? " in place" : "", (unsigned)m->elem_bytes);
    riffle_plan_free(plan);
    riffle_perm_free(perm);
}

static void copy_views(void) {
    enum { ROWS = 60, COLUMNS = 50 };
    static const struct {
        const char *name;
        int64_t row, column, first;
    } views[] = {{"a crop", 64, 1, 0},
                 {"a flip", 64, -1, 63},
                 {"rows turned", -64, 1, 64 * 63},
                 {"one in three", 192, 3, 0}};
    for (size_t k = 0; k < sizeof views / sizeof *views; k++) {
        const uint64_t shape[] = {ROWS, COLUMNS};
        const int64_t to[] = {COLUMNS, 1}, from[] = {views[k].row, views[k].column};
        memset(result, 0, sizeof result);
        want(riffle_copy_strided(2, shape, 4, result, to, source + 4 * views[k].first, from, NULL),
             views[k].name);
        say(views[k].name, "", 4);
    }
}

/* -------------------------------------------------- sorts, hulls, programs */

static void sort(riffle_type type, bool descending) {
    riffle_sort_key key;
    riffle_sort_plan *plan;
    want(riffle_sort_key_of_type(type, descending, &key), "a key");
    want(riffle_sort_plan_create(BYTES / key.elem_bytes, &key, RIFFLE_ENGINE_CPU, NULL, &plan), "a sort");
    want(riffle_sort_execute(plan, &(riffle_sort_arrays){.keys = result, .from_keys = source}), "a sort");
    say("sort ", riffle_type_string(type), descending);
    riffle_sort_plan_free(plan);
}

/* So many points of a square that they go through a sieve. */
static void find_hull(riffle_type type) {
    enum { POINTS = 1 << 15 };
    static union {
        float f32[2 * POINTS];
        double f64[2 * POINTS];
    } points;
    static uint64_t corners[POINTS];
    riffle_hull_plan *plan;
    uint64_t length;
    for (uint32_t k = 0; k < 2 * POINTS; k++) {
        const uint32_t word = k * UINT32_C(2654435761), mixed = (word ^ word >> 15) * UINT32_C(2246822519);
        if (type == RIFFLE_TYPE_F32)
            points.f32[k] = (float)(mixed >> 12);
        else
            points.f64[k] = mixed;
    }
    memset(result, 0, sizeof result);
    want(riffle_hull_plan_create(POINTS, type, RIFFLE_ENGINE_CPU, NULL, &plan), "a hull");
    want(riffle_hull_execute(plan,
                             &(riffle_hull_arrays){.hulls = corners, .lengths = &length, .points = &points}),
         "a hull");
    memcpy(result, corners, (size_t)length * riffle_hull_plan_result_bytes(plan));
    say("hull of ", riffle_type_string(type), (unsigned)length);
    riffle_hull_plan_free(plan);
}

static void compute(const char *text, riffle_type type) {
    enum { LOG = 12 };
    riffle_program *program;
    riffle_program_plan *plan;
    memset(result, 0, sizeof result);
    want(riffle_program_parse(text, NULL, LOG, &program), text);
    want(riffle_program_plan_create(program, type, RIFFLE_ENGINE_CPU, NULL, &plan), text);
    want(riffle_program_execute(plan, result, source), text);
    say(text, " of ", (unsigned)type);
    riffle_program_plan_free(plan);
    riffle_program_free(program);
}

/* --------------------------------------------------------------- simulate */

static void simulate(const char *by, riffle_algorithm algorithm) {
    riffle_perm *perm;
    riffle_report *report;
    want(riffle_perm_parse(by, 1024, &perm), by);
    want(riffle_simulate(perm, 4, &(riffle_plan_options){.algorithm = algorithm}, NULL, &report), by);
    printf("simulate %s by %s: %" PRIu64 " time units\n", by, riffle_algorithm_string(algorithm),
           riffle_report_time_units(report));
    riffle_report_free(report);
    riffle_perm_free(perm);
}

int main(void) {
    static const riffle_algorithm counted[] = {RIFFLE_ALGORITHM_SCATTER, RIFFLE_ALGORITHM_GATHER,
                                               RIFFLE_ALGORITHM_AFFINE, RIFFLE_ALGORITHM_SCHEDULED};
    static const char *const counted_by[] = {"transpose:32x32", "random:1", "reverse", "axes:32x4x8:2,0,1"};
    static const char *const words[] = {"sort n", "hadamard n", "reed-muller n"};
    static const char *const halves[] = {"sort n", "hadamard n", "moebius n", "zeta n",
                                         "parm 5 (pair swap) id"};
    fill_with_words();
    for (size_t k = 0; k < sizeof moves / sizeof *moves; k++) move(&moves[k]);
    copy_views();
    sort(RIFFLE_TYPE_U32, false);
    sort(RIFFLE_TYPE_U32, true);
    find_hull(RIFFLE_TYPE_F32);
    find_hull(RIFFLE_TYPE_F64);
    for (size_t k = 0; k < sizeof words / sizeof *words; k++) compute(words[k], RIFFLE_TYPE_U32);
    for (size_t k = 0; k < sizeof counted / sizeof *counted; k++) simulate("bit-reversal", counted[k]);
    for (size_t k = 0; k < sizeof counted_by / sizeof *counted_by; k++)
        simulate(counted_by[k], RIFFLE_ALGORITHM_AUTO);
    fill_with_halves();
    sort(RIFFLE_TYPE_F16, false);
    for (size_t k = 0; k < sizeof halves / sizeof *halves; k++) compute(halves[k], RIFFLE_TYPE_F16);
    return EXIT_SUCCESS;
}
