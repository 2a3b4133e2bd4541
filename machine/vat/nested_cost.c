/* SPDX-License-Identifier: Apache-2.0
 *
 * Bounds of double translation (section 2.6.1), which the chapter describes and does not count. Each fault of the guest asks its host
 * once. What the guest's nodes stand for lies in m bytes of the guest's memory, below one node of the host's tree that is u levels
 * up. All walks of the host share the nodes from there to the root, which are inserted once under LRU; so an ask costs u faults at most.
 */
#include <math.h>

#include "base/status.h"
#include "machine/library.h"
#include "machine/vat/costs.h"
#include "machine/vat/guest_memory.h"
#include "machine/vat/vat.h"

/* The guest's memory at most: its pages, and frames of tables, each with a gap before it as large as itself. */
static double memory_most(double bytes, const riffle_vat_options *guest) {
    const double page = (double)guest->page, table = (double)(guest->fanout << VAT_ENTRY_BITS);
    double nodes = ceil(bytes / page), tables = 0;
    const double pages = nodes * page, frame = fmax(page, table);
    for (unsigned layer = 1; layer <= guest->height; layer++) {
        nodes = ceil(nodes / (double)guest->fanout);
        tables += nodes;
    }
    return pages + 2 * frame * ceil(tables * table / frame);
}

static riffle_status check_pages(const riffle_vat_options *guest, const riffle_vat_options *host) {
    if (host->page >= guest->page && host->page >= guest->fanout << VAT_ENTRY_BITS) return RIFFLE_OK;
    return fail(
        RIFFLE_ERROR_UNSUPPORTED,
        "vat: host's pages of %llu bytes hold no page or no table of the guest, and each access asks the host; "
        "there are bounds for larger ones",
        (unsigned long long)host->page);
}

riffle_status vat_program_cost_nested(riffle_vat_program program, uint64_t n, const riffle_vat_options *guest,
                                      const riffle_vat_options *host, double em_cache, double em_block,
                                      riffle_vat_cost *out) {
    RETURN_IF_NULL(out);
    const riffle_vat_options g = vat_with_defaults(guest), h = vat_with_defaults(host);
    riffle_vat_cost cost, of_host;
    riffle_status status = vat_program_cost(program, n, &g, em_cache, em_block, &cost);
    if (status == RIFFLE_OK) status = vat_program_cost(program, n, &h, em_cache, em_block, &of_host);
    if (status == RIFFLE_OK) status = check_pages(&g, &h);
    if (status != RIFFLE_OK) return status;
    const double bytes = 8 * (double)vat_program_elements(program, n), path = h.height + 1;
    const double walk = vat_used_height(memory_most(bytes, &g), &h);
    if (cost.vat_most > 0) cost.vat_most += cost.vat_most * walk + path - walk;
    if (cost.vat_least > 0) cost.vat_least += path;
    *out = cost;
    return RIFFLE_OK;
}
