// SPDX-License-Identifier: Apache-2.0
/** What just happened: the newest of the rooms this person may enter and, for administrators, of the audit trail; one line each. */
import { Failed, Waiting } from '../../parts/empty';
import { Icon, type IconName } from '../../parts/icon';
import { Moment } from '../../parts/moment';
import { usePoll } from '../../stores/poll';
import { to } from '../../stores/route';
import { gateway, isAdmin } from '../../stores/session';
import { auditLine, newest, roomLine, type Line } from './lines';

const ROOMS = 6;
const OF_EACH = 8;
const SHOWN = 14;
const PAGE = 60;
const PAGES = 6;
const EVERY_MS = 3000;

const ICONS: Record<Line['sort'], IconName> = { chat: 'room', call: 'call', proposal: 'inbox', refusal: 'lock', server: 'server', decision: 'check', access: 'key', other: 'audit' };

/** Behind many records that are too small to tell there may be one that is not: it is looked for, some pages back. */
async function auditLines(): Promise<Line[]> {
	const lines: Line[] = [];
	let before: number | undefined;
	for (let page = 0; page < PAGES && newest(lines, SHOWN).length < SHOWN; page += 1) {
		const { records, nextBefore } = await gateway.audit({ limit: PAGE, ...(before === undefined ? {} : { before }) });
		lines.push(...records.map(auditLine).filter((line) => line !== null));
		if (nextBefore === null || nextBefore === undefined) break;
		before = nextBefore;
	}
	return lines;
}

async function look(): Promise<Line[]> {
	const topics = await gateway.topics();
	const rooms = topics.sort((one, other) => other.participants - one.participants).slice(0, ROOMS);
	const ofRooms = rooms.map(async ({ topic }) => (await gateway.history(topic, { limit: OF_EACH })).envelopes.map((envelope) => roomLine(topic, envelope)));
	const lines = (await Promise.all([...ofRooms, ...(isAdmin.value ? [auditLines()] : [])])).flat().filter((line): line is Line => line !== null);
	return newest(lines, SHOWN);
}

export function Happened() {
	const { value, error, again } = usePoll(look, EVERY_MS);
	return (
		<section class="card home-happened" aria-labelledby="home-happened">
			<header class="card-head"><Icon name="clock" /><h2 id="home-happened" class="grows">What just happened</h2>{isAdmin.value && <a class="small" href={to('audit')}>Audit trail</a>}</header>
			{error && !value && <div class="card-body"><Failed error={error} again={again} /></div>}
			{!value && !error && <div class="card-body"><Waiting what="what happened" /></div>}
			{value?.length === 0 && <p class="home-quiet">Nothing yet.</p>}
			<ul class="home-list">
				{value?.map((line) => (
					<li key={line.key}>
						<a class="home-item" href={line.href}>
							<span class="soft"><Icon name={ICONS[line.sort]} size={16} /></span>
							<span class="grows breaks small"><strong>{line.who}</strong> {line.words}{line.times && <span class="soft"> ({line.times} times)</span>}{line.where && <span class="soft"> · {line.where}</span>}</span>
							<span class="tiny soft"><Moment at={line.ts} /></span>
						</a>
					</li>
				))}
			</ul>
		</section>
	);
}
