/* SPDX-License-Identifier: Apache-2.0 */
/* Library offers: prompts and resources, for hosts alone. */
#include "client/library.h"
#include "client/offerings.h"
#include "client/service_ears.h"

bool hustings_offer_prompt(struct hustings *hustings, const struct hustings_prompt *prompt,
	struct hustings_error *error) {
	struct fault why;
	if (!offerings_add_prompt(hustings->offerings, prompt, &why)) return library_error(error, &why);
	service_ears_tell_changed(hustings, HUSTINGS_PROMPTS);
	return true;
}

bool hustings_offer_resource(struct hustings *hustings, const struct hustings_resource *resource,
	struct hustings_error *error) {
	struct fault why;
	if (!offerings_add_resource(hustings->offerings, resource, &why)) return library_error(error, &why);
	service_ears_tell_changed(hustings, HUSTINGS_RESOURCES);
	return true;
}

bool hustings_withdraw_prompt(struct hustings *hustings, const char *name) {
	if (!offerings_remove(hustings->offerings, MCP_ITEMS_PROMPTS, slice_of(name))) return false;
	service_ears_tell_changed(hustings, HUSTINGS_PROMPTS);
	return true;
}

bool hustings_withdraw_resource(struct hustings *hustings, const char *uri) {
	enum mcp_items_kind kind =
		offerings_is_template(uri) ? MCP_ITEMS_TEMPLATES : MCP_ITEMS_RESOURCES;
	if (!offerings_remove(hustings->offerings, kind, slice_of(uri))) return false;
	service_ears_tell_changed(hustings, HUSTINGS_RESOURCES);
	return true;
}

void hustings_updated(struct hustings *hustings, const char *uri) {
	service_ears_tell_updated(hustings, slice_of(uri));
}
