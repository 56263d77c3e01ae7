// SPDX-License-Identifier: Apache-2.0
/**
 * Outcome: what became of a yes. Of a proposal the answer in its room; of a call how it ended, which the gateway tells who decided.
 * It looks again until it is known, for two minutes at most, and not after whoever looks has gone.
 */
import { wordsOf, type CallOutcome, type Decision, type Envelope } from 'hustings-client';
import { useEffect, useState } from 'preact/hooks';
import { asking, gateway } from '../../stores/session';

export type Outcome =
	| { word: 'waiting'; text: string }
	| { word: 'result'; result: unknown }
	| { word: 'error'; text: string }
	| { word: 'told'; text: string; isGood: boolean; trace?: string | undefined }
	| { word: 'unknown'; text: string };

const EVERY_MS = 900;
const PATIENCE_MS = 120_000;

async function ofProposal(decision: Decision): Promise<Outcome> {
	const waiting: Outcome = { word: 'waiting', text: 'The request is sent. Waiting for the answer …' };
	const id = decision.arguments?.proposalId;
	const { envelopes } = await asking(gateway.history(decision.topic!, { limit: 200 }));
	const request = envelopes.find((one) => one.kind === 'mcp' && one.correlation_id === id && one.payload?.method !== undefined);
	if (!request) return waiting;
	const answer = envelopes.find(
		(one: Envelope) =>
			one.kind === 'mcp' && one.correlation_id === request.id && (one.payload?.result !== undefined || one.payload?.error !== undefined),
	);
	if (!answer) return waiting;
	if (answer.payload.error !== undefined) return { word: 'error', text: wordsOf(answer.payload.error) };
	return { word: 'result', result: answer.payload.result };
}

function endWords({ state, result = '', took_ms, gate, reason }: CallOutcome): string {
	const took = took_ms === undefined ? '' : ` It took ${(took_ms / 1000).toFixed(1)} s, the waiting included.`;
	if (state === 'done') return `The call ran.${took}`;
	if (state === 'refused') return `The call was refused${gate ? ` at gate ${gate}` : ''}${reason ? `: ${reason}` : '.'}`;
	return `The call ended: ${result.toLowerCase()}.${took}`;
}

async function ofCall(decision: Decision): Promise<Outcome> {
	const end = await asking(gateway.outcome(decision.id));
	switch (end.state) {
		case 'waiting':
			return { word: 'waiting', text: 'Approved. The call runs as soon as whoever asked is there.' };
		case 'done':
		case 'failed':
		case 'refused':
			return { word: 'told', text: endWords(end), isGood: end.state === 'done', trace: end.trace };
		case 'unknown': // it may be written down in this moment
			return { word: 'waiting', text: 'How the call ended is not known yet …' };
		default:
			return { word: 'waiting', text: 'The call runs now …' };
	}
}

/** What can be said at once; undefined: it has to be looked up. */
function atOnce(decision: Decision): Outcome | undefined {
	if (decision.state !== 'approved' && decision.state !== 'used')
		return { word: 'told', text: decision.kind === 'proposal' ? 'The proposal is rejected in its room.' : 'Nothing runs.', isGood: true };
	switch (decision.kind) {
		case 'permission':
			return { word: 'told', text: `Server ${decision.server} hears of it now, and starts.`, isGood: true };
		case 'callback':
			return { word: 'told', text: `Server ${decision.server} has the answer.`, isGood: true };
		case 'quarantine':
			return { word: 'told', text: `${decision.tool} can be used again.`, isGood: true };
		case 'registration':
			return { word: 'told', text: `Server ${decision.server} is added, and starts.`, isGood: true };
		case 'proposal':
			return decision.topic ? undefined : { word: 'unknown', text: 'Its room is not known.' };
		default:
			return undefined;
	}
}

export function useOutcome(decision: Decision): Outcome {
	const [outcome, setOutcome] = useState<Outcome>(
		() => atOnce(decision) ?? { word: 'waiting', text: decision.kind === 'proposal' ? 'The request is being sent …' : 'The call runs now …' },
	);
	useEffect(() => {
		const known = atOnce(decision);
		if (known) return setOutcome(known);
		let isOver = false;
		let timer: ReturnType<typeof setTimeout> | undefined;
		const end = Date.now() + PATIENCE_MS;
		const look = async () => {
			const now = await (decision.kind === 'proposal' ? ofProposal(decision) : ofCall(decision)).catch((error: Error): Outcome => ({
				word: 'unknown',
				text: `What became of it cannot be seen: ${error.message}`,
			}));
			if (isOver) return;
			setOutcome(
				now.word === 'waiting' && Date.now() > end ? { word: 'unknown', text: 'There is no answer yet. It will stand where it was asked.' } : now,
			);
			if (now.word === 'waiting' && Date.now() <= end) timer = setTimeout(look, EVERY_MS);
		};
		void look();
		return () => {
			isOver = true;
			clearTimeout(timer);
		};
	}, [decision.id, decision.state]);
	return outcome;
}
