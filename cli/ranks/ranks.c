/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE /* secure_getenv */
#include "ranks/ranks.h"

#include <dlfcn.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>

#include "arrays/same_file.h"
#include "arrays/table_files.h"
#include "arrays/unfinished.h"
#include "frame/exit.h"
#include "frame/message.h"

enum { PATH = 4096, WORDS = 1024 };

/* The number of processes that the environment says, 1 among them; 0 if it says none. */
static unsigned processes_told(void) {
    static const char *const names[] = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "MPI_LOCALNRANKS"};
    unsigned most = 0;
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        const char *const text = getenv(names[k]);
        const unsigned long count = text != NULL ? strtoul(text, NULL, 10) : 0;
        if (count > most && count <= 1u << 20) most = (unsigned)count;
    }
    return most;
}

/* This one's number among them, or -1 if the environment says none. */
static int rank_told(void) {
    static const char *const names[] = {"OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK"};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        const char *const text = getenv(names[k]);
        if (text != NULL) return atoi(text);
    }
    return -1;
}

unsigned ranks_launched(void) { return processes_told() > 1 ? processes_told() : 1; }

bool ranks_are_one(const char *name, const char *out) {
    const unsigned launched = ranks_launched();
    if (launched > 1)
        complain("%s: a launcher has started %u of this process, which would all write %s; have them do it "
                 "together with --mpi (permute, sort, group), or start one",
                 name, launched, out);
    return launched == 1;
}

/* ------------------------------------------------------------------ the library */

/* In the folder that the environment names, and only there if it does; else where the loader looks. It stays loaded. */
static void *open_library(char file[static PATH]) {
    const char *const folder = secure_getenv("RIFFLE_LIBRARY_PATH");
    snprintf(file, PATH, "%s%slibriffle-mpi.so.%d.%d", folder != NULL ? folder : "",
             folder != NULL && *folder != '\0' ? "/" : "", RIFFLE_VERSION_MAJOR, RIFFLE_VERSION_MINOR);
    return dlopen(file, RTLD_NOW | RTLD_LOCAL);
}

/* NULL where there is no library, or one of another build than this command, `build`: its structs may be laid out otherwise. */
static void *find(const char *function, char file[static PATH], const char **build) {
    void *const library = open_library(file);
    *build = NULL;
    if (library == NULL) return NULL;
    riffle_mpi_build_function *const build_of =
        (riffle_mpi_build_function *)(uintptr_t)dlsym(library, "riffle_mpi_build");
    *build = build_of != NULL ? build_of() : "unknown";
    return strcmp(*build, riffle_build()) == 0 ? dlsym(library, function) : NULL;
}

static bool is_begun; /* this process has taken its part */

/* NULL after a complaint. */
static void *load(const char *name, const char *function) {
    char file[PATH];
    const char *build;
    void *const found = find(function, file, &build);
    if (found == NULL && build != NULL) {
        complain("%s: --mpi needs a libriffle-mpi of this command's build, %s, and %s is of another, %s; install "
                 "riffle and libriffle-mpi of one build, or have RIFFLE_LIBRARY_PATH name the folder that has it",
                 name, riffle_build(), file, build);
    } else if (found == NULL) {
        const char *const why = dlerror();
        complain("%s: --mpi needs %s, which cannot be loaded (%s); build riffle where MPI is found, or have "
                 "RIFFLE_LIBRARY_PATH name the folder that has it",
                 name, file, why != NULL ? why : "no reason is known");
    }
    is_begun = found != NULL;
    return found;
}

/* ------------------------------------------------------------------ processes that take no part */

static const char *running; /* the command's name, where this process is one of several; else NULL */
static char unsaid[WORDS];  /* the message of another rank than the first */

static bool has_ranks(const command *asked) {
    const command_option *option = asked != NULL ? asked->options : NULL;
    while (option != NULL && option->help != NULL && (option->name == NULL || strcmp(option->name, "mpi") != 0))
        option++;
    return option != NULL && option->help != NULL;
}

void ranks_begin(const command *asked) {
    if (!has_ranks(asked) || ranks_launched() == 1 || rank_told() < 0) return;
    running = asked->name;
    if (rank_told() > 0) complain_into(unsaid, sizeof unsaid);
}

int ranks_end(int exit_status) {
    char file[PATH];
    const char *build;
    if (running == NULL || is_begun) return exit_status;
    riffle_mpi_refuse_files_function *const refuse =
        (riffle_mpi_refuse_files_function *)(uintptr_t)find("riffle_mpi_refuse_files", file, &build);
    const bool is_first = rank_told() == 0;
    complain_into(NULL, 0);
    if (refuse == NULL) {
        if (*unsaid != '\0') complain("%s", unsaid);
        return exit_status;
    }
    riffle_mpi_files_report report;
    refuse(*unsaid != '\0' ? unsaid : "it was not asked to move, sort or group a file", &report);
    return is_first ? exit_status : EXIT_DONE;
}

/* ------------------------------------------------------------------ files */

/* A file of the command, of which names are compared; path NULL: it is none. */
typedef struct named {
    const char *path, *name;
} named;

/* False after a complaint, where a file that is written is another of the command, too: all[k] is to be apart from those before it, the first
 * `read` of which are read. */
static bool are_apart(const named *all, unsigned count, unsigned read) {
    for (unsigned k = read; k < count; k++)
        for (unsigned j = 0; j < k; j++) {
            if (all[k].path == NULL || all[j].path == NULL || !is_same_file(all[k].path, all[j].path)) continue;
            complain("%s: %s and %s are the same file; give %s another name", all[k].path, all[k].name,
                     all[j].name, all[k].name);
            return false;
        }
    return true;
}

/* Rank 0's hidden files are the command's, and go with it however it ends; where it is killed, by the other ranks' hands. */
static void watch(riffle_mpi_files_phase phase, unsigned rank, const riffle_mpi_files_hidden *hidden) {
    switch (phase) {
    case RIFFLE_MPI_FILES_PHASE_MAKING:
        if (rank > 0) {
            unfinished_watch_others(hidden->names, hidden->count);
        } else {
            unfinished_begin(hidden->out);
            unfinished_watch(hidden->files, hidden->count);
        }
        if (processes_told() > 0) /* MPI would end ranks whose launcher is killed by _exit */
            prctl(PR_SET_PDEATHSIG, SIGTERM);
        break;
    case RIFFLE_MPI_FILES_PHASE_PLACING:
        if (rank > 0)
            unfinished_end();
        else
            unfinished_hold_all();
        break;
    case RIFFLE_MPI_FILES_PHASE_ENDED: unfinished_end(); break;
    }
}

/* All ranks have one status. A launcher ends all as soon as one fails, so only the rank that says why may. */
static int end(const char *name, riffle_status status, const riffle_mpi_files_report *r) {
    if (r->rank != 0) return EXIT_DONE;
    if (status != RIFFLE_OK) complain("%s --mpi: %s", name, r->detail);
    return status == RIFFLE_OK ? EXIT_DONE : status == RIFFLE_ERROR_SYNTAX ? EXIT_USAGE : EXIT_FAILED;
}

static void report_on(const char *out, const char *unit, const char *done, const char *step,
                      const riffle_mpi_files_report *r) {
    complain(
        "%s: %llu %s%s of %llu byte%s %s over %u rank%s, which sent each other %llu byte%s in %llu message%s",
        out, (unsigned long long)r->n, unit, plural_of(r->n), (unsigned long long)r->elem_bytes,
        plural_of(r->elem_bytes), done, r->ranks, plural_of(r->ranks), (unsigned long long)r->volume,
        plural_of(r->volume), (unsigned long long)r->messages, plural_of(r->messages));
    complain("rank 0: plan %.3f s, read %.3f s, %s %.3f s, write and sync %.3f s", r->plan, r->read, step,
             r->move, r->write);
}

/* False after a complaint, where OUT is the input or a table of --by. */
static bool spares_inputs(const riffle_mpi_files *ask) {
    char *const name = malloc(strlen(ask->by) + 1);
    named files[] = {{ask->in, "the input"}, {ask->out, "the output"}};
    bool spares = are_apart(files, 2, 1);
    if (name == NULL) complain("permute: no memory for the names of tables");
    files[0] = (named){name, "a table"};
    for (const char *by = ask->by; name != NULL && spares && (by = table_files_next(by, name)) != NULL;)
        spares = are_apart(files, 2, 1);
    free(name);
    return name != NULL && spares;
}

int ranks_permute(const riffle_mpi_files *ask, bool verbose) {
    if (!spares_inputs(ask)) return EXIT_USAGE;
    riffle_mpi_permute_files_function *const permute =
        (riffle_mpi_permute_files_function *)(uintptr_t)load("permute", "riffle_mpi_permute_files");
    if (permute == NULL) return EXIT_FAILED;
    riffle_mpi_files_report report;
    const riffle_status status = permute(ask, watch, &report);
    if (report.rank == 0 && status == RIFFLE_OK && verbose)
        report_on(ask->out, ask->rows ? "row" : "element", "moved", "move", &report);
    return end("permute", status, &report);
}

int ranks_sort(const riffle_mpi_files_sort *ask, bool verbose) {
    const named files[] = {{ask->in, "the input"}, {ask->out, "the output"}, {ask->indices, "the indices"}};
    if (!are_apart(files, sizeof files / sizeof *files, 1)) return EXIT_USAGE;
    riffle_mpi_sort_files_function *const sort =
        (riffle_mpi_sort_files_function *)(uintptr_t)load("sort", "riffle_mpi_sort_files");
    if (sort == NULL) return EXIT_FAILED;
    riffle_mpi_files_report report;
    const riffle_status status = sort(ask, watch, &report);
    if (report.rank == 0 && status == RIFFLE_OK && verbose)
        report_on(ask->out, "element", "sorted", "sort", &report);
    return end("sort", status, &report);
}

int ranks_group(const riffle_mpi_files_group *ask, bool verbose) {
    const named files[] = {{ask->in, "the input"},      {ask->keys, "the keys"},
                           {ask->out, "the output"},    {ask->offsets, "the offsets"},
                           {ask->counts, "the counts"}, {ask->places, "the places"}};
    if (!are_apart(files, sizeof files / sizeof *files, 2)) return EXIT_USAGE;
    riffle_mpi_group_files_function *const group =
        (riffle_mpi_group_files_function *)(uintptr_t)load("group", "riffle_mpi_group_files");
    if (group == NULL) return EXIT_FAILED;
    riffle_mpi_files_report report;
    const riffle_status status = group(ask, watch, &report);
    if (report.rank == 0 && status == RIFFLE_OK)
        complain_left_out(ask->out, ask->groups, report.left_out, report.full);
    if (report.rank == 0 && status == RIFFLE_OK && verbose)
        report_on(ask->out, "row", "grouped", "group", &report);
    return end("group", status, &report);
}
