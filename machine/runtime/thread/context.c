/* SPDX-License-Identifier: Apache-2.0
 *
 * The sanitizers are told of each switch, since both keep books on the stack that is running.
 */
#define _GNU_SOURCE /* MAP_ANONYMOUS */
#include "machine/runtime/thread/context.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define CONTEXT_ASAN
#elif __has_feature(thread_sanitizer)
#define CONTEXT_TSAN
#endif
#endif
#if defined(__SANITIZE_ADDRESS__)
#define CONTEXT_ASAN
#elif defined(__SANITIZE_THREAD__)
#define CONTEXT_TSAN
#endif

#if defined(CONTEXT_ASAN)
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#elif defined(CONTEXT_TSAN)
#include <sanitizer/tsan_interface.h>
#endif

#if !defined(__x86_64__) && !defined(__aarch64__)
#include <ucontext.h>
#define CONTEXT_PORTABLE
typedef ucontext_t machine_state;
#else
typedef void *machine_state; /* the stack pointer; everything else is on the stack */
#endif

/* How the sanitizers know a side of a switch. */
typedef struct sanitizer_state {
    void *fake_stack, *fiber;
    const void *bottom;
    size_t size;
} sanitizer_state;

struct context {
    machine_state here, outside;
#if defined(CONTEXT_PORTABLE)
    uintptr_t left_at; /* frame in which it left */
#endif
    sanitizer_state here_known, outside_known;
    char *mapping;
    size_t mapping_bytes, page, stack_bytes;
    unsigned place; /* among the idle ones, where it is one */
    void (*run)(context *);
    void *argument;
};

/* A block's threads, at most: a process runs one launch at a time, and blocks that wait for others have put theirs away. */
enum { IDLE_MOST = 1 << 14 };
static context *idle[IDLE_MOST];
static unsigned idle_count, taken;

#if defined(__x86_64__)
/* riffle_context_swap(void **save, void *load); riffle_context_first calls r13(r12) on a fresh stack. */
__asm__(".text\n"
        ".globl riffle_context_swap\n.hidden riffle_context_swap\n.type riffle_context_swap, @function\n"
        "riffle_context_swap:\n"
        "  pushq %rbp\n  pushq %rbx\n  pushq %r12\n  pushq %r13\n  pushq %r14\n  pushq %r15\n"
        "  movq %rsp, (%rdi)\n"
        "  movq %rsi, %rsp\n"
        "  popq %r15\n  popq %r14\n  popq %r13\n  popq %r12\n  popq %rbx\n  popq %rbp\n"
        "  ret\n"
        ".size riffle_context_swap, .-riffle_context_swap\n"
        ".globl riffle_context_first\n.hidden riffle_context_first\n.type riffle_context_first, @function\n"
        "riffle_context_first:\n"
        "  movq %r12, %rdi\n"
        "  call *%r13\n"
        "  ud2\n"
        ".size riffle_context_first, .-riffle_context_first\n");
enum { SAVED_WORDS = 6 + 1, FIRST_ARGUMENT = 3, FIRST_CALL = 2, FIRST_RETURN = 6 };
#elif defined(__aarch64__)
__asm__(".text\n"
        ".globl riffle_context_swap\n.hidden riffle_context_swap\n.type riffle_context_swap, %function\n"
        "riffle_context_swap:\n"
        "  sub sp, sp, #160\n"
        "  stp x19, x20, [sp, #0]\n  stp x21, x22, [sp, #16]\n  stp x23, x24, [sp, #32]\n"
        "  stp x25, x26, [sp, #48]\n  stp x27, x28, [sp, #64]\n  stp x29, x30, [sp, #80]\n"
        "  stp d8, d9, [sp, #96]\n  stp d10, d11, [sp, #112]\n"
        "  stp d12, d13, [sp, #128]\n  stp d14, d15, [sp, #144]\n"
        "  mov x9, sp\n  str x9, [x0]\n  mov sp, x1\n"
        "  ldp x19, x20, [sp, #0]\n  ldp x21, x22, [sp, #16]\n  ldp x23, x24, [sp, #32]\n"
        "  ldp x25, x26, [sp, #48]\n  ldp x27, x28, [sp, #64]\n  ldp x29, x30, [sp, #80]\n"
        "  ldp d8, d9, [sp, #96]\n  ldp d10, d11, [sp, #112]\n"
        "  ldp d12, d13, [sp, #128]\n  ldp d14, d15, [sp, #144]\n"
        "  add sp, sp, #160\n"
        "  ret\n"
        ".size riffle_context_swap, .-riffle_context_swap\n"
        ".globl riffle_context_first\n.hidden riffle_context_first\n.type riffle_context_first, %function\n"
        "riffle_context_first:\n"
        "  mov x0, x19\n"
        "  blr x20\n"
        "  brk #1\n"
        ".size riffle_context_first, .-riffle_context_first\n");
enum { SAVED_WORDS = 20, FIRST_ARGUMENT = 0, FIRST_CALL = 1, FIRST_RETURN = 11 };
#endif

#if defined(CONTEXT_PORTABLE)
static void swap(machine_state *save, machine_state *load) { swapcontext(save, load); }
#else
extern void riffle_context_swap(void **save, void *load);
extern void riffle_context_first(void);
static void swap(machine_state *save, machine_state *load) { riffle_context_swap(save, *load); }
#endif

static void about_to_switch(sanitizer_state *from, const sanitizer_state *to) {
#if defined(CONTEXT_ASAN)
    __sanitizer_start_switch_fiber(&from->fake_stack, to->bottom, to->size);
#elif defined(CONTEXT_TSAN)
    from->fiber = __tsan_get_current_fiber();
    __tsan_switch_to_fiber(to->fiber, 0);
#else
    (void)from, (void)to;
#endif
}

static void has_switched(const sanitizer_state *to, sanitizer_state *from) {
#if defined(CONTEXT_ASAN)
    __sanitizer_finish_switch_fiber(to->fake_stack, &from->bottom, &from->size);
#else
    (void)to, (void)from;
#endif
}

static void first_entry(void *argument) {
    context *c = argument;
    has_switched(&c->here_known, &c->outside_known);
    c->run(c);
    abort(); /* run never returns */
}

#if defined(CONTEXT_PORTABLE)
/* makecontext passes int only. */
static void first_entry_halves(unsigned high, unsigned low) {
    first_entry((void *)(((uintptr_t)high << 16 << 16) | low));
}
#endif

uintptr_t context_stack(const context *c) { return (uintptr_t)c->mapping + c->page; }

static void prepare_first_entry(context *c) {
#if defined(CONTEXT_PORTABLE)
    getcontext(&c->here);
    c->here.uc_stack.ss_sp = c->mapping + c->page;
    c->here.uc_stack.ss_size = c->stack_bytes;
    c->here.uc_link = NULL;
    const uintptr_t self = (uintptr_t)c;
    makecontext(&c->here, (void (*)(void))first_entry_halves, 2, (unsigned)(self >> 16 >> 16), (unsigned)self);
#else
    /* The saved words end 16 bytes below the top, which leaves the stack aligned as the first call wants it. */
    void **saved = (void **)(context_stack(c) + c->stack_bytes - 16) - SAVED_WORDS;
    saved[FIRST_ARGUMENT] = c;
    saved[FIRST_CALL] = (void *)(uintptr_t)first_entry;
    saved[FIRST_RETURN] = (void *)(uintptr_t)riffle_context_first;
    c->here = saved;
#endif
}

static bool map_stack(context *c) {
    c->page = (size_t)sysconf(_SC_PAGESIZE);
    c->mapping_bytes = c->page + CONTEXT_STACK_BYTES;
    void *mapping = mmap(NULL, c->mapping_bytes, PROT_READ | PROT_WRITE,
                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (mapping == MAP_FAILED) return false;
    c->mapping = mapping;
    return mprotect(mapping, c->page, PROT_NONE) == 0;
}

static context *create(void (*run)(context *)) {
    context *c = calloc(1, sizeof *c);
    if (c == NULL) return NULL;
    if (!map_stack(c)) {
        context_destroy(c);
        return NULL;
    }
    c->run = run;
    /* Stacks at the same place of their pages would all fall into the same few sets of the cache. */
    const size_t lines = taken++ % 61;
    c->stack_bytes = CONTEXT_STACK_BYTES - lines * 64;
    prepare_first_entry(c);
    c->here_known.bottom = c->mapping + c->page;
    c->here_known.size = CONTEXT_STACK_BYTES;
#if defined(CONTEXT_TSAN)
    c->here_known.fiber = __tsan_create_fiber(0);
#endif
    return c;
}

/* Frees what the sanitizers keep of a context. AddressSanitizer frees the context's fake stack, 11 times the size of the real one,
   only at a switch that never returns. So it is told of such a switch, and nothing is switched. */
static void forget(context *c) {
#if defined(CONTEXT_ASAN)
    if (c->here_known.fake_stack != NULL) {
        sanitizer_state own;
        __sanitizer_start_switch_fiber(&own.fake_stack, c->here_known.bottom, c->here_known.size);
        __sanitizer_finish_switch_fiber(c->here_known.fake_stack, &own.bottom, &own.size);
        __sanitizer_start_switch_fiber(NULL, own.bottom, own.size);
        __sanitizer_finish_switch_fiber(own.fake_stack, NULL, NULL);
    }
    if (c->mapping != NULL) /* frames that were never left */
        __asan_unpoison_memory_region(c->mapping, c->mapping_bytes);
#elif defined(CONTEXT_TSAN)
    if (c->here_known.fiber != NULL) __tsan_destroy_fiber(c->here_known.fiber);
#else
    (void)c;
#endif
}

void context_destroy(context *c) {
    if (c == NULL) return;
    forget(c);
    if (c->mapping != NULL) munmap(c->mapping, c->mapping_bytes);
    free(c);
}

context *context_take(void (*run)(context *), void *argument) {
    context *const c = idle_count > 0 ? idle[--idle_count] : create(run);
    if (c != NULL) c->argument = argument;
    return c;
}

void context_give(context *c) {
    if (idle_count == IDLE_MOST)
        context_destroy(c);
    else
        idle[c->place = idle_count++] = c;
}

/* Where what is alive of its stack begins. */
#if defined(CONTEXT_PORTABLE)
enum { BELOW_FRAME = 1024 };
static uintptr_t alive_from(const context *c) { return c->left_at - BELOW_FRAME; }
#else
static uintptr_t alive_from(const context *c) { return (uintptr_t)c->here; }
#endif

struct context_image {
    context *of;
    machine_state here;
    size_t bytes;
    char stack[];
};

/* Byte by byte where a sanitizer would check memcpy: there are bytes between variables. */
#if defined(CONTEXT_ASAN)
__attribute__((no_sanitize_address))
#endif
static void
copy_stack(char *to, const char *from, size_t bytes) {
#if defined(CONTEXT_ASAN)
    for (size_t k = 0; k < bytes; k++) ((volatile char *)to)[k] = from[k];
#else
    memcpy(to, from, bytes);
#endif
}

/* Marks that a sanitizer has between variables of frames which give way to others. */
static void unpoison(const context *c) {
#if defined(CONTEXT_ASAN)
    __asan_unpoison_memory_region(c->mapping, c->mapping_bytes);
#else
    (void)c;
#endif
}

context_image *context_put_away(context *c) {
    const uintptr_t from = alive_from(c);
    const size_t bytes = context_stack(c) + CONTEXT_STACK_BYTES - from;
    context_image *image = malloc(sizeof *image + bytes);
    if (image == NULL) return NULL;
    image->of = c;
    image->here = c->here;
    image->bytes = bytes;
    copy_stack(image->stack, (const char *)from, bytes);
    unpoison(c);
    prepare_first_entry(c);
    context_give(c);
    return image;
}

context *context_bring_back(context_image *image) {
    context *const c = image->of;
    idle[c->place] = idle[--idle_count];
    idle[c->place]->place = c->place;
    unpoison(c);
    c->here = image->here;
    copy_stack((char *)(context_stack(c) + CONTEXT_STACK_BYTES - image->bytes), image->stack, image->bytes);
    free(image);
    return c;
}

void *context_argument(const context *c) { return c->argument; }

bool context_is_idle_at(uintptr_t address) {
    unsigned k = 0;
    while (k < idle_count && address - context_stack(idle[k]) >= CONTEXT_STACK_BYTES) k++;
    return k < idle_count;
}

void context_enter(context *c) {
    about_to_switch(&c->outside_known, &c->here_known);
    swap(&c->outside, &c->here);
    has_switched(&c->outside_known, &c->here_known);
}

void context_leave(context *c) {
#if defined(CONTEXT_PORTABLE)
    c->left_at = (uintptr_t)__builtin_frame_address(0);
#endif
    about_to_switch(&c->here_known, &c->outside_known);
    swap(&c->here, &c->outside);
    has_switched(&c->here_known, &c->outside_known);
}
