/* SPDX-License-Identifier: Apache-2.0
 *
 * .npy headers from and to memory: every spelling that NumPy writes or reads, and what is wrong with the rest.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "npy/encoding.h"
#include "npy/header.h"

/* A header of version `major`.0 around `text`, in a block of exactly its size so that sanitizers see its end.
 */
static char *build(unsigned char major, const char *text, size_t *size) {
    size_t length = strlen(text), prefix = major == 1 ? 10 : 12;
    char *bytes = malloc(prefix + length);
    assert_non_null(bytes);
    memcpy(bytes, "\x93NUMPY", 6);
    bytes[6] = (char)major;
    bytes[7] = 0;
    for (size_t k = 8; k < prefix; k++) bytes[k] = (char)(length >> 8 * (k - 8));
    memcpy(bytes + prefix, text, length);
    *size = prefix + length;
    return bytes;
}

static riffle_status parse(unsigned char major, const char *text, riffle_npy_header *header) {
    size_t size, data_at = 0;
    char *bytes = build(major, text, &size);
    riffle_status status = npy_header_read("f.npy", bytes, size, header, &data_at);
    if (status == RIFFLE_OK) assert_int_equal(data_at, size);
    free(bytes);
    return status;
}

static void expect_detail(const char *part) {
    if (strstr(riffle_error_detail(), part) == NULL) fail_msg("'%s' lacks '%s'", riffle_error_detail(), part);
}

static void assert_bad(unsigned char major, const char *text, const char *part) {
    riffle_npy_header header;
    if (parse(major, text, &header) != RIFFLE_ERROR_FORMAT) fail_msg("accepted or wrong status: %s", text);
    expect_detail("f.npy");
    expect_detail(part);
}

static void assert_good(unsigned char major, const char *text, const char *descr, size_t elem_bytes) {
    riffle_npy_header header;
    if (parse(major, text, &header) != RIFFLE_OK) fail_msg("%s: %s", text, riffle_error_detail());
    assert_string_equal(header.descr, descr);
    assert_int_equal(header.elem_bytes, elem_bytes);
    npy_header_free(&header);
}

static void test_versions_and_values(void **state) {
    (void)state;
    for (unsigned char major = 1; major <= 3; major++) {
        riffle_npy_header header;
        assert_int_equal(
            parse(major, "{'descr': '<f4', 'fortran_order': True, 'shape': (2, 3, 4), }   \n", &header),
            RIFFLE_OK);
        assert_string_equal(header.descr, "'<f4'");
        assert_int_equal(header.elem_bytes, 4);
        assert_true(header.fortran_order);
        assert_int_equal(header.rank, 3);
        assert_int_equal(header.shape[0], 2);
        assert_int_equal(header.shape[1], 3);
        assert_int_equal(header.shape[2], 4);
        npy_header_free(&header);
    }
}

static void test_odd_but_legal_spellings(void **state) {
    (void)state;
    static const char *const texts[] = {
        "{'descr':'<f4','fortran_order':False,'shape':(3,)}",
        "  {\t\"shape\" : ( 3 , ) ,\n \"descr\" : '<f4' , 'fortran_order' : False , }\n",
        "{'shape': (3L,), 'fortran_order': False, 'descr': '<f4'}\n",
    };
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) {
        riffle_npy_header header;
        assert_int_equal(parse(1, texts[k], &header), RIFFLE_OK);
        assert_string_equal(header.descr, "'<f4'");
        assert_false(header.fortran_order);
        assert_int_equal(header.rank, 1);
        assert_int_equal(header.shape[0], 3);
        npy_header_free(&header);
    }
}

#define WITH_SHAPE(shape) "{'descr': '<f4', 'fortran_order': False, 'shape': " shape ", }\n"
#define WITH_DESCR(descr) "{'descr': " descr ", 'fortran_order': False, 'shape': (3,), }\n"

static void test_shapes(void **state) {
    (void)state;
    riffle_npy_header header;
    assert_int_equal(parse(1, WITH_SHAPE("()"), &header), RIFFLE_OK);
    assert_int_equal(header.rank, 0);
    npy_header_free(&header);
    assert_int_equal(parse(1, WITH_SHAPE("(0, 18446744073709551615)"), &header), RIFFLE_OK);
    assert_int_equal(header.shape[1], UINT64_MAX);
    npy_header_free(&header);
    assert_int_equal(
        parse(1, WITH_SHAPE("(1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1)"), &header),
        RIFFLE_OK);
    assert_int_equal(header.rank, 32);
    npy_header_free(&header);
    assert_bad(1, WITH_SHAPE("(1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1)"),
               "more than 32 dimensions");
    assert_bad(1, WITH_SHAPE("(18446744073709551616,)"), "does not fit 64 bits");
    assert_bad(1, WITH_SHAPE("(99999999999999999999999,)"), "does not fit 64 bits");
    assert_bad(1, WITH_SHAPE("(3)"), "needs a comma");
    assert_bad(1, WITH_SHAPE("3"), "character 51: expected '(', not '3'");
    assert_bad(1, WITH_SHAPE("[3]"), "expected '(', not '['");
    assert_bad(1, WITH_SHAPE("(,)"), "expected a dimension, not ','");
    assert_bad(1, WITH_SHAPE("(3,,)"), "expected a dimension, not ','");
    assert_bad(1, WITH_SHAPE("(-1,)"), "cannot be negative");
    assert_bad(1, WITH_SHAPE("(3 4)"), "expected ',', not '4'");
    assert_bad(1, WITH_SHAPE("(3.0,)"), "expected ',', not '.'");
    assert_bad(1, WITH_SHAPE("(3,"), "expected a dimension, not ','");
}

static void test_scalar_dtypes(void **state) {
    (void)state;
    static const struct {
        const char *text, *descr;
        size_t bytes;
    } cases[] = {
        {WITH_DESCR("'<f4'"), "'<f4'", 4},           {WITH_DESCR("\">i8\""), "\">i8\"", 8},
        {WITH_DESCR("'|b1'"), "'|b1'", 1},           {WITH_DESCR("'|u1'"), "'|u1'", 1},
        {WITH_DESCR("'<f2'"), "'<f2'", 2},           {WITH_DESCR("'<f16'"), "'<f16'", 16},
        {WITH_DESCR("'<c8'"), "'<c8'", 8},           {WITH_DESCR("'<c32'"), "'<c32'", 32},
        {WITH_DESCR("'|S10'"), "'|S10'", 10},        {WITH_DESCR("'|a3'"), "'|a3'", 3},
        {WITH_DESCR("'<U5'"), "'<U5'", 20},          {WITH_DESCR("'|V12'"), "'|V12'", 12},
        {WITH_DESCR("'<M8[ns]'"), "'<M8[ns]'", 8},   {WITH_DESCR("'<m8[s]'"), "'<m8[s]'", 8},
        {WITH_DESCR("'>M8[25s]'"), "'>M8[25s]'", 8}, {WITH_DESCR("'<M8'"), "'<M8'", 8},
        {WITH_DESCR("'=u2'"), "'=u2'", 2},           {WITH_DESCR("'f8'"), "'f8'", 8},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        assert_good(1, cases[k].text, cases[k].descr, cases[k].bytes);
}

static void test_structured_dtypes(void **state) {
    (void)state;
    assert_good(1, WITH_DESCR("[('x', '<i8'), ('y', '|u1')]"), "[('x', '<i8'), ('y', '|u1')]", 9);
    assert_good(1, WITH_DESCR("[('x', '|u1'), ('', '|V3'), (('a title', 'y'), '<f4', (2, 3)),]"),
                "[('x', '|u1'), ('', '|V3'), (('a title', 'y'), '<f4', (2, 3)),]", 28);
    assert_good(1, WITH_DESCR("[('p', [('x', '<f4'), ('y', '<f4')], (4,)), (\"it's\", '<U2')]"),
                "[('p', [('x', '<f4'), ('y', '<f4')], (4,)), (\"it's\", '<U2')]", 40);
    assert_good(1, WITH_DESCR("[('a\\'b', '<i2'), ('e', '<f4', (0,)), ('s', '|S0')]"),
                "[('a\\'b', '<i2'), ('e', '<f4', (0,)), ('s', '|S0')]", 2);
    assert_good(1, WITH_DESCR("[ ( 'x' , '<i8' , ( ) , ) ]"), "[ ( 'x' , '<i8' , ( ) , ) ]", 8);
}

static void test_texts_beyond_ascii(void **state) {
    (void)state;
    assert_good(1, WITH_DESCR("[('\xe9', '<i8')]"), "[('\xc3\xa9', '<i8')]", 8);
    assert_good(2, WITH_DESCR("[('\xe9', '<i8')]"), "[('\xc3\xa9', '<i8')]", 8);
    assert_good(3, WITH_DESCR("[('\xc3\xa9', '<i8')]"), "[('\xc3\xa9', '<i8')]", 8);
    assert_good(3, WITH_DESCR("[('\xe6\xbc\xa2', '<i8')]"), "[('\xe6\xbc\xa2', '<i8')]", 8);
    assert_bad(3, WITH_DESCR("[('\xe9', '<i8')]"), "not valid UTF-8");
}

static void test_bad_dtypes(void **state) {
    (void)state;
    static const char *const unknown[] = {
        WITH_DESCR("''"),        WITH_DESCR("'<'"),
        WITH_DESCR("'<f'"),      WITH_DESCR("'<f3'"),
        WITH_DESCR("'<i16'"),    WITH_DESCR("'|b2'"),
        WITH_DESCR("'float64'"), WITH_DESCR("'<f4x'"),
        WITH_DESCR("'<M4'"),     WITH_DESCR("'<M8[]'"),
        WITH_DESCR("'<M8[ns'"),  WITH_DESCR("'<M8[#]'"),
        WITH_DESCR("'<f256'"),   WITH_DESCR("'<f4[ns]'"),
        WITH_DESCR("'|T16'"),    WITH_DESCR("'|S99999999999999999999'"),
    };
    for (size_t k = 0; k < sizeof unknown / sizeof *unknown; k++)
        assert_bad(1, unknown[k], "is no dtype of a known size");
    assert_bad(1, WITH_DESCR("'|O'"),
               "f.npy: the dtype is '|O' (Python objects), whose elements have no fixed size; convert it with "
               "astype first");
    assert_bad(1, WITH_DESCR("'O'"), "the dtype is 'O' (Python objects)");
    assert_bad(1, WITH_DESCR("[('x', '<f4'), ('y', [('z', '|O')])]"), "the dtype has a field of '|O'");
    assert_bad(1, WITH_DESCR("'|S0'"), "elements of 0 bytes");
    assert_bad(1, WITH_DESCR("'|V'"), "elements of 0 bytes");
    assert_bad(1, WITH_DESCR("[]"), "elements of 0 bytes");
    assert_bad(1, WITH_DESCR("[('x', '<f4', (0,))]"), "elements of 0 bytes");
    assert_bad(1, WITH_DESCR("[('x', '<f4', (4294967296, 4294967296))]"), "sub-array is larger than 2^63");
    assert_bad(1, WITH_DESCR("[('x', '|V8', (1152921504606846975,)), ('y', '|V8')]"), "structure is larger");
    assert_bad(1, WITH_DESCR("[('x')]"), "expected ',', not ')'");
    assert_bad(1, WITH_DESCR("[('x', '<f4') ('y', '<f4')]"), "expected ']', not '('");
    assert_bad(1, WITH_DESCR("[('x', '<f4', (2,), 1)]"), "expected ')', not '1'");
    assert_bad(1, WITH_DESCR("[(('t', 'x', 'z'), '<f4')]"), "expected ')', not ','");
    assert_bad(1, WITH_DESCR("7"), "expected a string, not '7'");
}

static void test_nesting_is_bounded(void **state) {
    (void)state;
    enum { DEEP = 100000 };
    char *text = malloc(8 * DEEP + 32);
    assert_non_null(text);
    size_t length = (size_t)sprintf(text, "{'descr': ");
    for (int k = 0; k < DEEP; k++) length += (size_t)sprintf(text + length, "[('a', ");
    assert_bad(2, text, "nested more than 32 deep");
    free(text);
}

static void test_bad_dictionaries(void **state) {
    (void)state;
    assert_bad(1, "", "expected '{', but the text ends");
    assert_bad(1, "{}", "lacks 'descr'");
    assert_bad(1, "{'descr': '<f4'}", "lacks 'fortran_order'");
    assert_bad(1, "{'descr': '<f4', 'fortran_order': True}", "lacks 'shape'");
    assert_bad(1, "{'descr': '<f4', 'descr': '<f4'}", "character 18: 'descr' is there twice");
    assert_bad(1, "{'descr': '<f4', 'colour': 3}", "'colour' is no key of a .npy header");
    assert_bad(1, "{'descr' '<f4'}", "expected ':', not '''");
    assert_bad(1, "{descr: '<f4'}", "expected a string, not 'd'");
    assert_bad(1, "{'descr: ", "this string has no end");
    assert_bad(1, "{'descr\\", "this string has no end");
    assert_bad(1, "{'des\ncr': 1}", "this string has no end");
    assert_bad(1, "{'des\\\ncr': 1}",
               "this string has no end"); /* nor may an escape hide a control character */
    assert_bad(1, "{'fortran_order': 1}", "expected True or False, not '1'");
    assert_bad(1, "{'fortran_order': Fals", "expected True or False");
    assert_bad(1, "{'fortran_order': Truee", "expected '}', not 'e'");
    assert_bad(1, WITH_SHAPE("(3,)") "x", "expected its end, not 'x'");
    assert_bad(1, "{\x01", "not the byte 0x01");
}

static void test_bad_prefixes(void **state) {
    (void)state;
    riffle_npy_header header;
    size_t data_at, size;
    char *good = build(1, WITH_SHAPE("(3,)"), &size);
    assert_int_equal(npy_header_read("f.npy", good, 0, &header, &data_at), RIFFLE_ERROR_FORMAT);
    expect_detail("f.npy is no .npy file: it is empty");
    for (size_t cut = 1; cut < size; cut++) {
        char *part = malloc(cut);
        assert_non_null(part);
        memcpy(part, good, cut);
        assert_int_equal(npy_header_read("f.npy", part, cut, &header, &data_at), RIFFLE_ERROR_FORMAT);
        expect_detail("f.npy: truncated");
        free(part);
    }
    good[0] = 'P';
    assert_int_equal(npy_header_read("f.npy", good, size, &header, &data_at), RIFFLE_ERROR_FORMAT);
    expect_detail("f.npy is no .npy file: it does not start with \\x93NUMPY");
    assert_int_equal(npy_header_read("f.npy", good, 3, &header, &data_at), RIFFLE_ERROR_FORMAT);
    expect_detail("does not start with");
    free(good);

    static const char versions[][2] = {{0, 0}, {4, 0}, {1, 1}, {(char)255, 3}};
    for (size_t k = 0; k < sizeof versions / sizeof *versions; k++) {
        good = build(2, WITH_SHAPE("(3,)"), &size);
        memcpy(good + 6, versions[k], 2);
        assert_int_equal(npy_header_read("f.npy", good, size, &header, &data_at), RIFFLE_ERROR_FORMAT);
        expect_detail("is not known; 1.0, 2.0 and 3.0 are");
        free(good);
    }
    good = build(2, WITH_SHAPE("(3,)"), &size);
    memset(good + 8, 0xff, 4);
    assert_int_equal(npy_header_read("f.npy", good, size, &header, &data_at), RIFFLE_ERROR_FORMAT);
    expect_detail("a header of 4294967295 bytes is longer");
    free(good);
}

/* A NUL would cut descr short; a backslash before it must not smuggle it in. */
static void test_nul_in_a_name(void **state) {
    (void)state;
    static const char text[] = WITH_DESCR("[('a\\@b', '<f4')]");
    size_t size, data_at;
    riffle_npy_header header;
    char *bytes = build(1, text, &size);
    *(char *)memchr(bytes, '@', size) = '\0';
    assert_int_equal(npy_header_read("f.npy", bytes, size, &header, &data_at), RIFFLE_ERROR_FORMAT);
    expect_detail("this string has no end");
    free(bytes);
}

static void test_sizes(void **state) {
    (void)state;
    uint64_t length = 7;
    size_t bytes = 7;
    riffle_npy_header header = {.descr = "'<f4'", .elem_bytes = 4, .rank = 2, .shape = {3, 5}};
    assert_int_equal(npy_header_size(RIFFLE_ERROR_FORMAT, "f.npy", &header, &length, &bytes), RIFFLE_OK);
    assert_int_equal(length, 15);
    assert_int_equal(bytes, 60);
    header.shape[1] = 0;
    assert_int_equal(npy_header_size(RIFFLE_ERROR_FORMAT, "f.npy", &header, &length, &bytes), RIFFLE_OK);
    assert_int_equal(length, 0);
    assert_int_equal(bytes, 0);
    header.rank = 0;
    assert_int_equal(npy_header_size(RIFFLE_ERROR_FORMAT, "f.npy", &header, &length, &bytes), RIFFLE_OK);
    assert_int_equal(length, 1);
    header.rank = 3;
    header.shape[0] = header.shape[2] = (uint64_t)1 << 32;
    assert_int_equal(npy_header_size(RIFFLE_ERROR_FORMAT, "f.npy", &header, &length, &bytes),
                     RIFFLE_ERROR_FORMAT);
    expect_detail("f.npy: the product of its dimensions does not fit 64 bits");
    header.shape[0] = (uint64_t)1 << 28;
    assert_int_equal(npy_header_size(RIFFLE_ERROR_FORMAT, "f.npy", &header, &length, &bytes),
                     RIFFLE_ERROR_FORMAT);
    expect_detail("elements of 4 bytes are more than a file can hold");
}

/* Writing, then reading, gives the same again; and the bytes are the version that is expected. */
static void assert_round_trip(const riffle_npy_header *header, char version) {
    char *bytes;
    size_t length, data_at;
    riffle_npy_header again;
    if (npy_header_write("f.npy", header, &bytes, &length) != RIFFLE_OK) fail_msg("%s", riffle_error_detail());
    assert_int_equal(bytes[6], version);
    assert_int_equal(length % 64, 0);
    assert_int_equal(bytes[length - 1], '\n');
    assert_int_equal(npy_header_read("f.npy", bytes, length, &again, &data_at), RIFFLE_OK);
    assert_int_equal(data_at, length);
    assert_string_equal(again.descr, header->descr);
    assert_int_equal(again.elem_bytes, header->elem_bytes);
    assert_int_equal(again.fortran_order, header->fortran_order);
    assert_int_equal(again.rank, header->rank);
    assert_memory_equal(again.shape, header->shape, header->rank * sizeof *header->shape);
    npy_header_free(&again);
    free(bytes);
}

static void test_written_headers_read_back(void **state) {
    (void)state;
    riffle_npy_header header = {.descr = "'<f4'", .elem_bytes = 4};
    for (header.rank = 0; header.rank <= RIFFLE_MAX_RANK; header.rank++) {
        if (header.rank > 0) header.shape[header.rank - 1] = UINT64_MAX >> (2 * header.rank - 2);
        header.fortran_order = header.rank % 2 != 0;
        assert_round_trip(&header, 1);
    }
    header.rank = 1;
    header.descr = "[('\xc3\xa9', '<i8')]"; /* Latin-1 can spell it */
    header.elem_bytes = 8;
    assert_round_trip(&header, 1);
    header.descr = "[('\xe6\xbc\xa2', '<i8')]"; /* only UTF-8 can */
    assert_round_trip(&header, 3);
}

/* Names of every length around the 65535 bytes that version 1.0 can hold. */
static void test_long_headers_need_version_2(void **state) {
    (void)state;
    char *descr = malloc(70000);
    assert_non_null(descr);
    riffle_npy_header header = {.descr = descr, .elem_bytes = 8, .rank = 1, .shape = {3}};
    char last = 1;
    for (size_t name = 65300; name < 65600; name++) {
        size_t length = (size_t)sprintf(descr, "[('");
        memset(descr + length, 'x', name);
        strcpy(descr + length + name, "', '<i8')]");
        char *bytes;
        size_t size;
        assert_int_equal(npy_header_write("f.npy", &header, &bytes, &size), RIFFLE_OK);
        char version = bytes[6];
        free(bytes);
        assert_true(version >= last && version <= 2);
        assert_round_trip(&header, version);
        last = version;
    }
    assert_int_equal(last, 2);
    free(descr);
}

/* The very bytes that numpy.save of NumPy 2 writes for zeros((3, 4), '<f4'). */
static void test_header_is_numpys(void **state) {
    (void)state;
    static const char text[] = "{'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }";
    char expected[128];
    memset(expected, ' ', sizeof expected);
    memcpy(expected, "\x93NUMPY\x01\x00\x76\x00", 10);
    memcpy(expected + 10, text, sizeof text - 1);
    expected[127] = '\n';
    riffle_npy_header header = {.descr = "'<f4'", .elem_bytes = 4, .rank = 2, .shape = {3, 4}};
    char *bytes;
    size_t length;
    assert_int_equal(npy_header_write("f.npy", &header, &bytes, &length), RIFFLE_OK);
    assert_int_equal(length, sizeof expected);
    assert_memory_equal(bytes, expected, sizeof expected);
    free(bytes);
}

static void test_headers_that_cannot_be_written(void **state) {
    (void)state;
    const riffle_npy_header good = {.descr = "'<f4'", .elem_bytes = 4, .rank = 1, .shape = {3}};
    const struct {
        const char *descr;
        size_t elem_bytes;
        unsigned rank;
        const char *detail;
    } cases[] = {
        {NULL, 4, 1, "f.npy: the header has no descr"},
        {"'<f4'", 4, 33, "33 dimensions are more than 32"},
        {"'<f4'", 8, 1, "elem_bytes is 8, but elements of this descr have 4"},
        {"'<f4' ,", 4, 1, "descr, character 7: expected its end, not ','"},
        {"<f4", 4, 1, "descr, character 1: expected a string, not '<'"},
        {"[('\xe9', '<f4')]", 4, 1, "descr is not valid UTF-8"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        riffle_npy_header header = good;
        header.descr = cases[k].descr;
        header.elem_bytes = cases[k].elem_bytes;
        header.rank = cases[k].rank;
        char *bytes = NULL;
        size_t length;
        assert_int_equal(npy_header_write("f.npy", &header, &bytes, &length), RIFFLE_ERROR_INVALID_ARGUMENT);
        expect_detail(cases[k].detail);
        assert_null(bytes);
    }
}

static void test_encodings(void **state) {
    (void)state;
    static const char *const bad[] = {
        "\x80",     "\xc0\x80", "\xc3",   "\xe0\x80\x80",    "\xed\xa0\x80", "\xe6\xbc", "\xf4\x90\x80\x80",
        "\xf5\x80", "\xff",     "a\xc3z", "\xf0\x80\x80\x80"};
    static const char *const good[] = {"", "a", "\xc2\x80", "\xe0\xa0\x80", "\xef\xbf\xbf", "\xf4\x8f\xbf\xbf"};
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++)
        assert_false(encoding_is_utf8(bad[k], strlen(bad[k])));
    for (size_t k = 0; k < sizeof good / sizeof *good; k++)
        assert_true(encoding_is_utf8(good[k], strlen(good[k])));
    char latin1[256], utf8[512], back[512];
    for (int k = 0; k < 256; k++) latin1[k] = (char)k;
    size_t length = encoding_utf8_of_latin1(latin1, sizeof latin1, utf8), back_length = 0;
    assert_int_equal(length, 384);
    assert_true(encoding_is_utf8(utf8, length));
    assert_true(encoding_latin1_of_utf8(utf8, length, back, &back_length));
    assert_int_equal(back_length, sizeof latin1);
    assert_memory_equal(back, latin1, sizeof latin1);
    assert_false(encoding_latin1_of_utf8("\xc4\x80", 2, back, &back_length));
}

static void expect_field(const riffle_npy_field *field, const char *name, size_t offset, size_t bytes,
                         char kind, char order) {
    assert_int_equal(field->name_bytes, strlen(name));
    if (field->name_bytes > 0) assert_memory_equal(field->name, name, strlen(name));
    assert_int_equal(field->offset, offset);
    assert_int_equal(field->bytes, bytes);
    assert_int_equal(field->kind, kind);
    assert_int_equal(field->order, order);
}

static void test_fields(void **state) {
    (void)state;
    riffle_npy_field fields[8];
    size_t count = 99;
    riffle_npy_header header = {.descr =
                                    "[('x', '<i8'), ('', '|V4'), (('title', 'y'), '>f4', (2, 3)), "
                                    "('z', [('a', '|u1'), ('b', '<f2')]), ('s', '|S3'), ('t', '<M8[ns]')]"};
    assert_int_equal(riffle_npy_header_fields(&header, fields, 8, &count), RIFFLE_OK);
    assert_int_equal(count, 5);
    expect_field(&fields[0], "x", 0, 8, 'i', '<');
    expect_field(&fields[1], "y", 12, 24, 'P', '>');
    expect_field(&fields[2], "z", 36, 3, 'P', '|');
    expect_field(&fields[3], "s", 39, 3, 'S', '|');
    expect_field(&fields[4], "t", 42, 8, 'M', '<');
    fields[2].offset = 77;
    assert_int_equal(riffle_npy_header_fields(&header, fields, 2, &count), RIFFLE_OK);
    assert_int_equal(count, 5);
    assert_int_equal(fields[2].offset, 77);
    header.descr = "'<U5'";
    assert_int_equal(riffle_npy_header_fields(&header, fields, 8, &count), RIFFLE_OK);
    assert_int_equal(count, 1);
    assert_null(fields[0].name);
    expect_field(&fields[0], "", 0, 20, 'U', '<');
    header.descr = "[('x', 'f99')]";
    assert_int_equal(riffle_npy_header_fields(&header, fields, 8, &count), RIFFLE_ERROR_INVALID_ARGUMENT);
    assert_string_equal(riffle_error_detail(), "header: descr, character 8: 'f99' is no dtype of a known size");
    header.descr = NULL;
    assert_int_equal(riffle_npy_header_fields(&header, fields, 8, &count), RIFFLE_ERROR_INVALID_ARGUMENT);
    assert_int_equal(count, 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_versions_and_values),
        cmocka_unit_test(test_odd_but_legal_spellings),
        cmocka_unit_test(test_shapes),
        cmocka_unit_test(test_scalar_dtypes),
        cmocka_unit_test(test_structured_dtypes),
        cmocka_unit_test(test_texts_beyond_ascii),
        cmocka_unit_test(test_bad_dtypes),
        cmocka_unit_test(test_nesting_is_bounded),
        cmocka_unit_test(test_bad_dictionaries),
        cmocka_unit_test(test_bad_prefixes),
        cmocka_unit_test(test_nul_in_a_name),
        cmocka_unit_test(test_sizes),
        cmocka_unit_test(test_written_headers_read_back),
        cmocka_unit_test(test_long_headers_need_version_2),
        cmocka_unit_test(test_header_is_numpys),
        cmocka_unit_test(test_headers_that_cannot_be_written),
        cmocka_unit_test(test_encodings),
        cmocka_unit_test(test_fields),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
