/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L /* sigaction */
#include "system/interrupt.h"

#include <signal.h>
#include <stddef.h>

static volatile sig_atomic_t came; /* a handler can reach nothing else */

static void remember(int number) { came = number; }

void interrupt_catch(void) {
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
    for (size_t k = 0; k < sizeof signals / sizeof signals[0]; ++k) {
        struct sigaction action = {.sa_handler = remember, .sa_flags = (int)(SA_RESTART | SA_RESETHAND)};
        struct sigaction before;
        sigemptyset(&action.sa_mask);
        if (sigaction(signals[k], NULL, &before) == 0 && before.sa_handler != SIG_IGN)
            sigaction(signals[k], &action, NULL);
    }
}

bool interrupt_came(void) { return came != 0; }

void interrupt_die(void) {
    signal(came, SIG_DFL);
    raise(came);
}
