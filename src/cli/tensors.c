#include "cli.h"

int cli_stage_tensors(const attn_trace *trace, enum attn_tensor_id ids[ATTN_N_TENSORS])
{
    int n = 0;
    for (int id = 0; id < ATTN_N_TENSORS; id++) {
        if (attn_tensors[id].group == ATTN_GROUP_STAGE &&
            attn_trace_tensor(trace, (enum attn_tensor_id)id) != NULL) {
            ids[n++] = (enum attn_tensor_id)id;
        }
    }
    return n;
}

const char *cli_stage_key(const attn_trace *trace, enum attn_tensor_id id)
{
    const enum attn_stage stage = attn_trace_writer(trace, id);
    return stage == ATTN_NO_STAGE ? NULL : attn_stages[stage].key;
}

/** Why a tensor that the variant can have is not in this trace. */
static enum cli_status fail_absent(enum attn_tensor_id id, const char *name)
{
    static const struct {
        enum attn_tensor_id id;
        const char *why;
    } rows[] = {{ATTN_MASK, "no mask was given (--mask makes one)"},
                {ATTN_MASKED, "no mask was given (--mask makes one)"},
                {ATTN_KEEP, "dropout does nothing in evaluation (--train)"},
                {ATTN_DROPPED, "dropout does nothing in evaluation, or with p = 0 (--train)"}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (rows[i].id == id) {
            cli_message(name, "%s", rows[i].why);
            return CLI_USAGE;
        }
    }
    cli_message(name, "not there, since q, k and v were given (choose another tensor)");
    return CLI_USAGE;
}

enum cli_status cli_require_tensor(const attn_trace *trace, enum attn_tensor_id id,
                                   const char *name)
{
    return attn_trace_tensor(trace, id) != NULL ? CLI_DONE : fail_absent(id, name);
}
