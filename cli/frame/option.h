/* SPDX-License-Identifier: Apache-2.0
 *
 * An option of a command, a record: what --help says of it, how its value is read, and where in the command's request it
 * goes.
 *
 *     {"width", "W", UNSIGNED(machine.width), .help = "lanes of a warp", RANGE(1, 32)}
 *         |      |       |                            |                    '-- of a number
 *         |      |       '-- reader and field         '-- wrapped into the help's second column
 *         |      '-- of the value, NULL for a switch
 *         '-- without dashes; a record without a name is a heading
 */
#ifndef RIFFLE_CLI_FRAME_OPTION_H
#define RIFFLE_CLI_FRAME_OPTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct command_option command_option;

/** A line of the list of values that --help shows below an option's text. */
typedef struct option_choice {
    const char *name;                  /**< a value, or what several values are for; NULL ends the list */
    const char *text;                  /**< its meaning; NULL if there are words */
    const char *const *(*words)(void); /**< the values, NULL-ended */
} option_choice;

/** Reads the value of an option (NULL for a switch) into its field; false after a complaint. */
typedef bool option_reader(const command_option *option, const char *text, void *field);

struct command_option {
    const char *name;
    const char *argument;
    option_reader *read;
    size_t field;     /**< where the request has it, in bytes; 0 also for readers that take the whole request */
    const char *help; /**< a paragraph, or of a heading that */
    const char *const *(*words)(void);     /**< its values, NULL-ended, after the help; or NULL */
    const option_choice *(*choices)(void); /**< a list below the help, or NULL */
    uint64_t least, most;                  /**< range of a number */
    const char *missing;                   /**< the complaint where it is not given; NULL if it need not be */
    const char *also;  /**< a name from other programs, which is refused with this one; or NULL */
    bool repeatable;   /**< it may be given more than once */
    bool may_be_alone; /**< its value, which follows a =, may be left out: the reader has NULL */
    char letter;       /**< its short form; 0 if it has none */
    int (*show)(void); /**< instead of a reader: prints something, and the command ends with this exit status */
};

/** The place of `request`.member, which the compiler sees to be of the type that the reader writes. */
#define FIELD(type, member)                                                                                    \
    (offsetof(request, member) + 0 * sizeof((__typeof__(type) *)NULL == &((request *)NULL)->member))

#endif
