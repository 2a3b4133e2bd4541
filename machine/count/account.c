/* SPDX-License-Identifier: Apache-2.0
 *
 * Lanes that access neighbouring cells or all the same one are most of what there is, and need no counting.
 */
#include "machine/count/account.h"

#include <stdbool.h>
#include <string.h>

enum { SECTOR_BYTES = 32, HARDWARE_BANKS = 32, WORD_BYTES = 4, WAVEFRONT_BYTES = 128 };

/* A set of up to 64 values: open addressing, each slot the number of its value. */
enum { SET_SLOTS = 256, SET_VALUES = 2 * MACHINE_MAX_WIDTH };
typedef struct value_set {
    unsigned count;
    uint8_t slot[SET_SLOTS]; /* 1 + the value's number; 0 is free */
    uint64_t value[SET_VALUES];
} value_set;

static void set_clear(value_set *s) {
    s->count = 0;
    memset(s->slot, 0, sizeof s->slot);
}

/* True if it is new. */
static bool set_add(value_set *s, uint64_t value) {
    unsigned at = (unsigned)(value * UINT64_C(0x9e3779b97f4a7c15) >> 56);
    for (; s->slot[at] != 0; at = (at + 1) % SET_SLOTS) {
        if (s->value[s->slot[at] - 1] == value) return false;
    }
    s->value[s->count++] = value;
    s->slot[at] = (uint8_t)s->count;
    return true;
}

static unsigned divide_up(unsigned a, unsigned b) { return (a + b - 1) / b; }
static unsigned larger(unsigned a, unsigned b) { return a > b ? a : b; }

/* A place counted in units of so many bytes; those of different arrays stay different. */
static uint64_t unit_of(place p, uint64_t unit) {
    if ((unit & (unit - 1)) == 0) return p >> __builtin_ctzll(unit);
    const uint64_t offset = place_offset(p);
    return (p - offset) | offset / unit;
}

static bool is_consecutive(const warp_access *a) {
    for (unsigned k = 1; k < a->lanes; k++) {
        if (a->at[k] != a->at[0] + (uint64_t)k * a->bytes) return false;
    }
    return true;
}

static bool is_broadcast(const warp_access *a) {
    for (unsigned k = 1; k < a->lanes; k++) {
        if (a->at[k] != a->at[0]) return false;
    }
    return true;
}

/* Pieces of `unit` bytes that [first, last] touches. */
static unsigned units_between(place first, place last, uint64_t unit) {
    return (unsigned)(unit_of(last, unit) - unit_of(first, unit)) + 1;
}

/* The most accesses of one of the addresses in unit `group`. */
static unsigned most_of_one_address(const warp_access *a, uint64_t unit, uint64_t group) {
    unsigned most = 0;
    for (unsigned k = 0; k < a->lanes; k++) {
        if (unit_of(a->at[k], unit) != group) continue;
        unsigned same = 0;
        for (unsigned j = 0; j < a->lanes; j++) same += a->at[j] == a->at[k];
        most = larger(most, same);
    }
    return most;
}

/* Address groups (UMM); one that an atomic touches is busy as often as its fullest address says. */
static unsigned global_stages(const warp_access *a, value_set *set) {
    const uint64_t unit = (uint64_t)a->bytes * a->width;
    set_clear(set);
    for (unsigned k = 0; k < a->lanes; k++) set_add(set, unit_of(a->at[k], unit));
    if (a->op != OP_ATOMIC) return set->count;
    unsigned stages = 0;
    for (unsigned g = 0; g < set->count; g++) stages += most_of_one_address(a, unit, set->value[g]);
    return stages;
}

/* Different cells in the fullest of the banks (DMM); an atomic's equal cells count one by one. */
static unsigned shared_stages(const warp_access *a, value_set *set) {
    uint8_t in_bank[PLACE_BLOCKS][MACHINE_MAX_WIDTH] = {{0}};
    unsigned most = 0;
    set_clear(set);
    for (unsigned k = 0; k < a->lanes; k++) {
        if (!set_add(set, unit_of(a->at[k], a->bytes)) && a->op != OP_ATOMIC) continue;
        const unsigned bank = (unsigned)(place_offset(a->at[k]) / a->bytes % a->width);
        most = larger(most, ++in_bank[place_block(a->at[k])][bank]);
    }
    return most;
}

static unsigned distinct_bytes(const warp_access *a, value_set *set) {
    set_clear(set);
    for (unsigned k = 0; k < a->lanes; k++) set_add(set, a->at[k]);
    return set->count * a->bytes;
}

/* Accesses to the address of access k by lanes before it: an atomic's turn there. */
static unsigned turn_of(const warp_access *a, unsigned k) {
    unsigned before = 0;
    for (unsigned j = 0; j < k; j++) before += a->at[j] == a->at[k];
    return before;
}

/* Sectors that the accesses of one turn touch; all accesses are of turn 0 but for atomics at equal
 * addresses. */
static unsigned sectors_of_turn(const warp_access *a, unsigned turn, value_set *set) {
    set_clear(set);
    for (unsigned k = 0; k < a->lanes; k++) {
        if (a->op == OP_ATOMIC && turn_of(a, k) != turn) continue;
        set_add(set, unit_of(a->at[k], SECTOR_BYTES));
        set_add(set, unit_of(a->at[k] + a->bytes - 1, SECTOR_BYTES));
    }
    return set->count;
}

static unsigned sectors(const warp_access *a, value_set *set) {
    unsigned sum = sectors_of_turn(a, 0, set), more = a->op == OP_ATOMIC ? sum : 0;
    for (unsigned turn = 1; more > 0; turn++) sum += more = sectors_of_turn(a, turn, set);
    return sum;
}

/* True if no two lanes 2i and 2i + 1 access different addresses. */
static bool neighbours_agree(const warp_access *a) {
    for (unsigned k = 1; k < a->lanes; k++) {
        const bool neighbours = a->lane[k] % 2 == 1 && a->lane[k - 1] == a->lane[k] - 1;
        if (neighbours && a->at[k] != a->at[k - 1]) return false;
    }
    return true;
}

/* Lanes that the hardware serves together: a warp's 32 words of 4 bytes at most, twice as many in reads whose
 * neighbours agree (measured: docs/machine.md). */
static unsigned lanes_at_once(const warp_access *a) {
    if (a->bytes <= WORD_BYTES) return MACHINE_MAX_WIDTH;
    return WAVEFRONT_BYTES / a->bytes * (a->op == OP_READ && neighbours_agree(a) ? 2 : 1);
}

/* The bank of a word, as it lies or under a layout. */
static unsigned bank_of(place word, const layout_rows *layout) {
    const unsigned column = (unsigned)(word % HARDWARE_BANKS);
    if (layout == NULL) return column;
    const unsigned number = layout->number[place_offset(word * WORD_BYTES) / WAVEFRONT_BYTES % layout->rows];
    return (layout->exclusive_or ? column ^ number : column + number) % HARDWARE_BANKS;
}

/* Wavefronts of the accesses first .. end - 1, which are served together: different words in the fullest bank.
   */
static unsigned part_wavefronts(const warp_access *a, unsigned first, unsigned end, const layout_rows *layout,
                                value_set *set) {
    uint8_t in_bank[PLACE_BLOCKS][HARDWARE_BANKS] = {{0}};
    unsigned most = 0;
    set_clear(set);
    for (unsigned k = first; k < end; k++) {
        for (unsigned at = 0; at < a->bytes; at += WORD_BYTES) {
            const uint64_t word = unit_of(a->at[k] + at, WORD_BYTES);
            const bool alone = a->op == OP_ATOMIC && !a->counts;
            if (!alone && !set_add(set, word)) continue;
            most = larger(most, ++in_bank[place_block(a->at[k])][bank_of(word, layout)]);
        }
    }
    return most;
}

static unsigned wavefronts(const warp_access *a, const layout_rows *layout, value_set *set) {
    const unsigned part = lanes_at_once(a);
    unsigned sum = 0;
    for (unsigned first = 0, end; first < a->lanes; first = end) {
        for (end = first + 1; end < a->lanes && a->lane[end] / part == a->lane[first] / part;) end++;
        sum += part_wavefronts(a, first, end, layout, set);
    }
    return sum;
}

unsigned account_wavefronts(const warp_access *a, const layout_rows *layout) {
    value_set set;
    return wavefronts(a, layout, &set);
}

/* Parts of a warp, as lanes_at_once cuts it, in which some lane takes part. */
static unsigned parts_taking_part(const warp_access *a) {
    const unsigned part = lanes_at_once(a);
    unsigned parts = 1;
    for (unsigned k = 1; k < a->lanes; k++) parts += a->lane[k] / part != a->lane[k - 1] / part;
    return parts;
}

/* The least for so many bytes of global memory; in shared memory what these lanes take without a conflict. */
static unsigned ideal_requests(const warp_access *a, unsigned bytes) {
    return a->space == SPACE_GLOBAL ? divide_up(bytes, SECTOR_BYTES) : parts_taking_part(a);
}

/* The lanes' cells are one behind the other, or all the same one, and at their natural alignment. */
static warp_cost account_plain(const warp_access *a, bool broadcast) {
    const place first = a->at[0], last = a->at[a->lanes - 1];
    warp_cost cost = {.stages = 1};
    cost.ideal_requests = ideal_requests(a, broadcast ? a->bytes : a->lanes * a->bytes);
    if (a->space == SPACE_SHARED) {
        cost.requests = parts_taking_part(a);
    } else {
        cost.stages = units_between(first, last, (uint64_t)a->bytes * a->width);
        cost.requests = units_between(first, last + a->bytes - 1, SECTOR_BYTES);
    }
    return cost;
}

warp_cost account_warp(const warp_access *a) {
    const bool aligned = place_offset(a->at[0]) % a->bytes == 0;
    if (a->op != OP_ATOMIC && aligned) {
        if (is_consecutive(a)) return account_plain(a, false);
        if (is_broadcast(a)) return account_plain(a, true);
    }
    value_set set;
    const bool global = a->space == SPACE_GLOBAL;
    return (warp_cost){
        .stages = global ? global_stages(a, &set) : shared_stages(a, &set),
        .requests = global ? sectors(a, &set) : wavefronts(a, NULL, &set),
        .ideal_requests = ideal_requests(a, distinct_bytes(a, &set)),
    };
}
