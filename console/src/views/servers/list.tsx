// SPDX-License-Identifier: Apache-2.0
/** The list of hosted servers: what state each is in and why, live; the way to add one. */
import type { ServerRecord } from 'hustings-client';
import { useState } from 'preact/hooks';
import { decisionLink } from '../../parts/decision_link';
import { Empty, Failed, Waiting } from '../../parts/empty';
import { Icon } from '../../parts/icon';
import { Moment } from '../../parts/moment';
import { Page } from '../../parts/page';
import { plain } from '../../parts/plain';
import { Table, type Column } from '../../parts/table';
import { go, to } from '../../stores/route';
import { useServers } from '../../stores/servers';
import { AddServer } from './add';
import { RoomLinks } from './facts';
import { ServerHealth, ServerState } from './state';

const COLUMNS: Column<ServerRecord>[] = [
	{ label: 'Server', isTitle: true, cell: (server) => <a class="strong breaks" href={to('servers', server.id)}>{plain(server.id)}</a> },
	{
		label: 'State', cell: (server) => (
			<>
				<ServerState server={server} />
				{server.decision ? <a class="servers-why" href={decisionLink(server.decision)}>waits for a decision</a>
					: server.reason && <span class="servers-why soft breaks" title={plain(server.reason)}>{plain(server.reason)}</span>}
			</>
		),
	},
	{ label: 'Health', cell: (server) => <ServerHealth server={server} /> },
	{ label: 'Tools', isFigure: true, cell: (server) => server.tools ?? '–' },
	{ label: 'Rooms', cell: (server) => <RoomLinks rooms={server.rooms ?? []} /> },
	{ label: 'Restarts', isFigure: true, cell: (server) => server.restarts },
	{ label: 'Since', cell: ({ since }) => (since ? <Moment at={since} /> : <span class="soft">–</span>) },
	{ label: 'Calls now', isFigure: true, cell: (server) => server.calls },
	{ label: 'From', cell: (server) => <span class="soft">{server.from}</span> },
];

function NoServers({ onAdd }: { onAdd: () => void }) {
	return (
		<Empty icon="server" title="No server is hosted yet">
			A hosted server brings its tools to every agent that may use them.
			{' '}<button type="button" class="button is-small" onClick={onAdd}>Add one</button> or, in a terminal:
			<code class="servers-command">hustings server add files -- npx -y @modelcontextprotocol/server-filesystem /srv</code>
		</Empty>
	);
}

export function ServerList() {
	const { servers, news, error, again } = useServers();
	const [isAdding, setAdding] = useState(false);
	return (
		<Page title="Servers" words="Programs and addresses that this gateway runs and governs. The list is live."
			actions={<button type="button" class="button is-main" onClick={() => setAdding(true)}><Icon name="plus" size={16} />Add a server</button>}>
			<p class="only-read" role="status">{news}</p>
			{error && <Failed error={error} again={again} />}
			{!servers && !error && <Waiting what="the servers" />}
			{servers?.length === 0 && <NoServers onAdd={() => setAdding(true)} />}
			{servers && servers.length > 0 && <Table label="Hosted servers" columns={COLUMNS} rows={servers} keyOf={(server) => server.id} />}
			{isAdding && <AddServer onClose={() => setAdding(false)} onAdded={(server) => { setAdding(false); go(to('servers', server.id)); }} />}
		</Page>
	);
}
