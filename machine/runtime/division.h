/* SPDX-License-Identifier: Apache-2.0
 *
 * Integers that a kernel divides by zero. A GPU goes on, with all bits set in the quotient and the dividend for a remainder, where
 * some processors of hosts stop the process.
 */
#ifndef RIFFLE_MACHINE_RUNTIME_DIVISION_H
#define RIFFLE_MACHINE_RUNTIME_DIVISION_H

/** From now on kernels of this process do as a GPU does, and it is counted as a hazard; what else divides so ends as before. */
void division_watch(void);
/** As before division_watch. */
void division_unwatch(void);

#endif
