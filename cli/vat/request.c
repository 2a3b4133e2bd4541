/* SPDX-License-Identifier: Apache-2.0 */
#include "vat/request.h"

#include "frame/message.h"
#include "frame/readers.h"

typedef vat_request request; /* as FIELD has it */

const command_option vat_request_table[] = {
    VAT_MODEL_OPTIONS(model),
    {.help = "The trace and the report:"},
    {"instructions", NULL, SWITCH(instructions),
     .help = "count lackey's instruction fetches as well as its loads and stores"},
    {"advise", NULL, SWITCH(advise),
     .help = "compare pages of 4 KiB, 2 MiB and 1 GiB, and say what they and another order of accesses would "
             "save; with the native preset unless told"},
    {"json", NULL, SWITCH(wants_json), .help = "print one JSON document"},
    {0},
};

bool vat_request_complete(vat_request *ask) {
    vat_model *model = &ask->model;
    const riffle_vat_options *given = &model->options;
    if (ask->advise && (given->fanout != 0 || given->page != 0 || given->height != 0)) {
        complain("vat replay: --advise has the trees of x86-64; leave out --fanout, --page and --height");
        return false;
    }
    if (ask->advise && model->is_nested) {
        complain("vat replay: --advise compares trees without a host; leave out --nested, or --advise");
        return false;
    }
    if (!vat_model_check(model, "vat replay")) return false;
    if (!ask->advise || model->has_preset || given->cache != 0) return true;
    model->has_preset = riffle_vat_detect(&model->preset) == RIFFLE_OK;
    if (!model->has_preset) complain("vat replay: %s", riffle_error_detail());
    return model->has_preset;
}
