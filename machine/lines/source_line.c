/* SPDX-License-Identifier: Apache-2.0
 *
 * The work is libdw's (elfutils). It is loaded when lines are asked for, so that a program that only moves data
 * does not depend on it; without it no line is known.
 */
#include "machine/lines/source_line.h"

#include <ctype.h>
#include <dlfcn.h>
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "machine/lines/line_memo.h"

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
    __typeof__(dwarf_child) *child_of;
    __typeof__(dwarf_siblingof) *next_of;
    __typeof__(dwarf_tag) *tag_of;
    __typeof__(dwarf_attr) *attribute_of;
    __typeof__(dwarf_diename) *name_of;
    __typeof__(dwarf_formudata) *number_in;
    __typeof__(dwarf_getsrcfiles) *files_of;
    __typeof__(dwarf_filesrc) *file_name;
    __typeof__(dwarf_haspc) *unit_holds;
    __typeof__(dwarf_getsrc_die) *line_in_unit;
    __typeof__(dwarf_lineno) *line_number;
    __typeof__(dwarf_linecol) *line_column;
    __typeof__(dwarf_linesrc) *line_file;
} libdw;

/* A cache of lines found, indexed by a hash of the address: launches ask for the same sites again and again. */
enum { KNOWN = 1 << 9 };
typedef struct known_line {
    const void *site;
    source_line at;
} known_line;
typedef struct known_component {
    const void *site;
    unsigned component;
} known_component;

/* The functions around a site: to find them all of a unit's are gone through. */
typedef struct known_nest {
    const void *site;
    Dwarf_Die *unit; /* NULL: none */
    unsigned count;
    Dwarf_Die around[]; /* from the outermost inward */
} known_nest;

static size_t known_place(const void *site) { return ((uintptr_t)site ^ (uintptr_t)site >> 9) % KNOWN; }

struct source_lines {
    enum { NOT_ASKED, OPEN, UNKNOWN } state;
    libdw library;
    Dwfl_Callbacks callbacks;
    Dwfl *dwfl;
    char *text; /* preprocessed */
    known_line line[KNOWN];
    known_component component[KNOWN];
    known_nest *nest[KNOWN];
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
           find(handle, "dwarf_child", &library->child_of) &&
           find(handle, "dwarf_siblingof", &library->next_of) && find(handle, "dwarf_tag", &library->tag_of) &&
           find(handle, "dwarf_attr", &library->attribute_of) &&
           find(handle, "dwarf_diename", &library->name_of) &&
           find(handle, "dwarf_formudata", &library->number_in) &&
           find(handle, "dwarf_getsrcfiles", &library->files_of) &&
           find(handle, "dwarf_filesrc", &library->file_name) &&
           find(handle, "dwarf_haspc", &library->unit_holds) &&
           find(handle, "dwarf_getsrc_die", &library->line_in_unit) &&
           find(handle, "dwarf_lineno", &library->line_number) &&
           find(handle, "dwarf_linecol", &library->line_column) &&
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

const char *source_lines_missing(const source_lines *lines) {
    if (lines == NULL || lines->state != UNKNOWN) return NULL;
    return "libdw.so.1 cannot be loaded, or does not find this process's code; install libdw1 (elfutils)";
}

void source_lines_free(source_lines *lines) {
    if (lines == NULL) return;
    if (lines->dwfl != NULL) lines->library.end(lines->dwfl);
    if (lines->library.handle != NULL) dlclose(lines->library.handle);
    free(lines->text);
    for (size_t k = 0; k < KNOWN; k++) free(lines->nest[k]);
    free(lines);
}

/* The unit that holds an address, asked one by one: clang writes no table of them. */
static Dwarf_Die *search_unit(const libdw *library, Dwfl_Module *module, Dwarf_Addr address, Dwarf_Addr *bias) {
    for (Dwarf_Die *unit = NULL; (unit = library->next_unit(module, unit, bias)) != NULL;) {
        if (library->unit_holds(unit, address - *bias) == 1) return unit;
    }
    return NULL;
}

static Dwarf_Line *search_units(const libdw *library, Dwfl_Module *module, Dwarf_Addr address) {
    Dwarf_Addr bias;
    Dwarf_Die *unit = search_unit(library, module, address, &bias);
    return unit != NULL ? library->line_in_unit(unit, address - bias) : NULL;
}

typedef struct line_place {
    const char *file; /* NULL if nothing is known */
    int number, column;
} line_place;

static line_place find_line(const libdw *library, Dwfl_Module *module, Dwarf_Addr address) {
    line_place at = {0};
    Dwfl_Line *known = library->line_at(module, address);
    if (known != NULL) {
        at.file = library->line_info(known, NULL, &at.number, &at.column, NULL, NULL);
        return at;
    }
    Dwarf_Line *found = search_units(library, module, address);
    if (found == NULL || library->line_number(found, &at.number) != 0) return at;
    library->line_column(found, &at.column);
    at.file = library->line_file(found, NULL, NULL);
    return at;
}

/* Code that a compiler has made of two lines has none; the nearest before it that has one is taken. */
static line_place find_known_line(const libdw *library, Dwfl_Module *module, Dwarf_Addr address) {
    enum { NEAR_BYTES = 256 };
    line_place at = find_line(library, module, address);
    for (Dwarf_Addr back = 1; at.file != NULL && at.number == 0 && back < NEAR_BYTES; back++)
        at = find_line(library, module, address - back);
    return at;
}

static bool is_open(source_lines *lines) {
    if (lines->state == NOT_ASKED) lines->state = open_process(lines) ? OPEN : UNKNOWN;
    return lines->state == OPEN;
}

static line_place look_up(source_lines *lines, const void *site) {
    if (!is_open(lines)) return (line_place){0};
    /* A site is where the call returns to, perhaps on the next line already. */
    const Dwarf_Addr address = (uintptr_t)site - 1;
    Dwfl_Module *module = lines->library.module_at(lines->dwfl, address);
    return module != NULL ? find_known_line(&lines->library, module, address) : (line_place){0};
}

static const char *base_name(const char *file) {
    const char *slash = strrchr(file, '/');
    return slash != NULL ? slash + 1 : file;
}

static bool read_number(const libdw *library, Dwarf_Die *die, unsigned name, Dwarf_Word *out) {
    Dwarf_Attribute attribute;
    return library->number_in(library->attribute_of(die, name, &attribute), out) == 0;
}

/* Where one inlined function was called. */
static bool read_call(const libdw *library, Dwarf_Die *unit, Dwarf_Die *scope, source_line *out) {
    Dwarf_Word file, line;
    Dwarf_Files *files;
    size_t count;
    if (library->tag_of(scope) != DW_TAG_inlined_subroutine) return false;
    if (!read_number(library, scope, DW_AT_call_file, &file) ||
        !read_number(library, scope, DW_AT_call_line, &line))
        return false;
    if (library->files_of(unit, &files, &count) != 0 || file >= count) return false;
    const char *name = library->file_name(files, file, NULL, NULL);
    if (name == NULL) return false;
    *out = (source_line){name, (unsigned)line};
    return true;
}

/* "tiled<0>" is tiled. */
static bool is_function(const libdw *library, Dwarf_Die *scope, const char *name) {
    const int tag = library->tag_of(scope);
    if (tag != DW_TAG_inlined_subroutine && tag != DW_TAG_subprogram) return false;
    const char *own = library->name_of(scope);
    const size_t length = strlen(name);
    return own != NULL && strncmp(own, name, length) == 0 && (own[length] == '\0' || own[length] == '<');
}

/* Functions around an address, from the outermost inward: one of the unit's, and those that are inlined in it. */
enum { MOST_NESTED = 64 };
typedef struct nest {
    Dwarf_Die around[MOST_NESTED];
    unsigned count;
} nest;

/* True if the entry may hold functions. Namespaces carry no address range even where their functions have code. */
static bool may_hold(const libdw *library, Dwarf_Die *die, Dwarf_Addr address) {
    switch (library->tag_of(die)) {
    case DW_TAG_namespace:
    case DW_TAG_class_type:
    case DW_TAG_structure_type: return true;
    case DW_TAG_subprogram:
    case DW_TAG_inlined_subroutine:
    case DW_TAG_lexical_block: return library->unit_holds(die, address) == 1;
    default: return false;
    }
}

/* As deep as the source is nested. */
static void find_nest(const libdw *library, Dwarf_Die *parent, Dwarf_Addr address, nest *out) {
    Dwarf_Die die;
    if (library->child_of(parent, &die) != 0) return;
    do {
        if (!may_hold(library, &die, address)) continue;
        const unsigned before = out->count;
        const int tag = library->tag_of(&die);
        const bool is_code = tag == DW_TAG_subprogram || tag == DW_TAG_inlined_subroutine;
        if (is_code && out->count < MOST_NESTED) out->around[out->count++] = die;
        find_nest(library, &die, address, out);
        if (out->count > before) return;
    } while (library->next_of(&die, &die) == 0);
}

/* NULL if nothing can be found, or without memory. */
static const known_nest *nest_of(source_lines *lines, const void *site) {
    known_nest **known = &lines->nest[known_place(site)];
    if (*known != NULL && (*known)->site == site) return *known;
    if (!is_open(lines)) return NULL;
    const libdw *library = &lines->library;
    const Dwarf_Addr address = (uintptr_t)site - 1;
    Dwarf_Addr bias;
    nest found = {.count = 0};
    Dwfl_Module *module = library->module_at(lines->dwfl, address);
    Dwarf_Die *unit = module != NULL ? search_unit(library, module, address, &bias) : NULL;
    if (unit != NULL) find_nest(library, unit, address - bias, &found);
    known_nest *one = malloc(sizeof *one + found.count * sizeof *one->around);
    if (one == NULL) return NULL;
    *one = (known_nest){.site = site, .unit = unit, .count = found.count};
    memcpy(one->around, found.around, found.count * sizeof *one->around);
    free(*known);
    return *known = one;
}

/* With files as the debug information names them. An `end` of NULL is no function's name. */
static unsigned find_callers(source_lines *lines, const void *site, const char *end, source_line *out,
                             unsigned room, bool *ended) {
    *ended = false;
    const known_nest *found = lines != NULL ? nest_of(lines, site) : NULL;
    if (found == NULL) return 0;
    const libdw *library = &lines->library;
    unsigned callers = 0;
    for (unsigned k = found->count; k > 0 && callers < room && !*ended; k--) {
        Dwarf_Die scope = found->around[k - 1];
        *ended = end != NULL && is_function(library, &scope, end);
        if (!*ended) callers += read_call(library, found->unit, &scope, &out[callers]);
    }
    return callers;
}

/* A toolkit's CUB, Thrust or libcu++ (CCCL). */
static bool is_librarys(const char *file) {
    static const char *const folders[] = {"/include/cccl/", "/include/cub/", "/include/thrust/",
                                          "/include/cuda/"};
    for (size_t k = 0; k < sizeof folders / sizeof folders[0]; k++)
        if (strstr(file, folders[k]) != NULL) return true;
    return false;
}

unsigned source_callers_of(source_lines *lines, const void *site, const char *end, source_line *out,
                           unsigned room, bool *ended) {
    source_line all[MOST_NESTED];
    const unsigned callers = find_callers(lines, site, end, all, MOST_NESTED, ended);
    unsigned told = 0;
    for (unsigned k = 0; k < callers && told < room; k++) {
        const bool goes_on = k + 1 < callers && is_librarys(all[k].file) && is_librarys(all[k + 1].file);
        if (!goes_on) out[told++] = (source_line){base_name(all[k].file), all[k].line};
    }
    return told;
}

/* The headers that a kernel is compiled with lie in a folder of that name, wherever it is. */
static bool is_users(source_line at) {
    return at.line > 0 && strstr(at.file, "/cuda/riffle/") == NULL && !is_librarys(at.file);
}

bool source_user_line_of(source_lines *lines, const void *site, source_line *out) {
    source_line around[MOST_NESTED + 1];
    bool ended;
    const line_place own = lines != NULL ? look_up(lines, site) : (line_place){0};
    if (own.file == NULL) return false;
    around[0] = (source_line){own.file, (unsigned)own.number};
    const unsigned count = 1 + find_callers(lines, site, NULL, around + 1, MOST_NESTED, &ended);
    for (unsigned k = 0; k < count; k++) {
        if (!is_users(around[k])) continue;
        *out = (source_line){base_name(around[k].file), around[k].line};
        return true;
    }
    return false;
}

source_line source_line_of(source_lines *lines, const void *site) {
    source_line found = {"?", 0};
    if (lines == NULL || line_memo_find(site, &found)) return found;
    known_line *known = &lines->line[known_place(site)];
    if (known->site == site) return known->at;
    const line_place at = look_up(lines, site);
    if (at.file == NULL) return found;
    found = (source_line){base_name(at.file), (unsigned)at.number};
    if (found.line > 0) line_memo_keep(site, found);
    *known = (known_line){site, found};
    return found;
}

static bool is_word(char c) { return isalnum((unsigned char)c) || c == '_'; }

/* "=" or "+=" and the like */
static bool is_assignment(const char *at) {
    if (*at != '\0' && strchr("+-*/%&|^", *at) != NULL) at++;
    return at[0] == '=' && at[1] != '=';
}

/* The component that is named at a column, counted from 1, or before an assignment there. */
static unsigned component_at(const char *line, size_t column) {
    static const char names[] = "xyzw";
    if (column < 2 || column > strcspn(line, "\n")) return 0;
    const char *at = line + column - 1;
    if (is_assignment(at)) at--;
    while (at > line && *at == ' ') at--;
    const char *name = *at != '\0' ? strchr(names, *at) : NULL;
    if (name == NULL || is_word(at[1])) return 0;
    while (at > line && at[-1] == ' ') at--;
    const bool is_member = at > line && (at[-1] == '.' || (at > line + 1 && at[-1] == '>' && at[-2] == '-'));
    return is_member ? (unsigned)(name - names) + 1 : 0;
}

/* The number and the file of a line '# 12 "FILE" 1'; false for others. */
static bool read_marker(const char *text, int *number, const char **file, size_t *length) {
    char *end;
    if (text[0] != '#' || text[1] != ' ') return false;
    *number = (int)strtol(text + 2, &end, 10);
    if (end == text + 2 || end[0] != ' ' || end[1] != '"') return false;
    *file = end + 2;
    *length = strcspn(*file, "\"\n");
    return true;
}

/* Columns are those of preprocessed text, in which a line of the source may be several. */
static unsigned find_component(source_lines *lines, const void *site) {
    const line_place at = look_up(lines, site);
    if (at.file == NULL || at.number == 0) return 0;
    int number = 0;
    size_t length = 0;
    const char *file = "";
    for (const char *line = lines->text; *line != '\0'; line += strcspn(line, "\n"), line += *line == '\n') {
        if (read_marker(line, &number, &file, &length)) continue;
        if (number++ != at.number || strlen(at.file) != length || memcmp(at.file, file, length) != 0) continue;
        const unsigned component = component_at(line, (size_t)at.column);
        if (component > 0) return component;
    }
    return 0;
}

unsigned source_component_of(source_lines *lines, const void *site) {
    if (lines == NULL || lines->text == NULL) return 0;
    known_component *known = &lines->component[known_place(site)];
    if (known->site != site) *known = (known_component){site, find_component(lines, site)};
    return known->component;
}

bool source_lines_preprocessed(source_lines *lines, const char *text) {
    if (lines == NULL) return true;
    memset(lines->component, 0, sizeof lines->component);
    free(lines->text);
    lines->text = strdup(text);
    return lines->text != NULL;
}
