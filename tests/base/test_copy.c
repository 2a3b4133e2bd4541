/* SPDX-License-Identifier: Apache-2.0
 *
 * Runs copied in pieces and whole, to places close behind those of src within a page and elsewhere.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>

#include "base/simd/copy.h"

enum { POISON = 0xa5, GUARD = 64, PAGE = COPY_PAGE_BYTES };

static void check_run(unsigned char *dst, const unsigned char *src, size_t behind, size_t bytes) {
    unsigned char *const to = dst + GUARD + behind;
    memset(dst, POISON, bytes + 2 * GUARD + behind);
    copy_run(to, src + GUARD, bytes);
    const bool right = memcmp(to, src + GUARD, bytes) == 0 && to[-1] == POISON && to[bytes] == POISON;
    if (!right) fail_msg("%zu bytes, %zu behind", bytes, behind);
}

static void runs_of_all_lengths_go_to_all_places(void **state) {
    (void)state;
    const size_t lengths[] = {0,
                              1,
                              COPY_PIECE_BYTES - 1,
                              COPY_PIECE_BYTES,
                              COPY_PIECE_BYTES + 1,
                              2 * COPY_PIECE_BYTES,
                              5 * COPY_PIECE_BYTES + 77,
                              COPY_PIECES_BYTES,
                              COPY_PIECES_BYTES + 1};
    const size_t places[] = {0, 1, 4, 20, COPY_CLOSE_BYTES - 1, COPY_CLOSE_BYTES, PAGE - 1, PAGE, PAGE + 3};
    unsigned char *const dst = aligned_alloc(PAGE, COPY_PIECES_BYTES + 4 * PAGE), *const src = aligned_alloc(
                                                                                      PAGE, COPY_PIECES_BYTES +
                                                                                                4 * PAGE);
    assert_true(dst != NULL && src != NULL);
    for (size_t k = 0; k < COPY_PIECES_BYTES + 4 * PAGE; k++) src[k] = (unsigned char)(k * 2654435761u >> 13);
    for (size_t length = 0; length < sizeof lengths / sizeof *lengths; length++)
        for (size_t place = 0; place < sizeof places / sizeof *places; place++)
            check_run(dst, src, places[place], lengths[length]);
    free(dst);
    free(src);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(runs_of_all_lengths_go_to_all_places)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
