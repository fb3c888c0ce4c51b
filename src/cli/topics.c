#include <stdio.h>
#include <string.h>

#include "app.h"
#include "cli.h"
#include "io.h"

/** What is done where people do it differently. */
static const struct {
    const char *question, *answer;
} policies[] = {
    {"mask polarity", "1 keeps a key and 0 hides it; --mask-keeps 0 turns that round. A mask is "
                      "boolean or 0/1: anything else is refused, and none is ever added to the "
                      "scores."},
    {"mask shape", "Whatever broadcasts to [B,T,S] from the right: [S], [T,S], [1,T,S], [B,1,S] or "
                   "[B,T,S]. Rank 2 is always [T,S] or [1,S], as in PyTorch. A [B,S] that does not "
                   "broadcast is refused, and [B,1,S] is what it should be; where B = T a note "
                   "says how it was read."},
    {"several masks", "--mask causal+padding:3 hides what any of its parts hides; so does a loaded "
                      "mask."},
    {"what is filled in",
     "-inf for a hidden score; --mask-fill takes another number (-1e9, 1e-20), "
     "to see what it does."},
    {"scaling", "The scores are divided by √d, d being the width of q and k. --scale N multiplies "
                "by N instead; --no-scale leaves them as they are."},
    {"causal where T ≠ S", "Aligned at the top left, as torch.tril is: query t sees keys 0 to t. "
                           "--causal-align bottom-right is a decoder's with cached keys."},
    {"a query without keys",
     "Where every key is hidden with -inf, the weights are zeros and the row "
     "is flagged; --empty-row nan gives what a plain softmax does. A finite "
     "fill gives 1/S each, flagged too."},
    {"dropout", "On the weights, after the softmax, only with --train. What is kept is multiplied "
                "by 1/(1−p), so that the rows no longer sum to 1."},
    {"NaN and infinity", "An input may hold them. They are computed with as IEEE arithmetic does, "
                         "and flagged where they first come up."},
    {"numbers in text",
     "The decimal point is a point and the minus is ASCII in every locale (the "
     "typographic minus is read too where it is typed). What rounds to zero prints 0.0000; nan, "
     "inf and -inf are spelled so."},
    {"numbers in JSON",
     "As few digits as read back to the same float32; NaN and infinities are the "
     "strings \"nan\", \"inf\" and \"-inf\"."},
    {"seed", "--seed N is torch.manual_seed(N), then the module, then x = randn(B,T,d_in), then "
             "memory, then dropout. What is loaded replaces what was drawn, and every draw is made "
             "all the same."},
};

static void print_policies(void)
{
    for (size_t i = 0; i < sizeof policies / sizeof policies[0]; i++) {
        help_row(policies[i].question, policies[i].answer);
    }
}

/** "project → score → scale → softmax → mix" */
static void stage_line(enum attn_variant variant, char *out, size_t size)
{
    size_t n = 0;
    out[0] = '\0';
    const enum attn_stage *stage = attn_variants[variant].stages;
    for (; *stage != ATTN_NO_STAGE && n < size; stage++) {
        n += (size_t)snprintf(out + n, size - n, "%s%s", n > 0 ? " → " : "",
                              attn_stages[*stage].key);
    }
}

static void names_line(enum attn_variant variant, enum attn_group group, char *out, size_t size)
{
    size_t n = 0;
    out[0] = '\0';
    for (int id = 0; id < ATTN_N_TENSORS && n < size; id++) {
        if (attn_tensors[id].group == group &&
            attn_variant_has_tensor(variant, (enum attn_tensor_id)id)) {
            char name[64];
            attn_tensor_name(variant, (enum attn_tensor_id)id, name, sizeof name);
            n += (size_t)snprintf(out + n, size - n, "%s%s", n > 0 ? " " : "", name);
        }
    }
}

void help_variant(enum attn_variant variant)
{
    static const struct {
        const char *title;
        enum attn_group group;
    } groups[] = {{"inputs", ATTN_GROUP_INPUT},
                  {"weights", ATTN_GROUP_WEIGHT},
                  {"tensors", ATTN_GROUP_STAGE}};
    char line[512];
    cli_printf("%s\n", attn_variants[variant].title);
    cli_wrap(attn_variants[variant].summary, 0, 0);
    stage_line(variant, line, sizeof line);
    help_row("stages", line);
    for (size_t i = 0; i < sizeof groups / sizeof groups[0]; i++) {
        names_line(variant, groups[i].group, line, sizeof line);
        help_row(groups[i].title, line);
    }
}

static void print_variants(void)
{
    for (int i = 0; i < ATTN_N_VARIANTS; i++) {
        char line[512];
        char text[1024];
        stage_line((enum attn_variant)i, line, sizeof line);
        snprintf(text, sizeof text, "%s %s", attn_variants[i].summary, line);
        help_row(attn_variants[i].name, text);
    }
    cli_write("\nattn help VARIANT names its inputs, weights and tensors.\n");
}

void help_stage(enum attn_stage stage)
{
    char text[512];
    snprintf(text, sizeof text, "%s. %s", attn_stages[stage].title, attn_stages[stage].formula);
    help_row(attn_stages[stage].key, text);
}

static void print_stages(void)
{
    for (int i = 0; i < ATTN_N_STAGES; i++) {
        help_stage((enum attn_stage)i);
    }
}

static void print_tensors(void)
{
    for (int i = 0; i < ATTN_N_TENSORS; i++) {
        const bool part = i == ATTN_PADDING || i == ATTN_UNPADDED;
        if (attn_tensors[i].group != ATTN_GROUP_WEIGHT && !part) {
            help_row(attn_tensors[i].name, attn_tensors[i].meaning);
        }
    }
    cli_write("\nThe weights have their state_dict names: attn help VARIANT lists them.\n");
}

static void print_files(void)
{
    for (const struct io_format *format = io_formats; format->name != NULL; format++) {
        help_row(format->extension, format->summary);
    }
    cli_write("\n");
    cli_wrap("--load FILE takes every array whose name is an input's or a weight's (state_dict "
             "names, and what other people call them: q_proj, W_query, in_proj_weight, out_proj). "
             "--load NAME=FILE takes one array, whatever it is called in a file that holds one. "
             "Weights are [out,in], as PyTorch stores them, and fix the sizes.",
             0, 0);
}

/** The keys of the screens, as their own help has them. */
static void print_keys(void)
{
    for (int group = 0; group < APP_N_GROUPS; group++) {
        cli_printf("%s%s\n", group > 0 ? "\n" : "", app_group_names[group]);
        for (int i = 0; i < app_n_actions; i++) {
            if (app_actions[i].help != NULL && (int)app_actions[i].group == group) {
                help_row(app_actions[i].keys, app_actions[i].help);
            }
        }
    }
    cli_write("\n");
    cli_wrap(
        "--keys takes these names, separated by spaces. A click and the wheel work too, unless "
        "--no-mouse leaves them to the terminal.",
        0, 0);
}

static void print_bugs(void)
{
    cli_wrap("The classic mistakes. --bug NAME computes with one, --bug NAME+NAME with two.", 0, 0);
    for (int i = 0; i < ATTN_N_BUGS; i++) {
        const struct attn_bug_info *const bug = &attn_bugs[i];
        char text[1024];
        char code[512];
        cli_printf("\n%s: %s\n", bug->name, bug->title);
        help_row("computes", bug->computes);
        if (attn_bug_line((enum attn_bug)i, ATTN_LANG_PYTORCH, code, sizeof code) > 0) {
            for (char *line = strtok(code, "\n"); line != NULL; line = strtok(NULL, "\n")) {
                help_row(line == code ? "as in" : "", line);
            }
        }
        help_row("notice", bug->notice);
        help_row("instead", bug->fix);
        snprintf(text, sizeof text, "where %s", bug->where);
        help_row("applies", text);
        if (bug->seen[0] != '\0') {
            help_row("seen in", bug->seen);
        }
    }
}

static void print_facts(const struct help_fact *fact)
{
    for (; fact->name != NULL; fact++) {
        help_row(fact->name, fact->text);
    }
}

static void print_environment(void)
{
    print_facts(help_environment);
}

static void print_exit(void)
{
    print_facts(help_exits);
}

const struct help_topic help_topics[] = {
    {"policies", "what is done where people do it differently", print_policies},
    {"options", "what to compute: sizes, seed, files, mask, dropout", help_options},
    {"variants", "the implementations, from one head to V3", print_variants},
    {"stages", "the stages and their formulas", print_stages},
    {"tensors", "every tensor's name and meaning", print_tensors},
    {"bugs", "the classic mistakes that --bug makes on purpose", print_bugs},
    {"files", "what can be loaded and saved", print_files},
    {"keys", "the keys of the walk", print_keys},
    {"environment", "the variables that are looked at", print_environment},
    {"exit", "the exit statuses", print_exit},
    {NULL, NULL, NULL},
};
