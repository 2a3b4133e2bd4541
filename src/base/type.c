/* SPDX-License-Identifier: Apache-2.0 */
#include "riffle/type.h"

#include "base/names.h"

enum { TYPES = RIFFLE_TYPE_C128 + 1 };

static const char *const names[TYPES] = {"i8",  "i16", "i32", "i64", "u8",  "u16", "u32",
                                         "u64", "f16", "f32", "f64", "c64", "c128"};
static const unsigned char bytes[TYPES] = {1, 2, 4, 8, 1, 2, 4, 8, 2, 4, 8, 8, 16};
static const name_table table = {"type", names, TYPES};

size_t riffle_type_bytes(riffle_type type) { return (unsigned)type < TYPES ? bytes[type] : 0; }

const char *riffle_type_string(riffle_type type) { return name_of(&table, type); }
riffle_status riffle_type_parse(const char *name, riffle_type *out) {
    return name_parse(&table, name, (unsigned *)out);
}
size_t riffle_type_list(riffle_type *out, size_t capacity) {
    return name_list(&table, (unsigned *)out, capacity);
}
