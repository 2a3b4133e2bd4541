/* SPDX-License-Identifier: Apache-2.0
 *
 * The cut of a move that costs least, of those in a list.
 */
#include <math.h>

#include "move/kernels/axes/axes_box.h"
#include "plan/axes/box_cost.h"
#include "plan/axes/box_parts.h"

enum { MOST_TRIED = 64 };

typedef struct search {
    const strided_move *move;
    const box_device *device;
    size_t shared_bytes;
    box_shape best;
    double least;
    unsigned tried;
    uint64_t seen[MOST_TRIED]; /* boxes that were tried, by a number of their extents */
} search;

/* Many wishes lead to the same box. */
static bool is_seen(search *of, const box_schedule *s, unsigned threads_and_align) {
    uint64_t number = threads_and_align;
    for (unsigned k = 0; k < s->rank; k++) number = (number ^ s->axis[k].extent) * UINT64_C(0x9e3779b97f4a7c15);
    for (unsigned i = 0; i < of->tried; i++)
        if (of->seen[i] == number) return true;
    if (of->tried < MOST_TRIED) of->seen[of->tried++] = number;
    return false;
}

static void try_way(search *of, const box_schedule *extents, const box_shape *shape) {
    box_schedule s = *extents;
    box_lay_rows(shape, &s);
    if (s.shared_bytes > of->shared_bytes || !box_has_cells(&s)) return;
    if (shape->fetch_bytes > 0 && s.elem_bytes >= BANK_BYTES && s.way != BOX_VECTORS) return;
    const double cost = box_cost(&s, of->device->multiprocessors);
    if (cost >= of->least) return;
    of->least = cost;
    of->best = *shape;
}

static void try_cut(search *of, size_t src_bytes, size_t dst_bytes, unsigned threads, uint32_t align) {
    box_schedule extents;
    while (threads > of->device->block_threads) threads /= 2;
    if (!box_choose_extents(of->move, src_bytes, dst_bytes, of->shared_bytes, &extents)) return;
    if (is_seen(of, &extents, threads + align)) return;
    const bool is_short = of->move->elem_bytes < BANK_BYTES;
    const box_shape by_elements = {src_bytes, dst_bytes, threads, align, 0};
    const box_shape by_words = {src_bytes, dst_bytes, threads, align, VECTOR_BYTES};
    if (!is_short) try_way(of, &extents, &by_elements);
    if (is_short || of->move->alignment >= VECTOR_BYTES) try_way(of, &extents, &by_words);
}

/* Rows that begin at multiples of long words in memory do in shared memory, where fewer pitches are without conflicts: words
 * are short if that helps enough. */
static bool cut_with_few_conflicts(const strided_move *m, box_shape *shape, size_t shared_bytes,
                                   box_schedule *out) {
    box_schedule by_short;
    if (!box_cut(m, shape, shared_bytes, out)) return false;
    const unsigned found = box_conflicts(out), worth = 8 / dst_units(out);
    if (out->way != BOX_WORDS || found <= worth) return true;
    box_shape shorter = *shape;
    shorter.fetch_bytes = BANK_BYTES;
    if (box_cut(m, &shorter, shared_bytes, &by_short) && box_conflicts(&by_short) + worth <= found)
        *out = by_short;
    return true;
}

/* False only where there is no room for what words need. */
static bool shrink_until_cut(const strided_move *m, box_shape *shape, size_t shared_bytes, box_schedule *out) {
    while (!cut_with_few_conflicts(m, shape, shared_bytes, out)) {
        if (shape->src_bytes + shape->dst_bytes <= 2 * m->elem_bytes) return false;
        shape->src_bytes /= 2, shape->dst_bytes /= 2;
    }
    return true;
}

/* Cuts for elements of 1 and 2 bytes: of 250, those of which all shapes that were timed have a good one. Most fill the words of
 * one, two or three warps, with what may lie before a row in its sector, or its word. */
static void search_short(search *of) {
    static const struct {
        uint16_t src_bytes, dst_bytes, align;
    } cut[] = {
        {224, 252, 4},    {96, 188, 4},    {480, 480, 4},    {96, 252, 4},    {160, 124, 4},  {320, 252, 4},
        {128, 252, 4},    {224, 160, 4},   {128, 764, 4},    {128, 736, 32},  {224, 352, 32}, {224, 480, 32},
        {12288, 224, 32}, {8192, 224, 32}, {2048, 2048, 32}, {3072, 3072, 4}, {2048, 252, 4}, {4096, 252, 4},
        {6144, 252, 4},   {24576, 252, 4}, {8192, 124, 4},   {12288, 124, 4}, {96, 4096, 4},  {96, 8192, 4},
        {96, 12288, 4},   {96, 24576, 4},
    };
    for (unsigned i = 0; i < sizeof cut / sizeof cut[0]; i++)
        try_cut(of, cut[i].src_bytes, cut[i].dst_bytes, AXES_THREADS, cut[i].align);
}

/* Cuts for longer elements: of 300, those of which all shapes that were timed have a good one. */
static void search_long(search *of) {
    static const struct {
        uint16_t src_bytes, dst_bytes, threads;
    } cut[] = {
        {192, 192, 128},   {1536, 1536, 128}, {12288, 12288, 256}, {1024, 192, 256},    {740, 192, 256},
        {4096, 4096, 256}, {356, 356, 256},   {1536, 1536, 256},   {448, 488, 256},     {740, 100, 256},
        {2048, 2048, 256}, {228, 320, 256},   {6144, 6144, 256},   {192, 512, 256},     {640, 192, 256},
        {228, 740, 256},   {128, 740, 256},   {256, 384, 256},     {16384, 16384, 256}, {228, 640, 128},
        {488, 192, 256},   {192, 448, 256},   {100, 1024, 128},    {356, 256, 256},     {228, 1024, 128},
        {640, 100, 256},   {356, 228, 256},   {1024, 228, 256},    {740, 488, 256},     {640, 384, 256},
        {8192, 8192, 256}, {768, 128, 256},   {356, 740, 256},     {228, 488, 256},     {384, 256, 256},
        {192, 356, 256},   {320, 228, 256},   {448, 192, 256},     {356, 192, 256},     {228, 228, 256},
        {384, 488, 256},
    };
    for (unsigned i = 0; i < sizeof cut / sizeof cut[0]; i++)
        try_cut(of, cut[i].src_bytes, cut[i].dst_bytes, cut[i].threads, SECTOR);
}

void box_plan(const strided_move *m, const box_device *device, box_schedule *out) {
    const size_t usual = (size_t)100 << 10, least = 64;
    search of = {.move = m, .device = device, .least = INFINITY};
    of.shared_bytes = device->shared_bytes < usual ? device->shared_bytes : usual;
    unsigned threads = AXES_THREADS;
    while (threads > device->block_threads) threads /= 2;
    const bool is_short = m->elem_bytes < BANK_BYTES;
    of.best = (box_shape){least, least, threads, SECTOR, is_short ? VECTOR_BYTES : 0};
    if (strided_elements(m) > 0) {
        try_cut(&of, least, least, threads, SECTOR);
        if (is_short) {
            search_short(&of);
        } else {
            search_long(&of);
        }
    }
    if (shrink_until_cut(m, &of.best, device->shared_bytes, out)) return;
    of.best = (box_shape){least, least, threads, SECTOR, 0};
    shrink_until_cut(m, &of.best, device->shared_bytes, out);
}
