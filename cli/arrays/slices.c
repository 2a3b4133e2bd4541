/* SPDX-License-Identifier: Apache-2.0 */
#include "arrays/slices.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "frame/message.h"

static const int64_t most = (int64_t)1 << 62; /* most of a number, so that all that follows fits 64 bits */

/* ----------------------------------------------------------------------------------------- reading */

typedef struct cursor {
    const command_option *option;
    const char *text, *at;
} cursor;

static bool complain_at(const cursor *in, const char *what) {
    complain("option --%s: '%s', character %d: %s; write it as between NumPy's brackets, '::2, 5:20, -1'",
             in->option->name, in->text, (int)(in->at - in->text) + 1, what);
    return false;
}

static char next(cursor *in) {
    while (isspace((unsigned char)*in->at)) in->at++;
    return *in->at;
}

static bool take(cursor *in, char c) {
    if (next(in) != c) return false;
    in->at++;
    return true;
}

/* A number, where one stands here. */
static bool read_integer(cursor *in, bool *there, int64_t *out) {
    const char c = next(in);
    const char *digits = in->at + (c == '-' || c == '+');
    *there = isdigit((unsigned char)*digits);
    if (!*there) return true;
    char *end;
    const long long value = strtoll(in->at, &end, 10);
    if (value > most || value < -most) return complain_at(in, "no array is so long");
    in->at = end;
    *out = value;
    return true;
}

/* Reads STOP:STEP, behind the first colon. */
static bool read_range(cursor *in, slice *out) {
    out->kind = SLICE_RANGE;
    if (!read_integer(in, &out->has_stop, &out->stop)) return false;
    if (!take(in, ':')) return true;
    next(in);
    const cursor at_step = *in;
    bool has_step;
    if (!read_integer(in, &has_step, &out->step)) return false;
    return out->step != 0 || complain_at(&at_step, "a step cannot be 0");
}

static bool read_item(cursor *in, slice *out) {
    *out = (slice){.step = 1};
    if (next(in) == '.' && strncmp(in->at, "...", 3) == 0) {
        in->at += 3;
        out->kind = SLICE_REST;
        return true;
    }
    if (!read_integer(in, &out->has_start, &out->start)) return false;
    if (take(in, ':')) return read_range(in, out);
    out->kind = SLICE_INDEX;
    return out->has_start || complain_at(in, "there is no slice, integer or ... here");
}

bool option_slices(const command_option *option, const char *text, void *field) {
    slices *const out = field;
    cursor in = {option, text, text};
    bool has_rest = false;
    out->count = 0;
    do {
        next(&in);
        const cursor at_item = in;
        slice *const item = &out->items[out->count];
        if (out->count == RIFFLE_MAX_RANK + 1) return complain_at(&in, "no array has so many axes");
        if (!read_item(&in, item)) return false;
        if (item->kind == SLICE_REST && has_rest) return complain_at(&at_item, "... may stand there once");
        has_rest = has_rest || item->kind == SLICE_REST;
        out->count++;
    } while (take(&in, ','));
    return next(&in) == '\0' || complain_at(&in, "a comma or the end belongs here");
}

/* ---------------------------------------------------------------------------------------- applying */

/* An index from the axis's end where it is negative, within the bounds. */
static int64_t bounded(int64_t index, int64_t length, int64_t least, int64_t greatest) {
    if (index < 0) index += length;
    return index < least ? least : index > greatest ? greatest : index;
}

/* As Python's slice.indices. */
static void take_range(const slice *wanted, uint64_t axis_length, int64_t *start, uint64_t *count) {
    const int64_t length = (int64_t)axis_length;
    const bool down = wanted->step < 0;
    const int64_t least = down ? -1 : 0, greatest = down ? length - 1 : length;
    const int64_t first = wanted->has_start ? bounded(wanted->start, length, least, greatest)
                          : down            ? greatest
                                            : least;
    const int64_t last = wanted->has_stop ? bounded(wanted->stop, length, least, greatest)
                         : down           ? least
                                          : greatest;
    const int64_t distance = down ? first - last : last - first;
    *start = first;
    *count = distance > 0 ? (uint64_t)((distance - 1) / (down ? -wanted->step : wanted->step) + 1) : 0;
}

typedef struct taking {
    const array_part *from;
    array_part *to;
    unsigned axis; /* the next axis of `from` */
    char *why;
} taking;

static void keep_axis(taking *t, int64_t start, uint64_t count, int64_t step) {
    const int64_t stride = t->from->strides[t->axis++];
    const unsigned k = t->to->header.rank++;
    t->to->header.shape[k] = count;
    t->to->strides[k] = count > 1 ? stride * step : 0;
    if (count > 0) t->to->first += start * stride;
}

static bool drop_axis(taking *t, int64_t index) {
    const int64_t length = (int64_t)t->from->header.shape[t->axis];
    if (index < -length || index >= length) {
        snprintf(t->why, SLICES_WHY, "axis %u has %" PRId64 " elements, none of index %" PRId64, t->axis,
                 length, index);
        return false;
    }
    t->to->first += (index < 0 ? index + length : index) * t->from->strides[t->axis++];
    return true;
}

static void keep_axes(taking *t, unsigned count) {
    for (unsigned k = 0; k < count; k++) keep_axis(t, 0, t->from->header.shape[t->axis], 1);
}

static bool take_item(taking *t, const slice *wanted, unsigned rest) {
    int64_t start;
    uint64_t count;
    switch (wanted->kind) {
    case SLICE_INDEX: return drop_axis(t, wanted->start);
    case SLICE_RANGE:
        take_range(wanted, t->from->header.shape[t->axis], &start, &count);
        keep_axis(t, start, count, wanted->step);
        return true;
    case SLICE_REST: keep_axes(t, rest);
    }
    return true;
}

bool slices_apply(const slices *wanted, array_part *part, char why[static SLICES_WHY]) {
    const array_part from = *part;
    unsigned axes = 0;
    for (unsigned k = 0; k < wanted->count; k++) axes += wanted->items[k].kind != SLICE_REST;
    if (axes > from.header.rank) {
        snprintf(why, SLICES_WHY, "the array has %u axes and %u are named", from.header.rank, axes);
        return false;
    }
    taking t = {.from = &from, .to = part, .why = why};
    part->header.rank = 0;
    for (unsigned k = 0; k < wanted->count; k++)
        if (!take_item(&t, &wanted->items[k], from.header.rank - axes)) return false;
    keep_axes(&t, from.header.rank - t.axis);
    part->length = 1;
    for (unsigned k = 0; k < part->header.rank; k++) part->length *= part->header.shape[k];
    return true;
}
