/* SPDX-License-Identifier: Apache-2.0
 *
 * NumPy's dtype descriptions, the literals that dtype.descr and dtype.str give: '<f4', '|S10', '<M8[ns]', or
 * for structures a list of fields, [('x', '<i8'), (('title', 'y'), '<f4', (2, 3)), ('', '|V4')].
 */
#ifndef RIFFLE_NPY_DESCR_H
#define RIFFLE_NPY_DESCR_H

#include "npy/literal.h"

/** Reads one description and gives the bytes of an element, at least 1. Python objects, elements of no
 *  bytes, sizes beyond 2^63 and structures nested more than 32 deep are errors. */
riffle_status descr_read(literal *in, size_t *elem_bytes);

/** The kind of structures and sub-arrays. */
#define DESCR_PARTS 'P'

/** A type: one of NumPy's kinds ("biufcmMSaUV"), or DESCR_PARTS. */
typedef struct descr_type {
    size_t bytes;
    char kind, order; /**< order: '<', '>', '|' or '=' */
} descr_type;

/** A field that begins at byte `offset`; padding has a name of no characters. */
typedef void descr_field(void *context, literal_span name, size_t offset, const descr_type *type);

/** Reads one description and tells of the fields of its structure, or, where it is none, of one field without a name. */
riffle_status descr_each_field(literal *in, descr_field *field, void *context);

#endif
