/* SPDX-License-Identifier: Apache-2.0 */
#include "sort/key_pieces.h"

static void add(key_pieces *key, uint32_t offset, unsigned kind, unsigned bytes, unsigned descending) {
    key->piece[key->count++] =
        (key_piece){offset, (uint8_t)kind, (uint8_t)bytes, (uint8_t)descending, (uint8_t)key->bytes};
    key->bytes += bytes;
}

key_pieces key_pieces_of(const sort_layout *layout) {
    key_pieces key = {0};
    for (unsigned k = 0; k < layout->fields; k++) {
        const sort_field *const field = &layout->field[k];
        if (field->kind == RIFFLE_SORT_KEY_BYTES) {
            for (uint32_t at = 0; at < field->bytes; at += 8)
                add(&key, field->offset + at, field->kind, field->bytes - at < 8 ? field->bytes - at : 8,
                    field->descending);
        } else if (field->bytes == 16) {
            add(&key, field->offset + 8, field->kind, 8, field->descending);
            add(&key, field->offset, RIFFLE_SORT_KEY_UNSIGNED, 8, field->descending);
        } else {
            add(&key, field->offset, field->kind, field->bytes, field->descending);
        }
    }
    return key;
}
