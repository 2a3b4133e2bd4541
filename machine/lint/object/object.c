/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE /* dlinfo */
#include "machine/lint/object/object.h"

#include <dlfcn.h>
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/status.h"
#include "machine/lint/object/elf.h"
#include "machine/lint/object/symbols.h"
#include "machine/lint/object/undefined.h"
#include "machine/lint/source/declarations.h"
#include "machine/lint/source/gaps.h"
#include "machine/lint/source/parameters.h"
#include "machine/lint/source/text.h"

static const char dynamic_name[] = "riffle_lint_dynamic_shared";

static void write_label(FILE *assembler, const char *name) {
    fprintf(assembler, ".globl %s\n.type %s, %%tls_object\n%s:\n", name, name, name);
}

/* True if the assembler text has the name as a label. */
static bool has_label(const char *text, const char *name) {
    char label[1024];
    snprintf(label, sizeof label, "\n%s:\n", name);
    return strstr(text, label) != NULL;
}

static void write_undefined(const elf_file *file, char *const *written, FILE *assembler) {
    for (size_t k = 1; k < file->symbol_count; k++) {
        const ElfW(Sym) *symbol = &file->symbols[k];
        const char *name = file->names + symbol->st_name;
        if (symbol->st_shndx != SHN_UNDEF || elf_type_of(symbol) != STT_TLS) continue;
        fflush(assembler);
        if (!has_label(*written, name)) write_label(assembler, name);
    }
}

riffle_status lint_object_each_undefined_shared(const char *path, char *const *written, FILE *assembler) {
    elf_file file;
    const riffle_status status = elf_open(path, PROT_READ, &file);
    if (status != RIFFLE_OK) return status;
    fflush(assembler);
    if (!has_label(*written, dynamic_name)) write_label(assembler, dynamic_name);
    write_undefined(&file, written, assembler);
    elf_close(&file);
    return RIFFLE_OK;
}

/* ---- the object's memory */

/* Where the object is loaded: what its addresses count from. */
static char *load_address(void *handle) {
    struct link_map *map = NULL;
    return dlinfo(handle, RTLD_DI_LINKMAP, &map) == 0 ? (char *)map->l_addr : NULL;
}

static bool is_writable(const elf_file *file, size_t number) {
    return number < file->header->e_shnum && (file->sections[number].sh_flags & SHF_WRITE) != 0;
}

/* The dynamic shared array among the thread-local variables; NULL if there is none. */
static const ElfW(Sym) * find_dynamic(const elf_file *file) {
    for (size_t k = 1; k < file->symbol_count; k++) {
        if (strcmp(file->names + file->symbols[k].st_name, dynamic_name) == 0) return &file->symbols[k];
    }
    return NULL;
}

/* Where that lies. */
static size_t dynamic_offset(const elf_file *file) {
    const ElfW(Sym) *symbol = find_dynamic(file);
    return symbol != NULL ? symbol->st_value : 0;
}

static bool is_index(const char *name) {
    return strcmp(name, "threadIdx") == 0 || strcmp(name, "blockIdx") == 0 || strcmp(name, "blockDim") == 0 ||
           strcmp(name, "gridDim") == 0;
}

/* True for what is riffle's own in the object: variables of its namespace (_ZN11riffle_lintL4runsE) and of its functions
 * (_ZZ23riffle_lint_kernel_nameE5known). */
static bool is_riffles(const char *name) {
    return begins_with(name, "_Z") && begins_with(name + strspn(name, "_ZNKL0123456789"), "riffle_lint");
}

/* True if a name is the compiler's or riffle's, and so no array of the user's. */
static bool is_foreign(const char *name) {
    static const char *const starts[] = {"riffle_lint_", "DW.ref.",      "_ZTV", "_ZTI", "_ZTS",
                                         "_ZTT",         "_ZTC",         "_ZGV", "_ZTW", "_ZTH",
                                         "__tls_guard",  "__dso_handle", NULL};
    return is_riffles(name) || begins_with_any(name, starts);
}

/* True for objects that kernels read without using memory: tables of virtual functions, and the thread's indices. */
static bool is_no_memory(const char *name) {
    static const char *const starts[] = {"_ZTV", "_ZTI", "_ZTT", "_ZTC", NULL};
    return begins_with_any(name, starts) || is_index(name);
}

enum { MOST_BEFORE = LINT_GAP_BYTES + 1024 }; /* a gap, and what an alignment may leave */

/* Behind the name of a __constant__ variable. */
static const char in_constant_memory[] = " (constant memory)";

/* How many bytes right behind a variable are a gap's. */
static size_t gap_behind(const elf_file *file, const ElfW(Sym) * variable) {
    for (size_t k = 1; k < file->symbol_count; k++) {
        const ElfW(Sym) *symbol = &file->symbols[k];
        if (symbol->st_shndx == variable->st_shndx &&
            symbol->st_value == variable->st_value + variable->st_size &&
            begins_with(file->names + symbol->st_name, lint_gap_name))
            return LINT_GAP_BYTES;
    }
    return 0;
}

/* How many bytes right before a variable are a gap's, and what fills it up to the variable's alignment. */
static size_t gap_before(const elf_file *file, const ElfW(Sym) * variable) {
    size_t nearest = 0;
    for (size_t k = 1; k < file->symbol_count; k++) {
        const ElfW(Sym) *symbol = &file->symbols[k];
        const size_t before = variable->st_value - symbol->st_value;
        if (elf_type_of(symbol) != elf_type_of(variable) || symbol->st_value >= variable->st_value ||
            before > MOST_BEFORE || (nearest > 0 && before > nearest))
            continue;
        if (begins_with(file->names + symbol->st_name, lint_gap_name)) nearest = before;
    }
    return nearest;
}

/* The start of the names of a function's own variables, as the C++ ABI makes them: _Z1kPf has _ZZ1kPfE4tile. */
static void name_locals(const char *function, char out[static 1024]) {
    if (begins_with(function, "_Z"))
        snprintf(out, 1024, "_ZZ%sE", function + 2);
    else
        snprintf(out, 1024, "_ZZ%zu%sE", strlen(function), function);
}

/* Tells the machine of which kernel a shared array is, if it is declared in one. */
static void own_shared(const elf_file *file, const char *text, const char *variable, const void *start,
                       char *load, machine *m) {
    for (size_t k = 1; k < file->symbol_count; k++) {
        const ElfW(Sym) *symbol = &file->symbols[k];
        const char *function = file->names + symbol->st_name, *name;
        char locals[1024];
        if (elf_type_of(symbol) != STT_FUNC || symbol->st_shndx == SHN_UNDEF || symbol->st_size == 0) continue;
        name_locals(function, locals);
        if (!begins_with(variable, locals)) continue;
        const size_t length = lint_function_name(function, &name);
        if (length > 0 && lint_has_kernel(text, name, length))
            machine_shared_of(m, start, load + symbol->st_value, symbol->st_size);
        return;
    }
}

/* "part (dynamic shared memory)", where all kernels of the files have one name for it. */
static riffle_status name_dynamic(const elf_file *file, size_t offset, machine *m) {
    char own[LINT_VARIABLE_NAME] = "", name[LINT_VARIABLE_NAME], said[LINT_VARIABLE_NAME + 32];
    for (size_t k = 1; k < file->symbol_count; k++) {
        const ElfW(Sym) *symbol = &file->symbols[k];
        const char *label = file->names + symbol->st_name;
        if (elf_type_of(symbol) != STT_TLS || symbol->st_shndx == SHN_UNDEF || symbol->st_value != offset ||
            is_foreign(label) || begins_with(label, lint_gap_name))
            continue;
        lint_variable_name(label, name);
        if (*own != '\0' && strcmp(own, name) != 0) return RIFFLE_OK;
        strcpy(own, name);
    }
    if (*own == '\0') return RIFFLE_OK;
    snprintf(said, sizeof said, "%s (dynamic shared memory)", own);
    return machine_name_dynamic_shared(m, said);
}

/* Gives the machine each static shared array and each global variable by its own bounds. */
static riffle_status adopt_variables(const elf_file *file, const lint_text *text, char *dynamic, char *load,
                                     machine *m) {
    const size_t offset = dynamic_offset(file);
    char *shared = dynamic - offset;
    riffle_status status = RIFFLE_OK;
    for (size_t k = 1; k < file->symbol_count && status == RIFFLE_OK; k++) {
        const ElfW(Sym) *symbol = &file->symbols[k];
        if (symbol->st_shndx == SHN_UNDEF || symbol->st_size == 0) continue;
        const char *name = file->names + symbol->st_name;
        if (is_no_memory(name)) status = machine_adopt_foreign(m, load + symbol->st_value, symbol->st_size);
        if (is_foreign(name) || is_index(name)) continue;
        char said[LINT_VARIABLE_NAME + sizeof in_constant_memory];
        lint_variable_name(name, said);
        const bool constant = elf_type_of(symbol) == STT_OBJECT && lint_declarations_name(text->constants, name);
        if (constant) strcat(said, in_constant_memory);
        if (elf_type_of(symbol) == STT_TLS && symbol->st_value != offset) {
            status = machine_adopt_shared(m, said, shared + symbol->st_value, symbol->st_size);
            machine_spare(m, shared + symbol->st_value, gap_before(file, symbol), gap_behind(file, symbol));
            own_shared(file, text->preprocessed, name, shared + symbol->st_value, load, m);
        }
        if (elf_type_of(symbol) != STT_OBJECT || !is_writable(file, symbol->st_shndx)) continue;
        if (constant && file->sections[symbol->st_shndx].sh_type == SHT_NOBITS)
            status = machine_adopt_constant(m, said, load + symbol->st_value, symbol->st_size);
        else
            status = machine_adopt_global(m, said, load + symbol->st_value, symbol->st_size);
        machine_spare(m, load + symbol->st_value, gap_before(file, symbol), gap_behind(file, symbol));
    }
    return status;
}

/* Where the first gap at or behind `from` begins; `end` if there is none before. */
static size_t next_gap(const elf_file *file, size_t from, size_t end) {
    for (size_t k = 1; k < file->symbol_count; k++) {
        const ElfW(Sym) *symbol = &file->symbols[k];
        if (elf_type_of(symbol) != STT_OBJECT || symbol->st_value < from || symbol->st_value >= end) continue;
        if (begins_with(file->names + symbol->st_name, lint_gap_name)) end = symbol->st_value;
    }
    return end;
}

/* Not all constants have names of their own, so they are given as they lie between gaps. */
static riffle_status adopt_constants(const elf_file *file, char *load, machine *m) {
    const ElfW(Phdr) *segments = (const void *)(file->bytes + file->header->e_phoff);
    riffle_status status = RIFFLE_OK;
    for (size_t k = 0; k < file->header->e_phnum && status == RIFFLE_OK; k++) {
        if (segments[k].p_type != PT_LOAD || segments[k].p_flags != PF_R) continue;
        const size_t end = segments[k].p_vaddr + segments[k].p_memsz;
        for (size_t at = segments[k].p_vaddr, gap; at < end && status == RIFFLE_OK; at = gap + LINT_GAP_BYTES) {
            gap = next_gap(file, at, end);
            if (gap > at) status = machine_adopt_global(m, "constant data", load + at, gap - at);
        }
    }
    return status;
}

/* ---- static shared memory of one kernel */

/* True if a variable is local to a function, under any of the function's names: gcc adds aliases for its own use
 * (_Z1kPf.localalias), and a user may. */
static bool is_local_to(const elf_file *file, const char *variable, size_t function) {
    char locals[1024];
    for (size_t k = 1; k < file->symbol_count; k++) {
        if (elf_type_of(&file->symbols[k]) != STT_FUNC || file->symbols[k].st_value != function) continue;
        name_locals(file->names + file->symbols[k].st_name, locals);
        if (begins_with(variable, locals)) return true;
    }
    return false;
}

size_t lint_object_static_shared(const lint_object *object, const void *kernel) {
    elf_file file;
    size_t bytes = 0;
    if (elf_open(object->path, PROT_READ, &file) != RIFFLE_OK) return 0;
    const size_t function = (size_t)((const char *)kernel - load_address(object->handle));
    for (size_t k = 1; k < file.symbol_count; k++) {
        const ElfW(Sym) *symbol = &file.symbols[k];
        if (elf_type_of(symbol) == STT_TLS && is_local_to(&file, file.names + symbol->st_name, function))
            bytes += symbol->st_size;
    }
    elf_close(&file);
    return bytes;
}

/* ---- loading */

static riffle_status adopt_all(elf_file *file, const lint_text *text, const lint_object *object, char *dynamic,
                               machine *m) {
    char *load = load_address(object->handle);
    const ElfW(Sym) *symbol = find_dynamic(file);
    machine_place_dynamic_shared(m, dynamic, symbol != NULL ? gap_before(file, symbol) : 0);
    riffle_status status = adopt_variables(file, text, dynamic, load, m);
    if (status == RIFFLE_OK) status = name_dynamic(file, dynamic_offset(file), m);
    if (status == RIFFLE_OK) status = adopt_constants(file, load, m);
    elf_close(file);
    return status;
}

/* Pointers to functions come from dlsym as pointers to data. */
static bool find_function(void *handle, const char *name, void *out) {
    void *found = dlsym(handle, name);
    memcpy(out, &found, sizeof found);
    return found != NULL;
}

static riffle_status prepare(const char *path, const lint_text *text, machine *m, lint_object *object) {
    unsigned char *(*seen_place)(void);
    object->api = dlsym(object->handle, "riffle_lint_api");
    object->host = dlsym(object->handle, "riffle_lint_host");
    const bool has_program = find_function(object->handle, "riffle_lint_run_main", &object->run_main);
    const bool has_kernel = find_function(object->handle, "riffle_lint_entry", &object->entry) &&
                            find_function(object->handle, "riffle_lint_describe", &object->describe) &&
                            find_function(object->handle, "riffle_lint_kernel", &object->kernel) &&
                            find_function(object->handle, "riffle_lint_structure", &object->structure) &&
                            find_function(object->handle, "riffle_lint_constants", &object->set_constants);
    if (object->api == NULL || !(has_program || has_kernel) ||
        !find_function(object->handle, "riffle_lint_dynamic_start", &object->dynamic_start) ||
        !find_function(object->handle, "riffle_lint_run_children", &object->run_children) ||
        !find_function(object->handle, "riffle_lint_seen_place", &seen_place))
        return fail(RIFFLE_ERROR_INTERNAL, "%s: lacks what riffle has put into it", path);
    const machine_indices indices = {
        .thread = dlsym(object->handle, "threadIdx"),
        .block = dlsym(object->handle, "blockIdx"),
        .block_dim = dlsym(object->handle, "blockDim"),
        .grid_dim = dlsym(object->handle, "gridDim"),
        .seen = seen_place(),
    };
    machine_show_indices(m, indices);
    elf_file file;
    const riffle_status status = elf_open(path, PROT_READ, &file);
    return status == RIFFLE_OK ? adopt_all(&file, text, object, object->dynamic_start(), m) : status;
}

riffle_status lint_object_load(const char *path, const lint_text *text, machine *m, lint_object *out) {
    *out = (lint_object){.path = path};
    const riffle_status loosened = undefined_loosen(path);
    if (loosened != RIFFLE_OK) return loosened;
    out->handle = dlopen(path, RTLD_LAZY | RTLD_LOCAL); /* lazy: what only host code calls may be missing */
    if (out->handle == NULL)
        return fail(RIFFLE_ERROR_FORMAT,
                    "the kernel's object cannot be loaded: %s; where that is a library of -l, have "
                    "LD_LIBRARY_PATH name its folder",
                    dlerror());
    const riffle_status status = prepare(path, text, m, out);
    if (status != RIFFLE_OK) lint_object_unload(out);
    return status;
}

void lint_object_connect(const lint_object *object) { *object->api = machine_device; }

void lint_object_unload(lint_object *object) {
    if (object->handle != NULL) dlclose(object->handle);
    *object = (lint_object){0};
}
