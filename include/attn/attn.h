/** Everything public in one include. See attn/trace.h for an example. */
#ifndef ATTN_ATTN_H
#define ATTN_ATTN_H

#include "attn/kernels.h"
#include "attn/mask.h"
#include "attn/status.h"
#include "attn/tables.h"
#include "attn/tensor.h"
#include "attn/trace.h"

#endif
