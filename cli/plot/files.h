/* SPDX-License-Identifier: Apache-2.0
 *
 * Where a command's table and its picture go: the options --csv and --svg.
 */
#ifndef RIFFLE_CLI_PLOT_FILES_H
#define RIFFLE_CLI_PLOT_FILES_H

#include "arrays/document.h"
#include "frame/readers.h"
#include "plot/plot.h"

typedef struct plot_files {
    const char *csv, *svg; /* NULL: the table goes to stdout, and there is no picture */
} plot_files;

#define PLOT_FILES_OPTIONS(files, lines)                                                                       \
    {"csv", "FILE", FILE_NAME(files.csv), .help = "write the table into FILE, and not on stdout"}, {           \
        "svg", "FILE", FILE_NAME(files.svg), .help = "draw " lines                                             \
    }

/** Looks whether both can be written, before work begins; EXIT_DONE, or another status after a complaint. */
int plot_files_check(const plot_files *files);

/** Writes the table of `subject` and, where one is wanted, the picture; an exit status. */
int plot_files_write(const plot_files *files, const char *command, document_printer *table, const void *subject,
                     const plot *picture);

#endif
