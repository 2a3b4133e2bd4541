/* SPDX-License-Identifier: Apache-2.0 */
#include "plot/files.h"

#include <errno.h>
#include <string.h>

#include "arrays/same_file.h"
#include "frame/exit.h"
#include "frame/message.h"
#include "system/writable.h"

int plot_files_check(const plot_files *files) {
    const char *const all[] = {files->csv, files->svg};
    if (files->csv != NULL && files->svg != NULL && is_same_file(files->csv, files->svg)) {
        complain("%s: --csv and --svg are the same file; give one of them another name", files->csv);
        return EXIT_USAGE;
    }
    for (unsigned k = 0; k < 2; k++) {
        if (all[k] == NULL || is_writable(all[k])) continue;
        complain("%s: cannot be written: %s", all[k], strerror(errno));
        return EXIT_FAILED;
    }
    return EXIT_DONE;
}

int plot_files_write(const plot_files *files, const char *command, document_printer *table, const void *subject,
                     const plot *picture) {
    if (!document_write(files->csv, table, subject) || !document_write(files->svg, plot_draw, picture))
        return EXIT_FAILED;
    if (files->csv != NULL) return EXIT_DONE;
    const riffle_status status = table(subject, stdout);
    return status == RIFFLE_OK ? finish_stdout(EXIT_DONE) : complain_status(command, status);
}
