/* SPDX-License-Identifier: Apache-2.0
 *
 * Coroutines: a kernel's thread has a stack of its own, on which it runs until it leaves, and goes on later
 * from where it left. A switch saves the registers that a call preserves and takes no system call.
 */
#ifndef RIFFLE_MACHINE_RUNTIME_THREAD_CONTEXT_H
#define RIFFLE_MACHINE_RUNTIME_THREAD_CONTEXT_H

#include <stdbool.h>
#include <stdint.h>

typedef struct context context;

/** A kernel's own arrays and calls must fit. AddressSanitizer keeps ten times as much again for each stack. */
#if defined(__SANITIZE_ADDRESS__)
enum { CONTEXT_STACK_BYTES = 64 << 10 };
#else
enum { CONTEXT_STACK_BYTES = 256 << 10 };
#endif

/** A stack, with a page below it that may not be touched, on which run(c) begins when it is first entered. run must never return. One that
 *  was given back goes on where it left, with another argument; it had the same run. NULL without memory. One caller at a time. */
context *context_take(void (*run)(context *c), void *argument);

/** Keeps one that has left for the next that takes one: a stack costs three system calls, and a fault for each page. */
void context_give(context *c);

/** What is alive on the stack of one that has left in the middle of run. Others take the stack meanwhile, so a thread's variables are
 *  back at their addresses, but not to be read, until then. */
typedef struct context_image context_image;

/** Puts away what is on its stack, and gives it; no more may be given at once than a block has. NULL without memory. */
context_image *context_put_away(context *c);

/** Takes the same one, which nobody has, as it was; the image is gone. One that nobody brings back is freed by free(). */
context *context_bring_back(context_image *image);

/** What it was taken with. */
void *context_argument(const context *c);

/** True for an address on a stack that nobody has taken. */
bool context_is_idle_at(uintptr_t address);

/** Its stack may be anywhere in the middle of run. */
void context_destroy(context *c);

/** Runs c until it leaves. Not to be called on a context. */
void context_enter(context *c);

/** Goes back to where c, which is running, was entered. */
void context_leave(context *c);

/** The lowest address of its CONTEXT_STACK_BYTES. */
uintptr_t context_stack(const context *c);

#endif
