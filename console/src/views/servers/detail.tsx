// SPDX-License-Identifier: Apache-2.0
/** One server: why it is as it is, how it is started, what it may do, what it offers, what it writes; restart and remove. */
import { HustingsError, type ServerRecord } from 'hustings-client';
import { useState } from 'preact/hooks';
import { Confirm } from '../../parts/confirm';
import { Empty, Failed, Waiting } from '../../parts/empty';
import { Icon } from '../../parts/icon';
import { Moment } from '../../parts/moment';
import { Page } from '../../parts/page';
import { plain } from '../../parts/plain';
import { tell } from '../../stores/notices';
import { go, to } from '../../stores/route';
import { useServers } from '../../stores/servers';
import { asking, gateway } from '../../stores/session';
import { decisionLink } from '../../parts/decision_link';
import { ServerFacts } from './facts';
import { ServerLog } from './log';
import { Permissions } from './permissions';
import { ServerTools } from './server_tools';
import { meaningOf, ServerHealth, ServerState } from './state';

const counted = (count: number, word: string): string => `${count} ${word}${count === 1 ? '' : 's'}`;

function Why({ server }: { server: ServerRecord }) {
	const isWell = server.state === 'connected';
	return (
		<section class={`card servers-now is-${isWell ? 'well' : 'unwell'}`} aria-label="State">
			<div class="card-body row wraps">
				<ServerState server={server} />
				<ServerHealth server={server} />
				<span class="soft small">{meaningOf(server.state)}{server.since && <> · changed <Moment at={server.since} /></>}</span>
				<span class="grows" />
				<span class="small soft">{counted(server.restarts, 'restart')} · {counted(server.calls, 'call')} now</span>
			</div>
			{(server.reason || server.decision) && (
				<div class="servers-reason breaks">
					{server.decision
						? <>Its permissions <a href={decisionLink(server.decision)}>wait for a decision</a>: until then it is not used.</>
						: <><strong>Why:</strong> {plain(server.reason!)}</>}
				</div>
			)}
		</section>
	);
}

function Actions({ server, again }: { server: ServerRecord; again: () => void }) {
	const [asked, setAsked] = useState<'restart' | 'remove' | null>(null);
	const restart = async () => {
		await asking(gateway.restartServer(server.id));
		tell(`${plain(server.id)} is being restarted.`);
		again();
	};
	const remove = async () => {
		await asking(gateway.removeServer(server.id));
		tell(`${plain(server.id)} was removed.`, 'good');
		go(to('servers'));
	};
	return (
		<>
			<button type="button" class="button" onClick={() => setAsked('restart')}><Icon name="again" size={16} />Restart</button>
			{server.from === 'added' && <button type="button" class="button" onClick={() => setAsked('remove')}>Remove</button>}
			{asked === 'restart' && (
				<Confirm title={`Restart ${plain(server.id)}?`} action="Restart" run={restart} onClose={() => setAsked(null)}>
					<p>
						{server.calls > 0 && `${counted(server.calls, 'call')} under way will fail. `}
						Permissions that were denied or taken back are asked for again.
					</p>
				</Confirm>
			)}
			{asked === 'remove' && (
				<Confirm title={`Remove ${plain(server.id)}?`} action="Remove" isDanger run={remove} onClose={() => setAsked(null)}>
					<p>It is ended and forgotten: its tools leave every list and room. It can be added again later.</p>
				</Confirm>
			)}
		</>
	);
}

export function ServerDetail({ id }: { id: string }) {
	const { servers, news, error, again } = useServers(id);
	const server = servers?.[0];
	const isGone = error instanceof HustingsError && error.status === 404;
	return (
		<Page title={plain(id)} words={<a href={to('servers')}>All servers</a>} actions={server && !isGone && <Actions server={server} again={again} />}>
			<p class="only-read" role="status">{news}</p>
			{isGone && <Empty icon="server" title={`There is no server ${plain(id)}`}>It may have been removed. <a href={to('servers')}>All servers</a></Empty>}
			{error && !isGone && <Failed error={error} again={again} />}
			{!server && !error && <Waiting what="the server" />}
			{server && !isGone && (
				<>
					<Why server={server} />
					<div class="servers-columns">
						<ServerFacts server={server} />
						<Permissions server={server} again={again} />
					</div>
					<ServerTools server={server} />
					<ServerLog id={server.id} />
				</>
			)}
		</Page>
	);
}
