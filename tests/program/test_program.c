/* SPDX-License-Identifier: Apache-2.0
 *
 * Programs as values and as text: what they mean, by the paper's figures and by plain definitions, and what is
 * refused.
 */
#include "program/term.h"
#include "program_support.h"

static uint64_t seed;

static void run(const char *text, const char *definitions, unsigned n, riffle_type type, void *data) {
    riffle_program *program = program_or_fail(text, definitions, n);
    if (riffle_program_evaluate(program, type, data) != RIFFLE_OK)
        fail_msg("%s: %s", text, riffle_error_detail());
    assert_int_equal(riffle_program_bits(program), n);
    riffle_program_free(program);
}

/* ------------------------------------------------------- the paper's figures */

/* Figure 3: an array of 8 with different masks. The second sub-array is where the parity is odd: negated here. */
static void figure_3(void **state) {
    (void)state;
    static const unsigned masks[] = {1, 2, 4, 3, 6, 7};
    for (size_t k = 0; k < sizeof masks / sizeof *masks; k++) {
        int32_t data[8] = {1, 2, 3, 4, 5, 6, 7, 8};
        char text[64];
        snprintf(text, sizeof text, "parm %u id (map negate)", masks[k]);
        run(text, NULL, 3, RIFFLE_TYPE_I32, data);
        for (int i = 0; i < 8; i++) {
            const bool second = __builtin_parity((unsigned)i & masks[k]) != 0;
            assert_int_equal(data[i], second ? -(i + 1) : i + 1);
        }
    }
}

/* Figure 14: sub-arrays and sub-indices of an array of 8 by the mask 6. */
static void figure_14(void **state) {
    (void)state;
    static const unsigned sub_array[8] = {0, 0, 1, 1, 1, 1, 0, 0}, sub_index[8] = {0, 1, 0, 1, 2, 3, 2, 3};
    assert_int_equal(parm_pivot(6), 1);
    for (unsigned x = 0; x < 8; x++) {
        assert_int_equal(parm_sub_index(x, 1), sub_index[x]);
        assert_int_equal(parm_index(6, sub_index[x], sub_array[x]), x);
    }
    /* Its matrix: rows 100, 001, 011 with y0 first, as rows over x: y0 = x0, y1 = x2, y2 = x1 + x2. */
    const uint64_t rows[3] = {1, 4, 6};
    riffle_perm *matrix;
    assert_int_equal(riffle_perm_affine(3, rows, 0, &matrix), RIFFLE_OK);
    for (unsigned x = 0; x < 8; x++)
        assert_int_equal(riffle_perm_at(matrix, x), sub_index[x] | sub_array[x] << 2);
    riffle_perm_free(matrix);
}

/* Figure 13: a balanced periodic merger of 16 inputs: four columns, of which column c compares i with i ^ (16 >> c) - 1. */
static void figure_13(void **state) {
    (void)state;
    rng r = {seed};
    for (unsigned round = 0; round < 100; round++) {
        uint8_t data[16], expected[16];
        fill_random(&r, data, sizeof data);
        memcpy(expected, data, sizeof data);
        for (unsigned c = 0; c < 4; c++) {
            for (unsigned i = 0; i < 16; i++) {
                const unsigned j = i ^ ((16U >> c) - 1);
                if (j < i || expected[i] <= expected[j]) continue;
                const uint8_t held = expected[i];
                expected[i] = expected[j];
                expected[j] = held;
            }
        }
        run("merge n", NULL, 4, RIFFLE_TYPE_U8, data);
        assert_memory_equal(data, expected, sizeof data);
    }
}

/* ------------------------------------------------------------- the library */

static void networks_sort_all_zero_one_inputs(void **state) {
    (void)state;
    static const char *const networks[] = {"sort n", "bitonic n"};
    for (unsigned k = 0; k < 2; k++) {
        riffle_program *program = program_or_fail(networks[k], NULL, 4);
        for (unsigned input = 0; input < 1U << 16; input++) {
            uint8_t data[16];
            for (unsigned i = 0; i < 16; i++) data[i] = (uint8_t)(input >> i & 1);
            assert_int_equal(riffle_program_evaluate(program, RIFFLE_TYPE_U8, data), RIFFLE_OK);
            for (unsigned i = 1; i < 16; i++)
                if (data[i] < data[i - 1]) fail_msg("%s does not sort %04x", networks[k], input);
        }
        assert_int_equal(riffle_program_evaluate(program, (riffle_type)99, (uint8_t[16]){0}),
                         RIFFLE_ERROR_INVALID_ARGUMENT);
        riffle_program_free(program);
    }
}

static void butterflies_are_their_matrices(void **state) {
    (void)state;
    rng r = {seed};
    enum { N = 7, LENGTH = 1 << N };
    int64_t before[LENGTH], data[LENGTH];
    static const char *const names[] = {"hadamard n", "sequency n",    "zeta n",
                                        "moebius n",  "reed-muller n", "zeta n | moebius n"};
    for (unsigned k = 0; k < sizeof names / sizeof *names; k++) {
        for (unsigned i = 0; i < LENGTH; i++) before[i] = data[i] = (int64_t)rng_below(&r, 1000) - 500;
        run(names[k], NULL, N, RIFFLE_TYPE_I64, data);
        for (unsigned y = 0; y < LENGTH; y++) {
            int64_t sum = 0;
            const unsigned gray = y ^ y >> 1;
            unsigned row = 0;
            for (unsigned b = 0; b < N; b++) row |= (gray >> b & 1) << (N - 1 - b);
            for (unsigned x = 0; x < LENGTH; x++) {
                const bool inside = (x & ~y) == 0;
                switch (k) {
                case 0: sum += __builtin_parity(x & y) ? -before[x] : before[x]; break;
                case 1: sum += __builtin_parity(x & row) ? -before[x] : before[x]; break;
                case 2: sum += inside ? before[x] : 0; break;
                case 3: sum += inside ? (__builtin_parity(x ^ y) ? -before[x] : before[x]) : 0; break;
                case 4: sum ^= inside ? before[x] : 0; break;
                default: sum += x == y ? before[x] : 0;
                }
            }
            if (sum != data[y]) fail_msg("%s, row %u, seed %llu", names[k], y, (unsigned long long)seed);
        }
    }
}

/* The rows of Walsh's matrix in sequency order change their sign 0, 1, 2, ... times. */
static void sequency_counts_changes_of_sign(void **state) {
    (void)state;
    enum { N = 6, LENGTH = 1 << N };
    for (unsigned row = 0; row < LENGTH; row++) {
        unsigned changes = 0;
        int32_t last = 0;
        for (unsigned x = 0; x < LENGTH; x++) {
            int32_t data[LENGTH] = {0};
            data[x] = 1;
            run("sequency n", NULL, N, RIFFLE_TYPE_I32, data);
            changes += x > 0 && data[row] != last;
            last = data[row];
        }
        assert_int_equal(changes, row);
    }
}

static void fft_is_the_dft(void **state) {
    (void)state;
    rng r = {seed};
    enum { N = 7, LENGTH = 1 << N };
    const double pi = 3.14159265358979323846;
    double before[2 * LENGTH], data[2 * LENGTH];
    for (unsigned i = 0; i < 2 * LENGTH; i++) before[i] = data[i] = (double)rng_below(&r, 2000) / 1000 - 1;
    run("fft n", NULL, N, RIFFLE_TYPE_C128, data);
    for (unsigned y = 0; y < LENGTH; y++) {
        double re = 0, im = 0;
        for (unsigned x = 0; x < LENGTH; x++) {
            const double angle = -2 * pi * (x * y % LENGTH) / (double)LENGTH, c = cos(angle), s = sin(angle);
            re += before[2 * x] * c - before[2 * x + 1] * s;
            im += before[2 * x] * s + before[2 * x + 1] * c;
        }
        assert_true(fabs(re - data[2 * y]) < 1e-11 && fabs(im - data[2 * y + 1]) < 1e-11);
    }
    run("inverse-fft n", NULL, N, RIFFLE_TYPE_C128, data);
    for (unsigned i = 0; i < 2 * LENGTH; i++) assert_true(fabs(data[i] - before[i]) < 1e-13);
}

static void gray_codes_differ_in_one_bit(void **state) {
    (void)state;
    uint32_t data[256];
    for (uint32_t i = 0; i < 256; i++) data[i] = i;
    run("gray n", NULL, 8, RIFFLE_TYPE_U32, data);
    for (uint32_t i = 0; i < 256; i++) assert_int_equal(data[i ^ i >> 1], i);
    run("ungray n", NULL, 8, RIFFLE_TYPE_U32, data);
    for (uint32_t i = 0; i < 256; i++) assert_int_equal(data[i], i);
}

/* ------------------------------------------------------------------- types */

static void halves_round_as_ieee_says(void **state) {
    (void)state;
    for (uint32_t h = 0; h < 1U << 16; h++) {
        const float value = half_to_float((uint16_t)h);
        if (value != value) continue;
        assert_int_equal(half_from_float(value), h);
        if ((h & 0x7fff) >= 0x7bff) continue;
        /* Halfway to the next one goes to the even of both; a little less and a little more do not. */
        const float next = half_to_float((uint16_t)(h + 1)), half_way = value + (next - value) / 2;
        assert_int_equal(half_from_float(half_way), (h & 1) == 0 ? h : h + 1);
        assert_int_equal(half_from_float(nextafterf(half_way, value)), h);
        assert_int_equal(half_from_float(nextafterf(half_way, next)), h + 1);
    }
    assert_int_equal(half_from_float(65519.9F), 0x7bff);
    assert_int_equal(half_from_float(65520.0F), 0x7c00);
    assert_int_equal(half_from_float(-1e30F), 0xfc00);
    assert_int_equal(half_from_float(NAN) & 0x7e00, 0x7e00);
}

static void operations_are_what_the_header_says(void **state) {
    (void)state;
    int8_t wraps[2] = {100, 100};
    run("pair butterfly", NULL, 1, RIFFLE_TYPE_I8, wraps);
    assert_true(wraps[0] == -56 && wraps[1] == 0);
    int8_t order[4] = {3, -5, -7, 2};
    run("pair minmax", NULL, 2, RIFFLE_TYPE_I8, order);
    assert_true(order[0] == -5 && order[1] == 3 && order[2] == -7 && order[3] == 2);
    float numbers[2] = {NAN, 1};
    run("pair minmax", NULL, 1, RIFFLE_TYPE_F32, numbers);
    assert_true(isnan(numbers[0]) && numbers[1] == 1);
    double scaled[2] = {3, 4};
    run("map (scale 0.25) | pair swap", NULL, 1, RIFFLE_TYPE_F64, scaled);
    assert_true(scaled[0] == 1 && scaled[1] == 0.75);
    float turned[8] = {1, 0, 1, 0, 1, 0, 1, 0}; /* i is 0, then 1: a quarter */
    run("pair (rotate 2)", NULL, 2, RIFFLE_TYPE_C64, turned);
    assert_true(turned[2] == 1 && fabsf(turned[6]) < 1e-6F && fabsf(turned[7] + 1) < 1e-6F);
}

/* ------------------------------------------------------------------ refusals */

typedef struct refusal {
    const char *text, *definitions;
    unsigned n;
    riffle_status status;
    const char *message; /* all of it, or its beginning where it ends in ... */
} refusal;

static const refusal refusals[] = {
    {"parm 0 id", NULL, 3, RIFFLE_ERROR_INVALID_ARGUMENT,
     "program, line 1, character 6: parm's mask is 0; of an array of 2^3 elements it is from 1 to 7"},
    {"id |\n  parm 8 id", NULL, 3, RIFFLE_ERROR_INVALID_ARGUMENT,
     "program, line 2, character 8: parm's mask is 8; of an array of 2^3 elements it is from 1 to 7"},
    {"parm 0.5 id", NULL, 3, RIFFLE_ERROR_SYNTAX,
     "program, line 1, character 6: parm's mask is 0.5; it is an integer from 0 to ..."},
    {"f n", "f 0 = id\nf n = f (n+1)", 3, RIFFLE_ERROR_UNSUPPORTED,
     "definitions, line 2, character 7: more than 512 definitions within each other: this recursion does not "
     "end (in 'f ..."},
    {"f n", "f n = f (n-1)", 3, RIFFLE_ERROR_SYNTAX,
     "definitions, line 1, character 7: no definition of 'f' takes 'f -1': a name takes integers from 0 on, a "
     "number itself (in 'f 0')"},
    {"f n", "f n = parm 1 (f n)", 2, RIFFLE_ERROR_LENGTH,
     "definitions, line 1, character 7: parm halves an array, and here it has 1 element; a definition for this "
     "case may be missing (in 'f 2')"},
    {"f 30", "f 0 = pair add\nf n = f (n-1) | f (n-1)", 3, RIFFLE_ERROR_UNSUPPORTED,
     "definitions, line 2, character 17: program: more than 65536 operations and permutations (in 'f 17')"},
    {"pair minmax", NULL, 0, RIFFLE_ERROR_LENGTH,
     "program, line 1, character 6: an operation on 2 neighbours, where the array has 1 element"},
    {"pair minmx", NULL, 1, RIFFLE_ERROR_SYNTAX,
     "program, line 1, character 6: there is no operation 'minmx'; did you mean 'minmax'?"},
    {"pair qqqqqq", NULL, 1, RIFFLE_ERROR_SYNTAX,
     "program, line 1, character 6: there is no operation 'qqqqqq'; there are minmax, butterfly, ..."},
    {"bit-reversl", NULL, 3, RIFFLE_ERROR_SYNTAX,
     "program, line 1, character 1: there is no definition of 'bit-reversl'; did you mean 'bit-reversal'?"},
    {"id | sufle", NULL, 3, RIFFLE_ERROR_SYNTAX,
     "program, line 1, character 6: there is no definition of 'sufle'; did you mean 'shuffle'?"},
    {"parn 1 id", NULL, 3, RIFFLE_ERROR_SYNTAX,
     "program, line 1, character 1: there is no definition of 'parn'; did you mean 'parm'?"},
    {"paair minmax", NULL, 3, RIFFLE_ERROR_SYNTAX,
     "program, line 1, character 1: there is no definition of 'paair'; did you mean 'pair'?"},
    {"map minmax", NULL, 1, RIFFLE_ERROR_INVALID_ARGUMENT,
     "program, line 1, character 5: minmax is an operation on 2 elements, not on 1"},
    {"pair (twiddle 0.5)", NULL, 1, RIFFLE_ERROR_INVALID_ARGUMENT,
     "program, line 1, character 7: twiddle: k is 0.5; it is an integer from -40 to 40"},
    {"group 5 {a0}", NULL, 5, RIFFLE_ERROR_SYNTAX,
     "program, line 1, character 7: the number of bits of a group is 5; it is an integer from 0 to 4"},
    {"pair {a; b}", NULL, 1, RIFFLE_ERROR_SYNTAX,
     "program, line 1, character 6: an operation is C expressions in braces, ..."},
    {"srot n", NULL, 1, RIFFLE_ERROR_SYNTAX,
     "program, line 1, character 1: there is no definition of 'srot'..."},
    {"sort m", NULL, 1, RIFFLE_ERROR_SYNTAX,
     "program, line 1, character 6: there is no number 'm' here; in a program it is n, the number of index "
     "bits"},
    {"sort n n", NULL, 1, RIFFLE_ERROR_SYNTAX,
     "program, line 1, character 1: no definition of 'sort' takes 'sort 1 1': ..."},
    {"sort (1/0)", NULL, 1, RIFFLE_ERROR_SYNTAX,
     "program, line 1, character 8: this number is inf; numbers go to 2^53"},
    {"rotate:1", NULL, 3, RIFFLE_ERROR_UNSUPPORTED,
     "program, line 1, character 1: this permutation is not affine over the index bits, and programs take no "
     "others"},
    {"id | bits:0,1", NULL, 3, RIFFLE_ERROR_LENGTH,
     "program, line 1, character 6: bits lists 2 numbers and so is for 4 elements, but the array has 8"},
    {"parm 1 pair minmax", NULL, 3, RIFFLE_ERROR_SYNTAX,
     "program, line 1, character 8: 'pair' and what follows it go into parentheses here"},
    {"(id", NULL, 3, RIFFLE_ERROR_SYNTAX, "program, line 1, character 4: expected '|' or ')', found the end"},
    {"id id", NULL, 3, RIFFLE_ERROR_SYNTAX, "program, line 1, character 4: expected '|' or the end, found 'i'"},
    {"", NULL, 3, RIFFLE_ERROR_SYNTAX, "program, line 1, character 1: expected a program, found the end"},
    {"sort 1x", NULL, 3, RIFFLE_ERROR_SYNTAX,
     "program, line 1, character 6: this is no number: write it as 12, 0x1f, 0b101 or 0.5"},
    {"id", "f n id", 3, RIFFLE_ERROR_SYNTAX,
     "definitions, line 1, character 7: expected a number, a name or '=', found the end"},
    {"id", "f = id\n\n# so\nparm n = id", 3, RIFFLE_ERROR_SYNTAX,
     "definitions, line 4, character 1: 'parm' has a meaning already; choose another name"},
    {"id", "f = id |\ng = id", 3, RIFFLE_ERROR_SYNTAX,
     "definitions, line 1, character 9: expected a program, found the end of the line"},
    {"id", NULL, 41, RIFFLE_ERROR_LENGTH, "program: an array of 2^41 elements; there are at most 2^40"},
};

static void bad_texts_are_refused_with_their_place(void **state) {
    (void)state;
    for (size_t k = 0; k < sizeof refusals / sizeof *refusals; k++) {
        const refusal *bad = &refusals[k];
        riffle_program *program = NULL;
        const riffle_status status = riffle_program_parse(bad->text, bad->definitions, bad->n, &program);
        const char *detail = riffle_error_detail(), *dots = strstr(bad->message, "...");
        const bool same = dots != NULL ? strncmp(detail, bad->message, (size_t)(dots - bad->message)) == 0
                                       : strcmp(detail, bad->message) == 0;
        if (status != bad->status || !same || program != NULL)
            fail_msg("%s: status %d, %s", bad->text, (int)status, detail);
    }
}

static void names_of_what_is_none_are_unknown(void **state) {
    (void)state;
    assert_string_equal(riffle_type_string(RIFFLE_TYPE_C128), "c128");
    assert_string_equal(riffle_type_string((riffle_type)99), "unknown");
    assert_int_equal(riffle_type_bytes((riffle_type)99), 0);
    assert_string_equal(riffle_program_algorithm_string(RIFFLE_PROGRAM_ALGORITHM_PAPER), "paper");
    assert_string_equal(riffle_program_algorithm_string((riffle_program_algorithm)99), "unknown");
}

static void types_that_an_operation_lacks_are_named(void **state) {
    (void)state;
    char data[1024] = {0};
    riffle_program *program = program_or_fail("id |\n sort n", NULL, 2);
    assert_int_equal(riffle_program_evaluate(program, RIFFLE_TYPE_C64, data), RIFFLE_ERROR_UNSUPPORTED);
    assert_string_equal(riffle_error_detail(),
                        "program, line 2, character 2: minmax is not defined for elements of type "
                        "c64; it takes integers and floats");
    riffle_program_free(program);
    program = program_or_fail("group 2 {a3, a2, a1, a0}", NULL, 2);
    assert_int_equal(riffle_program_evaluate(program, RIFFLE_TYPE_C64, data), RIFFLE_ERROR_UNSUPPORTED);
    assert_string_equal(
        riffle_error_detail(),
        "program, line 1, character 9: a user's operation takes integers, f32 and f64, not c64");
    assert_int_equal(riffle_program_evaluate(program, RIFFLE_TYPE_F32, data), RIFFLE_ERROR_UNSUPPORTED);
    assert_string_equal(riffle_error_detail(),
                        "program, line 1, character 9: users' operations are not run here in this version; "
                        "use built-in ones");
    riffle_program_free(program);
    program = program_or_fail("pair xor", NULL, 2);
    assert_int_equal(riffle_program_evaluate(program, RIFFLE_TYPE_F16, data), RIFFLE_ERROR_UNSUPPORTED);
    assert_string_equal(
        riffle_error_detail(),
        "program, line 1, character 6: xor is not defined for elements of type f16; it takes integers");
    riffle_program_free(program);
}

static void constructors_check_their_arguments(void **state) {
    (void)state;
    riffle_program *one = program_or_fail("id", NULL, 1), *two = program_or_fail("id", NULL, 2), *out = NULL;
    assert_int_equal(riffle_program_parm(1, one, two, &out), RIFFLE_ERROR_LENGTH);
    assert_string_equal(riffle_error_detail(), "parm: its two programs are for 2^1 and for 2^2 elements");
    assert_int_equal(riffle_program_parm(0, one, one, &out), RIFFLE_ERROR_INVALID_ARGUMENT);
    assert_int_equal(riffle_program_parm(4, one, one, &out), RIFFLE_ERROR_INVALID_ARGUMENT);
    assert_string_equal(riffle_error_detail(),
                        "parm: its mask is 4, but an array of 2^2 has masks from 1 to 3");
    assert_int_equal(riffle_program_then(one, two, &out), RIFFLE_ERROR_LENGTH);
    riffle_perm *perm = parse_or_fail("reverse", 12);
    assert_int_equal(riffle_program_move(perm, &out), RIFFLE_ERROR_LENGTH);
    assert_string_equal(riffle_error_detail(),
                        "program: a permutation of 12 elements, which is no power of two");
    riffle_perm_free(perm);
    assert_int_equal(riffle_program_apply(3, 1, &(riffle_op){.kind = RIFFLE_OP_OWN}, &out),
                     RIFFLE_ERROR_INVALID_ARGUMENT);
    assert_int_equal(riffle_program_apply(3, 5, &(riffle_op){.kind = RIFFLE_OP_ADD}, &out),
                     RIFFLE_ERROR_INVALID_ARGUMENT);
    assert_int_equal(
        riffle_program_apply(3, 0, &(riffle_op){.kind = RIFFLE_OP_SCALE, .parameter = INFINITY}, &out),
        RIFFLE_ERROR_INVALID_ARGUMENT);
    assert_null(out);
    riffle_program_free(one);
    riffle_program_free(two);
}

/* A chain that is deeper than the recursion that walks it is refused, not overflown. */
static void depth_has_an_end(void **state) {
    (void)state;
    riffle_program *all = program_or_fail("pair add", NULL, 1), *next = NULL;
    riffle_program *part = riffle_program_retain(all);
    unsigned count = 1;
    while (riffle_program_then(all, part, &next) == RIFFLE_OK) {
        riffle_program_free(all);
        all = next;
        count++;
    }
    assert_int_equal(count, 4096);
    int32_t data[2] = {1, 1};
    assert_int_equal(riffle_program_evaluate(all, RIFFLE_TYPE_I32, data), RIFFLE_OK);
    assert_int_equal(data[1], 4097);
    riffle_program_free(all);
    riffle_program_free(part);
}

int main(void) {
    seed = test_seed();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(figure_3),
        cmocka_unit_test(figure_14),
        cmocka_unit_test(figure_13),
        cmocka_unit_test(networks_sort_all_zero_one_inputs),
        cmocka_unit_test(butterflies_are_their_matrices),
        cmocka_unit_test(sequency_counts_changes_of_sign),
        cmocka_unit_test(fft_is_the_dft),
        cmocka_unit_test(gray_codes_differ_in_one_bit),
        cmocka_unit_test(halves_round_as_ieee_says),
        cmocka_unit_test(operations_are_what_the_header_says),
        cmocka_unit_test(bad_texts_are_refused_with_their_place),
        cmocka_unit_test(names_of_what_is_none_are_unknown),
        cmocka_unit_test(types_that_an_operation_lacks_are_named),
        cmocka_unit_test(constructors_check_their_arguments),
        cmocka_unit_test(depth_has_an_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
