// SPDX-License-Identifier: Apache-2.0
/** Audit: the trail with its filters, counted, one trace of it, and the ways to take it away. */
import './audit.css';
import { useMemo } from 'preact/hooks';
import { Empty } from '../../parts/empty';
import { Page } from '../../parts/page';
import { Tabs } from '../../parts/tabs';
import { isAdmin } from '../../stores/session';
import { Filters } from './filters';
import { addressOf, commandOf, exportAddress, readFilter, type Filter } from './filter';
import { RecordList } from './list';
import { Statistics } from './statistics';
import { TraceView } from './trace_view';

function Exports({ filter }: { filter: Filter }) {
	return (
		<>
			<a class="button is-small" href={exportAddress(filter, 'jsonl')} download="audit.jsonl">
				Export JSON lines
			</a>
			<a class="button is-small" href={exportAddress(filter, 'csv')} download="audit.csv">
				Export CSV
			</a>
		</>
	);
}

function Terminal({ filter }: { filter: Filter }) {
	return (
		<p class="small soft breaks">
			Each record is signed together with the one before it. On the gateway's own machine <code>hustings audit verify</code> checks that none was changed,
			reordered or cut; <code>{commandOf(filter)}</code> shows these records in a terminal.
		</p>
	);
}

export function AuditView({ path, query }: { path: string[]; query: URLSearchParams }) {
	const words = query.toString();
	const filter = useMemo(() => readFilter(new URLSearchParams(words)), [words]);
	const isStatistics = path[0] === 'statistics';
	if (!isAdmin.value)
		return (
			<Page title="Audit">
				<Empty icon="lock" title="The audit trail is for administrators">
					Your token is none of an administrator. One who is can make such a token: <code>hustings token create --admin</code>.
				</Empty>
			</Page>
		);
	if (path[0] === 'trace' && path[1]) return <TraceView key={path[1]} id={path[1]} />;
	return (
		<Page title="Audit" words="Who did what, which calls were made, and what was refused." actions={<Exports filter={filter} />}>
			<Tabs
				label="Audit"
				tabs={[
					{ href: addressOf(filter), label: 'Records', isHere: !isStatistics },
					{ href: addressOf(filter, 'statistics'), label: 'Statistics', isHere: isStatistics },
				]}
			/>
			<Filters filter={filter} part={isStatistics ? 'statistics' : 'records'} />
			{isStatistics ? <Statistics filter={filter} /> : <RecordList filter={filter} />}
			<Terminal filter={filter} />
		</Page>
	);
}
