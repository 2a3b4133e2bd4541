/* SPDX-License-Identifier: Apache-2.0
 *
 * Tables in .npy files: one dimension, integers of 1, 2, 4 or 8 bytes, either sign, either byte order.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "perm/kind.h"
#include "riffle/npy.h"

/* Reads a dtype such as "'<i8'" (a Python literal) into `source`; false if it is no integer of up to 8 bytes.
 */
static bool parse_dtype(const char *descr, table_source *source) {
    if (*descr != '\'' && *descr != '"') return false;
    char order = descr[1], kind = order != '\0' ? descr[2] : '\0', size = kind != '\0' ? descr[3] : '\0';
    bool ends = size != '\0' && descr[4] == descr[0] && descr[5] == '\0';
    if (!ends || strchr("<>=|", order) == NULL || strchr("iu", kind) == NULL) return false;
    if (strchr("1248", size) == NULL) return false;
    bool machine_is_big = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;
    source->bytes = (size_t)(size - '0');
    source->is_signed = kind == 'i';
    source->swapped = order == (machine_is_big ? '<' : '>');
    return true;
}

static riffle_status create_from_input(uint64_t n, const char *name, const riffle_npy_input *input,
                                       riffle_perm **out) {
    const riffle_npy_header *header = riffle_npy_input_header(input);
    table_source source = {.name = name, .data = riffle_npy_input_data(input)};
    if (!parse_dtype(header->descr, &source)) {
        return fail(RIFFLE_ERROR_FORMAT, "%s has dtype %s; a table is of integers of 1, 2, 4 or 8 bytes", name,
                    header->descr);
    }
    if (header->rank != 1)
        return fail(RIFFLE_ERROR_FORMAT, "%s has %u dimensions; a table has one", name, header->rank);
    uint64_t length = riffle_npy_input_length(input);
    if (length != n) {
        return fail(RIFFLE_ERROR_LENGTH, "%s holds %" PRIu64 " entries but the array has %" PRIu64 " elements",
                    name, length, n);
    }
    return table_create(n, &source, out);
}

riffle_status table_create_from_file(uint64_t n, const char *path, riffle_perm **out) {
    size_t bytes = strlen(path) + sizeof "table ";
    char *name = malloc(bytes), *copy = malloc(bytes);
    riffle_npy_input *input = NULL;
    riffle_perm *perm = NULL;
    riffle_status status = RIFFLE_OK;
    if (name == NULL || copy == NULL) status = fail_memory("the name of a table's file", bytes);
    if (status == RIFFLE_OK) status = riffle_npy_input_open(path, &input);
    if (status == RIFFLE_OK) {
        snprintf(name, bytes, "table %s", path);
        const riffle_status created = create_from_input(n, name, input, &perm);
        status = riffle_npy_input_check(input); /* else zeros that were read would be blamed */
        if (status == RIFFLE_OK) status = created;
    }
    if (status == RIFFLE_OK) {
        strcpy(copy, path);
        perm->table.path = copy;
        copy = NULL;
        *out = perm;
    } else {
        riffle_perm_free(perm);
    }
    riffle_npy_input_close(input);
    free(name);
    free(copy);
    return status;
}
