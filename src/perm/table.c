/* SPDX-License-Identifier: Apache-2.0
 *
 * Permutations written out: entries[i] = P(i), in 4 bytes where n <= 2^32 and in 8 beyond. That the entries
 * are a permutation is checked once, here, with one bit an element; everything else relies on it.
 */
#include <inttypes.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/status.h"
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

static riffle_status copy_entries(uint64_t n, const table_source *source, perm_table *table) {
    const uint64_t blocks = (n + PERM_PARALLEL_FROM - 1) / PERM_PARALLEL_FROM;
    bool in_range = true;
#pragma omp parallel for schedule(static) reduction(&& : in_range) if (blocks > 1)
    for (uint64_t block = 0; block < blocks; block++) {
        const uint64_t first = block * PERM_PARALLEL_FROM, end = first + PERM_PARALLEL_FROM;
        in_range = copy_block(source, n, table, first, end < n ? end : n) && in_range;
    }
    return in_range ? RIFFLE_OK : fail_range(n, source);
}

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

/* Marks the values of share k of `shares` of the table in a bitmap of its own: no thread waits for another. */
static void mark_share(const riffle_perm *perm, unsigned k, unsigned shares, uint64_t *seen) {
    const uint64_t begin = perm->n / shares * k, end = k + 1 < shares ? perm->n / shares * (k + 1) : perm->n;
    for (uint64_t i = begin; i < end; i++) {
        const uint64_t value = load(&perm->table, i);
        seen[value / 64] |= (uint64_t)1 << value % 64;
    }
}

/* True if every value below n is marked in one of the bitmaps. */
static bool all_marked(const uint64_t *seen, unsigned bitmaps, uint64_t n) {
    const uint64_t words = (n + 63) / 64;
    bool full = true;
#pragma omp parallel for schedule(static) reduction(&& : full) if (n >= PERM_PARALLEL_FROM)
    for (uint64_t w = 0; w < words; w++) {
        const uint64_t wanted = w + 1 < words || n % 64 == 0 ? UINT64_MAX : ((uint64_t)1 << n % 64) - 1;
        uint64_t marked = 0;
        for (unsigned t = 0; t < bitmaps; t++) marked |= seen[t * words + w];
        full = full && marked == wanted;
    }
    return full;
}

/* n entries below n are distinct if and only if they take every value. */
static riffle_status check_distinct(const riffle_perm *perm, const char *name) {
    enum { MOST_BITMAPS = 8 };
    const uint64_t n = perm->n, words = (n + 63) / 64;
    const int available = n >= PERM_PARALLEL_FROM ? omp_get_max_threads() : 1;
    const unsigned bitmaps = available < MOST_BITMAPS ? (unsigned)available : MOST_BITMAPS;
    const size_t bytes = (size_t)(bitmaps * words) * sizeof(uint64_t);
    void *buffer;
    riffle_status status = buffer_create("the check of a table", bytes, &buffer);
    if (status != RIFFLE_OK) return status;
    uint64_t *seen = buffer;
    /* Use as many threads as elsewhere: libgomp ends those that a smaller team leaves over, and starts them anew. */
#pragma omp parallel for schedule(static) if (bitmaps > 1)
    for (unsigned k = 0; k < bitmaps; k++) mark_share(perm, k, bitmaps, seen + k * words);
    if (!all_marked(seen, bitmaps, n)) {
        memset(seen, 0, bytes);
        status = fail_clash(perm, name, seen);
    }
    riffle_buffer_free(buffer, bytes);
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

riffle_status perm_tabulate(const riffle_perm *perm, riffle_perm **out) {
    if (perm->kind == PERM_TABLE) {
        *out = riffle_perm_retain(perm);
        return RIFFLE_OK;
    }
    riffle_perm *table;
    riffle_status status = table_of_zeros(perm->n, &table);
    if (status != RIFFLE_OK) return status;
    uint64_t blocks = (perm->n + PERM_BLOCK - 1) / PERM_BLOCK;
#pragma omp parallel for schedule(static) if (perm->n >= PERM_PARALLEL_FROM)
    for (uint64_t block = 0; block < blocks; block++) {
        uint64_t first = block * PERM_BLOCK, values[PERM_BLOCK];
        size_t count = perm->n - first < PERM_BLOCK ? (size_t)(perm->n - first) : PERM_BLOCK;
        perm_map(perm, first, count, values);
        for (size_t k = 0; k < count; k++) table_store(&table->table, first + k, values[k]);
    }
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
#pragma omp parallel for schedule(static) if (perm->n >= PERM_PARALLEL_FROM)
    for (uint64_t i = 0; i < perm->n; i++) table_store(&inverse->table, load(&perm->table, i), i);
    *out = inverse;
    return RIFFLE_OK;
}

const perm_operations table_operations = {
    .apply = table_apply,
    .map = table_map,
    .invert = table_invert,
    .destroy = table_destroy,
};
