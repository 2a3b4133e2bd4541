/* SPDX-License-Identifier: Apache-2.0
 *
 * Composition. A composition without a single form is kept as a flat list of parts, so that nothing here recurses and a long
 * chain costs its length. A part pushed at the end melts into the one before it where it can, and the result into the one
 * before that: no two neighbours of a sequence have a single form.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "base/status.h"
#include "perm/kind.h"

static riffle_status reserve(sequence_builder *builder) {
    if (builder->count < builder->capacity) return RIFFLE_OK;
    size_t capacity = builder->capacity < 4 ? 4 : 2 * builder->capacity;
    riffle_perm **parts = realloc(builder->parts, capacity * sizeof *parts);
    if (parts == NULL) return fail_memory("a sequence of permutations", capacity * sizeof *parts);
    builder->parts = parts;
    builder->capacity = capacity;
    return RIFFLE_OK;
}

/* Pushes what is no sequence, taking over the handle. */
static riffle_status push_part(sequence_builder *builder, riffle_perm *part) {
    while (builder->count > 0) {
        riffle_perm *last = builder->parts[builder->count - 1], *melted;
        riffle_status status = perm_melt(last, part, &melted);
        if (status == RIFFLE_OK && melted == NULL) break;
        riffle_perm_free(part);
        if (status != RIFFLE_OK) return status;
        riffle_perm_free(last);
        builder->count--;
        part = melted;
    }
    riffle_status status = reserve(builder);
    if (status == RIFFLE_OK) {
        builder->parts[builder->count++] = part;
    } else {
        riffle_perm_free(part);
    }
    return status;
}

riffle_status sequence_push(sequence_builder *builder, const riffle_perm *part) {
    if (perm_output(part)->rank > 0 || !perm_is_identity(part)) builder->output = *perm_output(part);
    if (part->kind != PERM_SEQUENCE) return push_part(builder, riffle_perm_retain(part));
    riffle_status status = RIFFLE_OK;
    for (size_t k = 0; k < part->sequence.count && status == RIFFLE_OK; k++)
        status = push_part(builder, riffle_perm_retain(part->sequence.parts[k]));
    return status;
}

void sequence_abandon(sequence_builder *builder) {
    for (size_t k = 0; k < builder->count; k++) riffle_perm_free(builder->parts[k]);
    free(builder->parts);
    *builder = (sequence_builder){.n = builder->n};
}

riffle_status sequence_finish(sequence_builder *builder, riffle_perm **out) {
    riffle_status status = RIFFLE_OK;
    if (builder->count == 0) {
        status = rotation_create(builder->n, false, 0, out);
    } else if (builder->count == 1) {
        *out = riffle_perm_retain(builder->parts[0]);
    } else {
        riffle_perm *perm;
        status = perm_create(PERM_SEQUENCE, builder->n, &perm);
        if (status == RIFFLE_OK) {
            perm->sequence = (perm_sequence){builder->count, builder->parts};
            *builder =
                (sequence_builder){.n = builder->n, .output = builder->output}; /* the parts have moved */
            *out = perm;
        }
    }
    const perm_shape last = builder->output;
    sequence_abandon(builder);
    /* A value that others hold as well stays as it is. */
    if (status == RIFFLE_OK && (*out)->kind != PERM_AXES && atomic_load(&(*out)->references) == 1) {
        (*out)->output = last;
    }
    return status;
}

riffle_status riffle_perm_compose(const riffle_perm *first, const riffle_perm *then, riffle_perm **out) {
    RETURN_IF_NULL(first, then, out);
    if (first->n != then->n) {
        return fail(RIFFLE_ERROR_LENGTH,
                    "compose: the first permutation has n = %" PRIu64 ", the second n = %" PRIu64, first->n,
                    then->n);
    }
    sequence_builder builder = {.n = first->n};
    riffle_status status = sequence_push(&builder, first);
    if (status == RIFFLE_OK) status = sequence_push(&builder, then);
    if (status == RIFFLE_OK) return sequence_finish(&builder, out);
    sequence_abandon(&builder);
    return status;
}

/* ------------------------------------------------------------- operations */

static void sequence_apply(const riffle_perm *perm, size_t count, uint64_t *values) {
    for (size_t k = 0; k < perm->sequence.count; k++) perm_apply(perm->sequence.parts[k], count, values);
}

/* In blocks, so that the values stay in the L1 cache from part to part. */
static void sequence_map(const riffle_perm *perm, uint64_t first, size_t count, uint64_t *out) {
    for (size_t done = 0; done < count; done += PERM_BLOCK) {
        size_t block = count - done < PERM_BLOCK ? count - done : PERM_BLOCK;
        perm_map(perm->sequence.parts[0], first + done, block, out + done);
        for (size_t k = 1; k < perm->sequence.count; k++)
            perm_apply(perm->sequence.parts[k], block, out + done);
    }
}

static riffle_status sequence_invert(const riffle_perm *perm, riffle_perm **out) {
    sequence_builder builder = {.n = perm->n};
    riffle_status status = RIFFLE_OK;
    for (size_t k = perm->sequence.count; k-- > 0 && status == RIFFLE_OK;) {
        riffle_perm *inverse;
        status = riffle_perm_invert(perm->sequence.parts[k], &inverse);
        if (status == RIFFLE_OK) status = push_part(&builder, inverse);
    }
    if (status == RIFFLE_OK) return sequence_finish(&builder, out);
    sequence_abandon(&builder);
    return status;
}

static void sequence_destroy(riffle_perm *perm) {
    for (size_t k = 0; k < perm->sequence.count; k++) riffle_perm_free(perm->sequence.parts[k]);
    free(perm->sequence.parts);
}

const perm_operations sequence_operations = {
    .apply = sequence_apply,
    .map = sequence_map,
    .invert = sequence_invert,
    .destroy = sequence_destroy,
};
