// SPDX-License-Identifier: Apache-2.0
/** Table of views: the first word of the address, and what is shown there. Those that are not needed at once load when asked for. */
import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Failed, Waiting } from '../parts/empty';
import { Home } from './home/home';
import { Inbox } from './inbox/inbox';
import { RoomView } from './room/room';

export type View = ComponentType<{ path: string[]; query: URLSearchParams }>;

function later(load: () => Promise<View>): View {
	let loaded: View | undefined;
	return (props) => {
		const [state, setState] = useState<{ view?: View | undefined; error?: Error }>({ view: loaded });
		useEffect(() => {
			if (!loaded) load().then((view) => { loaded = view; setState({ view }); }, (error: Error) => setState({ error }));
		}, []);
		if (state.error) return <div class="page-inner"><Failed error={state.error} again={() => location.reload()} /></div>;
		return state.view ? <state.view {...props} /> : <div class="page-inner"><Waiting what="this view" /></div>;
	};
}

export const views: Record<string, View> = {
	'': Home,
	room: RoomView,
	inbox: Inbox,
	flow: later(() => import('./flow/flow').then((module) => module.FlowView)),
	tools: later(() => import('./tools/tools').then((module) => module.ToolsView)),
	servers: later(() => import('./servers/servers').then((module) => module.ServersView)),
	access: later(() => import('./access/access').then((module) => module.AccessView)),
	audit: later(() => import('./audit/audit').then((module) => module.AuditView)),
	figures: later(() => import('./figures/figures').then((module) => module.FiguresView)),
};
