// SPDX-License-Identifier: Apache-2.0
/** Route: where the person is, as the address says it: "#/room/demo?find=x" is path ["room", "demo"], query find=x. */
import { signal } from '@preact/signals';

export interface Route { path: string[]; query: URLSearchParams }

function decoded(part: string): string {
	try {
		return decodeURIComponent(part);
	} catch {
		return part;
	}
}

function read(): Route {
	const [path = '', query = ''] = location.hash.replace(/^#\/?/, '').split('?', 2);
	return { path: path.split('/').filter((part) => part !== '').map(decoded), query: new URLSearchParams(query) };
}

export const route = signal<Route>(read());

addEventListener('hashchange', () => { route.value = read(); });

/** The address of a place: to('room', topic). */
export function to(...path: string[]): string {
	return `#/${path.map(encodeURIComponent).join('/')}`;
}

/** Goes there; `replaces` leaves no step back. */
export function go(address: string, replaces = false): void {
	if (!replaces) {
		location.hash = address;
		return;
	}
	history.replaceState(null, '', address);
	route.value = read();
}
