// SPDX-License-Identifier: Apache-2.0
/** Session: a guided session from its start to its result, of a hosted tool (#/flow/SERVER/TOOL) or of a participant's (#/flow/room/TOPIC/PARTICIPANT/TOOL). */
import type { Tool } from 'hustings-client';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { Failed } from '../../parts/empty';
import { checkForm, focusWrong, SchemaForm, type Errors } from '../../parts/form';
import { Icon } from '../../parts/icon';
import { Json } from '../../parts/json';
import { Page } from '../../parts/page';
import { plain, plainLine } from '../../parts/plain';
import { ToolResult } from '../../parts/result';
import { hintsOf, RiskBadge } from '../../parts/risk';
import { riskOf } from '../../stores/catalogue';
import { to } from '../../stores/route';
import { asking } from '../../stores/session';
import { Guided } from './guided';
import type { Phase, Place } from './phases';
import { Answered, Progress, Step, stepKey } from './step';

/** What a session does not ask for: it may be given before it begins. */
function optionalOf(tool: Tool | undefined): { [keyword: string]: any } | undefined {
	const schema = tool?.inputSchema;
	const required: string[] = Array.isArray(schema?.required) ? schema.required : [];
	const rest = Object.entries(schema?.properties ?? {}).filter(([name]) => !required.includes(name));
	return rest.length > 0 ? { ...schema, properties: Object.fromEntries(rest), required: [] } : undefined;
}

function Start({ guided, tool, why }: { guided: Guided; tool: Tool | undefined; why: string | undefined }) {
	const [value, setValue] = useState<{ [name: string]: any }>({});
	const [errors, setErrors] = useState<Errors>({});
	const form = useRef<HTMLFormElement>(null);
	const optional = optionalOf(tool);
	const needed = Array.isArray(tool?.inputSchema?.required) ? tool.inputSchema.required.length : 0;
	const submit = (event: Event) => {
		event.preventDefault();
		const wrong = optional ? checkForm(optional, value) : {};
		setErrors(wrong);
		if (Object.keys(wrong).length > 0) return focusWrong(form.current);
		void guided.start(Object.keys(value).length > 0 ? value : undefined);
	};
	return (
		<form ref={form} class="card" aria-label="Start" onSubmit={submit} noValidate>
			<div class="card-body column flow-step">
				{why && (
					<p class="notice is-danger breaks" role="alert">
						{plain(why)}
					</p>
				)}
				{tool && (
					<div class="row wraps">
						<RiskBadge risk={riskOf(tool)} />
						{hintsOf(tool).length > 0 && <span class="small soft">It says of itself: {hintsOf(tool).join(', ')}.</span>}
					</div>
				)}
				<p class="flow-words breaks">{plain(tool?.description ?? '') || 'It does not say what it does.'}</p>
				{tool && needed === 0 && <p class="small soft">It needs no answers: it may run as soon as it starts.</p>}
				{optional && (
					<details class="flow-more">
						<summary>Say more before it begins</summary>
						<SchemaForm schema={optional} value={value} onChange={setValue} errors={errors} />
					</details>
				)}
				<div>
					<button type="submit" class="button is-main">
						<Icon name="flow" size={16} />
						Start
					</button>
				</div>
			</div>
		</form>
	);
}

function Result({ result, summary }: { result: any; summary: string }) {
	const isGood = result?.success !== false;
	const data = result !== null && typeof result === 'object' && 'data' in result ? result.data : result;
	return (
		<div class="column">
			<div class="row">
				<span class={`badge ${isGood ? 'is-good' : 'is-danger'}`}>
					<Icon name={isGood ? 'check' : 'close'} size={14} />
					{isGood ? 'Done' : 'Not done'}
				</span>
				{summary && <span class="grows breaks">{plain(summary)}</span>}
			</div>
			{Array.isArray(data?.content) ? (
				<ToolResult result={data} />
			) : data === undefined || data === null ? (
				<p class="soft">It answered with nothing.</p>
			) : (
				<Json value={data} label="Result" />
			)}
		</div>
	);
}

function Ended({ guided, phase }: { guided: Guided; phase: Extract<Phase, { word: 'done' | 'failed' }> }) {
	const place = useRef<HTMLElement>(null);
	useEffect(() => {
		place.current?.focus({ preventScroll: true });
	}, []);
	return (
		<section ref={place} class="card appears" tabIndex={-1} aria-label="How it ended">
			<div class="card-body column flow-step">
				<div role="status">
					{phase.word === 'done' ? (
						<Result result={phase.result} summary={phase.summary} />
					) : (
						<p class={phase.isCancelled ? 'breaks' : 'flow-wrong breaks'}>{plain(phase.text)}</p>
					)}
				</div>
				<div class="row wraps">
					<button type="button" class="button" onClick={() => void guided.start()}>
						<Icon name="again" size={16} />
						Start again
					</button>
					<a class="button is-quiet" href={to('flow')}>
						Other tools
					</a>
				</div>
			</div>
		</section>
	);
}

function Body({ guided, tool }: { guided: Guided; tool: Tool | undefined }) {
	const phase = guided.phase.value;
	switch (phase.word) {
		case 'fresh':
			return <Start guided={guided} tool={tool} why={phase.why} />;
		case 'busy':
			return (
				<section class="card" aria-label="Working" aria-busy="true">
					<div class="card-body column flow-step">
						<Progress guided={guided} />
						<p class="soft" role="status">
							{phase.text}
						</p>
						{guided.state.value && (
							<div>
								<button type="button" class="button is-quiet" onClick={() => void guided.cancel()}>
									Cancel
								</button>
							</div>
						)}
					</div>
				</section>
			);
		case 'asking':
			return <Step key={stepKey(guided, phase.prompt)} guided={guided} prompt={phase.prompt} />;
		default:
			return <Ended guided={guided} phase={phase} />;
	}
}

export function SessionView({ place, toolName }: { place: Place; toolName: string }) {
	const guided = useMemo(() => new Guided(place, toolName), []);
	const [tool, setTool] = useState<Tool>();
	const [error, setError] = useState<Error>();
	const read = () => {
		setError(undefined);
		asking(guided.tool()).then(
			(one) => (one ? setTool(one) : setError(new Error(`There is no tool ${toolName} here that you may use.`))),
			(failure: Error) => setError(failure),
		);
	};
	useEffect(() => {
		guided.resume();
		read();
		return () => guided.close();
	}, []);
	const word = guided.phase.value.word;
	const where =
		'server' in place ? (
			<>
				Server {plainLine(place.server, 120)} leads you through it. <a href={to('tools', place.server, toolName)}>About this tool</a>
			</>
		) : (
			<>
				{plainLine(place.participant, 120)} leads you through it, in room <a href={to('room', place.topic)}>{plainLine(place.topic, 120)}</a>, where
				everybody sees it.
			</>
		);
	const isLost = error !== undefined && tool === undefined && word === 'fresh';
	return (
		<Page title={plainLine(tool?.title ?? toolName, 120)} words={where} isReading>
			{isLost ? <Failed error={error} again={read} /> : <Body guided={guided} tool={tool} />}
			<Answered guided={guided} canChange={word === 'asking'} isOver={word === 'done' || word === 'failed'} />
		</Page>
	);
}
