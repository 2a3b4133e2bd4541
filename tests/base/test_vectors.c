/* SPDX-License-Identifier: Apache-2.0
 *
 * Which vector instructions run: what each recorded processor has, what a limit and RIFFLE_PROCESSOR take away, and what
 * riffle_cpu_describe says of it.
 */
#include "base/processor/vectors.h"
#include "support.h"

#include <sys/wait.h>
#include <unistd.h>

static const struct expected {
    const char *name;
    vector_set set;
} EXPECTED[] = {
    {"core-2", VECTORS_SSSE3},
    {"nehalem", VECTORS_SSSE3},
    {"haswell", VECTORS_AVX2},
    {"skylake", VECTORS_AVX512},
    {"cascade-lake", VECTORS_AVX512},
    {"ice-lake", VECTORS_AVX512_VBMI},
    {"alder-lake", VECTORS_AVX2},
    {"sapphire-rapids", VECTORS_AVX512_FP16},
    {"zen2", VECTORS_AVX2},
    {"zen3", VECTORS_AVX2},
    {"zen4", VECTORS_AVX512_VBMI},
    {"zen5", VECTORS_AVX512_VBMI},
    {"zen5-guest", VECTORS_AVX512_VBMI},
    {"hygon", VECTORS_AVX2},
    {"centaur", VECTORS_AVX2},
    {"none", VECTORS_PORTABLE},
};

static const processor *recorded(const char *name) {
    const processor *p;
    for (size_t k = 0; (p = processor_recorded_at(k)) != NULL && strcmp(p->name, name) != 0; k++) {
    }
    assert_non_null(p);
    return p;
}

static void recorded_processors_have_their_sets(void **state) {
    (void)state;
    for (size_t k = 0; k < sizeof EXPECTED / sizeof *EXPECTED; k++) {
        const vector_set is = vectors_told_by(recorded(EXPECTED[k].name));
        if (is != EXPECTED[k].set) fail_msg("%s has %s", EXPECTED[k].name, vectors_name(is));
    }
}

static void a_limit_takes_away_what_is_behind_it(void **state) {
    (void)state;
    for (vector_set most = VECTORS_PORTABLE; most < VECTOR_SETS; most++) {
        const bool is_here = vectors_has(most);
        vectors_limit(most);
        for (vector_set set = VECTORS_PORTABLE; set < VECTOR_SETS; set++)
            if (set > most) assert_false(vectors_has(set));
        assert_int_equal(vectors_has(most), is_here);
        for (vector_loops k = LOOPS_PLAIN; k < VECTOR_LOOPS; k++) {
            const vector_set runs = vectors_for(k);
            assert_true(runs <= most && vectors_has(runs) && vectors_are_written(k, runs));
            for (vector_set better = runs + 1; better < VECTOR_SETS; better++)
                assert_false(vectors_has(better) && vectors_are_written(k, better));
        }
        vectors_limit(VECTOR_SETS);
    }
}

static void the_description_names_what_runs(void **state) {
    (void)state;
    riffle_cpu cpu;
    vectors_limit(VECTORS_PORTABLE);
    assert_int_equal(riffle_cpu_describe(&cpu), RIFFLE_OK);
    assert_string_equal(cpu.loops,
                        "affine portable, reversals portable, axes portable, programs portable, halves portable, "
                        "hulls portable, random portable, matrices portable, bits portable, checks portable, groups portable, "
                        "tables portable");
    vectors_limit(VECTOR_SETS);
    assert_int_equal(riffle_cpu_describe(&cpu), RIFFLE_OK);
    char expected[64];
    snprintf(expected, sizeof expected, "affine %s, ", vectors_name(vectors_for(LOOPS_AFFINE)));
    assert_ptr_equal(strstr(cpu.loops, expected), cpu.loops);
}

/* In a process of its own, which reads the environment anew: the exit status is 0 if it sees at most `set`. */
static void check_pretended(const char *program, const char *name, vector_set set) {
    char number[16];
    snprintf(number, sizeof number, "%d", (int)set);
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        setenv("RIFFLE_PROCESSOR", name, 1);
        execl(program, program, number, (char *)NULL);
        _exit(127);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) fail_msg("%s: status %d", name, status);
}

static const char *this_program;

static void a_pretended_processor_takes_its_loops_away(void **state) {
    (void)state;
    for (size_t k = 0; k < sizeof EXPECTED / sizeof *EXPECTED; k++)
        check_pretended(this_program, EXPECTED[k].name, EXPECTED[k].set);
}

static int sees_at_most(vector_set most) {
    for (vector_set set = most + 1; set < VECTOR_SETS; set++)
        if (vectors_has(set)) return 1;
    for (vector_loops k = LOOPS_PLAIN; k < VECTOR_LOOPS; k++)
        if (vectors_for(k) > most) return 2;
    return 0;
}

int main(int argc, char **argv) {
    if (argc > 1) return sees_at_most((vector_set)atoi(argv[1]));
    this_program = argv[0];
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(recorded_processors_have_their_sets),
        cmocka_unit_test(a_limit_takes_away_what_is_behind_it),
        cmocka_unit_test(the_description_names_what_runs),
        cmocka_unit_test(a_pretended_processor_takes_its_loops_away),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
