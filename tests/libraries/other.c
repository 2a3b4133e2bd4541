/* SPDX-License-Identifier: Apache-2.0
 *
 * Libraries with the names of libriffle's, which are none of its build: the one has a table that says so, the other has none.
 */
#include "base/library.h"

#ifdef HAS_TABLE
extern const library_head riffle_machine_library;
const library_head riffle_machine_library = {.build = "0.0.0 of nobody"};
#else
extern int riffle_nothing;
int riffle_nothing = 1;
#endif
