/* SPDX-License-Identifier: Apache-2.0
 *
 * Numbers of 8 to 32 bits as tensor cores take them.
 */
#ifndef RIFFLE_MACHINE_RUNTIME_MATRIX_NUMBERS_H
#define RIFFLE_MACHINE_RUNTIME_MATRIX_NUMBERS_H

#include <stdint.h>

#include "machine/device/device_api.h"

/** Bytes of one. */
unsigned number_bytes(machine_number format);

/** The value of one's bits; exact, of integers too. */
double number_value(machine_number format, uint32_t bits);

/** The bits of a half, rounded to nearest even; what is too large is infinity. */
uint32_t number_half(float value);

#endif
