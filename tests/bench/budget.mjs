// SPDX-License-Identifier: Apache-2.0
// What 60 tools cost in a client's context, by listing and by the search face: one JSON object on stdout.
// Needs the packages of tests/package.json; $HUSTINGS_BUILD names the build.

import { measureBudget, sixtyTools } from '../e2e/lib/context_budget.mjs';
import { Gateway } from '../e2e/lib/gateway.mjs';

const setup = sixtyTools();
const gateway = await Gateway.start({ open: true, config: setup.config });
try {
	process.stdout.write(`${JSON.stringify(await measureBudget(gateway.url, setup))}\n`);
} finally {
	await gateway.finish();
}
