/* SPDX-License-Identifier: Apache-2.0 */
#include "machine/lint/forms/values.h"

#include <stdlib.h>

void forms_keep(forms *s, unsigned value, const form *one) {
    if (s->memo[value] == NULL) {
        s->memo[value] = malloc(sizeof **s->memo);
        if (s->memo[value] == NULL) {
            s->no_memory = true;
            return;
        }
        s->log[s->logged++] = value;
    }
    *s->memo[value] = *one;
}

void forms_forget(forms *s, size_t since) {
    while (s->logged > since) {
        const unsigned value = s->log[--s->logged];
        free(s->memo[value]);
        s->memo[value] = NULL;
    }
}

form forms_other(forms *s, unsigned value, unsigned depends) {
    const uint16_t mark = symbols_other(&s->symbols, value, depends, s->f->value[value].block);
    return (form){.at = poly_symbol(mark)};
}

/* What all operands depend on. */
unsigned forms_depends_of_operands(forms *s, const ir_value *v) {
    unsigned all = 0;
    for (unsigned k = 0; k < v->operands; k++) all |= forms_depends(s, ir_operand_of(s->f, v, k)->value);
    return all;
}

unsigned forms_depends(forms *s, unsigned value) {
    const form one = s->of(s, value);
    return one.depends | symbols_depends(&s->symbols, &one.at);
}
