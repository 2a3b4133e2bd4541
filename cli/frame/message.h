/* SPDX-License-Identifier: Apache-2.0
 *
 * Messages of the command, mostly about something wrong: one line on stderr, "riffle: PLACE: what; what to do". Below
 * it stands a spec that does not parse, with a caret under the place.
 */
#ifndef RIFFLE_CLI_FRAME_MESSAGE_H
#define RIFFLE_CLI_FRAME_MESSAGE_H

#include <stdarg.h>
#include <stdio.h>

#include "riffle.h"

/** The program's name, which its main file defines. */
extern const char program_name[];

/** Prints "riffle: " (the program's name) and the formatted line, in which whatever a terminal would act upon is escaped: names may
 *  hold anything. */
__attribute__((format(printf, 1, 2))) void complain(const char *format, ...);

/** The same with a list of arguments. */
void complain_list(const char *format, va_list arguments);

/** From now on nothing of all that is printed: the first message goes to `words`, empty at first, with room for `capacity` bytes. NULL: messages are printed. */
void complain_into(char *words, size_t capacity);

/** "riffle: KIND 'WORD': unknown; did you mean NEAREST?", or all of the NULL-ended list `words` if none of them
 *  is near. */
void complain_unknown(const char *kind, const char *word, const char *const *words);

/** The same where the caller knows which word is meant; NULL if none is. */
void complain_meant(const char *kind, const char *word, const char *nearest, const char *const *words);

/** "riffle: KIND 'WORD': ambiguous; it may be" and all of the NULL-ended list, of which it is the beginning. */
void complain_ambiguous(const char *kind, const char *word, const char *const *words);

/** Prints why the last library call failed, at `place` (a file, say); returns the exit status for it. */
int complain_status(const char *place, riffle_status status);

/** The same for a call that was given the text of --by: shows the text where the place in it is known. */
int complain_spec(const char *spec, riffle_status status);

/** Says of a group's output `out` how many rows were left out: for keys outside 0 to groups - 1, and for full groups. */
void complain_left_out(const char *out, uint64_t groups, uint64_t outside, uint64_t full);

/** "s", or "" behind one of them. */
const char *plural_of(uint64_t count);

/** `exit_status`, or EXIT_FAILED with a message if what was printed on stdout did not get there. */
int finish_stdout(int exit_status);

/** The same of another stream in its place. */
int finish_stream(FILE *stream, int exit_status);

#endif
