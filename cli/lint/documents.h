/* SPDX-License-Identifier: Apache-2.0
 *
 * The documents of riffle lint: those that it writes into files, and the one that it compares with. Each function complains where
 * it fails.
 */
#ifndef RIFFLE_CLI_LINT_DOCUMENTS_H
#define RIFFLE_CLI_LINT_DOCUMENTS_H

#include <stdio.h>

#include "lint/request.h"

/** False if something that is read is written to, or two documents into one file. */
bool documents_are_apart(const request *ask);

/** False if a file is missing or may not be written: found before the run, and not when it is over. */
bool documents_can_be(const request *ask);

/** Writes --sarif and --html, each whole or not at all. */
bool documents_write(const request *ask, const riffle_report *report);

/** The report that --fail-on judges: the whole, or what became worse. NULL if it fails. The comparison goes to stderr
 *  where stdout has a JSON document, behind which nothing may stand. */
riffle_report *documents_compare(const request *ask, riffle_report *report, FILE *out);

#endif
