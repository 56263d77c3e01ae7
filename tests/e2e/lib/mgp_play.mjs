// SPDX-License-Identifier: Apache-2.0
// What an outside MGP server does during one call beyond answering it, written from MGP 12 and 13 alone. A script is a
// list of acts, done one after the other:
//
//   {chunk}        a text or a content object, with the next index; {index}, {done}, {request_id} overrule; unasked: even
//                  if no stream was asked for                 {chunks, octets}   that many chunks of that many octets
//   {progress}     params of notifications/mgp.stream.progress       {mcpProgress}   the same of MCP, if there is a token
//   {callback}     params of notifications/mgp.callback.request; waits for its answer unless its type is notification
//   {elicit}       params of elicitation/create; waits for its answer
//   {event}        params of notifications/mgp.event, for each subscription that covers it; {unasked}: as it stands
//   {say}          messages as they stand                {hold}     until the file release, or release-HOLD, is there
//   {exit}         ends the process                      {error}   the call's error
//   {answer}       the result; without one it is what was streamed, or what was answered to callbacks and elicitations
// "[id]" as a text anywhere in an act stands for the request's id.

import { existsSync } from 'node:fs';
import { join } from 'node:path';

const pause = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));

function filled(value, id) {
	if (value === '[id]')
		return id;
	if (Array.isArray(value))
		return value.map((one) => filled(one, id));
	if (value !== null && typeof value === 'object')
		return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, filled(one, id)]));
	return value;
}

export class Play {
	constructor(server, message, tell) {
		Object.assign(this, { server, tell, id: message.id, params: message.params });
		this.isAsked = message.params._mgp?.stream === true;
		this.text = '';
		this.sent = 0;
		this.answers = [];
		this.began = Date.now();
		this.ended = new Promise((done) => { this.end = done; });
	}

	/** What it has streamed, as a result's content. */
	get partial() {
		return { content: this.text === '' ? [] : [{ type: 'text', text: this.text }] };
	}

	/** Does all of it; the result, or undefined where nothing is to be answered. */
	async run(script) {
		this.server.plays.set(this.id, this);
		try {
			return await Promise.race([this.ended, this.acts(script)]);
		} finally {
			this.server.plays.delete(this.id);
			this.isOver = true;
		}
	}

	async acts(script) {
		for (const one of filled(script, this.id)) {
			if (this.isOver)
				return undefined;
			for (const [name, does] of Object.entries(Play.acts)) {
				if (one[name] !== undefined)
					await does.call(this, one);
			}
			if (one.error !== undefined)
				return { fault: one.error };
			if (one.answer !== undefined)
				return one.answer;
		}
		if (this.answers.length > 0)
			return { content: [{ type: 'text', text: JSON.stringify(this.answers) }] };
		return { ...this.partial, ...(this.isAsked
			? { _mgp: { streamed: true, chunks_sent: this.sent, duration_ms: Date.now() - this.began } } : {}) };
	}

	async chunk(content, { index = this.sent, done = false, request_id = this.id, unasked = false, ...more }) {
		if (typeof content.text === 'string')
			this.text += content.text;
		if (!this.isAsked && !unasked)
			return;
		this.sent = index + 1;
		await this.tell({ method: 'notifications/mgp.stream.chunk', params: { request_id, index, content, done, ...more } });
	}

	async question(id, ask) {
		const answered = new Promise((done) => this.server.asked.set(id, done));
		await ask();
		this.answers.push(await answered);
	}

	static acts = {
		chunk({ chunk, ...more }) {
			return this.chunk(typeof chunk === 'string' ? { type: 'text', text: chunk } : chunk, more);
		},
		async chunks({ chunks, octets }) {
			for (let number = 0; number < chunks && !this.isOver; number += 1) {
				await this.chunk({ type: 'text', text: `${number} `.padEnd(octets, 'x') }, {});
				if (number % 50 === 0)
					await pause(0);
			}
		},
		progress({ progress }) {
			return this.tell({ method: 'notifications/mgp.stream.progress', params: { request_id: this.id, ...progress } });
		},
		async mcpProgress({ mcpProgress }) {
			const progressToken = this.params._meta?.progressToken;
			if (progressToken !== undefined)
				await this.tell({ method: 'notifications/progress', params: { progressToken, ...mcpProgress } });
		},
		async callback({ callback }) {
			const params = { callback_id: `cb-${++this.server.numbers}`, request_id: this.id, ...callback };
			const ask = () => this.tell({ method: 'notifications/mgp.callback.request', params });
			await (params.type === 'notification' ? ask() : this.question(params.callback_id, ask));
		},
		elicit({ elicit }) {
			const id = `q-${++this.server.numbers}`;
			return this.question(id, () => this.tell({ id, method: 'elicitation/create', params: elicit }));
		},
		event({ event, unasked }) {
			const whole = { timestamp: new Date().toISOString(), ...event };
			if (unasked)
				return this.tell({ method: 'notifications/mgp.event', params: whole });
			return this.server.raise(whole);
		},
		async say({ say }) {
			for (const one of say)
				await this.tell(one);
		},
		async hold({ hold }) {
			const { folder } = this.server.plan;
			while (!this.isOver && !existsSync(join(folder, 'release')) && !existsSync(join(folder, `release-${hold}`)))
				await pause(20);
		},
		exit({ exit }) {
			this.server.end(exit);
			return new Promise(() => {});
		},
	};
}

/** The methods of MGP 12.7, 13.2 and 13.4 of a server whose plan says `cancel`, `events` and `subscribe`. */
export const talkMethods = {
	/** plan.cancel: "silent" says nothing and goes on, "dies" ends the process, "finishes" says that it was too late. */
	'mgp/stream/cancel'({ params }, answer) {
		const { cancel } = this.plan;
		if (cancel === 'silent')
			return undefined;
		if (cancel === 'dies')
			return this.end(3);
		const play = this.plays.get(params.request_id);
		if (play === undefined || cancel === 'finishes')
			return answer({ result: { cancelled: false } });
		answer({ result: { cancelled: true, partial_result: play.partial } });
		return play.end({ ...play.partial, _mgp: { cancelled: true } });
	},
	'mgp/events/subscribe'({ params }, answer) {
		if (this.plan.subscribe === 'silent')
			return;
		const has = (channel) => (this.plan.events ?? []).some((one) => one === channel || Play.covers(channel, one));
		const id = `own-${this.subscriptions.size + 1}`;
		const subscribed = params.channels.filter(has);
		this.subscriptions.set(id, subscribed);
		answer({ result: { subscribed, unsupported: params.channels.filter((one) => !has(one)), subscription_id: id } });
	},
	'mgp/events/unsubscribe'({ params }, answer) {
		this.subscriptions.delete(params.subscription_id);
		answer({ result: {} });
	},
	'mgp/callback/respond'({ params }, answer) {
		const done = this.asked.get(params.callback_id);
		this.asked.delete(params.callback_id);
		answer(done === undefined ? { error: { code: 4000, message: 'no such callback' } } : { result: { accepted: true } });
		done?.(params);
	},
};

/** True if a pattern such as "model.*" has that channel. */
Play.covers = (pattern, channel) => pattern === '*' || (pattern.endsWith('.*') && channel.startsWith(pattern.slice(0, -1)));
