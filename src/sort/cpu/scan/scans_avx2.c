/* SPDX-License-Identifier: Apache-2.0 */
#if defined(__x86_64__)
#define TARGET __attribute__((target("avx2")))
#define NAME top_scans_avx2
#include "sort/cpu/scan/scans.inc"
#endif
