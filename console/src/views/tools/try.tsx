// SPDX-License-Identifier: Apache-2.0
/** Try it: a call by a form made from the tool's schema, with its progress, its parts and its result; what may destroy asks before. */
import { HustingsError, type Tool } from 'hustings-client';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Confirm } from '../../parts/confirm';
import { checkForm, focusWrong, SchemaForm, type Errors } from '../../parts/form';
import { Icon } from '../../parts/icon';
import { Json } from '../../parts/json';
import { spanWords } from '../../parts/moment';
import { plain } from '../../parts/plain';
import { ToolResult } from '../../parts/result';
import { now } from '../../stores/clock';
import { riskOf, serverFace, wantsCare } from '../../stores/catalogue';
import { asking } from '../../stores/session';
import { AskedInput, type Asked } from './asked_input';
import { HeldCall } from './held_call';

const PARTS_MOST = 200;

interface Progress { progress?: number; total?: number; message?: string }

type Phase =
	| { is: 'ready' }
	| { is: 'running'; began: number; stop: AbortController; progress?: Progress; parts: string[] }
	| { is: 'done'; took: number; result?: any; error?: HustingsError };

/** A call that runs. */
type Under = Extract<Phase, { is: 'running' }>;

function partWords(chunk: any): string {
	const content = chunk?.content ?? chunk?.data ?? chunk;
	if (typeof content === 'string') return plain(content);
	return plain(typeof content?.text === 'string' ? content.text : JSON.stringify(content));
}

function progressWords({ progress, total, message }: Progress): string {
	const count = progress === undefined ? '' : total === 1 ? `${Math.round(progress * 100)} %` : total ? `${progress} of ${total}` : String(progress);
	return [count, message && plain(String(message))].filter(Boolean).join(': ');
}

/** MGP tells a part of the whole, from 0 to 1; MCP a count, and perhaps of how many. */
function readProgress(params: any): Progress {
	const { progress, total, message, request_id } = params ?? {};
	return {
		...(typeof progress === 'number' && { progress }), ...(typeof message === 'string' && { message }),
		...(typeof total === 'number' ? { total } : request_id !== undefined && { total: 1 }),
	};
}

function Running({ server, tool, phase }: { server: string; tool: Tool; phase: Under }) {
	const { progress, parts } = phase;
	return (
		<div class="column" role="status" aria-live="polite">
			<p class="row wraps">
				<span>Running</span><span class="soft" aria-hidden="true">{spanWords((now.value - phase.began) / 1000)}</span>
				{progress?.total !== undefined && <progress aria-label="Progress" max={progress.total} value={progress.progress ?? 0} />}
				{progress && <span class="soft breaks">{progressWords(progress)}</span>}
			</p>
			<HeldCall server={server} tool={tool.name} since={phase.began} />
			{parts.length > 0 && <pre class="tools-chunks" tabIndex={0} aria-label="What came so far">{parts.join('')}</pre>}
		</div>
	);
}

const tookWords = (ms: number): string => (ms < 1000 ? `${Math.round(ms)} ms` : spanWords(ms / 1000));

function Outcome({ phase }: { phase: Extract<Phase, { is: 'done' }> }) {
	const { error, result } = phase;
	return (
		<section class="column" aria-label="Outcome">
			<p class="small soft" role="status">{error ? 'Refused or failed' : 'Done'} after {tookWords(phase.took)}</p>
			{error ? (
				<div class="notice is-danger" role="alert">
					<div class="grows breaks">
						{plain(error.message)}{error.gate && <span class="soft"> (gate {plain(error.gate)})</span>}
						{error.data !== undefined && error.data !== null && (
							<details><summary class="tiny">Everything that was said</summary><Json value={error.data} label="Error" /></details>
						)}
					</div>
				</div>
			) : <ToolResult result={result} />}
		</section>
	);
}

function Care({ server, tool, args, run, onClose }: { server: string; tool: Tool; args: unknown; run: () => void; onClose: () => void }) {
	return (
		<Confirm title={`Call ${plain(tool.name)}?`} action="Call it" isDanger run={() => Promise.resolve(run())} onClose={onClose}>
			<p>
				{riskOf(tool) === 'dangerous' ? 'The gateway rates this tool as dangerous.' : 'This tool says that it may destroy something.'}
				{' '}It is called in your name at {plain(server)}, with these arguments:
			</p>
			<Json value={args} label="Arguments" />
		</Confirm>
	);
}

export function TryTool({ server, tool }: { server: string; tool: Tool }) {
	const [value, setValue] = useState<any>({});
	const [errors, setErrors] = useState<Errors>({});
	const [phase, setPhase] = useState<Phase>({ is: 'ready' });
	const [isAsking, setAsking] = useState(false);
	const [asked, setAsked] = useState<Asked | null>(null);
	const form = useRef<HTMLFormElement>(null);
	const stopping = useRef<AbortController | undefined>(undefined);
	useEffect(() => () => stopping.current?.abort(), []);
	const call = async () => {
		const stop = new AbortController();
		stopping.current = stop;
		const began = Date.now();
		setPhase({ is: 'running', began, stop, parts: [] });
		const update = (change: (phase: Under) => Phase) => setPhase((before) => (before.is === 'running' && before.stop === stop ? change(before) : before));
		const end = (outcome: { result: any } | { error: HustingsError }) => {
			setAsked(null);
			update(() => ({ is: 'done', took: Date.now() - began, ...outcome }));
		};
		try {
			const face = serverFace(server);
			await asking(face.listTools({ signal: stop.signal }));
			const result = await asking(face.callTool(tool.name, value ?? {}, {
				signal: stop.signal,
				onProgress: (progress) => update((before) => ({ ...before, progress: readProgress(progress) })),
				onChunk: (chunk) => update((before) => ({ ...before, parts: [...before.parts, partWords(chunk)].slice(-PARTS_MOST) })),
				onInput: (question) => new Promise((answer) => setAsked({ question, answer: (reply) => { setAsked(null); answer(reply); } })),
			}));
			end({ result });
		} catch (error) {
			end({ error: stop.signal.aborted ? new HustingsError({ message: 'You cancelled the call.', status: 0, code: 'aborted' }) : error as HustingsError });
		}
	};
	const submit = (event: Event) => {
		event.preventDefault();
		const wrong = checkForm(tool.inputSchema, value);
		setErrors(wrong);
		if (Object.keys(wrong).length > 0) focusWrong(form.current);
		else if (wantsCare(tool)) setAsking(true);
		else void call();
	};
	const isRunning = phase.is === 'running';
	return (
		<section class="card" aria-labelledby="tools-try">
			<header class="card-head"><Icon name="call" /><h2 id="tools-try" class="grows">Try it</h2></header>
			<div class="card-body column">
				<form ref={form} class="column" noValidate onSubmit={submit}>
					<SchemaForm schema={tool.inputSchema} value={value} onChange={setValue} errors={errors} />
					<div class="tools-run">
						<button type="submit" class="button is-main" disabled={isRunning}>{isRunning ? 'Running …' : 'Call it'}</button>
						{isRunning && <button type="button" class="button" onClick={() => phase.stop.abort()}>Cancel</button>}
						<span class="small soft">It is called in your name. It passes the same gates as any call.</span>
					</div>
				</form>
				{phase.is === 'running' && <Running server={server} tool={tool} phase={phase} />}
				{phase.is === 'done' && <Outcome phase={phase} />}
			</div>
			{isAsking && <Care server={server} tool={tool} args={value ?? {}} run={() => void call()} onClose={() => setAsking(false)} />}
			{asked && <AskedInput asked={asked} />}
		</section>
	);
}
