/* SPDX-License-Identifier: Apache-2.0 */
#include "arrays/program_text.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "frame/command.h"
#include "frame/message.h"
#include "frame/nearest.h"
#include "frame/readers.h"

enum { LONGEST_FILE = 1 << 20, LONGEST_LINE = 4096 };

int program_bits(uint64_t n) {
    if (n == 0 || (n & (n - 1)) != 0 || n > RIFFLE_MAX_LENGTH) return -1;
    return __builtin_ctzll(n);
}

/* The file's text, to be freed; NULL after a complaint. */
static char *read_file(const char *path) {
    FILE *file = fopen(path, "r");
    if (file == NULL) {
        complain("%s: %s; give a file with definitions", path, strerror(errno));
        return NULL;
    }
    char *text = malloc(LONGEST_FILE + 1);
    const size_t length = text != NULL ? fread(text, 1, LONGEST_FILE + 1, file) : 0;
    const char *wrong = text == NULL              ? "no memory for the definitions"
                        : ferror(file)            ? strerror(errno)
                        : length > LONGEST_FILE   ? "more than 1 MiB of definitions"
                        : memchr(text, 0, length) ? "has a byte of 0, and is no text"
                                                  : NULL;
    fclose(file);
    if (wrong != NULL) {
        complain("%s: %s", path, wrong);
        free(text);
        return NULL;
    }
    text[length] = '\0';
    return text;
}

/* The text's line and a caret under its character. */
static void point_at(const char *text, unsigned line, unsigned character) {
    for (; line > 1 && strchr(text, '\n') != NULL; line--) text = strchr(text, '\n') + 1;
    char whole[LONGEST_LINE], shown[2 * LONGEST_LINE];
    snprintf(whole, sizeof whole, "%.*s", (int)strcspn(text, "\n"), text);
    fprintf(stderr, "  %s\n", riffle_printable(whole, shown, sizeof shown));
    size_t before = 0;
    for (unsigned seen = 0; whole[before] != '\0'; before++) {
        seen += ((unsigned char)whole[before] & 0xC0) != 0x80;
        if (seen == character) break;
    }
    whole[before] = '\0';
    fprintf(stderr, "  %*s^\n", (int)strlen(riffle_printable(whole, shown, sizeof shown)), "");
}

int complain_program(const program_text *text, const char *place, riffle_status status) {
    unsigned line, character;
    const char *detail = riffle_error_detail();
    if (sscanf(detail, "definitions, line %u, character %u:", &line, &character) == 2 &&
        text->definitions != NULL) {
        complain("%s: %s", text->file, detail);
        point_at(text->definitions, line, character);
    } else if (sscanf(detail, "program, line %u, character %u:", &line, &character) == 2) {
        complain("--by: %s", detail);
        point_at(text->by, line, character);
    } else {
        complain("%s: %s", place, detail);
    }
    return status == RIFFLE_ERROR_SYNTAX || status == RIFFLE_ERROR_INVALID_ARGUMENT ? EXIT_USAGE : EXIT_FAILED;
}

int program_read(program_text *text, unsigned n, riffle_program **out) {
    if (text->file != NULL && (text->definitions = read_file(text->file)) == NULL) return EXIT_FAILED;
    const riffle_status status = riffle_program_parse(text->by, text->definitions, n, out);
    return status == RIFFLE_OK ? EXIT_DONE : complain_program(text, "--by", status);
}

void program_text_free(program_text *text) {
    free(text->definitions);
    text->definitions = NULL;
}

/* True if the text begins with the name of a program of the library: "sort 8". */
static bool begins_with_program(const char *text) {
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz-";
    const size_t length = strspn(text, letters);
    const char *line = riffle_program_library();
    for (; line != NULL && length > 0; line = strchr(line, '\n')) {
        line += *line == '\n';
        if (strncmp(line, text, length) == 0 && line[length] == ' ') return true;
    }
    return false;
}

enum { NAME_ROOM = 64 };

/* The name that the library's last message suggests; "" if it does none. */
static void find_suggestion(char name[static NAME_ROOM]) {
    static const char before[] = "did you mean '";
    const char *const at = strstr(riffle_error_detail(), before);
    name[0] = '\0';
    if (at != NULL) sscanf(at + strlen(before), "%63[^' ]", name);
}

/* True if the text begins with what is nearer to `program` than to `spec`; each may be "". */
static bool begins_like_program(const char *text, const char *spec, const char *program) {
    const char *const names[] = {spec, program, NULL};
    char word[NAME_ROOM];
    snprintf(word, sizeof word, "%.*s", (int)strcspn(text, " \t\r\n|:"), text);
    if (*program == '\0' || *spec == '\0') return *program != '\0';
    return nearest_word(word, names) == program;
}

/* After riffle_perm_parse has refused it: true if it is a program, goes wrong as one further on in its text, or begins with the name of one,
 * perhaps misspelt. */
static bool program_is_meant(const char *by, uint64_t n) {
    unsigned spec_character = 0, line = 1, character = 0;
    char of_spec[NAME_ROOM], of_program[NAME_ROOM];
    sscanf(riffle_error_detail(), "spec, character %u", &spec_character);
    find_suggestion(of_spec);
    riffle_program *program;
    const unsigned bits = n > 0 ? 63U - (unsigned)__builtin_clzll(n) : 0;
    const riffle_status status = riffle_program_parse(by, NULL, bits, &program);
    if (status == RIFFLE_OK) {
        riffle_program_free(program);
        return true;
    }
    sscanf(riffle_error_detail(), "program, line %u, character %u", &line, &character);
    find_suggestion(of_program);
    return line > 1 || character > spec_character ||
           (spec_character == 1 && (begins_with_program(by) || begins_like_program(by, of_spec, of_program)));
}

bool program_has_options(int type, const char *definitions, const any_algorithm *algorithm) {
    return type != 0 || definitions != NULL || any_algorithm_is_of_programs(algorithm);
}

int permutation_unless_program(const char *by, uint64_t n, bool has_options, riffle_perm **out) {
    *out = NULL;
    if (has_options) return EXIT_DONE;
    riffle_status status = riffle_perm_parse(by, n, out);
    if (status == RIFFLE_ERROR_SYNTAX) {
        if (program_is_meant(by, n)) return EXIT_DONE;
        status = riffle_perm_parse(by, n, out); /* for its message, which the other's has replaced */
    }
    return status == RIFFLE_OK ? EXIT_DONE : complain_spec(by, status);
}

int complain_permutation(const char *by, uint64_t n, riffle_status status) {
    if (status != RIFFLE_ERROR_SYNTAX) return complain_spec(by, status);
    if (program_is_meant(by, n)) {
        complain("--by: '%s' is no permutation; it reads as an array program, which 'riffle run' does", by);
        return EXIT_USAGE;
    }
    riffle_perm *perm = NULL;
    status = riffle_perm_parse(by, n, &perm); /* for its message, which the other's has replaced */
    riffle_perm_free(perm);
    return complain_spec(by, status);
}

int program_read_for(program_text *text, uint64_t n, riffle_program **out) {
    if (program_bits(n) >= 0) return program_read(text, (unsigned)program_bits(n), out);
    complain("--n: %llu elements, and a program is for a power of two; choose one as 2^K",
             (unsigned long long)n);
    return EXIT_FAILED;
}

int program_refuse_options(const permutation_options *given) {
    const struct {
        bool given;
        const char *name, *instead;
    } options[] = {{given->algorithm, "algorithm", "has fused and paper"},
                   {given->elem_bytes, "elem-bytes", "has --type"},
                   {given->elem_bits, "elem-bits", "has --type"},
                   {given->row_length, "row-length", "has none"},
                   {given->stride, "stride", "has none"},
                   {given->in_place, "in-place", "has none"},
                   {given->once, "once", "has none"},
                   {given->check, "check", "has none"},
                   {given->ranks, "ranks", "has none"},
                   {given->gpus, "gpus", "has none"}};
    for (size_t k = 0; k < sizeof options / sizeof options[0]; k++) {
        if (!options[k].given) continue;
        complain("option --%s: is of permutations, and --by is a program, which %s", options[k].name,
                 options[k].instead);
        return EXIT_USAGE;
    }
    return EXIT_DONE;
}

/* The type that NumPy calls so, by its bytes. */
static bool numpy_type(const char *word, riffle_type *out) {
    static const struct {
        const char *name;
        riffle_type type;
    } types[] = {{"i1", RIFFLE_TYPE_I8},   {"i2", RIFFLE_TYPE_I16}, {"i4", RIFFLE_TYPE_I32},
                 {"i8", RIFFLE_TYPE_I64},  {"u1", RIFFLE_TYPE_U8},  {"u2", RIFFLE_TYPE_U16},
                 {"u4", RIFFLE_TYPE_U32},  {"u8", RIFFLE_TYPE_U64}, {"f2", RIFFLE_TYPE_F16},
                 {"f4", RIFFLE_TYPE_F32},  {"f8", RIFFLE_TYPE_F64}, {"c8", RIFFLE_TYPE_C64},
                 {"c16", RIFFLE_TYPE_C128}};
    for (size_t k = 0; k < sizeof types / sizeof *types; k++) {
        if (strcmp(word, types[k].name) != 0) continue;
        *out = types[k].type;
        return true;
    }
    return false;
}

bool program_type_of(const char *descr, riffle_type *out) {
    char name[8];
    return sscanf(descr, "'%7[^']'", name) == 1 && strchr("<|=", name[0]) != NULL && numpy_type(name + 1, out);
}

bool option_type(const command_option *option, const char *text, void *field) {
    static const char *words[RIFFLE_TYPE_C128 + 2];
    riffle_type numpys = RIFFLE_TYPE_I8;
    bool is_ours = false;
    for (int k = 0; k <= RIFFLE_TYPE_C128; k++) {
        words[k] = riffle_type_string((riffle_type)k);
        is_ours |= strcmp(text, words[k]) == 0;
    }
    if (!is_ours && numpy_type(text, &numpys)) {
        complain("option --%s: type '%s' is NumPy's name, by bytes; here it is by bits: '%s'", option->name,
                 text, riffle_type_string(numpys));
        return false;
    }
    const int k = read_word(option, "type", text, words);
    if (k >= 0) *(int *)field = k + 1;
    return k >= 0;
}

static const char *const ways[] = {"auto", "fused", "paper", NULL};

bool option_program_algorithm(const command_option *option, const char *text, void *field) {
    return read_word(option, "algorithm", text, ways) >= 0 &&
           riffle_program_algorithm_parse(text, field) == RIFFLE_OK;
}
