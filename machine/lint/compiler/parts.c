/* SPDX-License-Identifier: Apache-2.0 */
#include "machine/lint/compiler/parts.h"

riffle_status lint_parts_write(const private_folder *folder) {
    riffle_status status = RIFFLE_OK;
    for (const embedded_bytes *one = lint_parts; one->name != NULL && status == RIFFLE_OK; one++)
        status = folder_write(folder, one->name, (const char *)one->bytes, one->size);
    return status;
}
