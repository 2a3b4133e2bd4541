/* SPDX-License-Identifier: Apache-2.0
 *
 * The inequalities of section 4.1 in logarithms, solved for t. Factorials of such numbers need lgamma.
 */
#include "models/io_bounds.h"

#include <math.h>

static double log_factorial(double n) { return lgamma(n + 1); }

static double log_binomial(double n, double k) {
    return log_factorial(n) - log_factorial(k) - log_factorial(n - k);
}

/* ln(n! / (S!)^(n/S)): what is left to find out when the order within each block is free. Not below 0. */
static double log_orders(double n, double block) {
    return fmax(0, log_factorial(n) - n / block * log_factorial(block));
}

/* The ways in which a processor can choose the S elements of its cS that it leaves in a block. */
static double log_exchanges(io_machine machine) {
    return log_binomial(machine.cache_blocks * machine.block, machine.block);
}

/* Turns in which each block is read once. */
static double touching(double n, io_machine machine) { return n / (machine.block * machine.processors); }

double io_bound_permutation(double n, io_machine machine) {
    const double touched = touching(n, machine);
    const double orders = log_orders(n, machine.block);
    if (orders <= 0) return touched;
    const double choices = log(2 * n / machine.block) + log_exchanges(machine);
    return fmax(touched, orders / (machine.processors * choices));
}

double io_bound_sorting(double n, io_machine machine) {
    const double touched = touching(n, machine);
    const double orders = log_orders(n, machine.block);
    return orders <= 0 ? touched : fmax(touched, orders / (machine.processors * log_exchanges(machine)));
}

double io_order_permutation(double n, io_machine machine) {
    const double blocks = n / machine.block;
    const double by_sorting = blocks / machine.processors * log(blocks) / log(machine.cache_blocks);
    return fmin(n / machine.processors, by_sorting);
}
