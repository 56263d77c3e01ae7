// SPDX-License-Identifier: Apache-2.0
/** Filters: what is filtered by now, each with a way to take it off; and a form that changes them. All of it goes through the address. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { Icon } from '../../parts/icon';
import { plainLine } from '../../parts/plain';
import { go } from '../../stores/route';
import { addressOf, NAMES, without, type Filter, type FilterName, type Part } from './filter';

const LABELS: Record<FilterName, string> = {
	since: 'Since',
	actor: 'Who',
	event: 'What',
	server: 'Server',
	tool: 'Tool',
	topic: 'Room',
	result: 'Result',
	gate: 'Gate',
	trace: 'Trace',
	source: 'Source',
	text: 'Text',
};

const SPANS: [string, string][] = [
	['', 'any time'],
	['15m', 'last 15 minutes'],
	['1h', 'last hour'],
	['24h', 'last day'],
	['7d', 'last week'],
	['30d', 'last 30 days'],
];
/** Counted is a day, where nothing else is said. */
const COUNTED = SPANS.filter(([span]) => span !== '24h').map(([span, words]) => [span, span === '' ? 'last day' : words] as [string, string]);
const RESULTS: [string, string][] = [
	['', 'any result'],
	['SUCCESS', 'success'],
	['BLOCKED', 'refused'],
	['FAILED', 'failed'],
	['CANCELLED', 'given up'],
];
const EVENTS: [string, string][] = [
	['', 'anything'],
	['TOOL_EXECUTED', 'calls that ran'],
	['TOOL_BLOCKED', 'calls that were refused'],
	['VALIDATION_FAILED', 'arguments that do not fit'],
	['dev.hustings.decision', 'decisions'],
	['dev.hustings.approval_answered', 'answers of people to calls'],
	['dev.hustings.envelope_refused', 'refusals in rooms'],
	['dev.hustings.participant_*', 'people who come and go'],
	['SERVER_*', 'servers that come and go'],
	['ACCESS_*', 'access'],
	['PERMISSION_*', 'permissions'],
	['dev.hustings.token_changed', 'tokens'],
	['dev.hustings.privilege_changed', 'privileges'],
	['dev.hustings.tool_*', 'tools asked again, or held back'],
	['dev.hustings.flow_*', 'guided sessions'],
];
const TEXTS: [FilterName, string][] = [
	['actor', 'an identity'],
	['server', "a server's id"],
	['tool', "a tool's name"],
	['topic', 'a room'],
	['gate', "a gate's name"],
];

/** A value that the list has not, as somebody may have linked it, stands in it too. */
function Choice({ name, value, choices, onPick }: { name: FilterName; value: string; choices: [string, string][]; onPick: (value: string) => void }) {
	const all = choices.some(([one]) => one === value) ? choices : [...choices, [value, plainLine(value, 40)] as [string, string]];
	return (
		<div class="field">
			<label for={`audit-${name}`}>{LABELS[name]}</label>
			<select id={`audit-${name}`} value={value} onChange={(event) => onPick(event.currentTarget.value)}>
				{all.map(([one, words]) => (
					<option key={one} value={one}>
						{words}
					</option>
				))}
			</select>
		</div>
	);
}

function Chips({ filter, part }: { filter: Filter; part: Part }) {
	const set = (Object.entries(filter) as [FilterName, string][]).filter(([, value]) => value);
	if (set.length === 0) return null;
	return (
		<ul class="audit-set" aria-label="Filters that are set">
			{set.map(([name, value]) => (
				<li key={name}>
					<a
						class="audit-chip is-set"
						href={addressOf(without(filter, name), part)}
						aria-label={`Take the filter ${LABELS[name]} ${plainLine(value, 60)} off`}>
						<span class="soft">{LABELS[name]}</span> {plainLine(value, 60)} <Icon name="close" size={12} />
					</a>
				</li>
			))}
			{set.length > 1 && (
				<li>
					<a class="small" href={addressOf({}, part)}>
						Take all off
					</a>
				</li>
			)}
		</ul>
	);
}

export function Filters({ filter, part }: { filter: Filter; part: Part }) {
	const [typed, setTyped] = useState(filter);
	const key = JSON.stringify(filter);
	const before = useRef(filter);
	/* What is being typed elsewhere in the form stays. */
	useEffect(() => {
		const changed = NAMES.filter((name) => filter[name] !== before.current[name]);
		before.current = filter;
		setTyped((words) => ({ ...words, ...Object.fromEntries(changed.map((name) => [name, filter[name]])) }));
	}, [key]);
	const apply = (next: Filter) => {
		const address = addressOf(next, part);
		if (address !== addressOf(filter, part)) go(address);
	};
	const pick = (name: FilterName) => (value: string) => {
		const next = { ...typed, [name]: value };
		setTyped(next);
		apply(next);
	};
	const write = (name: FilterName) => (event: Event) => setTyped({ ...typed, [name]: (event.currentTarget as HTMLInputElement).value });
	const isSet = key !== '{}';
	return (
		<div class="audit-filters">
			<details class="card" open={matchMedia('(min-width: 900px)').matches || isSet || undefined}>
				<summary class="audit-summary">
					<Icon name="filter" size={16} /> Filter
				</summary>
				<form
					class="audit-form"
					role="search"
					aria-label="Audit trail"
					onSubmit={(event) => {
						event.preventDefault();
						apply(typed);
					}}>
					<Choice name="event" value={typed.event ?? ''} choices={EVENTS} onPick={pick('event')} />
					<Choice name="result" value={typed.result ?? ''} choices={RESULTS} onPick={pick('result')} />
					<Choice name="since" value={typed.since ?? ''} choices={part === 'statistics' ? COUNTED : SPANS} onPick={pick('since')} />
					{TEXTS.map(([name, hint]) => (
						<div class="field" key={name}>
							<label for={`audit-${name}`}>{LABELS[name]}</label>
							<input
								id={`audit-${name}`}
								value={typed[name] ?? ''}
								placeholder={hint}
								autocomplete="off"
								spellcheck={false}
								onInput={write(name)}
								onChange={() => apply(typed)}
							/>
						</div>
					))}
					{part === 'records' && (
						<div class="field audit-text">
							<label for="audit-text">{LABELS.text}</label>
							<input
								id="audit-text"
								type="search"
								value={typed.text ?? ''}
								placeholder="in the records as they are loaded"
								autocomplete="off"
								spellcheck={false}
								onInput={write('text')}
								onChange={() => apply(typed)}
							/>
						</div>
					)}
					<button type="submit" class="button">
						Show
					</button>
				</form>
			</details>
			<Chips filter={filter} part={part} />
		</div>
	);
}
