// SPDX-License-Identifier: Apache-2.0
/** Statistics: how often what happened, as bars: by kind, by who did it, by server, by hour. Each bar leads to its records. */
import type { AuditStatistics } from 'hustings-client';
import { Empty, Failed, Waiting } from '../../parts/empty';
import { plainLine } from '../../parts/plain';
import { usePoll } from '../../stores/poll';
import { gateway } from '../../stores/session';
import { eventWords } from './sentence';
import { addressOf, asked, withOne, type Filter, type FilterName } from './filter';

const EVERY_MS = 15_000;
const KEYS = 48; /* of each list; hours too */
const SHOWN = 10;
const HOURS_LEAST = 24;

type Counts = { key: string; count: number }[];

const LISTS: { by: string; title: string; name: FilterName; missing: string }[] = [
	{ by: 'type', title: 'What happened', name: 'event', missing: 'unsaid' },
	{ by: 'actor', title: 'Who did it', name: 'actor', missing: 'the gateway' },
	{ by: 'server', title: 'At which server', name: 'server', missing: 'no server' },
];

function Bars({
	title,
	name,
	missing,
	counts,
	other,
	filter,
}: {
	title: string;
	name: FilterName;
	missing: string;
	counts: Counts;
	other: number;
	filter: Filter;
}) {
	const most = Math.max(1, ...counts.map((one) => one.count));
	const rest = counts.slice(SHOWN).reduce((sum, one) => sum + one.count, other);
	return (
		<section class="card" aria-label={title}>
			<header class="card-head">
				<h2>{title}</h2>
			</header>
			{counts.length === 0 ? (
				<p class="card-body soft">Nothing.</p>
			) : (
				<ul class="card-body audit-bars">
					{counts.slice(0, SHOWN).map(({ key, count }) => (
						<li key={key}>
							<span class="audit-bar-words">
								{key === '' ? (
									<span class="cut soft">{missing}</span>
								) : (
									<a class="cut" href={addressOf(withOne(filter, name, key))}>
										{name === 'event' ? eventWords(key) : plainLine(key, 80)}
									</a>
								)}
								<span class="audit-count">{count.toLocaleString()}</span>
							</span>
							<span class="audit-bar" aria-hidden="true">
								<span style={{ width: `${(count / most) * 100}%` }} />
							</span>
						</li>
					))}
					{rest > 0 && <li class="small soft">and {rest.toLocaleString()} more of others</li>}
				</ul>
			)}
		</section>
	);
}

function hourWords(key: string): string {
	const date = new Date(key);
	return Number.isNaN(date.getTime()) ? key : date.toLocaleString(undefined, { weekday: 'short', hour: '2-digit', minute: '2-digit' });
}

/** Columns, the hours in their order; those without anything between them are shown as empty. */
function Hours({ counts }: { counts: Counts }) {
	const known = counts.flatMap(({ key, count }) => (Number.isNaN(Date.parse(key)) ? [] : [{ at: Date.parse(key), count }]));
	if (known.length === 0) return null;
	const by = new Map(known.map(({ at, count }) => [at, count]));
	const last = Math.max(...by.keys());
	const first = Math.max(Math.min(...by.keys(), last - (HOURS_LEAST - 1) * 3_600_000), last - (KEYS - 1) * 3_600_000);
	const hours: { at: number; count: number }[] = [];
	for (let at = first; at <= last; at += 3_600_000) hours.push({ at, count: by.get(at) ?? 0 });
	const most = Math.max(1, ...hours.map((one) => one.count));
	const words = hours.filter((one) => one.count > 0).map((one) => `${hourWords(new Date(one.at).toISOString())}: ${one.count}`);
	return (
		<section class="card audit-hours" aria-label="By hour">
			<header class="card-head">
				<h2 class="grows">By hour</h2>
				<span class="small soft">most: {most.toLocaleString()}</span>
			</header>
			<div class="card-body">
				<div class="audit-columns" role="img" aria-label={`Records by hour. ${words.join('; ')}`}>
					{hours.map(({ at, count }) => (
						<span key={at} title={`${hourWords(new Date(at).toISOString())}: ${count}`}>
							<span style={{ height: `${(count / most) * 100}%` }} />
						</span>
					))}
				</div>
				<p class="audit-scale tiny soft" aria-hidden="true">
					<span>{hourWords(new Date(first).toISOString())}</span>
					{hours.length > 1 && <span>{hourWords(new Date(last).toISOString())}</span>}
				</p>
			</div>
		</section>
	);
}

function ask(filter: Filter): Promise<AuditStatistics> {
	return gateway.auditStatistics({ ...asked(filter), limit: KEYS });
}

export function Statistics({ filter }: { filter: Filter }) {
	const { value, error, again } = usePoll(() => ask(filter), EVERY_MS, [JSON.stringify(filter)]);
	if (error && !value) return <Failed error={error} again={again} />;
	if (!value) return <Waiting what="the counts" />;
	if (value.records === 0)
		return (
			<Empty icon="figures" title="Nothing was recorded">
				{filter.since ? 'Nothing fits.' : 'Counted is the last day, unless a filter says since when.'}
			</Empty>
		);
	return (
		<div class="column">
			{error && <Failed error={error} again={again} />}
			<p class="soft">
				{value.records.toLocaleString()} records{value.count !== value.records && `, which stand for ${value.count.toLocaleString()} events`}
				{filter.since ? '' : ', in the last day'}.
			</p>
			<Hours counts={value.by.hour ?? []} />
			<div class="audit-lists">
				{LISTS.map(({ by, ...list }) => (
					<Bars key={by} {...list} counts={value.by[by] ?? []} other={value.other[by] ?? 0} filter={filter} />
				))}
			</div>
		</div>
	);
}
