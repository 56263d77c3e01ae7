// SPDX-License-Identifier: Apache-2.0
/** Servers: the list of what is hosted (#/servers), and one of them (#/servers/ID). */
import './servers.css';
import { Empty } from '../../parts/empty';
import { Page } from '../../parts/page';
import { isAdmin } from '../../stores/session';
import { ServerDetail } from './detail';
import { ServerList } from './list';

export function ServersView({ path }: { path: string[]; query: URLSearchParams }) {
	if (!isAdmin.value) {
		return (
			<Page title="Servers">
				<Empty icon="lock" title="Servers are shown to administrators">
					Your token is not one of theirs. <a href="#/tools">What you may use</a> stands under Tools.
				</Empty>
			</Page>
		);
	}
	return path[0] === undefined ? <ServerList /> : <ServerDetail key={path[0]} id={path[0]} />;
}
