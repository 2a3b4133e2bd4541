/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include "stand_in.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "riffle/cuda.h"
#include "world.h"

enum { ARENA = 1 << 28, MOST_WORK = 64, ARGUMENT = 8192, ALIGNMENT = 256 };

stand_in stand_in_gpu = {.left = ARENA, .pinned = ARENA};

/* ------------------------------------------------------------------ memory: one file, mapped for the GPU and for the host */

static char *there, *here;
static int file;
static size_t used, live, opened;

static void map(void) {
    if (there != NULL) return;
    file = memfd_create("a GPU's memory", 0);
    CHECK(file >= 0 && ftruncate(file, ARENA) == 0, "memfd");
    there = mmap(NULL, ARENA, PROT_NONE, MAP_SHARED, file, 0);
    here = mmap(NULL, ARENA, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    CHECK(there != MAP_FAILED && here != MAP_FAILED, "mmap");
}

void stand_in_open(bool is_open) {
    map();
    CHECK(mprotect(there, ARENA, is_open ? PROT_READ | PROT_WRITE : PROT_NONE) == 0, "mprotect");
}

static bool is_there(const void *at) { return (const char *)at >= there && (const char *)at < there + ARENA; }

void *stand_in_reach(const void *at) {
    if (!is_there(at)) return (void *)(uintptr_t)at;
    return here + ((const char *)at - there);
}

static riffle_status allocate(const char *what, size_t bytes, void **out) {
    map();
    *out = NULL;
    if (bytes == 0) return RIFFLE_OK;
    if (used + bytes > stand_in_gpu.left) return riffle_exchange_fail(RIFFLE_ERROR_OUT_OF_MEMORY, what);
    *out = there + used;
    memset(here + used, 0x5a, bytes);
    used += (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    live++;
    return RIFFLE_OK;
}

static void release(void *at) {
    if (at != NULL && --live == 0) used = 0;
}

static riffle_status allocate_pinned(const char *what, size_t bytes, void **out) {
    *out = bytes > 0 ? room(bytes) : NULL;
    if (bytes <= stand_in_gpu.pinned) return RIFFLE_OK;
    free(*out);
    *out = NULL;
    return riffle_exchange_fail(RIFFLE_ERROR_OUT_OF_MEMORY, what);
}

/* A handle is the file's name in another process, and a place there. */
static riffle_status share(void *at, unsigned char *handle) {
    snprintf((char *)handle, RIFFLE_CUDA_HANDLE_BYTES, "%zu /proc/%d/fd/%d", (size_t)((char *)at - there),
             (int)getpid(), file);
    return RIFFLE_OK;
}

static riffle_status open_shared(const unsigned char *handle, void **out) {
    char *name;
    const size_t first = strtoull((const char *)handle, &name, 10);
    if (stand_in_gpu.is_alone) return riffle_exchange_fail(RIFFLE_ERROR_DEVICE, "the GPUs are no peers");
    const int other = open(name + 1, O_RDWR);
    char *const at = mmap(NULL, ARENA, PROT_READ, MAP_SHARED, other, 0);
    CHECK(other >= 0 && at != MAP_FAILED && close(other) == 0, "%s", name);
    *out = at + first;
    opened++;
    return RIFFLE_OK;
}

/* The mapping stays until the program ends. */
static void close_shared(void *at) { CHECK(at != NULL && opened-- > 0, "an open room"); }

static riffle_status check(const char *what, const void *at) {
    return is_there(at) ? RIFFLE_OK : riffle_exchange_fail(RIFFLE_ERROR_INVALID_ARGUMENT, what);
}

static riffle_status identify(unsigned char *uuid) {
    memset(uuid, stand_in_gpu.number, 16);
    return RIFFLE_OK;
}

/* ------------------------------------------------------------------ the stream */

static struct {
    void (*work)(void *argument);
    char argument[ARGUMENT];
} queued[MOST_WORK];
static unsigned count, asked;

void stand_in_queue(void (*work)(void *argument), const void *argument, size_t bytes) {
    CHECK(count < MOST_WORK && bytes <= ARGUMENT, "room for what is queued");
    queued[count].work = work;
    memcpy(queued[count++].argument, argument, bytes);
}

static riffle_status wait_for(struct CUevent_st *event) {
    (void)event;
    for (unsigned k = 0; k < count; k++) queued[k].work(queued[k].argument);
    count = 0;
    return RIFFLE_OK;
}

/* Work is done when it is asked for the third time. */
static riffle_status query(struct CUevent_st *event, bool *done) {
    *done = count == 0 || ++asked % 3 == 0;
    return *done ? wait_for(event) : RIFFLE_OK;
}

static riffle_status create_event(struct CUevent_st **out) {
    *out = (void *)&asked;
    return RIFFLE_OK;
}

static void destroy_event(struct CUevent_st *event) { (void)event; }

static riffle_status record(struct CUevent_st *event, struct CUstream_st *stream) {
    (void)event, (void)stream;
    return RIFFLE_OK;
}

typedef struct step {
    const riffle_plan *plan; /* NULL: a copy */
    void *to;
    const void *from;
    size_t bytes;
} step;

static void take(void *argument) {
    step s;
    memcpy(&s, argument, sizeof s);
    if (s.plan == NULL)
        memcpy(stand_in_reach(s.to), stand_in_reach(s.from), s.bytes);
    else
        CHECK(riffle_execute(s.plan, stand_in_reach(s.to), stand_in_reach(s.from)) == RIFFLE_OK, "a step");
}

static riffle_status copy(void *to, const void *from, size_t bytes, struct CUstream_st *stream) {
    (void)stream;
    stand_in_queue(take, &(step){NULL, to, from, bytes}, sizeof(step));
    return RIFFLE_OK;
}

/* ------------------------------------------------------------------ before the libraries' */

riffle_status riffle_cuda_memory_find(const riffle_cuda_memory **out) {
    static const riffle_cuda_memory memory = {.identify = identify,
                                              .check = check,
                                              .allocate = allocate,
                                              .release = release,
                                              .allocate_pinned = allocate_pinned,
                                              .release_pinned = free,
                                              .share = share,
                                              .open = open_shared,
                                              .close = close_shared,
                                              .copy = copy,
                                              .create_event = create_event,
                                              .destroy_event = destroy_event,
                                              .record = record,
                                              .query = query,
                                              .wait = wait_for};
    if (stand_in_gpu.is_missing) return riffle_exchange_fail(RIFFLE_ERROR_UNSUPPORTED, "there is no GPU");
    *out = &memory;
    return RIFFLE_OK;
}

riffle_status riffle_cuda_describe(riffle_cuda_device *out) {
    *out = (riffle_cuda_device){.name = "a stand-in", .driver = 13000};
    return RIFFLE_OK;
}

riffle_status riffle_cuda_execute(const riffle_plan *plan, void *dst, const void *src, void *workspace,
                                  size_t workspace_bytes, struct CUstream_st *stream) {
    (void)stream;
    CHECK(workspace == NULL && workspace_bytes == 0, "the plan's own workspace");
    stand_in_queue(take, &(step){plan, dst, src, 0}, sizeof(step));
    return RIFFLE_OK;
}

riffle_status riffle_plan_create(const riffle_perm *perm, size_t elem_bytes, riffle_engine engine,
                                 const riffle_plan_options *options, riffle_plan **out) {
    riffle_status (*create)(const riffle_perm *, size_t, riffle_engine, const riffle_plan_options *,
                            riffle_plan **);
    void *const at = dlsym(RTLD_NEXT, "riffle_plan_create");
    (void)engine;
    CHECK(at != NULL, "libriffle");
    memcpy(&create, &at, sizeof at);
    return create(perm, elem_bytes, RIFFLE_ENGINE_CPU, options, out);
}
