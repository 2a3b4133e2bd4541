/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE /* ElfW */
#include "machine/lint/object/elf.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/status.h"

static riffle_status fail_elf(const char *path) {
    return fail(RIFFLE_ERROR_INTERNAL, "%s: what the compiler wrote is no ELF object of this machine", path);
}

static bool lies_inside(const elf_file *file, size_t offset, size_t bytes) {
    return offset <= file->length && bytes <= file->length - offset;
}

/* Finds the tables; false if they are not where they should be. */
static bool find_tables(elf_file *file) {
    const ElfW(Ehdr) *header = file->header = (const void *)file->bytes;
    if (file->length < sizeof *header || memcmp(header->e_ident, ELFMAG, SELFMAG) != 0) return false;
    if (!lies_inside(file, header->e_shoff, header->e_shnum * sizeof *file->sections)) return false;
    file->sections = (const void *)(file->bytes + header->e_shoff);
    for (size_t k = 0; k < header->e_shnum; k++) {
        const ElfW(Shdr) *section = &file->sections[k];
        if (section->sh_type != SHT_SYMTAB || section->sh_link >= header->e_shnum) continue;
        file->symbols = (const void *)(file->bytes + section->sh_offset);
        file->symbol_count = section->sh_size / sizeof *file->symbols;
        file->names = file->bytes + file->sections[section->sh_link].sh_offset;
        return lies_inside(file, section->sh_offset, section->sh_size);
    }
    return false;
}

void elf_close(elf_file *file) {
    if (file->bytes != NULL) munmap((void *)(uintptr_t)file->bytes, file->length);
    file->bytes = NULL;
}

riffle_status elf_open(const char *path, int protection, elf_file *out) {
    struct stat about;
    const int descriptor = open(path, (protection & PROT_WRITE ? O_RDWR : O_RDONLY) | O_CLOEXEC);
    if (descriptor < 0 || fstat(descriptor, &about) != 0) {
        const int error = errno;
        if (descriptor >= 0) close(descriptor);
        return fail(RIFFLE_ERROR_IO, "%s: cannot be read: %s", path, strerror(error));
    }
    *out = (elf_file){.length = (size_t)about.st_size};
    void *bytes = mmap(NULL, out->length, protection, MAP_SHARED, descriptor, 0);
    close(descriptor);
    if (bytes == MAP_FAILED) return fail(RIFFLE_ERROR_IO, "%s: cannot be mapped: %s", path, strerror(errno));
    out->bytes = bytes;
    if (find_tables(out)) return RIFFLE_OK;
    elf_close(out);
    return fail_elf(path);
}

unsigned elf_type_of(const ElfW(Sym) * symbol) { return ELF64_ST_TYPE(symbol->st_info); }

bool elf_defines(const elf_file *file, const char *name) {
    for (size_t k = 1; k < file->symbol_count; k++)
        if (file->symbols[k].st_shndx != SHN_UNDEF && strcmp(file->names + file->symbols[k].st_name, name) == 0) return true;
    return false;
}
