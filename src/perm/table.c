/* SPDX-License-Identifier: Apache-2.0
 *
 * Permutations written out: entries[i] = P(i), in 4 bytes where n <= 2^32 and in 8 beyond. That the entries
 * are a permutation is checked once, here, with one bit an element; everything else relies on it.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/arithmetic.h"
#include "base/memory.h"
#include "base/status.h"
#include "base/threads/team.h"
#include "perm/kind.h"

static inline uint64_t load(const perm_table *table, uint64_t i) {
    return table->entry_bytes == 4 ? ((const uint32_t *)table->entries)[i]
                                   : ((const uint64_t *)table->entries)[i];
}

riffle_status table_elsewhere(uint64_t n, riffle_perm **out) {
    const riffle_status status = perm_create(PERM_TABLE, n, out);
    if (status == RIFFLE_OK) (*out)->table.entry_bytes = table_entry_bytes(n);
    return status;
}

riffle_status table_of_zeros(uint64_t n, riffle_perm **out) {
    riffle_perm *perm;
    riffle_status status = table_elsewhere(n, &perm);
    if (status != RIFFLE_OK) return status;
    size_t bytes;
    if (!multiply_sizes(n, perm->table.entry_bytes, 1, &bytes)) bytes = SIZE_MAX;
    status = buffer_create("a table of a permutation", bytes, &perm->table.entries);
    if (status == RIFFLE_OK) {
        *out = perm;
    } else {
        riffle_perm_free(perm);
    }
    return status;
}

static void table_destroy(riffle_perm *perm) {
    riffle_buffer_free(perm->table.entries, (size_t)perm->n * perm->table.entry_bytes);
    free(perm->table.path);
}

/* --------------------------------------------------------------- checking */

/* Entry i of the source, whose entries have `bytes` bytes, a negative one as its two's complement in 64 bits.
 */
__attribute__((always_inline)) static inline uint64_t read_entry(const table_source *source, size_t bytes,
                                                                 uint64_t i) {
    const char *at = (const char *)source->data + i * bytes;
    switch (bytes) {
    case 1: {
        uint8_t value;
        memcpy(&value, at, 1);
        return source->is_signed ? (uint64_t)(int8_t)value : value;
    }
    case 2: {
        uint16_t value;
        memcpy(&value, at, 2);
        if (source->swapped) value = __builtin_bswap16(value);
        return source->is_signed ? (uint64_t)(int16_t)value : value;
    }
    case 4: {
        uint32_t value;
        memcpy(&value, at, 4);
        if (source->swapped) value = __builtin_bswap32(value);
        return source->is_signed ? (uint64_t)(int32_t)value : value;
    }
    default: {
        uint64_t value;
        memcpy(&value, at, 8);
        return source->swapped ? __builtin_bswap64(value) : value;
    }
    }
}

/* Says which entry of the source is the first that is not below n. */
static riffle_status fail_range(uint64_t n, const table_source *source) {
    uint64_t i = 0;
    while (i + 1 < n && read_entry(source, source->bytes, i) < n) i++;
    uint64_t value = read_entry(source, source->bytes, i);
    if (source->is_signed && value >> 63 != 0) {
        return fail(RIFFLE_ERROR_NOT_A_PERMUTATION,
                    "%s: entry %" PRIu64 " is %" PRId64 "; entries are indices from 0 to n-1", source->name, i,
                    (int64_t)value);
    }
    return fail(RIFFLE_ERROR_NOT_A_PERMUTATION,
                "%s: index %" PRIu64 " maps to %" PRIu64 ", which is not below n = %" PRIu64, source->name, i,
                value, n);
}

/* Copies entries first..end-1 of a constant size; false if one is not below n. */
__attribute__((always_inline)) static inline bool copy_sized(const table_source *source, size_t bytes,
                                                             uint64_t n, perm_table *table, uint64_t first,
                                                             uint64_t end) {
    uint64_t beyond = 0;
    for (uint64_t i = first; i < end; i++) {
        const uint64_t value = read_entry(source, bytes, i);
        beyond |= (uint64_t)(value >= n);
        table_store(table, i, value);
    }
    return beyond == 0;
}

static bool copy_block(const table_source *source, uint64_t n, perm_table *table, uint64_t first,
                       uint64_t end) {
    switch (source->bytes) {
    case 1: return copy_sized(source, 1, n, table, first, end);
    case 2: return copy_sized(source, 2, n, table, first, end);
    case 4: return copy_sized(source, 4, n, table, first, end);
    default: return copy_sized(source, 8, n, table, first, end);
    }
}

typedef struct copying {
    const table_source *source;
    uint64_t n;
    perm_table *table;
    bool *leaves; /* set by a thread that met an entry out of range */
} copying;

static void copy_share(const void *context, team_member me) {
    const copying *const c = context;
    const team_share mine = team_share_of(c->n, me);
    if (!copy_block(c->source, c->n, c->table, mine.first, mine.end))
        __atomic_store_n(c->leaves, true, __ATOMIC_RELAXED);
}

static riffle_status copy_entries(uint64_t n, const table_source *source, perm_table *table) {
    bool leaves = false;
    team_run(perm_threads(n), copy_share, &(copying){source, n, table, &leaves});
    return leaves ? fail_range(n, source) : RIFFLE_OK;
}

static uint64_t words_of(uint64_t n) { return ceil_div(n, (uint64_t)64); }

/* Says which two indices clash: the second is the first that repeats a value. `seen` has n zero bits. */
static riffle_status fail_clash(const riffle_perm *perm, const char *name, uint64_t *seen) {
    uint64_t first = 0, second = 0, value;
    for (;; second++) {
        value = load(&perm->table, second);
        if (seen[value / 64] >> value % 64 & 1) break;
        seen[value / 64] |= (uint64_t)1 << value % 64;
    }
    while (load(&perm->table, first) != value) first++;
    return fail(RIFFLE_ERROR_NOT_A_PERMUTATION,
                "%s: index %" PRIu64 " and index %" PRIu64 " both map to %" PRIu64, name, first, second, value);
}

/* Marks in bitmaps, one for each of some shares of the table: no thread waits for another. */
typedef struct marking {
    const riffle_perm *perm;
    unsigned bitmaps;
    uint64_t *seen;
    bool *lacks; /* set by a thread that met a value that is in none */
} marking;

static void mark_shares(const void *context, team_member me) {
    const marking *const m = context;
    const team_share mine = team_share_of(m->bitmaps, me);
    for (uint64_t k = mine.first; k < mine.end; k++) {
        uint64_t *const seen = m->seen + k * words_of(m->perm->n);
        const team_share entries = team_share_of(m->perm->n, (team_member){(unsigned)k, m->bitmaps});
        for (uint64_t i = entries.first; i < entries.end; i++) {
            const uint64_t value = load(&m->perm->table, i);
            seen[value / 64] |= (uint64_t)1 << value % 64;
        }
    }
}

static void look_for_all(const void *context, team_member me) {
    const marking *const m = context;
    const uint64_t n = m->perm->n, words = words_of(n);
    const team_share mine = team_share_of(words, me);
    for (uint64_t w = mine.first; w < mine.end; w++) {
        const uint64_t wanted = w + 1 < words || n % 64 == 0 ? UINT64_MAX : ((uint64_t)1 << n % 64) - 1;
        uint64_t marked = 0;
        for (unsigned t = 0; t < m->bitmaps; t++) marked |= m->seen[t * words + w];
        if (marked != wanted) __atomic_store_n(m->lacks, true, __ATOMIC_RELAXED);
    }
}

/* n entries below n are distinct if and only if they take every value. */
static riffle_status check_distinct(const riffle_perm *perm, const char *name) {
    const unsigned most_bitmaps = 8, threads = perm_threads(perm->n), bitmaps = min(threads, most_bitmaps);
    const size_t bytes = (size_t)(bitmaps * words_of(perm->n)) * sizeof(uint64_t);
    void *seen;
    riffle_status status = buffer_create("the check of a table", bytes, &seen);
    if (status != RIFFLE_OK) return status;
    bool lacks = false;
    const marking m = {perm, bitmaps, seen, &lacks};
    /* As many threads as elsewhere: libgomp ends those that a smaller team leaves over, and starts them anew. */
    team_run(threads, mark_shares, &m);
    team_run(threads, look_for_all, &m);
    if (lacks) {
        memset(seen, 0, bytes);
        status = fail_clash(perm, name, seen);
    }
    riffle_buffer_free(seen, bytes);
    return status;
}

/* ----------------------------------------------------------- constructors */

riffle_status table_create(uint64_t n, const table_source *source, riffle_perm **out) {
    riffle_perm *perm;
    riffle_status status = perm_check_length(source->name, n);
    if (status == RIFFLE_OK) status = table_of_zeros(n, &perm);
    if (status != RIFFLE_OK) return status;
    status = copy_entries(n, source, &perm->table);
    if (status == RIFFLE_OK) status = check_distinct(perm, source->name);
    if (status == RIFFLE_OK) {
        *out = perm;
    } else {
        riffle_perm_free(perm);
    }
    return status;
}

riffle_status riffle_perm_table_u32(uint64_t n, const uint32_t *table, riffle_perm **out) {
    RETURN_IF_NULL(out);
    if (n > 0) RETURN_IF_NULL(table);
    return table_create(n, &(table_source){.name = "table", .data = table, .bytes = 4}, out);
}

riffle_status riffle_perm_table_u64(uint64_t n, const uint64_t *table, riffle_perm **out) {
    RETURN_IF_NULL(out);
    if (n > 0) RETURN_IF_NULL(table);
    return table_create(n, &(table_source){.name = "table", .data = table, .bytes = 8}, out);
}

/* A table that is filled from a permutation. */
typedef struct filling {
    const riffle_perm *from;
    perm_table *table;
} filling;

static void tabulate_share(const void *context, team_member me) {
    const filling *const f = context;
    const team_share mine = team_share_of(f->from->n, me);
    uint64_t values[PERM_BLOCK];
    for (uint64_t first = mine.first; first < mine.end; first += PERM_BLOCK) {
        const size_t count = min(mine.end - first, (uint64_t)PERM_BLOCK);
        perm_map(f->from, first, count, values);
        for (size_t k = 0; k < count; k++) table_store(f->table, first + k, values[k]);
    }
}

riffle_status perm_tabulate(const riffle_perm *perm, riffle_perm **out) {
    if (perm->kind == PERM_TABLE) {
        *out = riffle_perm_retain(perm);
        return RIFFLE_OK;
    }
    riffle_perm *table;
    riffle_status status = table_of_zeros(perm->n, &table);
    if (status != RIFFLE_OK) return status;
    team_run(perm_threads(perm->n), tabulate_share, &(filling){perm, &table->table});
    *out = table;
    return RIFFLE_OK;
}

/* ------------------------------------------------------------- operations */

static void table_apply(const riffle_perm *perm, size_t count, uint64_t *values) {
    for (size_t k = 0; k < count; k++) values[k] = load(&perm->table, values[k]);
}

static void table_map(const riffle_perm *perm, uint64_t first, size_t count, uint64_t *out) {
    for (size_t k = 0; k < count; k++) out[k] = load(&perm->table, first + k);
}

static void invert_share(const void *context, team_member me) {
    const filling *const f = context;
    const team_share mine = team_share_of(f->from->n, me);
    for (uint64_t i = mine.first; i < mine.end; i++) table_store(f->table, load(&f->from->table, i), i);
}

static riffle_status table_invert(const riffle_perm *perm, riffle_perm **out) {
    riffle_perm *inverse;
    riffle_status status = table_of_zeros(perm->n, &inverse);
    if (status != RIFFLE_OK) return status;
    if (perm->table.path != NULL) {
        size_t bytes = strlen(perm->table.path) + 1;
        inverse->table.path = malloc(bytes);
        if (inverse->table.path == NULL) {
            riffle_perm_free(inverse);
            return fail_memory("the name of a table's file", bytes);
        }
        memcpy(inverse->table.path, perm->table.path, bytes);
        inverse->table.inverted = !perm->table.inverted;
    }
    team_run(perm_threads(perm->n), invert_share, &(filling){perm, &inverse->table});
    *out = inverse;
    return RIFFLE_OK;
}

const perm_operations table_operations = {
    .apply = table_apply,
    .map = table_map,
    .invert = table_invert,
    .destroy = table_destroy,
};
