/* SPDX-License-Identifier: Apache-2.0
 *
 * The work is libdw's (elfutils). It is loaded when lines are asked for, so that a program that only moves data
 * does not depend on it; without it no line is known.
 */
#include "machine/runtime/source_line.h"

#include <dlfcn.h>
#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "machine/runtime/line_memo.h"

/* The functions of libdw that are needed, with the types of its header. */
typedef struct libdw {
    void *handle;
    __typeof__(dwfl_begin) *begin;
    __typeof__(dwfl_end) *end;
    __typeof__(dwfl_linux_proc_report) *report_process;
    __typeof__(dwfl_linux_proc_find_elf) *find_elf;
    __typeof__(dwfl_report_end) *report_end;
    __typeof__(dwfl_addrmodule) *module_at;
    __typeof__(dwfl_module_getsrc) *line_at;
    __typeof__(dwfl_lineinfo) *line_info;
    __typeof__(dwfl_module_nextcu) *next_unit;
    __typeof__(dwarf_haspc) *unit_holds;
    __typeof__(dwarf_getsrc_die) *line_in_unit;
    __typeof__(dwarf_lineno) *line_number;
    __typeof__(dwarf_linesrc) *line_file;
} libdw;

struct source_lines {
    enum { NOT_ASKED, OPEN, UNKNOWN } state;
    libdw library;
    Dwfl_Callbacks callbacks;
    Dwfl *dwfl;
};

/* Pointers to functions come from dlsym as pointers to data. */
static bool find(void *handle, const char *name, void *function) {
    void *found = dlsym(handle, name);
    memcpy(function, &found, sizeof found);
    return found != NULL;
}

static bool load(libdw *library) {
    void *handle = library->handle = dlopen("libdw.so.1", RTLD_NOW | RTLD_LOCAL);
    return handle != NULL && find(handle, "dwfl_begin", &library->begin) &&
           find(handle, "dwfl_end", &library->end) &&
           find(handle, "dwfl_linux_proc_report", &library->report_process) &&
           find(handle, "dwfl_linux_proc_find_elf", &library->find_elf) &&
           find(handle, "dwfl_report_end", &library->report_end) &&
           find(handle, "dwfl_addrmodule", &library->module_at) &&
           find(handle, "dwfl_module_getsrc", &library->line_at) &&
           find(handle, "dwfl_lineinfo", &library->line_info) &&
           find(handle, "dwfl_module_nextcu", &library->next_unit) &&
           find(handle, "dwarf_haspc", &library->unit_holds) &&
           find(handle, "dwarf_getsrc_die", &library->line_in_unit) &&
           find(handle, "dwarf_lineno", &library->line_number) &&
           find(handle, "dwarf_linesrc", &library->line_file);
}

/* Only what the objects themselves hold: a look for separate files may take a server on the network. */
static int find_no_debuginfo(Dwfl_Module *module, void **user, const char *name, Dwarf_Addr base,
                             const char *file, const char *link, GElf_Word crc, char **found) {
    (void)module, (void)user, (void)name, (void)base, (void)file, (void)link, (void)crc, (void)found;
    return -1;
}

static bool open_process(source_lines *lines) {
    if (!load(&lines->library)) return false;
    const libdw *library = &lines->library;
    lines->callbacks = (Dwfl_Callbacks){.find_elf = library->find_elf, .find_debuginfo = find_no_debuginfo};
    lines->dwfl = library->begin(&lines->callbacks);
    return lines->dwfl != NULL && library->report_process(lines->dwfl, getpid()) == 0 &&
           library->report_end(lines->dwfl, NULL, NULL) == 0;
}

source_lines *source_lines_create(void) { return calloc(1, sizeof(source_lines)); }

void source_lines_free(source_lines *lines) {
    if (lines == NULL) return;
    if (lines->dwfl != NULL) lines->library.end(lines->dwfl);
    if (lines->library.handle != NULL) dlclose(lines->library.handle);
    free(lines);
}

/* The unit that holds an address, asked one by one: clang writes no table of them. */
static Dwarf_Line *search_units(const libdw *library, Dwfl_Module *module, Dwarf_Addr address) {
    Dwarf_Addr bias;
    for (Dwarf_Die *unit = NULL; (unit = library->next_unit(module, unit, &bias)) != NULL;) {
        if (library->unit_holds(unit, address - bias) == 1) return library->line_in_unit(unit, address - bias);
    }
    return NULL;
}

static const char *find_line(const libdw *library, Dwfl_Module *module, Dwarf_Addr address, int *number) {
    Dwfl_Line *known = library->line_at(module, address);
    if (known != NULL) return library->line_info(known, NULL, number, NULL, NULL, NULL);
    Dwarf_Line *found = search_units(library, module, address);
    if (found == NULL || library->line_number(found, number) != 0) return NULL;
    return library->line_file(found, NULL, NULL);
}

/* Code that a compiler has made of two lines has none; the nearest before it that has one is taken. */
static const char *find_known_line(const libdw *library, Dwfl_Module *module, Dwarf_Addr address, int *number) {
    enum { NEAR_BYTES = 256 };
    const char *file = find_line(library, module, address, number);
    for (Dwarf_Addr back = 1; file != NULL && *number == 0 && back < NEAR_BYTES; back++)
        file = find_line(library, module, address - back, number);
    return file;
}

static source_line look_up(source_lines *lines, const void *site) {
    const source_line unknown = {"?", 0};
    if (lines->state == NOT_ASKED) lines->state = open_process(lines) ? OPEN : UNKNOWN;
    if (lines->state == UNKNOWN) return unknown;
    /* A site is where the call returns to, perhaps on the next line already. */
    const Dwarf_Addr address = (uintptr_t)site - 1;
    Dwfl_Module *module = lines->library.module_at(lines->dwfl, address);
    int number = 0;
    const char *file = module != NULL ? find_known_line(&lines->library, module, address, &number) : NULL;
    if (file == NULL) return unknown;
    const char *slash = strrchr(file, '/');
    return (source_line){slash != NULL ? slash + 1 : file, (unsigned)number};
}

source_line source_line_of(source_lines *lines, const void *site) {
    source_line found = {"?", 0};
    if (lines == NULL || line_memo_find(site, &found)) return found;
    found = look_up(lines, site);
    if (found.line > 0) line_memo_keep(site, found);
    return found;
}
