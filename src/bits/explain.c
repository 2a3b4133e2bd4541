/* SPDX-License-Identifier: Apache-2.0
 *
 * Plans of packed elements in words.
 */
#include "base/names.h"
#include "base/status.h"
#include "bits/plan.h"

static const char *const ways[] = {
    [BITS_NOTHING] = "nothing", [BITS_BYTES] = "bytes",   [BITS_AXES] = "axes",
    [BITS_SHIFT] = "shift",     [BITS_AFFINE] = "affine", [BITS_GATHER] = "gather"};

const char *bits_way_string(bits_way way) { return ways[way]; }

void bits_print_lines(const riffle_bits_plan *plan, FILE *stream) {
    const bits_affine *const a = plan->affine;
    fprintf(stream,
            "way: affine, one pass: tiles of %u lines of 64 bytes on both sides, %u bits of a byte's index "
            "change places with bits below the byte\n",
            1U << a->line_bits, a->mix.count);
    fprintf(stream, "in a tile: %sbits by %s loops%s; bytes by %s loops\n", a->has_first ? "bytes, " : "",
            vectors_name(vectors_for(LOOPS_BITS)), a->has_last ? ", bytes" : "",
            vectors_name(vectors_for(LOOPS_AFFINE)));
}

void bits_print_rows(const riffle_bits_plan *plan, FILE *stream) {
    const unsigned each = bits_of_byte(&plan->packed);
    fprintf(stream,
            "way: axes, two passes: bytes, and then squares of %u x %u elements in rows of %zu bytes, by %s "
            "loops\n",
            each, each, plan->rows.bytes, vectors_name(vectors_for(LOOPS_BITS)));
}

riffle_status riffle_bits_plan_explain(const riffle_bits_plan *plan, FILE *stream) {
    RETURN_IF_NULL(plan, stream);
    fprintf(stream, "permutation: %s of %llu element%s of %u bit%s, %s order; %llu array%s of %zu byte%s\n",
            plan->spec, (unsigned long long)plan->packed.n, plural(plan->packed.n), plan->packed.elem_bits,
            plural(plan->packed.elem_bits), plan->packed.is_big ? "big" : "little",
            (unsigned long long)plan->packed.batch, plural(plan->packed.batch), plan->packed.array_bytes,
            plural(plan->packed.array_bytes));
    switch (plan->way) {
    case BITS_NOTHING: fputs("way: nothing to move\n", stream); break;
    case BITS_BYTES: fputs("way: whole bytes\n", stream); break;
    case BITS_AXES: plan->ops->print_axes(plan, stream); break;
    case BITS_SHIFT:
        fprintf(stream, "way: shift, one pass: %s of src side by side\n",
                plan->shift.is_reversed ? "runs, backwards," : "runs");
        break;
    case BITS_AFFINE: plan->ops->print_affine(plan, stream); break;
    case BITS_GATHER: fputs("way: element by element, as the inverse says\n", stream); break;
    }
    if (plan->bytes == NULL && plan->engine == RIFFLE_ENGINE_CPU)
        fprintf(stream, "threads: %u\n", plan->base.threads);
    if (ferror(stream)) return fail(RIFFLE_ERROR_IO, "the stream of an explanation could not be written");
    return plan->bytes != NULL ? riffle_plan_explain(plan->bytes, stream) : RIFFLE_OK;
}
