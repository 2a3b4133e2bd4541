/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE /* the registers of a context */
#include "machine/runtime/division.h"

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "machine/runtime/launch_state.h"

#if defined(__x86_64__) && defined(__linux__)
#include <ucontext.h>

static struct sigaction before;

/* div or idiv: what of its encoding matters. */
typedef struct division {
    const uint8_t *operand; /* the byte that tells the divisor's place */
    unsigned rex;           /* prefix that makes register numbers longer */
    unsigned width;         /* width of its numbers: 2, 4 or 8 bytes */
} division;

static bool decode(const uint8_t *at, division *out) {
    const bool is_short = *at == 0x66;
    at += is_short;
    out->rex = (*at & 0xf0) == 0x40 ? *at++ : 0;
    out->width = out->rex & 8 ? 8 : is_short ? 2 : 4;
    out->operand = at + 1;
    return *at == 0xf7 && (*out->operand >> 3 & 7) >= 6;
}

static unsigned mode_of(const division *one) { return (unsigned)*one->operand >> 6; }
static unsigned base_of(const division *one) { return *one->operand & 7; }
static bool has_index(const division *one) { return mode_of(one) != 3 && base_of(one) == 4; }

/* Bytes of the displacement behind the operand's bytes. */
static unsigned offset_bytes(const division *one) {
    const unsigned mode = mode_of(one), base = has_index(one) ? one->operand[1] & 7 : base_of(one);
    if (mode == 0) return base == 5 ? 4 : 0;
    return mode == 1 ? 1 : mode == 2 ? 4 : 0;
}
static int32_t offset_of(const division *one) {
    const uint8_t *at = one->operand + 1 + has_index(one);
    int32_t offset = 0;
    if (offset_bytes(one) == 1) return (int8_t)*at;
    memcpy(&offset, at, offset_bytes(one));
    return offset;
}

static const uint8_t *next_of(const division *one) {
    return one->operand + 1 + has_index(one) + offset_bytes(one);
}

/* Registers by their numbers in an instruction. */
static uint64_t register_of(const mcontext_t *cpu, unsigned number) {
    static const int places[] = {REG_RAX, REG_RCX, REG_RDX, REG_RBX, REG_RSP, REG_RBP, REG_RSI, REG_RDI,
                                 REG_R8,  REG_R9,  REG_R10, REG_R11, REG_R12, REG_R13, REG_R14, REG_R15};
    return (uint64_t)cpu->gregs[places[number]];
}

static uint64_t address_of(const mcontext_t *cpu, const division *one) {
    const uint64_t offset = (uint64_t)(int64_t)offset_of(one);
    const unsigned longer = (one->rex & 1) * 8;
    if (!has_index(one)) {
        if (mode_of(one) == 0 && base_of(one) == 5) return (uint64_t)(uintptr_t)next_of(one) + offset;
        return register_of(cpu, base_of(one) + longer) + offset;
    }
    const unsigned scaled = one->operand[1], index = (scaled >> 3 & 7) + (one->rex & 2) * 4;
    const uint64_t from = mode_of(one) == 0 && (scaled & 7) == 5 ? 0 : register_of(cpu, (scaled & 7) + longer);
    return from + offset + (index == 4 ? 0 : register_of(cpu, index) << (scaled >> 6));
}

static uint64_t low_bytes(uint64_t number, unsigned width) {
    return width == 8 ? number : number & ((1ull << 8 * width) - 1);
}

/* Writes as the processor does: 8 and 4 bytes replace the whole register, 2 bytes the low half-word. */
static void set_register(mcontext_t *cpu, int which, uint64_t number, unsigned width) {
    const uint64_t old = (uint64_t)cpu->gregs[which];
    cpu->gregs[which] = (greg_t)(width == 2 ? (old & ~0xffffull) | number : number);
}

static uint64_t divisor_of(const mcontext_t *cpu, const division *one) {
    if (mode_of(one) == 3) return low_bytes(register_of(cpu, base_of(one) + (one->rex & 1) * 8), one->width);
    uint64_t number = 0;
    memcpy(&number, (const void *)(uintptr_t)address_of(cpu, one), one->width);
    return number;
}

/* Where the least number is divided by -1 instead, which a processor refuses as well, the quotient is the number itself. */
static void go_on(launch_state *l, mcontext_t *cpu, const division *one) {
    const uint64_t dividend = low_bytes(register_of(cpu, 0), one->width);
    const bool is_zero = divisor_of(cpu, one) == 0;
    set_register(cpu, REG_RAX, is_zero ? low_bytes(UINT64_MAX, one->width) : dividend, one->width);
    set_register(cpu, REG_RDX, is_zero ? dividend : 0, one->width);
    cpu->gregs[REG_RIP] = (greg_t)(uintptr_t)next_of(one);
    if (!is_zero) return;
    char *text = launch_hazard(l, &(hazard){.kind = HAZARD_DIVISION, .pc = next_of(one), .op = OP_READ});
    if (text != NULL) hazards_say_division(text, launch_who(l));
}

static void meet(int number, siginfo_t *info, void *registers) {
    mcontext_t *cpu = &((ucontext_t *)registers)->uc_mcontext;
    division one;
    (void)info;
    if (machine_running != NULL && decode((const uint8_t *)(uintptr_t)cpu->gregs[REG_RIP], &one)) {
        go_on(machine_running, cpu, &one);
        return;
    }
    sigaction(number, &before, NULL); /* and the instruction is tried again */
}

void division_watch(void) {
    struct sigaction ours = {.sa_flags = SA_SIGINFO | SA_NODEFER};
    ours.sa_sigaction = meet;
    sigemptyset(&ours.sa_mask);
    sigaction(SIGFPE, &ours, &before);
}

void division_unwatch(void) { sigaction(SIGFPE, &before, NULL); }
#else
void division_watch(void) {}
void division_unwatch(void) {}
#endif
