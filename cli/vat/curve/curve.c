/* SPDX-License-Identifier: Apache-2.0
 *
 * riffle vat curve: what the chapter's programs cost over sizes, by its machines and counted, as CSV and as a plot.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "frame/command.h"
#include "frame/message.h"
#include "frame/options.h"
#include "plot/files.h"
#include "vat/curve/show.h"
#include "vat/vat.h"

typedef struct request {
    curve_request of;
    word_list drawn;
    plot_files files;
} request;

/* ------------------------------------------------------------------------- what is read */

/* Levels are counted in elements of 8 bytes. The memory, which is the last, has a time alone. */
static bool grows(const curve_memory *memory, size_t level, bool is_last) {
    return level == 0 || (memory->times[level] > memory->times[level - 1] &&
                          (is_last || memory->sizes[level] > memory->sizes[level - 1]));
}

/* BYTES:TIME, or the last TIME. */
static bool read_level(const char *item, bool is_last, curve_memory *out) {
    const char *const colon = strchr(item, ':');
    char *end;
    if ((colon == NULL) != is_last || (!is_last && out->levels == CURVE_MOST_LEVELS)) return false;
    const char *const time = is_last ? item : colon + 1;
    out->times[out->levels] = strtod(time, &end);
    if (end == time || *end != '\0' || !(out->times[out->levels] >= 0 && out->times[out->levels] <= 1e100))
        return false;
    if (is_last) return true;
    char size[40];
    uint64_t bytes;
    snprintf(size, sizeof size, "%.*s", (int)(colon - item), item);
    if (!read_number(size, &bytes) || bytes < 8) return false;
    out->sizes[out->levels++] = (double)(bytes / 8);
    return true;
}

static bool read_memory(const command_option *option, const char *text, void *field) {
    curve_memory *const out = field;
    char item[80];
    for (const char *at = text;; at += strlen(item) + 1) {
        const size_t length = strcspn(at, ",");
        const bool is_last = at[length] == '\0';
        snprintf(item, sizeof item, "%.*s", (int)length, at);
        if (length >= sizeof item || !read_level(item, is_last, out)) {
            complain("option --%s: '%s' is not BYTES:TIME,...,TIME; write levels of a cache and the memory's "
                     "time, such "
                     "as 2^15:1.2,2^20:4,2^25:12,80",
                     option->name, text);
            return false;
        }
        if (!grows(out, is_last ? out->levels : out->levels - 1, is_last)) {
            complain(
                "option --%s: '%s' has to be slower than what stands before it, and a cache larger by 8 bytes "
                "or more; begin with the smallest and fastest",
                option->name, item);
            return false;
        }
        if (is_last) break;
    }
    out->is_given = true;
    return true;
}

static const char *const *per_words(void) { return curve_pers; }
static const char *const *column_words(void) { return curve_columns; }

static bool read_per(const command_option *option, const char *text, void *field) {
    const int k = read_word(option, "divisor", text, curve_pers);
    *(curve_per *)field = (curve_per)k;
    return k >= 0;
}

static bool read_drawn(const command_option *option, const char *text, void *field) {
    return read_words(option, "column", text, curve_columns, field);
}

static const char *const *program_words(void) {
    static const char *words[RIFFLE_VAT_PROGRAM_COUNT + 1];
    for (int k = 0; k < RIFFLE_VAT_PROGRAM_COUNT; ++k)
        words[k] = riffle_vat_program_string((riffle_vat_program)k);
    return words;
}

static bool read_programs(const command_option *option, const char *text, void *field) {
    return read_words(option, "program", text, program_words(), field);
}

/* --------------------------------------------------------------------------- the command */

/* A tree that no size can be counted with is refused before the first is counted. */
static int check_model(const vat_model *model) {
    if (!vat_model_check(model, "vat curve")) return EXIT_USAGE;
    const riffle_vat_options tree = vat_model_options(model, 0);
    riffle_vat *vat = NULL;
    const riffle_status status = vat_model_create(model, &tree, &vat);
    riffle_vat_free(vat);
    if (status == RIFFLE_OK) return EXIT_DONE;
    complain_status("vat curve", status);
    return status == RIFFLE_ERROR_INVALID_ARGUMENT ? EXIT_USAGE : EXIT_FAILED;
}

static int check(request *ask) {
    const int exit_status = check_model(&ask->of.model);
    if (exit_status != EXIT_DONE) return exit_status;
    if (ask->drawn.count > 0 && ask->files.svg == NULL) {
        complain("vat curve: --draw is of the picture; give --svg FILE as well");
        return EXIT_USAGE;
    }
    if (ask->drawn.count == 0) ask->drawn = (word_list){1, {CURVE_TIME}};
    if (ask->of.memory.is_given &&
        (ask->of.programs.count > 1 || ask->of.programs.of[0] != RIFFLE_VAT_PROGRAM_RANDOM_SCAN)) {
        complain("vat curve: --memory gives T_EM, which is random-scan's; give that program alone");
        return EXIT_USAGE;
    }
    const unsigned lines = ask->drawn.count * ask->of.programs.count;
    if (ask->files.svg != NULL && ask->of.n.count < 2) {
        complain("--svg: a line wants two sizes or more; give them, as in --n 2^10..2^20");
        return EXIT_USAGE;
    }
    if (ask->files.svg != NULL && lines > PLOT_MOST_LINES) {
        complain("--svg: %u lines cannot be told apart, %d can; give fewer programs or columns", lines,
                 PLOT_MOST_LINES);
        return EXIT_USAGE;
    }
    return plot_files_check(&ask->files);
}

static int write_all(const request *ask, const curve *found) {
    plot picture;
    if (ask->files.svg != NULL) curve_picture(found, &ask->drawn, &picture);
    return plot_files_write(&ask->files, "vat curve", curve_table, found, &picture);
}

static int run(int argc, char **argv) {
    request ask = {.of = {.seed = 1, .replay = 1 << 22}};
    int exit_status;
    if (!options_read(&vat_curve_command, argc, argv, &ask, &exit_status)) return exit_status;
    exit_status = check(&ask);
    if (exit_status != EXIT_DONE) return exit_status;
    curve found;
    exit_status = curve_run(&ask.of, &found);
    if (exit_status == EXIT_DONE) exit_status = write_all(&ask, &found);
    curve_free(&found);
    return exit_status;
}

static const command_option options[] = {
    {.help = "The programs and the report:"},
    {"program", "LIST", read_programs, FIELD(word_list, of.programs), .help = "the programs:",
     .words = program_words, .missing = "no program given; say which with --program LIST"},
    {"n", "LIST", NUMBERS(of.n), .help = "their sizes", COUNT_RANGE,
     .missing = "no size given; say how many elements with --n LIST"},
    {"seed", "N", NUMBER(of.seed), .help = "of their random numbers; 1 by default", RANGE(0, UINT64_MAX)},
    {"replay", "N", NUMBER(of.replay),
     .help = "counts programs of up to N operations; 2^22 by default, 0 for none", RANGE(0, UINT64_MAX)},
    {"per", "WHAT", read_per, FIELD(curve_per, of.per),
     .help = "divide all numbers, by what; total, which is not divided, by default:", .words = per_words},
    {"memory", "LIST", read_memory, FIELD(curve_memory, of.memory),
     .help = "levels of caches, BYTES:TIME each, and the memory's TIME, sizes and times increasing, in the "
             "unit of tau: random-scan has T_EM of them, section 2.1.1"},
    PLOT_FILES_OPTIONS(files, "a line for each program and column of --draw"),
    {"draw", "LIST", read_drawn, FIELD(word_list, drawn),
     .help = "--svg: which columns; time by default:", .words = column_words},
    VAT_MODEL_OPTIONS(of.model),
    {0},
};

const command vat_curve_command = {
    .name = "vat curve",
    .summary = "what the model's programs cost over sizes, by formulas and counted, as CSV and a plot",
    .usage = "--program LIST --n LIST [OPTION]...",
    .about = "Prints a line of CSV for each program and size: operations of the RAM, block\n"
             "transfers of the EM, bounds of the VAT, and what translating the program's\n"
             "accesses is counted to cost. The chapter's curves are quotients: --per operation\n"
             "is its normalized time, --per em Figure 2.2's, --per element Figure 2.6's.\n"
             "\n"
             "A LIST of sizes is numbers and ranges with commas: 4,8,16 or 2^10..2^20, which\n"
             "doubles, or 1000..5000+500, or 2^10..2^30x4.\n",
    .options = options,
    .notes = "With --nested, bounds and references are of both translations. Time is an\n"
             "operation of 1 each, or T_EM, and tau a fault.\n",
    .run = run,
};
