/* SPDX-License-Identifier: Apache-2.0 */
#include "machine/lint/ptx/bulk.h"

#include <string.h>

#include "machine/lint/ptx/operand.h"
#include "machine/lint/ptx/words.h"
#include "machine/lint/source/text.h"

enum { MOST_DIMENSIONS = 5 };

/* What a name says beside where from and where to. */
typedef struct bulk_name {
    unsigned dimensions; /* of a tensor; 0: bytes */
    bool multicast, hint, from_shared;
} bulk_name;

static bool read_tensor(ptx_words *name, bulk_name *out) {
    char dimension[] = "1d";
    if (!ptx_take(name, "tensor")) return true;
    for (unsigned d = 1; d <= MOST_DIMENSIONS; d++) {
        dimension[0] = (char)('0' + d);
        if (ptx_take(name, dimension)) out->dimensions = d;
    }
    ptx_take(name, "tile");
    return out->dimensions > 0;
}

/* ", x, y" of a tensor's operand "[map, {x, y}]", behind its map, which is written. */
static bool write_box(char *operand, unsigned dimensions, char **at, FILE *out) {
    char *part[2];
    unsigned parts, count;
    const size_t length = strlen(operand);
    if (*operand != '[' || operand[length - 1] != ']') return false;
    operand[length - 1] = '\0';
    if (!ptx_cut(operand + 1, part, 2, &parts) || parts != 2) return false;
    if (!ptx_parts_of(part[1], at, &count) || count != dimensions) return false;
    fputs("(const void *)", out);
    return ptx_write_as("unsigned long long", part[0], out);
}

static bool write_coordinates(char **at, unsigned dimensions, FILE *out) {
    bool written = true;
    for (unsigned d = 0; d < dimensions; d++) {
        fputs(", ", out);
        written = ptx_write_as("int", at[d], out) && written;
    }
    return written;
}

/* [to], [from] or [map, {...}], bytes, [mbarrier], ranks, hint */
static bool write_load(const bulk_name *name, char **operand, unsigned operands, FILE *out) {
    char *at[PTX_MOST_PARTS];
    const unsigned barrier = name->dimensions > 0 ? 2 : 3, ranks = barrier + 1;
    if (operands != ranks + name->multicast + name->hint) return false;
    fprintf(out, "::riffle_ptx::%s(", name->dimensions > 0 ? "tensor_load" : "bulk_load");
    bool written = ptx_write_address(operand[0], true, out);
    fputs(", ", out);
    if (name->dimensions > 0) {
        written = write_box(operand[1], name->dimensions, at, out) && written;
    } else {
        written = ptx_write_address(operand[1], name->from_shared, out) && written;
        fputs(", ", out);
        written = ptx_write_as("unsigned", operand[2], out) && written;
    }
    fputs(", ", out);
    written = ptx_write_address(operand[barrier], true, out) && written;
    fputs(", ", out);
    written = (name->multicast ? ptx_write_as("unsigned short", operand[ranks], out) : fputs("0", out) >= 0) &&
              written;
    written = write_coordinates(at, name->dimensions, out) && written;
    fputs("); ", out);
    return written;
}

/* [to] or [map, {...}], [from], bytes, hint */
static bool write_store(const bulk_name *name, char **operand, unsigned operands, FILE *out) {
    char *at[PTX_MOST_PARTS];
    const bool is_tensor = name->dimensions > 0;
    if (operands != (is_tensor ? 2u : 3u) + name->hint) return false;
    fprintf(out, "::riffle_ptx::%s(", is_tensor ? "tensor_store" : "bulk_store");
    bool written = is_tensor ? write_box(operand[0], name->dimensions, at, out)
                             : ptx_write_address(operand[0], false, out);
    fputs(", ", out);
    written = ptx_write_address(operand[1], true, out) && written;
    if (is_tensor) {
        written = write_coordinates(at, name->dimensions, out) && written;
    } else {
        fputs(", ", out);
        written = ptx_write_as("unsigned", operand[2], out) && written;
    }
    fputs("); ", out);
    return written;
}

/* cp.async.bulk.wait_group.read 0; and what begins a group. */
static bool write_group(ptx_words *name, char **operand, unsigned operands, FILE *out) {
    if (ptx_take(name, "commit_group"))
        return operands == 0 && fputs("::riffle_lint_bulk_commit(); ", out) >= 0;
    ptx_take(name, "read");
    fputs("::riffle_lint_bulk_wait(", out);
    const bool written = operands == 1 && ptx_write_as("unsigned", operand[0], out);
    fputs("); ", out);
    return written;
}

bool ptx_is_bulk(const char *name) { return begins_with(name, "cp.async.bulk."); }

bool ptx_write_bulk(char *name, char **operand, unsigned operands, FILE *out) {
    ptx_words all;
    bulk_name read = {0};
    if (!ptx_cut_name(name, &all) || !ptx_take(&all, "cp") || !ptx_take(&all, "async") ||
        !ptx_take(&all, "bulk"))
        return false;
    if (ptx_take(&all, "prefetch")) return true;
    for (unsigned k = 0; k < all.count; k++)
        if (strcmp(all.word[k], "commit_group") == 0 || strcmp(all.word[k], "wait_group") == 0)
            return write_group(&all, operand, operands, out);
    if (!read_tensor(&all, &read)) return false;
    read.multicast = ptx_take(&all, "multicast::cluster");
    read.hint = ptx_take(&all, "L2::cache_hint");
    const bool completes = ptx_take(&all, "mbarrier::complete_tx::bytes"),
               groups = ptx_take(&all, "bulk_group");
    if (all.count != 2 || completes == groups) return false;
    const bool to_shared = begins_with(all.word[0], "shared::");
    read.from_shared = strcmp(all.word[1], "shared::cta") == 0;
    if (completes && to_shared && (read.from_shared || strcmp(all.word[1], "global") == 0))
        return write_load(&read, operand, operands, out);
    return groups && read.from_shared && strcmp(all.word[0], "global") == 0 &&
           write_store(&read, operand, operands, out);
}
