/* SPDX-License-Identifier: Apache-2.0
 *
 * Indices used once, as the two passes of a plan. Each is several launches, which know the workspace between them and
 * where everything lies in it (plan/once/once.h).
 *
 *     put     src | sort by tile of dst, lists of runs | workspace | collect, a tile a block | dst
 *     take    src | sort requests, lists, answer them  | workspace | collect, a piece a block | dst
 */
#include "move/gpu/once.h"
#include "perm/perm.h"

static void print_cut(const char *whose, uint32_t count, uint32_t length, FILE *stream) {
    fprintf(stream, ": %u %s of %u elements", count, whose, length);
}

static void print_sort(const pass *p, FILE *stream) {
    const once_shape *const s = &p->once.shape;
    print_cut("pieces", s->pieces, s->piece, stream);
    fprintf(stream, ", sorted by %u tiles of %u", s->tiles, s->tile);
}

static void print_collect(const pass *p, FILE *stream) {
    const once_shape *const s = &p->once.shape;
    if (p->once.request.puts) {
        print_cut("tiles", s->tiles, s->tile, stream);
    } else {
        print_cut("pieces", s->pieces, s->piece, stream);
    }
}

static void release(pass *p) {
    riffle_perm_free(p->once.map);
    riffle_perm_free(p->once.of);
}

static void arrays(const pass *p, launch_array *out) {
    const riffle_perm *const map = p->once.map;
    if (map->kind != PERM_TABLE) return;
    out[0] = (launch_array){"indices", map->table.entries, (size_t)map->n * map->table.entry_bytes};
}

/* Where the indices come from. */
static once_arrays arrays_of(const once_schedule *s) {
    const bool is_random = s->request.is_random;
    return (once_arrays){.random = is_random ? s->map : NULL,
                         .index_bytes = is_random ? 0 : s->map->table.entry_bytes};
}

static void sort(const pass *p, const void *const *tables, void *to, const void *from, launch_list *out) {
    const once_schedule *const s = &p->once;
    once_arrays between = arrays_of(s);
    between.src = from, between.indices = tables[0], between.workspace = to;
    launch_once_sort(&s->request, &s->shape, &between, &s->target, out);
}

/* The workspace was the other pass's to write: this one reads it. */
static void collect(const pass *p, const void *const *tables, void *to, const void *from, launch_list *out) {
    (void)tables;
    const once_schedule *const s = &p->once;
    once_arrays between = arrays_of(s);
    between.dst = to, between.workspace = (void *)(uintptr_t)from;
    launch_once_collect(&s->request, &s->shape, &between, &s->target, out);
}

const pass_kind PASS_ONCE_SORT = {
    .name = "once_sort", .print = print_sort, .free = release, .arrays = arrays, .launches = sort, .predict = pass_predict};

const pass_kind PASS_ONCE_COLLECT = {
    .name = "once_collect", .print = print_collect, .free = release, .launches = collect, .predict = pass_predict};
