/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Offerings: prompts and resources of ours, in the order they were offered. What stands in an offer is
 * copied. Owned: offerings_open() and offerings_close(). One thread.
 */
#ifndef HUSTINGS_CLIENT_OFFERINGS_H
#define HUSTINGS_CLIENT_OFFERINGS_H

#include "base/list.h"
#include "hustings.h"
#include "mcp/mcp_items.h"

#define OFFERINGS_PAGE 100
#define OFFERINGS_MOST 10000 /* of a kind */

struct offering {
	struct link link;
	char *key;  /* a prompt's name; a uri, or the template of one */
	char *type; /* of a resource; NULL: none */
	char *definition;
	void (*get)(void *context, struct hustings_request *request, struct hustings_json arguments);
	void (*read)(void *context, struct hustings_request *request);
	hustings_completed *complete;
	void *context;
};

struct offerings;

struct offerings *offerings_open(struct fault *why) MUST_USE;
void offerings_close(struct offerings *offerings); /* NULL is fine */
/* FAULT_EXISTS, FAULT_BAD_INPUT, FAULT_FULL. */
bool offerings_add_prompt(struct offerings *offerings, const struct hustings_prompt *prompt,
	struct fault *why) MUST_USE;
bool offerings_add_resource(struct offerings *offerings, const struct hustings_resource *resource,
	struct fault *why) MUST_USE;
bool offerings_remove(struct offerings *offerings, enum mcp_items_kind kind, struct slice key);
size_t offerings_count(const struct offerings *offerings, enum mcp_items_kind kind);
/* A prompt by its name, or a resource by its uri; of templates the first that fits the uri. */
const struct offering *offerings_find(const struct offerings *offerings, enum mcp_items_kind kind,
	struct slice key);
/* The one of exactly that key, a template's too. */
const struct offering *offerings_named(const struct offerings *offerings, enum mcp_items_kind kind,
	struct slice key);
/* The result of the kind's list. False: `params` has a cursor that is none of ours. */
bool offerings_write(const struct offerings *offerings, enum mcp_items_kind kind,
	const struct scan_value *params, struct text *to) MUST_USE;
/* "{word}" stands for what is no "/", and not empty. */
bool offerings_fits(const char *pattern, struct slice uri);
bool offerings_is_template(const char *uri);

#endif
