/* SPDX-License-Identifier: Apache-2.0
 *
 * Loops over elements are written once, for any size, and compiled once for each common size: the loop is an
 * always-inline function whose last argument is the element's size, called through this switch.
 */
#ifndef RIFFLE_BASE_ELEMENT_SIZE_H
#define RIFFLE_BASE_ELEMENT_SIZE_H

/** function(arguments..., elem_bytes) with a constant size where it is a common one. */
#define CALL_FOR_ELEMENT_SIZE(elem_bytes, function, ...)                                                       \
    switch (elem_bytes) {                                                                                      \
    case 1: function(__VA_ARGS__, 1); break;                                                                   \
    case 2: function(__VA_ARGS__, 2); break;                                                                   \
    case 4: function(__VA_ARGS__, 4); break;                                                                   \
    case 8: function(__VA_ARGS__, 8); break;                                                                   \
    case 12: function(__VA_ARGS__, 12); break;                                                                 \
    case 16: function(__VA_ARGS__, 16); break;                                                                 \
    default: function(__VA_ARGS__, elem_bytes); break;                                                         \
    }

#define ALWAYS_INLINE __attribute__((always_inline)) static inline

#endif
