// SPDX-License-Identifier: Apache-2.0
/** Trace: everything that is recorded of one trace id, as a picture and as its records; looked at again while a call is under way. */
import type { AuditRecord } from 'hustings-client';
import { Empty, Failed, Waiting } from '../../parts/empty';
import { Icon } from '../../parts/icon';
import { Page } from '../../parts/page';
import { plainLine } from '../../parts/plain';
import { usePoll } from '../../stores/poll';
import { to } from '../../stores/route';
import { gateway } from '../../stores/session';
import { RecordRow } from './row';
import { trace } from './steps';
import { TracePicture } from './trace_picture';

const EVERY_MS = 3000;
const PAGES = 8;
const NO_FILTER = {};

async function ask(id: string): Promise<AuditRecord[]> {
	const records: AuditRecord[] = [];
	let before: number | null = null;
	for (let page = 0; page < PAGES && (page === 0 || before !== null); page += 1) {
		const { records: more, nextBefore } = await gateway.audit({ trace: id, limit: 200, ...(before === null ? {} : { before }) });
		records.push(...more);
		before = nextBefore;
	}
	return records;
}

function decisionsOf(records: readonly AuditRecord[]): string[] {
	return [...new Set(records.map((record) => record.details?.decision).filter((id): id is string => typeof id === 'string'))].slice(0, 4);
}

export function TraceView({ id }: { id: string }) {
	const { value, error, again } = usePoll(() => ask(id), EVERY_MS, [id]);
	const traced = value && value.length > 0 ? trace(value) : undefined;
	return (
		<Page
			title="Trace"
			words={
				<>
					Everything about <code class="breaks">{plainLine(id, 80)}</code>
				</>
			}
			actions={
				<a class="button" href={to('audit')}>
					<Icon name="back" size={15} /> Audit trail
				</a>
			}>
			{error && <Failed error={error} again={again} />}
			{!value && !error && <Waiting what="the trace" />}
			{value?.length === 0 && (
				<Empty icon="search" title="Nothing is recorded of this trace">
					It may be on its way, be too old, or never have reached a hosted server.
				</Empty>
			)}
			{traced && (
				<>
					<p class="row wraps" role="status">
						<span class={`badge is-${traced.tone === 'plain' ? 'accent' : traced.tone}`}>{traced.outcome}</span>
						{traced.rooms.map((topic) => (
							<a key={topic} class="small" href={to('room', topic)}>
								Room {plainLine(topic, 60)}
							</a>
						))}
						{decisionsOf(value!).map((decision) => (
							<a key={decision} class="small" href={`${to('inbox')}?id=${encodeURIComponent(decision)}`}>
								Decision {decision}
							</a>
						))}
					</p>
					{traced.steps.length > 0 && <TracePicture traced={traced} />}
					<section aria-labelledby="trace-records" class="column">
						<h2 id="trace-records">Records</h2>
						<ol class="audit-list card" aria-label="The newest first">
							{value!.map((record) => (
								<RecordRow key={record.row} record={record} filter={NO_FILTER} isTraced />
							))}
						</ol>
					</section>
				</>
			)}
		</Page>
	);
}
