/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RIFFLE_CLI_FRAME_EXIT_H
#define RIFFLE_CLI_FRAME_EXIT_H

/** The exit statuses of the command. */
enum {
    EXIT_DONE = 0,   /**< the work is done */
    EXIT_FAILED = 1, /**< the work failed */
    EXIT_USAGE = 2,  /**< the command line, a spec's syntax included, is wrong */
};

#endif
