// SPDX-License-Identifier: Apache-2.0
/** Facts: what can be had about a question besides its record: what the tool says of itself, and who asks. Kept for half a minute. */
import type { Decision, Kind, Privilege, Tool } from 'hustings-client';
import { useEffect, useState } from 'preact/hooks';
import { kernelFace, serverFace, wantsCare } from '../../stores/catalogue';
import { joinedRoom } from '../../stores/rooms';
import { asking, gateway, isAdmin, whenOut } from '../../stores/session';
import { wishOf } from './words';

const KEPT_MS = 30_000;
const KEPT = 32;
const PATIENCE_MS = 3000;

/** What is known of somebody. */
export interface Known {
	id: string;
	name?: string | undefined;
	kind?: Kind | undefined;
	privilege?: Privilege | undefined;
}

class Kept<T> {
	readonly #all = new Map<string, { at: number; value: Promise<T> }>();
	readonly #read: (key: string) => Promise<T>;

	constructor(read: (key: string) => Promise<T>) {
		this.#read = read;
		whenOut(() => this.#all.clear());
	}

	get(key: string): Promise<T> {
		const known = this.#all.get(key);
		if (known && Date.now() - known.at < KEPT_MS) return known.value;
		this.#all.delete(key);
		if (this.#all.size >= KEPT) this.#all.delete(this.#all.keys().next().value as string);
		const value = asking(this.#read(key));
		value.catch(() => this.#all.delete(key));
		this.#all.set(key, { at: Date.now(), value });
		return value;
	}
}

const tools = new Kept<Tool[]>((server) => serverFace(server).listTools());
const people = new Kept<Known[]>((topic) => gateway.participants(topic));
const tokens = new Kept<Known[]>(async () => (await gateway.tokens()).filter((one) => one.status === 'active'));

/** Those whose tools may be asked for: hosted servers that this person may use. */
const hosted = new Kept<string[]>(async () => {
	const { servers = [] }: { servers?: { id: string }[] } = await kernelFace().request('mgp/discovery/list', {});
	return servers.map(({ id }) => id);
});

/** The tools of whose tool it is. A proposal goes to somebody in its room: a hosted server, or a participant, which the room is asked for
 * where this person is in it. */
async function toolsFor(decision: Decision): Promise<Tool[]> {
	if (decision.kind !== 'proposal') return decision.server ? tools.get(decision.server) : [];
	const owner = wishOf(decision).to[0];
	if (owner === undefined) return [];
	if ((await hosted.get('all')).includes(owner)) return tools.get(owner);
	const room = decision.topic === undefined ? undefined : joinedRoom(decision.topic);
	return room?.people.peek().some(({ id }) => id === owner) ? room.toolsOf(owner) : [];
}

/** What the tool says of itself; undefined: that cannot be had. */
export async function toolOf(decision: Decision): Promise<Tool | undefined> {
	const isOfCall = decision.kind === 'proposal' || decision.kind === 'call' || decision.kind === 'authorization';
	const name = decision.kind === 'proposal' ? wishOf(decision).tool : decision.tool;
	if (!isOfCall || !name) return undefined;
	const late = new Promise<undefined>((done) => {
		setTimeout(done, PATIENCE_MS, undefined);
	});
	return Promise.race([
		toolsFor(decision).then(
			(all) => all.find((one) => one.name === name),
			() => undefined,
		),
		late,
	]);
}

/** Whether a yes is asked about once more: what is dangerous or destroys, and what runs a new program. */
export function isGrave(decision: Decision, tool: Tool | undefined): boolean {
	if (decision.kind === 'registration') return true;
	const isMild = /\((safe|moderate)\)$/.test(decision.message);
	if (decision.kind === 'call') return !isMild || (tool !== undefined && wantsCare(tool));
	if (decision.kind === 'authorization' || decision.kind === 'proposal')
		return /\(dangerous\)$/.test(decision.message) || (tool !== undefined && wantsCare(tool));
	return false;
}

export function useTool(decision: Decision): Tool | undefined {
	const [tool, setTool] = useState<Tool>();
	useEffect(() => {
		let isOver = false;
		setTool(undefined);
		void toolOf(decision).then((one) => {
			if (!isOver) setTool(one);
		});
		return () => {
			isOver = true;
		};
	}, [decision.id]);
	return tool;
}

/** Who asks: as the room knows it, else as its token says, which administrators may read. */
async function whoIs({ topic, requester }: Decision): Promise<Known | undefined> {
	const here = topic ? (await people.get(topic).catch(() => [])).find((one) => one.id === requester) : undefined;
	if (here || !isAdmin.peek() || requester.startsWith('server:')) return here;
	return (await tokens.get('all').catch(() => [])).find((one) => one.id === requester);
}

export function useRequester(decision: Decision): Known | undefined {
	const [one, setOne] = useState<Known>();
	useEffect(() => {
		let isOver = false;
		setOne(undefined);
		void whoIs(decision).then((known) => {
			if (!isOver) setOne(known);
		});
		return () => {
			isOver = true;
		};
	}, [decision.id]);
	return one;
}
