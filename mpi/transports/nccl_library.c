/* SPDX-License-Identifier: Apache-2.0 */
#include <dlfcn.h>
#include <string.h>

#include "nccl.h"

#define NAME "libnccl.so.2"

/* POSIX has functions' addresses as objects'. */
static bool find(void *library, const char *name, void *function) {
    void *const at = dlsym(library, name);
    memcpy(function, &at, sizeof at);
    return at != NULL;
}

riffle_status nccl_find(nccl_library *out) {
    void *const library = dlopen(NAME, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    if (library == NULL)
        return mpi_fail(RIFFLE_ERROR_UNSUPPORTED,
                        "NCCL is not found (%s); let LD_LIBRARY_PATH name the folder of " NAME, dlerror());
    if (find(library, "ncclGetUniqueId", &out->get_id) && find(library, "ncclCommInitRank", &out->create) &&
        find(library, "ncclCommDestroy", &out->destroy) && find(library, "ncclGroupStart", &out->begin) &&
        find(library, "ncclGroupEnd", &out->end) && find(library, "ncclSend", &out->send) &&
        find(library, "ncclRecv", &out->receive) && find(library, "ncclGetErrorString", &out->words))
        return RIFFLE_OK;
    return mpi_fail(RIFFLE_ERROR_UNSUPPORTED, NAME " has no ncclSend; NCCL 2.7 or later is wanted");
}

riffle_status nccl_result(const nccl_library *nccl, int code, const char *what) {
    if (code == NCCL_SUCCESS) return RIFFLE_OK;
    return mpi_fail(RIFFLE_ERROR_DEVICE, "NCCL failed in %s: %s", what, nccl->words(code));
}
