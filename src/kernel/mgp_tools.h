/* SPDX-License-Identifier: Apache-2.0 */
/* Mgp_tools: the methods of MGP 16.5, and the index of categories (16.3). Loop 0. */
#ifndef HUSTINGS_KERNEL_MGP_TOOLS_H
#define HUSTINGS_KERNEL_MGP_TOOLS_H

#include "kernel/mgp_ask.h"

#define MGP_TOOLS_QUERY 4096 /* octets */
#define MGP_TOOLS_FEW 5      /* answers at most to who does not say how many, */
#define MGP_TOOLS_SHARE 28   /* and so many hundredths of the reserve: a task of three steps fits into it */

/* What fits `query` best, of the tools that the asker may use; an empty one: the categories. */
void mgp_tools_discover(struct mgp_ask *ask);
/* The categories below `under`, as a tree with the numbers of tools. */
void mgp_tools_categories(struct mgp_ask *ask);

#endif
