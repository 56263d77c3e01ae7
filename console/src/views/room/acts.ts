// SPDX-License-Identifier: Apache-2.0
/** Acts: what a person does to others in a room: calling a tool, cancelling, proposing, letting a proposal run or not. */
import type { Decision, Envelope, Tool } from 'hustings-client';
import { answerDecision, decisions } from '../../stores/decisions';
import type { Call, ProposalFacts } from '../../stores/room_items';
import type { RoomStore } from '../../stores/room_store';
import { isDestructive } from '../../stores/room_words';
import { asking, gateway } from '../../stores/session';

let numbers = 0;
const freshRpc = () => `console-${Date.now().toString(36)}-${(numbers += 1).toString(36)}-${Math.floor(Math.random() * 1e9).toString(36)}`;

/** Sends the request; what comes of it is seen in the room. Progress and parts of the answer are asked for. */
async function ask(store: RoomStore, to: string, method: string, params: any, about?: string): Promise<Envelope> {
	const id = freshRpc();
	await store.room.introduce(to);
	const marks = method === 'tools/call' ? { _meta: { ...params?._meta, progressToken: id }, _mgp: { ...params?._mgp, stream: true } } : {};
	return store.room.send({
		kind: 'mcp',
		to: [to],
		...(about === undefined ? {} : { correlation_id: about }),
		payload: { jsonrpc: '2.0', id, method, params: { ...params, ...marks } },
	});
}

export function callTool(store: RoomStore, to: string, name: string, args: unknown): Promise<Envelope> {
	return ask(store, to, 'tools/call', { name, arguments: args });
}

export function cancelCall(store: RoomStore, call: Call): Promise<Envelope> {
	return store.room.notify(call.to, 'notifications/cancelled', { requestId: JSON.parse(call.rpc), reason: 'cancelled in the console' }, call.id);
}

export function proposeTool(store: RoomStore, to: string, name: string, args: unknown, reason: string): Promise<Envelope> {
	return store.room.propose(to, 'tools/call', { name, arguments: args }, reason.trim() === '' ? {} : { reason: reason.trim() });
}

/** The question in the inbox that is this proposal, while it is open. */
export function decisionOf(proposal: ProposalFacts): Decision | undefined {
	return decisions.value.find((one) => one.kind === 'proposal' && one.state === 'pending' && one.arguments?.proposalId === proposal.id);
}

/** The tool that is proposed, where its owner says what it is. */
export async function toolOf(store: RoomStore, proposal: ProposalFacts): Promise<Tool | undefined> {
	if (proposal.tool === undefined) return undefined;
	const tools = await store.toolsOf(proposal.to).catch(() => []);
	return tools.find(({ name }) => name === proposal.tool);
}

export async function mayHarm(store: RoomStore, proposal: ProposalFacts): Promise<boolean> {
	return isDestructive(await toolOf(store, proposal));
}

/** Through the inbox where it has the question, else by making the call here, in this person's name. */
export async function approve(store: RoomStore, proposal: ProposalFacts): Promise<void> {
	const decision = decisionOf(proposal);
	if (decision) await answerDecision(decision, { decision: 'approve' });
	else await ask(store, proposal.to, proposal.method, proposal.params, proposal.id);
}

export async function reject(store: RoomStore, proposal: ProposalFacts, reason: string): Promise<void> {
	const decision = decisionOf(proposal);
	const why = reason.trim() === '' ? undefined : reason.trim();
	if (decision) await answerDecision(decision, { decision: 'deny', ...(why === undefined ? {} : { reason: why }) });
	else await asking(gateway.rejectProposal(store.topic, proposal.id, why));
}

export async function withdraw(store: RoomStore, proposal: ProposalFacts): Promise<void> {
	await asking(gateway.withdrawProposal(store.topic, proposal.id));
}
