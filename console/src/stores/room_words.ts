// SPDX-License-Identifier: Apache-2.0
/** Room words: what is told a person of a tool's dangers, of its questions, and of the gateway's refusals. */
import { HustingsError, type Tool } from 'hustings-client';
import type { Call } from './room_items';

/** A tool asks its caller something while it runs. */
export const INPUT = 'elicitation/create';

/** Whether that is a question to this person which nobody has answered yet. */
export function isAsked(call: Call, me: string | undefined): boolean {
	return call.method === INPUT && call.state === 'running' && me !== undefined && call.to === me;
}

/** Whether calling it can do harm: by its own words, and by MCP's default where it has others. */
export function isDestructive(tool: Tool | undefined): boolean {
	if (!tool) return false;
	if (/danger|critical|high/.test(String(tool.security?.risk_level ?? ''))) return true;
	const { annotations } = tool;
	if (annotations === undefined || annotations.readOnlyHint === true) return false;
	return annotations.destructiveHint !== false;
}

/** A refusal in words: what the gateway said, and what is missing where it is a right. */
export function refusalWords(error: unknown): string {
	if (!(error instanceof HustingsError)) return error instanceof Error ? error.message : String(error);
	return error.status === 403 && error.gate === 'privilege' ? `${error.message} You are restricted here: you may chat and propose.` : error.message;
}
