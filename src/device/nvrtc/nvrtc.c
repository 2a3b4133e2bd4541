/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE /* RTLD_LOCAL */
#include "device/nvrtc/nvrtc.h"

#include <dlfcn.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"

/* As nvrtc.h declares them; a result that is not 0 is an error. */
typedef struct opaque *program;
static struct {
    void *library;
    int major, minor;
    int newest; /* compute capability that it compiles for */
    int (*version)(int *, int *);
    int (*target_count)(int *);
    int (*targets)(int *);
    int (*create)(program *, const char *, const char *, int, const char *const *, const char *const *);
    int (*destroy)(program *);
    int (*compile)(program, int, const char *const *);
    int (*code_size)(program, size_t *);
    int (*code)(program, char *);
    int (*ptx_size)(program, size_t *);
    int (*ptx)(program, char *);
    int (*log_size)(program, size_t *);
    int (*log)(program, char *);
    const char *(*error)(int);
} api;
static pthread_once_t once = PTHREAD_ONCE_INIT;

enum { COMPILATION_FAILED = 6, MOST_TARGETS = 64 };

/* Floats are rounded as on the host: a product and a sum are two operations. */
const char nvrtc_options[] = "--std=c++17 --fmad=false --device-as-default-execution-space --device-int128";

/* ----------------------------------------------------------------- loading */

static const struct {
    const char *name;
    void *kept;
} symbols[] = {
    {"nvrtcVersion", &api.version},
    {"nvrtcGetNumSupportedArchs", &api.target_count},
    {"nvrtcGetSupportedArchs", &api.targets},
    {"nvrtcCreateProgram", &api.create},
    {"nvrtcDestroyProgram", &api.destroy},
    {"nvrtcCompileProgram", &api.compile},
    {"nvrtcGetCUBINSize", &api.code_size},
    {"nvrtcGetCUBIN", &api.code},
    {"nvrtcGetPTXSize", &api.ptx_size},
    {"nvrtcGetPTX", &api.ptx},
    {"nvrtcGetProgramLogSize", &api.log_size},
    {"nvrtcGetProgramLog", &api.log},
    {"nvrtcGetErrorString", &api.error},
};

static bool find_symbols(void *library) {
    for (size_t k = 0; k < sizeof symbols / sizeof symbols[0]; k++) {
        void *const found = dlsym(library, symbols[k].name);
        if (found == NULL) return false;
        memcpy(symbols[k].kept, &found, sizeof found);
    }
    return true;
}

/* The name that RIFFLE_NVRTC says; or where the loader finds it, and then where CUDA puts it. */
static void *open_library(void) {
    static const char *const names[] = {"libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so"};
    const char *const named = getenv("RIFFLE_NVRTC");
    if (named != NULL && *named != '\0') return dlopen(named, RTLD_NOW | RTLD_LOCAL);
    const char *const roots[] = {NULL, getenv("CUDA_HOME"), getenv("CUDA_PATH"), "/usr/local/cuda"};
    for (size_t r = 0; r < sizeof roots / sizeof roots[0]; r++) {
        for (size_t k = 0; (r == 0 || roots[r] != NULL) && k < sizeof names / sizeof names[0]; k++) {
            char path[PATH_MAX];
            snprintf(path, sizeof path, "%s%s%s", r > 0 ? roots[r] : "", r > 0 ? "/lib64/" : "", names[k]);
            void *const library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
            if (library != NULL) return library;
        }
    }
    return NULL;
}

static void load(void) {
    int count = 0, all[MOST_TARGETS];
    void *const library = open_library();
    if (library == NULL) return;
    if (!find_symbols(library) || api.version(&api.major, &api.minor) != 0 || api.target_count(&count) != 0 ||
        count < 1 || count > MOST_TARGETS || api.targets(all) != 0) {
        dlclose(library);
        return;
    }
    for (int k = 0; k < count; k++)
        if (all[k] > api.newest) api.newest = all[k];
    api.library = library;
}

riffle_status nvrtc_find(unsigned capability, nvrtc_way *out) {
    pthread_once(&once, load);
    if (api.library == NULL)
        return fail(
            RIFFLE_ERROR_UNSUPPORTED,
            "what users write for a GPU needs NVRTC, and no libnvrtc.so.13 or .12 is found; install it (the "
            "package cuda-nvrtc of CUDA 12 or 13), or say where it is with CUDA_HOME or RIFFLE_NVRTC");
    *out = (nvrtc_way){.major = api.major, .minor = api.minor, .is_ptx = (int)capability > api.newest};
    snprintf(out->target, sizeof out->target, "--gpu-architecture=%s_%d", out->is_ptx ? "compute" : "sm",
             out->is_ptx ? api.newest : (int)capability);
    return RIFFLE_OK;
}

/* --------------------------------------------------------------- compiling */

/* NVRTC has no header of C's. */
static const char stdint[] =
    "typedef signed char int8_t; typedef short int16_t; typedef int int32_t; typedef long int64_t;\n"
    "typedef unsigned char uint8_t; typedef unsigned short uint16_t; typedef unsigned uint32_t;\n"
    "typedef unsigned long uint64_t; typedef unsigned long uintptr_t;\n"
    "#define INT8_MAX 127\n#define INT16_MAX 32767\n#define INT32_MAX 2147483647\n"
    "#define INT64_MAX 9223372036854775807l\n#define INT8_MIN (-INT8_MAX - 1)\n#define INT16_MIN (-INT16_MAX - "
    "1)\n"
    "#define INT32_MIN (-INT32_MAX - 1)\n#define INT64_MIN (-INT64_MAX - 1)\n#define UINT8_MAX 255\n"
    "#define UINT16_MAX 65535\n#define UINT32_MAX 4294967295u\n#define UINT64_MAX 18446744073709551615ul\n";

static riffle_status fail_nvrtc(const char *attempt, int error) {
    return fail(RIFFLE_ERROR_DEVICE, "%s: NVRTC says '%s'", attempt, api.error(error));
}

static riffle_status read_code(program made, bool is_ptx, nvrtc_code *out) {
    int (*const measure)(program, size_t *) = is_ptx ? api.ptx_size : api.code_size;
    int (*const read)(program, char *) = is_ptx ? api.ptx : api.code;
    size_t count = 0;
    int error = measure(made, &count);
    if (error != 0) return fail_nvrtc("measuring a kernel", error);
    void *const bytes = malloc(count + 1);
    if (bytes == NULL) return fail_memory("a kernel", count);
    error = read(made, bytes);
    if (error == 0) {
        *out = (nvrtc_code){bytes, count};
        return RIFFLE_OK;
    }
    free(bytes);
    return fail_nvrtc("reading a kernel", error);
}

static riffle_status read_messages(program made, char **out) {
    size_t count = 0;
    int error = api.log_size(made, &count);
    if (error != 0) return fail_nvrtc("measuring the compiler's messages", error);
    char *const text = calloc(count + 1, 1);
    if (text == NULL) return fail_memory("the compiler's messages", count);
    error = api.log(made, text);
    if (error == 0) {
        *out = text;
        return fail(RIFFLE_ERROR_SYNTAX, "the kernel does not compile");
    }
    free(text);
    return fail_nvrtc("reading the compiler's messages", error);
}

/* The options of nvrtc_options, cut into words, and the target. */
static int run(program made, const nvrtc_way *way) {
    char words[sizeof nvrtc_options];
    const char *options[8] = {way->target, "--disable-warnings"};
    int count = 2;
    char *rest = NULL;
    memcpy(words, nvrtc_options, sizeof words);
    for (char *word = strtok_r(words, " ", &rest); word != NULL; word = strtok_r(NULL, " ", &rest))
        options[count++] = word;
    return api.compile(made, count, options);
}

riffle_status nvrtc_compile(const nvrtc_way *way, const char *source, nvrtc_code *out, char **messages) {
    const char *const header = stdint, *const name = "stdint.h";
    program made = NULL;
    *messages = NULL;
    int error = api.create(&made, source, "riffle.cu", 1, &header, &name);
    if (error != 0) return fail_nvrtc("giving a kernel to the compiler", error);
    error = run(made, way);
    riffle_status status = error == 0                    ? read_code(made, way->is_ptx, out)
                           : error == COMPILATION_FAILED ? read_messages(made, messages)
                                                         : fail_nvrtc("compiling a kernel", error);
    api.destroy(&made);
    return status;
}
