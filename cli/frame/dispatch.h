/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RIFFLE_CLI_FRAME_DISPATCH_H
#define RIFFLE_CLI_FRAME_DISPATCH_H

#include "frame/command.h"

/** Runs a command, or the one of the group that argv names; returns an exit status. */
int dispatch(const command *asked, int argc, char **argv);

#endif
