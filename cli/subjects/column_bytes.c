/* SPDX-License-Identifier: Apache-2.0 */
#include "subjects/column_bytes.h"

#include "frame/message.h"

bool option_column_bytes(const command_option *option, const char *text, void *field) {
    column_bytes *const all = field;
    uint64_t bytes;
    if (all->count == RIFFLE_GROUP_MAX_COLUMNS) {
        complain("option --%s: given more than %u times; a group has at most %u columns besides the first",
                 option->name, RIFFLE_GROUP_MAX_COLUMNS, RIFFLE_GROUP_MAX_COLUMNS);
        return false;
    }
    if (!read_range(option, text, option->least, option->most, &bytes)) return false;
    all->of[all->count++] = (size_t)bytes;
    return true;
}
