/* SPDX-License-Identifier: Apache-2.0
 *
 * The spec language: what it says, what it refuses and in which words, and that printing and parsing undo
 * each other.
 */
#define _GNU_SOURCE /* mkdtemp */
#include "test_perm_support.h"

#include <unistd.h>

/* ----------------------------------------------------------------- meaning */

static void assert_spec(const char *spec, uint64_t n, const uint64_t *expected) {
    riffle_perm *perm = parse(spec, n);
    assert_values(perm, expected);
    riffle_perm_free(perm);
}

static void every_form(void **state) {
    (void)state;
    assert_spec("identity", 3, (uint64_t[]){0, 1, 2});
    assert_spec("reverse", 3, (uint64_t[]){2, 1, 0});
    assert_spec("rotate:1", 3, (uint64_t[]){1, 2, 0});
    assert_spec("rotate:-1", 3, (uint64_t[]){2, 0, 1});
    assert_spec("rotate:-9223372036854775807", 2, (uint64_t[]){1, 0});
    assert_spec("bit-reversal", 8, (uint64_t[]){0, 4, 2, 6, 1, 5, 3, 7});
    assert_spec("shuffle", 8, (uint64_t[]){0, 2, 4, 6, 1, 3, 5, 7});
    assert_spec("unshuffle", 8, (uint64_t[]){0, 4, 1, 5, 2, 6, 3, 7});
    assert_spec("transpose:2x3", 6, (uint64_t[]){0, 2, 4, 1, 3, 5});
    assert_spec("axes:2x3:1,0", 6, (uint64_t[]){0, 2, 4, 1, 3, 5});
    assert_spec("axes:2x1x3:0,2,1", 6, (uint64_t[]){0, 1, 2, 3, 4, 5});
    assert_spec("bits:1,0", 4, (uint64_t[]){0, 2, 1, 3});
    assert_spec("affine:1,3", 4, (uint64_t[]){0, 3, 2, 1});
    assert_spec("affine:0x1,0X3^0x2", 4, (uint64_t[]){2, 1, 0, 3});
    assert_spec("table:[2,0,1]", 3, (uint64_t[]){2, 0, 1});
    assert_spec("table:[]", 0, NULL);
    assert_spec("~table:[2,0,1]", 3, (uint64_t[]){1, 2, 0});
    assert_spec("~~table:[2,0,1]", 3, (uint64_t[]){2, 0, 1});
    assert_spec("rotate:1|reverse", 3, (uint64_t[]){1, 0, 2}); /* left to right */
    assert_spec("~rotate:1|reverse", 3, (uint64_t[]){0, 2, 1});
    assert_spec("~(rotate:1|reverse)", 3, (uint64_t[]){1, 0, 2});
    assert_spec(" ~ ( rotate : 1 | ( reverse ) ) ", 3, (uint64_t[]){1, 0, 2});
    assert_spec("table : [ 2 , 0 , 1 ] ", 3, (uint64_t[]){2, 0, 1});
    assert_spec("transpose: 2 x 3", 6, (uint64_t[]){0, 2, 4, 1, 3, 5});
    static const char *const anything[] = {"identity",     "reverse",         "rotate:5",
                                           "bit-reversal", "shuffle",         "unshuffle",
                                           "random:1",     "random-affine:1", "~random:1|reverse"};
    for (size_t k = 0; k < sizeof anything / sizeof *anything; k++) { /* nothing to move is never wrong */
        assert_spec(anything[k], 0, NULL);
        assert_spec(anything[k], 1, (uint64_t[]){0});
    }
    assert_spec("transpose:0x7", 0, NULL);
}

/* ------------------------------------------------------------------ errors */

static void assert_refused(const char *spec, uint64_t n, riffle_status expected, const char *detail) {
    riffle_perm *perm = (riffle_perm *)1;
    assert_fails(riffle_perm_parse(spec, n, &perm), expected, detail);
    assert_ptr_equal(perm, (riffle_perm *)1);
}

static void syntax_errors(void **state) {
    (void)state;
    static const struct {
        const char *spec, *detail;
    } cases[] = {
        {"", "spec, character 1: expected a permutation, found the end of the spec"},
        {"bit-reversl", "spec, character 1: unknown permutation 'bit-reversl'; did you mean 'bit-reversal'?"},
        {"reverse|Rotatte:4", "spec, character 9: unknown permutation 'Rotatte'; did you mean 'rotate'?"},
        {"x", "spec, character 1: unknown permutation 'x'"},
        {"something-else-altogether-and-long",
         "spec, character 1: unknown permutation 'something-else-altogether-and-long'"},
        {"reverse reverse", "spec, character 9: expected '|' or the end, found 'r'"},
        {"identity:3", "spec, character 9: expected '|' or the end, found ':'"},
        {"reverse|", "spec, character 9: expected a permutation, found the end of the spec"},
        {"[2,0,1]", "spec, character 1: expected a permutation, found '['; did you mean 'table:[2,0,1]'?"},
        {"~ [0, 1", "spec, character 3: expected a permutation, found '['; did you mean 'table:[...]'?"},
        {"|reverse", "spec, character 1: expected a permutation, found '|'"},
        {"~", "spec, character 2: expected a permutation, found the end of the spec"},
        {"\xc3\xa9", "spec, character 1: expected a permutation, found the byte 0xc3"},
        {"table:[\xc3\xa9]", "spec, character 8: expected an index, found the byte 0xc3"},
        {"rotate", "spec, character 7: expected ':' as in rotate:K, found the end of the spec"},
        {"rotate|reverse", "spec, character 7: expected ':' as in rotate:K, found '|'"},
        {"rotate:", "spec, character 8: expected a number, found the end of the spec"},
        {"rotate:x", "spec, character 8: expected a number, found 'x'"},
        {"rotate:-9223372036854775809", "spec, character 8: the number does not fit 64 bits with a sign"},
        {"rotate:9223372036854775808", "spec, character 8: the number does not fit 64 bits with a sign"},
        {"rotate:99999999999999999999", "spec, character 8: the number does not fit 64 bits"},
        {"random:-1", "spec, character 8: expected a seed, found '-'"},
        {"random-affine:", "spec, character 15: expected a seed, found the end of the spec"},
        {"transpose:x4", "spec, character 11: expected ROWSxCOLS in decimal numbers, found 'x'"},
        {"transpose:4", "spec, character 12: expected 'x' as in ROWSxCOLS, which are decimal numbers, found "
                        "the end of the spec"},
        {"transpose:2X3",
         "spec, character 12: expected 'x' as in ROWSxCOLS, which are decimal numbers, found 'X'"},
        {"transpose:3,4",
         "spec, character 12: expected 'x' as in ROWSxCOLS, which are decimal numbers, found ','"},
        {"transpose:2^2x4",
         "spec, character 12: expected 'x' as in ROWSxCOLS, which are decimal numbers, found '^'"},
        {"reverse | transpose:2x2 x4",
         "spec, character 25: transpose takes two dimensions, ROWSxCOLS; use axes for more"},
        {"transpose:4x",
         "spec, character 13: expected the COLS of ROWSxCOLS as a decimal number, found the end of the spec"},
        {"axes:4x4",
         "spec, character 9: expected 'x' or ':' and the order of the axes, found the end of the spec"},
        {"axes:4x", "spec, character 8: expected dimensions, found the end of the spec"},
        {"axes:4x4: 1", "spec, character 11: the shape has 2 axes, but this order has 1"},
        {"bits:0, 1,2, 1", "spec, character 14: bits 1 and 3 both go to bit 1"},
        {"bits:4294967295,0,1,2", "spec, character 6: there is no bit 4294967295: they are 0 to 3"},
        {"bits:0, 4294967296,1,2", "spec, character 9: there is no bit 4294967296: they are 0 to 3"},
        {"bits:4294967296,4294967297,1,2", "spec, character 6: there is no bit 4294967296: they are 0 to 3"},
        {"bits:0,1,2,4", "spec, character 12: there is no bit 4: they are 0 to 3"},
        {"axes:4x4:0,18446744073709551615",
         "spec, character 12: there is no axis 18446744073709551615: they are 0 to 1"},
        {"bits:", "spec, character 6: expected bits, found the end of the spec"},
        {"affine:g", "spec, character 8: expected hexadecimal rows, found 'g'"},
        {"affine:1,2,4,8^", "spec, character 16: expected a hexadecimal number, found the end of the spec"},
        {"affine:1,2,4,11111111111111111", "spec, character 14: the number does not fit 64 bits"},
        {"table:", "spec, character 7: expected the name of a .npy file or '[', found the end of the spec"},
        {"table:[0,1", "spec, character 11: expected ',' or ']', found the end of the spec"},
        {"table:[0,]", "spec, character 10: expected an index, found ']'"},
        {"table:\"x.npy", "spec, character 7: the quote is not closed"},
        {"(reverse", "spec, character 9: expected '|' or ')', found the end of the spec"},
        {"reverse)", "spec, character 8: expected '|' or the end, found ')'"},
        {"()", "spec, character 2: expected a permutation, found ')'"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        assert_refused(cases[k].spec, 16, RIFFLE_ERROR_SYNTAX, cases[k].detail);
    assert_refused("axes:1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1:0", 1,
                   RIFFLE_ERROR_SYNTAX, "spec, character 70: more than 32 numbers where dimensions are listed");
}

static void other_errors(void **state) {
    (void)state;
    assert_refused("transpose:3x5", 16, RIFFLE_ERROR_LENGTH,
                   "transpose:3x5 is for 15 elements, but the array has 16");
    assert_refused("reverse|axes:3x5x1:0,2,1|reverse", 16, RIFFLE_ERROR_LENGTH,
                   "axes:3x5x1:0,2,1 is for 15 elements, but the array has 16");
    assert_refused("bits:0,1,2", 16, RIFFLE_ERROR_LENGTH,
                   "bits lists 3 numbers and so is for 8 elements, but the array has 16");
    assert_refused("affine:1,2", 12, RIFFLE_ERROR_LENGTH,
                   "affine lists 2 numbers and so is for 4 elements, but the array has 12");
    assert_refused("bit-reversal", 12, RIFFLE_ERROR_LENGTH,
                   "bit-reversal: n = 12 is not a power of two; the nearest are 8 and 16");
    assert_refused("table:[0,1]", 3, RIFFLE_ERROR_LENGTH,
                   "table:[...] holds 2 entries but the array has 3 elements");
    assert_refused("table:[0,1,0]", 3, RIFFLE_ERROR_NOT_A_PERMUTATION,
                   "table: index 0 and index 2 both map to 0");
    assert_refused("affine:1,1", 4, RIFFLE_ERROR_SINGULAR,
                   "affine: the matrix has no inverse: rows 0 and 1 add up to zero");
    assert_refused("reverse", RIFFLE_MAX_LENGTH + 1, RIFFLE_ERROR_LENGTH,
                   "spec: n = 1099511627777 is above the largest length, 2^40");
}

static void nesting(void **state) {
    (void)state;
    char spec[2000] = "";
    for (int k = 0; k < 64; k++) strcat(spec, "~(");
    strcat(spec, "rotate:1");
    for (int k = 0; k < 64; k++) strcat(spec, ")");
    assert_spec(spec, 3, (uint64_t[]){1, 2, 0});
    memset(spec, '(', sizeof spec - 1);
    assert_refused(spec, 3, RIFFLE_ERROR_SYNTAX,
                   "spec, character 65: parentheses are nested more than 64 deep");
    char *tildes = malloc(1000002);
    memset(tildes, '~', 1000001);
    strcpy(tildes + 1000001 - 8, "rotate:1"); /* 999993 of them */
    assert_spec(tildes, 3, (uint64_t[]){2, 0, 1});
    free(tildes);
}

/* --------------------------------------------------------------- printing */

/* The spec of perm, the length checked in every way. Free it. */
static char *print(const riffle_perm *perm) {
    size_t length, again;
    assert_ok(riffle_perm_print(perm, NULL, 0, &length));
    char *text = malloc(length + 2);
    memset(text, '#', length + 2);
    assert_ok(riffle_perm_print(perm, text, length + 1, &again));
    assert_int_equal(again, length);
    assert_int_equal(strlen(text), length);
    assert_int_equal(text[length + 1], '#');
    char cut[8] = "#######";
    assert_ok(riffle_perm_print(perm, cut, 5, NULL));
    assert_int_equal(strlen(cut), length < 4 ? length : 4);
    assert_memory_equal(cut, text, strlen(cut));
    assert_memory_equal(cut + 5, "##", 2);
    return text;
}

static void round_trips(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= 30; seed++) {
        for (size_t k = 0; k < SMALL_LENGTHS; k++) {
            uint64_t n = small_lengths[k], random = seed * 977 + n;
            if (n > 1024 && seed > 5) continue;
            riffle_perm *p = any_perm(n, &random), *q = any_perm(n, &random), *r = any_perm(n, &random);
            riffle_perm *pq = then(p, q), *pqr = then(pq, r), *inverse = inverse_of(pqr);
            riffle_perm *all[] = {p, q, r, pq, pqr, inverse};
            for (size_t a = 0; a < sizeof all / sizeof *all; a++) {
                char *text = print(all[a]);
                riffle_perm *back = parse(text, n);
                assert_same(back, all[a]);
                char *again = print(back); /* the text is a fixed point */
                assert_string_equal(again, text);
                free(again);
                free(text);
                riffle_perm_free(back);
            }
            for (size_t a = 0; a < sizeof all / sizeof *all; a++) riffle_perm_free(all[a]);
        }
    }
}

static void canonical_names(void **state) {
    (void)state;
    static const struct {
        const char *spec;
        uint64_t n;
        const char *printed;
    } cases[] = {
        {"rotate:-3", 10, "rotate:7"},
        {"rotate:0", 10, "identity"},
        {"~rotate:3", 10, "rotate:7"},
        {"~reverse", 10, "reverse"},
        {"bits:3,2,1,0", 16, "bit-reversal"},
        {"bits:1,2,3,0", 16, "shuffle"},
        {"~shuffle", 16, "unshuffle"},
        {"bits:0,3,1,2", 16, "bits:0,3,1,2"},
        {"affine:1,2,4,8^f", 16, "reverse"},
        {"affine:0x1,0x2,0xC,0x8^1", 16, "affine:1,2,c,8^1"},
        {"axes:3x4:1,0", 12, "transpose:3x4"},
        {"axes:3x4:0,1", 12, "axes:3x4:0,1"},
        {"~axes:2x3x4:1,2,0", 24, "axes:3x4x2:2,0,1"},
        {"~random:7", 10, "~random:7"},
        {"random:18446744073709551615", 10, "random:18446744073709551615"},
        {"table:[2,0,1]", 3, "table:[2,0,1]"},
        {"~table:[2,0,1]", 3, "table:[1,2,0]"},
        {"random:1|(reverse|random:2)", 9, "random:1|reverse|random:2"},
        {"random-affine:1", 256, "affine:9f,f7,35,ab,27,8a,84,ba^6d"}, /* promised in docs/spec.md */
        {"random-affine:42", 16, "affine:6,7,c,2^5"},
        {"random:1|reverse|rotate:1", 9, "random:1|(reverse|rotate:1)"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        riffle_perm *perm = parse(cases[k].spec, cases[k].n);
        char *text = print(perm);
        assert_string_equal(text, cases[k].printed);
        free(text);
        riffle_perm_free(perm);
    }
}

/* ------------------------------------------------------------------ files */

static char folder[] = "/tmp/riffle-test-spec-XXXXXX";

static int enter_folder(void **state) {
    (void)state;
    return mkdtemp(folder) == NULL || chdir(folder) != 0;
}

static int leave_folder(void **state) {
    (void)state;
    return chdir("/") != 0 || rmdir(folder) != 0;
}

/* Writes a version 1.0 .npy file into the folder. */
static void write_npy(const char *name, const char *descr, const char *shape, const void *data, size_t bytes) {
    FILE *file = fopen(name, "wb");
    assert_non_null(file);
    char header[256];
    int used =
        snprintf(header, sizeof header, "{'descr': %s, 'fortran_order': False, 'shape': %s, }", descr, shape);
    int padded = (used + 1 + 10 + 63) / 64 * 64 - 10;
    fprintf(file, "%cNUMPY%c%c%c%c", 0x93, 1, 0, padded & 255, padded >> 8);
    fprintf(file, "%-*s\n", padded - 1, header);
    assert_int_equal(fwrite(data, 1, bytes, file), bytes);
    assert_int_equal(fclose(file), 0);
}

static void tables_of_every_dtype(void **state) {
    (void)state;
    static const uint64_t expected[] = {2, 0, 3, 1, 4};
    for (unsigned size = 1; size <= 8; size *= 2) {
        for (unsigned form = 0; form < 4; form++) { /* signed or not, big-endian or little */
            char descr[8];
            unsigned char data[40] = {0};
            snprintf(descr, sizeof descr, "'%c%c%u'",
                     size == 1  ? '|'
                     : form & 1 ? '>'
                                : '<',
                     form & 2 ? 'i' : 'u', size);
            for (unsigned i = 0; i < 5; i++)
                data[i * size + (form & 1 ? size - 1 : 0)] = (unsigned char)expected[i];
            write_npy("t.npy", descr, "(5,)", data, 5 * size);
            riffle_perm *perm = parse("table:t.npy", 5);
            assert_values(perm, expected);
            riffle_perm *inverse = parse("~ table: t.npy | identity", 5);
            for (uint64_t i = 0; i < 5; i++) assert_int_equal(riffle_perm_at(inverse, expected[i]), i);
            char *text = print(inverse);
            assert_string_equal(text, "~table:t.npy");
            free(text);
            riffle_perm *back = inverse_of(inverse);
            text = print(back);
            assert_string_equal(text, "table:t.npy");
            free(text);
            riffle_perm_free(perm);
            riffle_perm_free(inverse);
            riffle_perm_free(back);
        }
    }
    assert_int_equal(remove("t.npy"), 0);
}

static void odd_file_names(void **state) {
    (void)state;
    static const struct {
        const char *name, *spec;
    } cases[] = {
        {"plain name.npy", "table:plain name.npy"},
        {"a|b.npy", "table:\"a|b.npy\""},
        {"a)b.npy", "table:\"a)b.npy\""},
        {"[2].npy", "table:\"[2].npy\""},
        {"a\"b\\c.npy", "table:\"a\\\"b\\\\c.npy\""},
        {" space ", "table:\" space \""},
        {"back\\slash", "table:back\\slash"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        write_npy(cases[k].name, "'|u1'", "(3,)", "\2\0\1", 3);
        riffle_perm *perm = parse(cases[k].spec, 3);
        char *text = print(perm);
        assert_string_equal(text, cases[k].spec);
        free(text);
        riffle_perm_free(perm);
        assert_spec("(identity)", 3, (uint64_t[]){0, 1, 2});
        assert_int_equal(remove(cases[k].name), 0);
    }
}

static void bad_tables(void **state) {
    (void)state;
    static const int16_t negative[] = {0, 1, 2, 3, 4, -3};
    write_npy("idx.npy", "'<i2'", "(6,)", negative, sizeof negative);
    assert_refused("table:idx.npy", 6, RIFFLE_ERROR_NOT_A_PERMUTATION,
                   "table idx.npy: entry 5 is -3; entries are indices from 0 to n-1");
    assert_refused("table:idx.npy", 12, RIFFLE_ERROR_LENGTH,
                   "table idx.npy holds 6 entries but the array has 12 elements");
    write_npy("idx.npy", "'|u1'", "(3,)", "\0\3\0", 3);
    assert_refused("table:idx.npy", 3, RIFFLE_ERROR_NOT_A_PERMUTATION,
                   "table idx.npy: index 1 maps to 3, which is not below n = 3");
    write_npy("idx.npy", "'|u1'", "(3,)", "\0\1\0", 3);
    assert_refused("table:idx.npy", 3, RIFFLE_ERROR_NOT_A_PERMUTATION,
                   "table idx.npy: index 0 and index 2 both map to 0");
    write_npy("idx.npy", "'<f4'", "(1,)", "\0\0\0\0", 4);
    assert_refused("table:idx.npy", 1, RIFFLE_ERROR_FORMAT,
                   "table idx.npy has dtype '<f4'; a table is of integers of 1, 2, 4 or 8 bytes");
    write_npy("idx.npy", "'|b1'", "(1,)", "\0", 1);
    assert_refused("table:idx.npy", 1, RIFFLE_ERROR_FORMAT,
                   "table idx.npy has dtype '|b1'; a table is of integers of 1, 2, 4 or 8 bytes");
    write_npy("idx.npy", "'|u1'", "(2, 2)", "\0\1\2\3", 4);
    assert_refused("table:idx.npy", 4, RIFFLE_ERROR_FORMAT, "table idx.npy has 2 dimensions; a table has one");
    assert_int_equal(remove("idx.npy"), 0);
    riffle_perm *perm;
    assert_int_equal(riffle_perm_parse("table:idx.npy", 4, &perm), RIFFLE_ERROR_IO);
    assert_non_null(strstr(riffle_error_detail(), "idx.npy"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_form),     cmocka_unit_test(syntax_errors),
        cmocka_unit_test(other_errors),   cmocka_unit_test(nesting),
        cmocka_unit_test(round_trips),    cmocka_unit_test(canonical_names),
        cmocka_unit_test(odd_file_names), cmocka_unit_test(tables_of_every_dtype),
        cmocka_unit_test(bad_tables),
    };
    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
