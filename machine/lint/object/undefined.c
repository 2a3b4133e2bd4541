/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE /* RTLD_DEFAULT */
#include "machine/lint/object/undefined.h"

#include <dlfcn.h>
#include <elf.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/status.h"
#include "machine/lint/object/elf.h"
#include "machine/lint/source/text.h"

/* ---- functions that nothing defines */

enum { MOST_NAMED = 3, NAMES_TEXT = 512 };

/* "scale(float*, int)" of _Z5scalePfi. */
static void say_function(void *handle, const char *symbol, char out[static NAMES_TEXT]) {
    int status = -1;
    char *(*demangle)(const char *, char *, size_t *, int *);
    void *found = dlsym(handle, "__cxa_demangle"); /* of the C++ library that the object wants */
    memcpy(&demangle, &found, sizeof found);
    char *name = found != NULL ? demangle(symbol, NULL, NULL, &status) : NULL;
    snprintf(out, NAMES_TEXT, "%.200s", status == 0 ? name : symbol);
    free(name);
}

/* Names that the program's code refers to and that a library might have: not weak ones, which may be missing. */
static bool is_wanted(const elf_file *file, const ElfW(Sym) * symbol) {
    const char *name = file->names + symbol->st_name;
    return symbol->st_shndx == SHN_UNDEF && *name != '\0' && ELF64_ST_BIND(symbol->st_info) == STB_GLOBAL &&
           elf_type_of(symbol) != STT_TLS && strchr(name, '@') == NULL;
}

riffle_status undefined_each(const char *path, void (*take)(const char *name, void *context), void *context) {
    elf_file file;
    const riffle_status status = elf_open(path, PROT_READ, &file);
    if (status != RIFFLE_OK) return status;
    for (size_t k = 1; k < file.symbol_count; k++)
        if (is_wanted(&file, &file.symbols[k])) take(file.names + file.symbols[k].st_name, context);
    elf_close(&file);
    return RIFFLE_OK;
}

riffle_status undefined_check(const char *path, void *handle) {
    elf_file file;
    char names[NAMES_TEXT] = "", one[NAMES_TEXT];
    unsigned missing = 0;
    const riffle_status status = elf_open(path, PROT_READ, &file);
    if (status != RIFFLE_OK) return status;
    for (size_t k = 1; k < file.symbol_count; k++) {
        if (!is_wanted(&file, &file.symbols[k])) continue;
        const char *symbol = file.names + file.symbols[k].st_name;
        if (dlsym(handle, symbol) != NULL || dlsym(RTLD_DEFAULT, symbol) != NULL) continue;
        say_function(handle, symbol, one);
        const size_t said = strlen(names);
        if (missing++ < MOST_NAMED)
            snprintf(names + said, sizeof names - said, "%s%.200s", said > 0 ? ", " : "", one);
    }
    elf_close(&file);
    if (missing == 0) return RIFFLE_OK;
    return fail(RIFFLE_ERROR_FORMAT, "nothing defines %s%s; give the files that do, or the library by -l", names,
                missing > MOST_NAMED ? " and others" : "");
}

riffle_status undefined_main(const char *path, const char *source) {
    elf_file file;
    const riffle_status status = elf_open(path, PROT_READ, &file);
    if (status != RIFFLE_OK) return status;
    const bool has_main = elf_defines(&file, "main");
    elf_close(&file);
    if (has_main) return RIFFLE_OK;
    return fail(RIFFLE_ERROR_FORMAT, "%s: has no main; give the files that have it too, or run one kernel with --kernel and --block", source);
}

/* ---- data that another file has */

/* True if the object has host code: a kernel alone may read what is missing, and nobody would tell of that. */
static bool is_program(const elf_file *file) { return elf_defines(file, "riffle_lint_run_main"); }

/* A type, a table of virtual functions, or a function, which has its parameters behind its name. */
static bool is_no_variable(const char *name) {
    return begins_with(name, "_ZTI") || begins_with(name, "_ZTV") ||
           (begins_with(name, "_Z") && name[strlen(name) - 1] != 'E');
}

/* In a program what is missing is told of before it runs. */
static bool is_any(const char *name) { return *name != '\0'; }

/* Makes undefined symbols of a section's relocations weak. */
static void loosen_section(const elf_file *file, const ElfW(Shdr) * section, bool (*is_loose)(const char *name)) {
    const ElfW(Shdr) *table = &file->sections[section->sh_link];
    const ElfW(Rela) *relocations = (const void *)(file->bytes + section->sh_offset);
    ElfW(Sym) *symbols = (void *)(uintptr_t)(file->bytes + table->sh_offset);
    const char *names = file->bytes + file->sections[table->sh_link].sh_offset;
    for (size_t k = 0; k < section->sh_size / sizeof *relocations; k++) {
        ElfW(Sym) *symbol = &symbols[ELF64_R_SYM(relocations[k].r_info)];
        if (symbol->st_shndx == SHN_UNDEF && ELF64_ST_BIND(symbol->st_info) == STB_GLOBAL &&
            elf_type_of(symbol) != STT_TLS && is_loose(names + symbol->st_name))
            symbol->st_info = (unsigned char)ELF64_ST_INFO(STB_WEAK, elf_type_of(symbol));
    }
}

riffle_status undefined_loosen(const char *path) {
    elf_file file;
    const riffle_status status = elf_open(path, PROT_READ | PROT_WRITE, &file);
    if (status != RIFFLE_OK) return status;
    const char *names = file.bytes + file.sections[file.header->e_shstrndx].sh_offset;
    bool (*is_loose)(const char *) = is_program(&file) ? is_any : is_no_variable;
    for (size_t k = 0; k < file.header->e_shnum; k++) {
        const ElfW(Shdr) *section = &file.sections[k];
        if (section->sh_type == SHT_RELA && file.sections[section->sh_link].sh_type == SHT_DYNSYM &&
            strcmp(names + section->sh_name, ".rela.plt") != 0)
            loosen_section(&file, section, is_loose);
    }
    elf_close(&file);
    return RIFFLE_OK;
}
