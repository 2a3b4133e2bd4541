/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>

#include "move/gpu/box.h"

static void print(const pass *p, FILE *stream) { box_print(&p->axes_box->aligned, stream); }

static void release(pass *p) { free(p->axes_box); }

static size_t alignment(const pass *p) { return p->axes_box->anywhere.alignment; }

static const box_schedule *schedule(const pass *p, const launch_limits *limits) {
    const box_schedule *const aligned = &p->axes_box->aligned;
    return limits->access_bytes >= aligned->alignment ? aligned : &p->axes_box->anywhere;
}

static uint64_t blocks(const pass *p, const launch_limits *limits) { return schedule(p, limits)->boxes; }

static void fill(const pass *p, const launch_limits *limits, const void *const *arrays, launch_list *out) {
    (void)arrays;
    launch_boxes(schedule(p, limits), out);
}

const pass_kind PASS_AXES_BOX = {.name = "axes_box",
                                 .print = print,
                                 .free = release,
                                 .blocks = blocks,
                                 .launch = fill,
                                 .alignment = alignment,
                                 .predict = pass_predict};
