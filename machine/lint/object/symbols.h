/* SPDX-License-Identifier: Apache-2.0
 *
 * The names of variables, as their programmer wrote them, from the names of symbols that the C++ ABI makes of them:
 *
 *     _ZZ6kernelPfE4tile -> tile        _ZN5inner4deepE -> deep        counts -> counts
 */
#ifndef RIFFLE_MACHINE_LINT_OBJECT_SYMBOLS_H
#define RIFFLE_MACHINE_LINT_OBJECT_SYMBOLS_H

#include <stddef.h>

enum { LINT_VARIABLE_NAME = 128 };

/** The last name in a symbol's; the whole of it if it has none. */
void lint_variable_name(const char *symbol, char out[static LINT_VARIABLE_NAME]);

/** The name of a function in its symbol, without scopes and template arguments: "k" of _ZN1n1kIiEEvPT_. Returns how long it is, 0 if that is
 *  not known. */
size_t lint_function_name(const char *symbol, const char **name);

#endif
