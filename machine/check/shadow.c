/* SPDX-License-Identifier: Apache-2.0 */
#include "machine/check/shadow.h"

#include "base/memory.h"
#include "base/status.h"

/* A cell's word: segment in the low SEGMENT_BITS, the company of the last accessor above, then the atomic bit.
   Of shared memory, which is accessed by 4 bytes mostly and put away with its block, granules begin with these. */
enum { COMPANY_SHIFT = SEGMENT_BITS, WIDEST_SHIFT = 4, SHARED_SHIFT = 2, WORD_BYTES = 4, AHEAD_BYTES = 128 };
static const uint32_t ATOMIC_BIT = (uint32_t)1 << 31; /* a writer's */
static const uint32_t MARK_BIT = (uint32_t)1 << 31;   /* a reader's */
static const uint32_t DEFINED = 1;

static size_t granules(const shadow *s) { return (s->bytes >> s->shift) + 1; }

/* Cells of a large array are on huge pages: what is looked at of it is seldom near what was looked at before. */
static bool make_cells(shadow *s) {
    void *cells;
    s->cell = NULL;
    if (buffer_create("what the machine knows of an array", granules(s) * sizeof *s->cell, &cells) != RIFFLE_OK) return false;
    s->cell = cells;
    return true;
}

bool shadow_init(shadow *s, size_t bytes, bool block_local) {
    *s = (shadow){.bytes = bytes, .shift = block_local ? SHARED_SHIFT : WIDEST_SHIFT, .block_local = block_local};
    return make_cells(s);
}

void shadow_free(shadow *s) { riffle_buffer_free(s->cell, granules(s) * sizeof *s->cell); }

static bool is_known(const shadow_cell *cell) { return (cell->writer | cell->reader) != 0 || cell->is_read; }

/* Cuts every granule into smaller ones, which inherit what is known of it. Memory of cells of which nothing is known is not touched. */
static bool refine(shadow *s, unsigned shift) {
    shadow finer = *s;
    finer.shift = shift;
    if (!make_cells(&finer)) return false;
    const size_t count = s->touched ? granules(&finer) : 0, each = s->shift - shift;
    for (size_t k = 0; k < count; k++)
        if (is_known(&s->cell[k >> each])) finer.cell[k] = s->cell[k >> each];
    shadow_free(s);
    *s = finer;
    return true;
}

/* log2 of the largest granule that the bytes are made up of. */
static unsigned shift_of(size_t offset, size_t bytes) { return (unsigned)__builtin_ctzll(offset | bytes | (size_t)1 << WIDEST_SHIFT); }

static bool suit_granules(shadow *s, size_t offset, size_t bytes) {
    const unsigned shift = shift_of(offset, bytes);
    if (shift < s->shift && !refine(s, shift)) return false;
    s->touched = true;
    return true;
}

static bool lies_in_defined(const shadow *s, size_t from, size_t to) {
    return from >= s->defined_from && to <= s->defined_to;
}

static bool define_cells(shadow *s, size_t from, size_t to) {
    if (!suit_granules(s, from, to - from)) return false;
    const size_t count = granules(s);
    for (size_t k = from >> s->shift; k << s->shift < to && k < count; k++)
        s->cell[k] = (shadow_cell){.writer = DEFINED};
    return true;
}

/* The longer one of two ranges that do not meet is kept as such; the cells of the other one are touched. */
bool shadow_define(shadow *s, size_t offset, size_t bytes) {
    if (bytes == 0) return true;
    /* Up to the array's end the last granule may be cut short. */
    const size_t from = offset, to = offset + bytes == s->bytes ? (s->bytes + WORD_BYTES - 1) / WORD_BYTES * WORD_BYTES : offset + bytes;
    if (from <= s->defined_to && to >= s->defined_from) {
        if (from < s->defined_from) s->defined_from = from;
        if (to > s->defined_to) s->defined_to = to;
        return true;
    }
    if (to - from <= s->defined_to - s->defined_from) return define_cells(s, from, to);
    if (s->defined_to > s->defined_from && !define_cells(s, s->defined_from, s->defined_to)) return false;
    s->defined_from = from;
    s->defined_to = to;
    return true;
}

void shadow_forget_segments(shadow *s, uint32_t block_base) {
    const uint32_t oldest = s->block_local ? block_base : DEFINED;
    const uint32_t defined = s->block_local ? SEGMENT_FIRST : DEFINED;
    const size_t count = granules(s);
    for (size_t k = 0; k < count; k++)
        s->cell[k] = (shadow_cell){.writer = (s->cell[k].writer & SEGMENT_MASK) >= oldest ? defined : 0,
                                   .reader = s->cell[k].reader & MARK_BIT};
}

/* How far the farthest accessor of this record is that the running thread is not ordered with. Where it is ordered with the last one, others of
   its grid count as ordered too once it has acquired anything since: who they were is not kept. */
static relation company_of(const shadow_accessor *who, uint32_t record, relation to_last) {
    const uint32_t segment = record & SEGMENT_MASK;
    const relation before = (relation)(record >> COMPANY_SHIFT & 3);
    if (to_last != RELATION_ORDERED) return before > to_last ? before : to_last;
    const bool waited = before == RELATION_IN_GRID || who->order->clock != NULL;
    if (waited && segment < who->order->acquired) return RELATION_ORDERED;
    if (before == RELATION_IN_GRID) return before;
    if (segment < who->order->block.epoch_base) return RELATION_ORDERED; /* a barrier was between */
    if (!ordering_is_of_block(who->order, segment)) return RELATION_ORDERED;
    if (before == RELATION_IN_BLOCK || segment == who->segment) return before;
    return RELATION_ORDERED;
}

/* Records of earlier launches, or blocks, stand for nobody. */
static relation company(const shadow_accessor *who, ordering_of what, uint32_t record, uint32_t oldest,
                        relation *to_last) {
    const uint32_t segment = record & SEGMENT_MASK;
    *to_last = RELATION_ORDERED;
    if (segment < oldest || segment < who->order->launch_base || record == who->segment)
        return RELATION_ORDERED;
    *to_last = ordering_relation(who->order, what, segment, who->thread, who->segment);
    return company_of(who, record, *to_last);
}

/* With the last accessor, at `site`, or if the running thread is ordered with that, with another one. */
static void note_race(shadow_race *race, uint32_t record, uint16_t site, uint16_t other, relation to_last) {
    if (race->found) return;
    const bool known = to_last != RELATION_ORDERED;
    *race = (shadow_race){.found = true,
                          .atomic = (record & ATOMIC_BIT) != 0,
                          .site = known ? site : other,
                          .segment = known ? record & SEGMENT_MASK : 0};
}

/* A flag's accesses: of two volatile writes neither knows of the other, unless the later one's thread has read the earlier, or who comes before it. */
static bool speaks_to_writer(const shadow_cell *cell, report_op op, bool to_atomic, const shadow_accessor *who,
                             relation readers) {
    if (to_atomic) return true;
    if (cell->writer_strength == SHADOW_WEAK || cell->writer_strength == SHADOW_ASYNC) return false;
    const bool one_ordered = cell->writer_strength == SHADOW_ORDERED || who->strength == SHADOW_ORDERED;
    const bool is_read = (cell->reader & ~MARK_BIT) != 0 && cell->reader_strong && readers == RELATION_ORDERED;
    return op != OP_WRITE || one_ordered || who->follows || is_read;
}

static void access_cell(shadow_cell *cell, report_op op, uint32_t oldest, bool defined,
                        const shadow_accessor *who, shadow_finding *found) {
    relation to_writer, to_reader;
    const relation writers = company(who, ORDERING_OF_WRITES, cell->writer, oldest, &to_writer);
    const bool to_atomic = (cell->writer & ATOMIC_BIT) != 0, both_atomic = op == OP_ATOMIC && to_atomic;
    const bool strong = who->strength != SHADOW_WEAK || op == OP_ATOMIC;
    const uint32_t mark = cell->reader & MARK_BIT;
    const relation readers = company(who, ORDERING_OF_READS, cell->reader & ~MARK_BIT, oldest, &to_reader);
    if (writers != RELATION_ORDERED && !both_atomic &&
        !(strong && writers == RELATION_IN_GRID && speaks_to_writer(cell, op, to_atomic, who, readers)))
        note_race(&found->with_write, cell->writer, cell->writer_site, 0, to_writer);
    if (op != OP_WRITE && !defined)
        found->uninitialized |= (cell->writer & SEGMENT_MASK) < (oldest == 0 ? 1 : oldest);
    found->marked |= mark != 0 || (cell->is_read && op != OP_READ);
    if (op == OP_READ) {
        if (to_reader != RELATION_ORDERED)
            cell->other_reader_site = cell->reader_site;
        else if (readers == RELATION_ORDERED)
            cell->other_reader_site = 0;
        cell->reader_strong = strong && (readers == RELATION_ORDERED || cell->reader_strong);
        cell->reader = who->segment | (uint32_t)readers << COMPANY_SHIFT | mark;
        cell->reader_site = who->site;
        return;
    }
    if (readers != RELATION_ORDERED && !(strong && readers == RELATION_IN_GRID && cell->reader_strong))
        note_race(&found->with_read, cell->reader & ~MARK_BIT, cell->reader_site, cell->other_reader_site,
                  to_reader);
    /* A store of its own just before stays: an atomic does not order it for others. */
    if (op == OP_ATOMIC && cell->writer == who->segment) {
        cell->reader = mark;
        return;
    }
    const uint32_t among_atomics = both_atomic ? (uint32_t)writers << COMPANY_SHIFT : 0;
    cell->writer = who->segment | among_atomics | (op == OP_ATOMIC ? ATOMIC_BIT : 0);
    cell->writer_site = who->site;
    cell->writer_strength = (uint8_t)who->strength;
    cell->reader = mark;
}

/* The cells of a copy's bytes, which are whole ones: it has accessed them. */
static shadow_cell *cells_of(const shadow *s, size_t offset, size_t bytes, size_t *count) {
    *count = bytes >> s->shift;
    return &s->cell[offset >> s->shift];
}

void shadow_mark(shadow *s, size_t offset, size_t bytes) {
    size_t count;
    shadow_cell *cell = cells_of(s, offset, bytes, &count);
    for (size_t k = 0; k < count; k++) cell[k].reader |= MARK_BIT;
}

void shadow_unmark(shadow *s, size_t offset, size_t bytes) {
    size_t count;
    shadow_cell *cell = cells_of(s, offset, bytes, &count);
    for (size_t k = 0; k < count; k++) cell[k].reader &= ~MARK_BIT;
}

void shadow_land(shadow *s, size_t offset, size_t bytes, const shadow_accessor *who) {
    size_t count;
    shadow_cell *cell = cells_of(s, offset, bytes, &count);
    for (size_t k = 0; k < count; k++)
        cell[k] = (shadow_cell){
            .writer = who->segment, .writer_site = who->site, .writer_strength = (uint8_t)who->strength};
}

void shadow_mark_read(shadow *s, size_t offset, size_t bytes, bool reads) {
    size_t count;
    shadow_cell *cell = cells_of(s, offset, bytes, &count);
    for (size_t k = 0; k < count; k++) cell[k].is_read = reads;
}

const shadow_cell *shadow_cell_at(const shadow *s, size_t offset, size_t *bytes) {
    *bytes = ((size_t)1 << s->shift) - (offset & (((size_t)1 << s->shift) - 1));
    return &s->cell[offset >> s->shift];
}

uint32_t shadow_writer(const shadow_cell *cell) { return cell->writer & SEGMENT_MASK; }

bool shadow_access(shadow *s, size_t offset, size_t bytes, report_op op, const shadow_accessor *who,
                   shadow_finding *found) {
    *found = (shadow_finding){0};
    if (((offset | bytes) & (((size_t)1 << s->shift) - 1)) != 0 && !suit_granules(s, offset, bytes))
        return false;
    s->touched = true;
    const uint32_t oldest = !s->block_local ? 0 : s->oldest != 0 ? s->oldest : who->order->block.block_base;
    const size_t end = (offset + bytes) >> s->shift;
    __builtin_prefetch((const char *)&s->cell[end] + AHEAD_BYTES,
                       1); /* where the lanes behind this one will be */
    const bool defined = lies_in_defined(s, offset, offset + bytes);
    for (size_t k = offset >> s->shift; k < end; k++)
        access_cell(&s->cell[k], op, oldest, defined || lies_in_defined(s, k << s->shift, (k + 1) << s->shift),
                    who, found);
    return true;
}
