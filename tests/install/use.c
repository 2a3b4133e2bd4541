/* SPDX-License-Identifier: Apache-2.0
 *
 * A program of a user, C and C++ at once: transposes an array, compares it with the definition, meets
 * an error, and simulates, which loads a library: with an argument it has to be there.
 */
#include <riffle/machine.h>
#include <riffle/npy.h>
#include <string.h>

enum { ROWS = 37, COLS = 53 };

static int transposes(void) {
    static double in[ROWS * COLS], out[ROWS * COLS];
    riffle_perm *perm = NULL;
    riffle_plan *plan = NULL;
    int right = 1;
    for (int i = 0; i < ROWS * COLS; i++) in[i] = i;
    if (riffle_perm_transpose(ROWS, COLS, &perm) != RIFFLE_OK ||
        riffle_plan_create(perm, sizeof(double), RIFFLE_ENGINE_CPU, NULL, &plan) != RIFFLE_OK ||
        riffle_execute(plan, out, in) != RIFFLE_OK)
        right = 0;
    for (int row = 0; row < ROWS; row++)
        for (int col = 0; col < COLS; col++) right &= out[col * ROWS + row] == in[row * COLS + col];
    riffle_plan_free(plan);
    riffle_perm_free(perm);
    return right;
}

static int says_what_failed(void) {
    riffle_npy_input *input;
    return riffle_npy_input_open("no such file.npy", &input) == RIFFLE_ERROR_IO &&
           strstr(riffle_error_detail(), "no such file.npy") != NULL;
}

/* Without the library it says so. */
static int simulates(int has_machine) {
    riffle_perm *perm = NULL;
    riffle_report *report = NULL;
    if (riffle_perm_bit_reversal(256, &perm) != RIFFLE_OK) return 0;
    const riffle_status status = riffle_simulate(perm, 4, NULL, NULL, &report);
    const int right = has_machine ? status == RIFFLE_OK && riffle_report_time_units(report) > 0
                                  : status == RIFFLE_ERROR_UNSUPPORTED &&
                                        strstr(riffle_error_detail(), "install libriffle-machine") != NULL;
    riffle_report_free(report);
    riffle_perm_free(perm);
    return right;
}

int main(int argc, char **argv) {
    (void)argv;
    if (strcmp(riffle_version(), RIFFLE_VERSION) != 0 || !transposes() || !says_what_failed() ||
        !simulates(argc > 1)) {
        fprintf(stderr, "wrong: %s\n", riffle_error_detail());
        return 1;
    }
    puts("right");
    return 0;
}
