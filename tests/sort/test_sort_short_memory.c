/* SPDX-License-Identifier: Apache-2.0
 *
 * Sorts of numbers where memory is short: the vector sort's library is loaded, or done without, and the process lives on. Each
 * load is that of a child, which has so much of a heap, and so much address space besides.
 */
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sort/cpu/words/words.h"
#include "support.h"

enum { COUNT = 2000, KIB = 1024 };

static size_t address_space(void) {
    size_t pages = 0;
    FILE *const file = fopen("/proc/self/statm", "r");
    if (file == NULL || fscanf(file, "%zu", &pages) != 1) _exit(2);
    fclose(file);
    return pages * (size_t)sysconf(_SC_PAGESIZE);
}

static void limit_to(size_t bytes) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_AS, &limit) != 0) _exit(2);
    limit.rlim_cur = bytes;
    if (setrlimit(RLIMIT_AS, &limit) != 0) _exit(2);
}

/* All that malloc has is taken, but for one block of `heap` bytes. */
static void leave(size_t heap) {
    limit_to(address_space());
    void *const block = malloc(heap);
    for (size_t bytes = 64 * KIB; bytes >= 16; bytes /= 2)
        while (malloc(bytes) != NULL) continue;
    free(block);
}

/* In a child, which ends by it: 0 if the numbers were sorted. */
static _Noreturn void sort_with(size_t heap, size_t space) {
    static uint32_t numbers[COUNT], room[COUNT];
    for (uint32_t i = 0; i < COUNT; i++) numbers[i] = i * UINT32_C(2654435761);
    leave(heap);
    limit_to(address_space() + space);
    sort_words_u32.sort(numbers, room, COUNT);
    int is_wrong = 0;
    for (uint32_t i = 1; i < COUNT; i++) is_wrong |= numbers[i - 1] > numbers[i];
    _exit(is_wrong);
}

static void test_load(void **state) {
    (void)state;
    if (is_sanitized()) skip(); /* whose shadow is address space */
    for (size_t heap = 10 * KIB; heap <= 26 * KIB; heap += KIB / 2)
        for (size_t space = 0; space <= 8192 * KIB; space += 128 * KIB) {
            const pid_t child = fork();
            assert_true(child >= 0);
            if (child == 0) sort_with(heap, space);
            int ended = 0;
            assert_true(waitpid(child, &ended, 0) == child);
            if (!WIFEXITED(ended) || WEXITSTATUS(ended) != 0)
                fail_msg("%zu bytes of a heap and %zu KiB besides: ended by %s %d", heap, space / KIB,
                         WIFEXITED(ended) ? "status" : "signal",
                         WIFEXITED(ended) ? WEXITSTATUS(ended) : WTERMSIG(ended));
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_load)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
