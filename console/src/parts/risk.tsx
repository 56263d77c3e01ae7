// SPDX-License-Identifier: Apache-2.0
/** Risk of a tool as the kernel found it, and what the tool says of itself, as small words. */
import type { Tool } from 'hustings-client';

const RISKS: Record<string, { tone: string; words: string }> = {
	safe: { tone: 'is-good', words: 'changes nothing' },
	moderate: { tone: 'is-warn', words: 'changes something, or reaches outside' },
	dangerous: { tone: 'is-danger', words: 'a person is asked before it runs, if the gateway is not told otherwise' },
};

export function RiskBadge({ risk }: { risk: string | undefined }) {
	if (!risk) return <span class="badge" title="the gateway did not say">not rated</span>;
	return <span class={`badge ${RISKS[risk]?.tone ?? ''}`} title={RISKS[risk]?.words}>{risk}</span>;
}

/** What the tool claims: the gateway believes none of it to lower a risk. */
export function hintsOf(tool: Tool): string[] {
	const { readOnlyHint, destructiveHint, idempotentHint, openWorldHint } = tool.annotations ?? {};
	return [
		readOnlyHint === true && 'only reads',
		destructiveHint === true && 'may destroy',
		idempotentHint === true && 'may be repeated',
		openWorldHint === true && 'reaches outside',
	].filter((one): one is string => one !== false);
}
