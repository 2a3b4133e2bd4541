/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RIFFLE_MACHINE_LINT_OBJECT_ELF_H
#define RIFFLE_MACHINE_LINT_OBJECT_ELF_H

#include <link.h>
#include <stdbool.h>
#include <stddef.h>

#include "riffle.h"

/* The symbols of an ELF file, mapped as it lies. */
typedef struct elf_file {
    const char *bytes;
    size_t length;
    const ElfW(Ehdr) * header;
    const ElfW(Shdr) * sections;
    const ElfW(Sym) * symbols;
    size_t symbol_count;
    const char *names;
} elf_file;

/* Maps a file with PROT_READ, or with PROT_WRITE too, where what is written goes to the file. RIFFLE_ERROR_IO if it cannot be read, RIFFLE_ERROR_INTERNAL if
 * it is no object with symbols. */
riffle_status elf_open(const char *path, int protection, elf_file *out);

void elf_close(elf_file *file);

/* STT_OBJECT and so on: the same bits for objects of 32 and of 64 bits. */
unsigned elf_type_of(const ElfW(Sym) * symbol);

/* True if a symbol of that name is the file's own. */
bool elf_defines(const elf_file *file, const char *name);

#endif
