/* SPDX-License-Identifier: Apache-2.0
 *
 * Requests of an access for every block and size: an access's polynomials in the lanes of a warp differ by numbers, so its sectors depend
 * on its first address modulo 128 alone, and its bank conflicts too. Each residue that the polynomial can have is counted as the machine
 * counts (count/account.h).
 */
#ifndef RIFFLE_MACHINE_LINT_CLAIMS_JUDGE_H
#define RIFFLE_MACHINE_LINT_CLAIMS_JUDGE_H

#include "machine/count/report.h"
#include "machine/lint/forms/guards.h"
#include "machine/lint/forms/lanes.h"

typedef enum claim_verdict {
    CLAIM_PROVED,  /**< in no warp wasteful */
    CLAIM_REFUTED, /**< wasteful: in every warp, or in the example's */
    CLAIM_OTHER,   /**< the address is not affine */
    CLAIM_OPEN,    /**< neither */
    CLAIM_VERDICTS
} claim_verdict;

/** A memory access of a kernel. */
typedef struct access_site {
    unsigned value; /**< the instruction */
    report_space space;
    report_op op;
    unsigned bytes;
    unsigned pointer; /**< the value that is its address */
    int64_t extent;   /**< all bytes that it takes from there on */
    form address;
} access_site;

enum { EXAMPLE_TEXT = 256, NUMBERED_SYMBOLS = 4 };

/** Numbers for symbols that matter. */
typedef struct example {
    unsigned count;
    uint16_t symbol[NUMBERED_SYMBOLS];
    int64_t value[NUMBERED_SYMBOLS];
} example;

typedef struct judgement {
    claim_verdict verdict;
    unsigned requests, ideal; /**< of a warp: the most that it takes, where proved, else those of the example */
    bool always;              /**< refuted in every full warp, whatever the sizes */
    example numbers;          /**< refuted there */
    unsigned warp;            /**< of a block that is given */
    const char *why;          /**< open: what is in the way, else "" */
} judgement;

/** For all warps of blocks of the shape's sides; `threshold` as the machine's options have it. */
judgement judge_access(forms *s, const access_site *site, const unsigned side[3], double threshold);

#endif
