/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RIFFLE_NPY_INPUT_H
#define RIFFLE_NPY_INPUT_H

#include <sys/stat.h>

#include "riffle/npy.h"

/** Is this the open file, whatever its name? */
bool npy_input_is(const riffle_npy_input *input, const struct stat *file);

#endif
