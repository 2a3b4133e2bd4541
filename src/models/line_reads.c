/* SPDX-License-Identifier: Apache-2.0 */
#include "models/line_reads.h"

#include "base/memory.h"

/* The step is odd, so that lines do not all lie alike in what has a power of two for a period. */
line_sample line_sample_of(uint64_t n, size_t elem_bytes) {
    const size_t most = elem_bytes < LINE_READS_LINE_BYTES ? LINE_READS_LINE_BYTES / elem_bytes : 1;
    if (n < most) return (line_sample){.step = 1, .lines = n > 0, .elements = (unsigned)n};
    const uint64_t lines = n / most;
    const uint64_t step = lines <= LINE_READS_SAMPLES ? 1 : ((lines - 1) / LINE_READS_SAMPLES + 1) | 1;
    return (line_sample){step, (unsigned)((lines - 1) / step + 1), (unsigned)most};
}

static riffle_status read_perm(const void *from, const line_sample *sample, uint64_t *places) {
    riffle_status status = RIFFLE_OK;
    for (unsigned k = 0; status == RIFFLE_OK && k < sample->lines; k++) {
        status = riffle_perm_map(from, line_sample_first(sample, k), sample->elements,
                                 places + (size_t)k * sample->elements);
    }
    return status;
}

line_reader line_reader_of_perm(const riffle_perm *perm) { return (line_reader){read_perm, perm}; }

static void sort(uint64_t *places, unsigned count) {
    for (unsigned k = 1; k < count; k++) {
        const uint64_t moved = places[k];
        unsigned at = k;
        for (; at > 0 && places[at - 1] > moved; at--) places[at] = places[at - 1];
        places[at] = moved;
    }
}

/* How often a sector is asked for: the blocks that its elements go to. Sorts them. */
static unsigned blocks_of(uint64_t *places, unsigned count) {
    unsigned blocks = 1;
    sort(places, count);
    for (unsigned k = 1; k < count; k++)
        blocks += places[k] / LINE_READS_BLOCK != places[k - 1] / LINE_READS_BLOCK;
    return blocks;
}

static uint64_t count_sectors(const line_sample *sample, size_t elem_bytes, uint64_t *places) {
    const size_t of_sector = elem_bytes < LINE_READS_SECTOR_BYTES ? LINE_READS_SECTOR_BYTES / elem_bytes : 1;
    uint64_t sum = 0;
    for (unsigned k = 0; k < sample->lines; k++) {
        uint64_t *line = places + (size_t)k * sample->elements;
        for (unsigned j = 0; j < sample->elements; j += (unsigned)of_sector) {
            const unsigned left = sample->elements - j;
            sum += blocks_of(line + j, left < of_sector ? left : (unsigned)of_sector);
        }
    }
    return sum;
}

/* How often lines are read from memory, which have gone where `reach` elements were moved since. */
static uint64_t count_lines(const line_sample *sample, double reach, uint64_t *places) {
    uint64_t sum = 0;
    for (unsigned k = 0; k < sample->lines; k++) {
        uint64_t *line = places + (size_t)k * sample->elements;
        sort(line, sample->elements);
        for (unsigned j = 0; j < sample->elements; j++)
            sum += j == 0 || (double)(line[j] - line[j - 1]) > reach;
    }
    return sum;
}

riffle_status line_reads_estimate(const line_reader *reader, uint64_t n, size_t elem_bytes, size_t map_bytes,
                                  uint64_t l2_bytes, line_reads *out) {
    const double kept_share = 0.75; /* share of the cache that what was read in order of use can count on */
    const line_sample sample = line_sample_of(n, elem_bytes);
    const size_t moved = (size_t)sample.lines * sample.elements, bytes = moved * sizeof(uint64_t);
    *out = (line_reads){0};
    if (moved == 0) return RIFFLE_OK;
    void *places;
    riffle_status status = buffer_create("sampling a permutation", bytes, &places);
    if (status != RIFFLE_OK) return status;
    status = reader->read(reader->from, &sample, places);
    if (status == RIFFLE_OK) {
        out->sectors = (double)count_sectors(&sample, elem_bytes, places) / (double)moved;
        const double passing = (double)LINE_READS_LINE_BYTES * out->sectors + (double)(map_bytes + elem_bytes);
        out->lines =
            (double)count_lines(&sample, kept_share * (double)l2_bytes / passing, places) / (double)moved;
    }
    riffle_buffer_free(places, bytes);
    return status;
}
