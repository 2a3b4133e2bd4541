/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L /* strdup */
#include "group/columns.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "arrays/same_file.h"
#include "frame/exit.h"
#include "frame/message.h"
#include "frame/readers.h"

/* Two names with a colon between, and no other: where there are more nobody can say which one it is. */
static bool split(char *text, further_column *out) {
    char *const colon = strchr(text, ':');
    if (colon == NULL || colon == text || colon[1] == '\0' || strchr(colon + 1, ':') != NULL) return false;
    *colon = '\0';
    out->in = text;
    out->out = colon + 1;
    return true;
}

bool columns_read(const command_option *option, const char *text, void *field) {
    further_columns *const all = field;
    if (all->count == COLUMNS_MOST) {
        complain("option --%s: given more than %d times; a group has at most %d columns besides IN.npy",
                 option->name, COLUMNS_MOST, COLUMNS_MOST);
        return false;
    }
    further_column *const one = &all->of[all->count];
    char *const copy = strdup(text);
    if (copy == NULL) {
        complain("--%s: no memory for %zu letters of names; free some", option->name, strlen(text));
        return false;
    }
    if (!split(copy, one)) {
        free(copy);
        complain("--%s '%s': is not two file names with one colon between; write them as in --%s FROM.npy:TO.npy",
                 option->name, text, option->name);
        return false;
    }
    all->count++;
    return check_file_name("--column", one->in) && check_file_name("--column", one->out);
}

static int open_column(further_column *one, transfer *file) {
    const uint64_t n = file->part.header.shape[0];
    const riffle_status status = riffle_npy_input_open(one->in, &one->input);
    if (status != RIFFLE_OK) return transfer_result(file, one->in, status);
    one->part = array_whole(riffle_npy_input_header(one->input), riffle_npy_input_length(one->input));
    if (one->part.header.rank == 0)
        return transfer_refuse(file, "%s: a 0-dimensional array has no rows to group", one->in);
    if (one->part.header.shape[0] != n)
        return transfer_refuse(
            file, "%s: has %" PRIu64 " row%s, and %s %" PRIu64 "; columns have one row for each row of it",
            one->in, one->part.header.shape[0], plural_of(one->part.header.shape[0]), file->in, n);
    one->units = array_units_of(&one->part, true);
    return transfer_spare(file, one->in);
}

int columns_open(further_columns *all, transfer *file) {
    int exit_status = EXIT_DONE;
    for (unsigned k = 0; k < all->count && exit_status == EXIT_DONE; k++)
        exit_status = open_column(&all->of[k], file);
    return exit_status;
}

bool columns_have(const further_columns *all, const char *path) {
    unsigned k = 0;
    while (k < all->count && !is_same_file(path, all->of[k].in)) k++;
    return k < all->count;
}

riffle_npy_header columns_header(const further_column *one, uint64_t rows) {
    riffle_npy_header header = one->part.header;
    header.shape[0] = rows;
    return header;
}

int columns_check(const further_columns *all, transfer *file) {
    int exit_status = EXIT_DONE;
    for (unsigned k = 0; k < all->count && exit_status == EXIT_DONE; k++)
        exit_status = transfer_result(file, all->of[k].in, riffle_npy_input_check(all->of[k].input));
    return exit_status;
}

void columns_end(further_columns *all) {
    for (unsigned k = 0; k < all->count; k++) {
        further_column *const one = &all->of[k];
        riffle_buffer_free(one->c_order, array_bytes(&one->part));
        riffle_npy_input_close(one->input);
        free(one->in);
    }
}
