// SPDX-License-Identifier: Apache-2.0
/**
 * Catalogue: the tools that this person may use, by server, each under its own name, with what the kernel found about its risk. A
 * server that does not answer empties nothing but its own part.
 */
import type { Face, Tool } from 'hustings-client';
import { asking, gateway } from './session';

const EXTENSIONS = ['security', 'access_control', 'tool_discovery', 'discovery'];
const AT_ONCE = 6;
const SERVERS = 200;

export interface Offer {
	server: string;
	/** The state of the server, as the kernel says it. */
	status: string;
	trust: string;
	tools: Tool[];
	/** Those that are known by name alone, while the server is not connected. */
	names: string[];
	error?: Error;
}

/** The face of all servers, where the kernel itself is asked. */
export function kernelFace(): Face {
	return gateway.mcp('/mcp', { extensions: EXTENSIONS });
}

/** The face of one server: its tools under their own names. */
export function serverFace(server: string): Face {
	return gateway.mcp(`/mcp/servers/${encodeURIComponent(server)}`, { extensions: EXTENSIONS });
}

interface Discovered { id: string; status: string; trust_level?: string; tools?: string[] }

async function offerOf({ id, status, trust_level, tools = [] }: Discovered): Promise<Offer> {
	const offer: Offer = { server: id, status, trust: trust_level ?? '', tools: [], names: tools };
	if (status !== 'connected') return offer;
	try {
		return { ...offer, tools: (await serverFace(id).listTools()).sort((one, other) => one.name.localeCompare(other.name)) };
	} catch (error) {
		return { ...offer, error: error as Error };
	}
}

/** Servers that are not connected are not waited for; `part` hears what there is so far, whenever one has answered. */
export async function readCatalogue(part: (offers: Offer[]) => void = () => {}): Promise<Offer[]> {
	const { servers = [] }: { servers?: Discovered[] } = await asking(kernelFace().request('mgp/discovery/list', {}));
	const waiting = servers.slice(0, SERVERS).sort((one, other) => one.id.localeCompare(other.id));
	const offers: Offer[] = [];
	const sorted = () => [...offers].sort((one, other) => one.server.localeCompare(other.server));
	const work = async () => {
		for (let next = waiting.shift(); next; next = waiting.shift()) {
			offers.push(await offerOf(next));
			part(sorted());
		}
	};
	await Promise.all(Array.from({ length: AT_ONCE }, work));
	return sorted();
}

/** What a definition costs in a context: octets over four, as the kernel counts. */
export function tokensOf(tool: unknown): number {
	return Math.ceil(new TextEncoder().encode(JSON.stringify(tool)).length / 4);
}

/** What an agent that knows nothing of MGP is given of a tool that a search found. */
export function asAgentsGetIt(tool: Tool): unknown {
	const { name, server_id, call_name, description, relevance_score, inputSchema } = tool;
	return { name, server_id, call_name, description, relevance_score, inputSchema };
}

export type Risk = 'safe' | 'moderate' | 'dangerous';

export function riskOf(tool: Tool): Risk | undefined {
	const risk = tool.security?.risk_level;
	return risk === 'safe' || risk === 'moderate' || risk === 'dangerous' ? risk : undefined;
}

/** Whether a person is asked before it is called. */
export function wantsCare(tool: Tool): boolean {
	const security: Record<string, unknown> = tool.security ?? {};
	return riskOf(tool) === 'dangerous' || tool.annotations?.destructiveHint === true || security.confirmation_required === true;
}
