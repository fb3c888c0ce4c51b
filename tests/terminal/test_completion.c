/* The completion that the program writes, in the shells themselves. A shell that is not there is
 * not tried. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runner.h"
#include "term.h"

static struct term *t;

static void unmake(void)
{
    term_finish(t);
    t = NULL;
}

static const struct shell {
    const char *name;
    const char *argv[6];
    const char *load; /**< Typed at its prompt; $ATTN is the program. */
} shells[] = {
    {"bash",
     {"/usr/bin/env", "bash", "--norc", "--noprofile", "-i", NULL},
     "PS1='> '; eval \"$($ATTN help --completion bash)\" && clear && echo loaded\r"},
    {"zsh",
     {"/usr/bin/env", "zsh", "-f", "-i", NULL},
     "PS1='> '; autoload -Uz compinit && compinit -u -D && "
     "eval \"$($ATTN help --completion zsh)\" && clear && echo loaded\r"},
};

enum { N_SHELLS = sizeof shells / sizeof shells[0] };

static bool is_there(const char *shell)
{
    char command[64];
    snprintf(command, sizeof command, "command -v %s >/dev/null 2>&1", shell);
    return system(command) == 0;
}

/** What is typed before Tab is pressed, and what stands there once a + is typed behind it. */
static const struct {
    const char *typed, *completed;
} cases[] = {
    {"attn wa", "> attn walk +"},
    {"attn walk cro", "> attn walk cross +"},
    {"attn --no-m", "> attn --no-mouse +"},
    {"attn run v3 --on", "> attn run v3 --only"},
    {"attn run v3 --only dro", "> attn run v3 --only dropped +"},
    {"attn run v1 --seed 7 --only query_proj.b", "--only query_proj.bias +"},
    {"attn run v1 --empty-row=z", "--empty-row=zeros +"},
    {"attn run v1 --seed 7 --causal-align b", "--causal-align bottom-right +"},
    {"attn explain v1 sco", "> attn explain v1 scores +"},
    {"attn lab sc", "> attn lab scaling +"},
    {"attn lab ma", "> attn lab masks +"},
    {"attn help softm", "> attn help softmax +"},
    {"attn walk $ATTN_SOURCE/meson.b", "/meson.build"},
    {"attn check v3 -- $ATTN_SOURCE/meson.b", "/meson.build"},
    {"attn explain single --mask ca", "> attn explain single --mask causal"},
    {"attn run --seed 7 v", "> attn run --seed 7 v+"},
    {"attn run v3 --bug no-s", "> attn run v3 --bug no-scale +"},
    {"attn lesson ch", "> attn lesson check +"},
    {"attn help poli", "> attn help policies +"},
    {"attn help --completion fi", "> attn help --completion fish +"},
    {"attn run v1 --save $ATTN_SOURCE/meson.b", "/meson.build"},
    {"attn walk --load $ATTN_SOURCE/meson.b", "/meson.build"},
    {"attn lesson check $ATTN_SOURCE/meson.b", "/meson.build"},
};

enum { N_CASES = sizeof cases / sizeof cases[0] };

START_TEST(test_tab_completes_a_command_line)
{
    const struct shell *const shell = &shells[_i];
    char program[4096];
    if (!is_there(shell->name)) {
        return;
    }
    snprintf(program, sizeof program, "ATTN=%s/src/cli/attn", getenv("ATTN_BUILD"));
    const struct term_options options = {.cols = 200, .rows = 50, .env = {program}};
    t = term_start(&options, shell->argv);
    term_keys(t, shell->load);
    term_wait_text(t, "loaded");
    for (int i = 0; i < N_CASES; i++) {
        term_keys(t, cases[i].typed);
        term_keys(t, "\t+");
        term_wait_text(t, cases[i].completed);
        term_keys(t, "\025"); /* Ctrl-U: the line goes */
        term_wait_no_text(t, "> attn");
    }
}
END_TEST

/** Fish tells what it would offer. */
static const struct {
    const char *line, *offered;
} fish_cases[] = {
    {"attn wa", "walk\n"},
    {"attn walk cro", "cross\n"},
    {"attn --no-m", "--no-mouse\n"},
    {"attn run v3 --on", "--only\n"},
    {"attn run v3 --only dro", "dropped\n"},
    {"attn run v1 --seed 7 --causal-align b", "bottom-right\n"},
    {"attn explain v1 sco", "scores\n"},
    {"attn explain v1 dro", ""},
    {"attn lesson ch", "check\n"},
    {"attn lab ", "cost\nmasks\nscaling\n"},
    {"attn help softm", "softmax\n"},
    {"attn check v3 -- $ATTN_SOURCE/meson.b", "meson.build\n"},
    {"attn help poli", "policies\n"},
    {"attn lesson check $ATTN_SOURCE/meson.b", "meson.build\n"},
};

enum { N_FISH_CASES = sizeof fish_cases / sizeof fish_cases[0] };

START_TEST(test_fish_offers_the_rest)
{
    char command[4096];
    char offered[4096] = "";
    if (!is_there("fish")) {
        return;
    }
    snprintf(command, sizeof command,
             "fish -N -c \"'%s/src/cli/attn' help --completion fish | source; "
             "complete -C '%s'\" | cut -f 1 | sed 's,.*/,,'",
             getenv("ATTN_BUILD"), fish_cases[_i].line);
    FILE *const out = popen(command, "r");
    ck_assert_ptr_nonnull(out);
    const size_t n = fread(offered, 1, sizeof offered - 1, out);
    offered[n] = '\0';
    ck_assert_int_eq(pclose(out), 0);
    ck_assert_msg(strcmp(offered, fish_cases[_i].offered) == 0, "%s: %s", fish_cases[_i].line,
                  offered);
}
END_TEST

Suite *suite(void)
{
    Suite *const s = suite_create("terminal/completion");
    TCase *const tc = tcase_create("shells");
    tcase_add_checked_fixture(tc, NULL, unmake);
    tcase_set_timeout(tc, 120);
    tcase_add_loop_test(tc, test_tab_completes_a_command_line, 0, N_SHELLS);
    tcase_add_loop_test(tc, test_fish_offers_the_rest, 0, N_FISH_CASES);
    suite_add_tcase(s, tc);
    return s;
}
