/* SPDX-License-Identifier: Apache-2.0 */
#define TARGET
#define NAME top_scans_portable
#include "sort/cpu/scan/scans.inc"
