// SPDX-License-Identifier: Apache-2.0
/** Icon: small line drawings, all of one weight; decoration, hidden from readers. */
const DRAWINGS = {
	house: 'M3 10.5 12 4l9 6.5M5.5 9.5V20h13V9.5M10 20v-6h4v6',
	room: 'M4 5h16v11H9l-5 4z',
	inbox: 'M3 13 6 5h12l3 8v6H3zM3 13h5l1.5 3h5L16 13h5',
	tool: 'M14.5 6.5a4 4 0 0 0-5 5L4 17l3 3 5.5-5.5a4 4 0 0 0 5-5l-2.5 2.5-2.5-.5-.5-2.5z',
	server: 'M4 5h16v6H4zM4 13h16v6H4zM8 8h.01M8 16h.01',
	people: 'M9 11a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7ZM2.5 20a6.5 6.5 0 0 1 13 0M16 4.5a3.5 3.5 0 0 1 0 6.5M17.5 14a6.5 6.5 0 0 1 4 6',
	audit: 'M6 3h9l4 4v14H6zM14 3v5h5M9 12h7M9 16h7',
	figures: 'M4 20V4M4 20h16M8 16v-4M12 16V8M16 16v-6',
	flow: 'M5 6h6v4H5zM13 14h6v4h-6zM8 10v6h5',
	more: 'M5 12h.01M12 12h.01M19 12h.01',
	close: 'M6 6l12 12M18 6 6 18',
	check: 'M5 12.5 10 17 19 7',
	search: 'M10.5 17a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13ZM15.5 15.5 20 20',
	filter: 'M4 5h16l-6 8v6l-4-2v-4z',
	send: 'M4 12 20 4l-5 16-3.5-6.5z',
	plus: 'M12 5v14M5 12h14',
	down: 'm6 9 6 6 6-6',
	right: 'm9 6 6 6-6 6',
	back: 'm15 6-6 6 6 6',
	bell: 'M6 16V11a6 6 0 0 1 12 0v5l1.5 2h-15zM10 20.5h4',
	key: 'M14.5 10.5a4.5 4.5 0 1 1-2-3.7M12 10h9v3M17 10v3',
	lock: 'M6 11h12v9H6zM8.5 11V8a3.5 3.5 0 0 1 7 0v3',
	clock: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18ZM12 7v5l3.5 2',
	theme: 'M12 3a9 9 0 1 0 9 9 7 7 0 0 1-9-9Z',
	out: 'M10 4H5v16h5M9 12h11M16 8l4 4-4 4',
	again: 'M20 11a8 8 0 1 0-2 6.5M20 5v6h-6',
	warning: 'M12 4 2.5 20h19zM12 10v5M12 17.5h.01',
	file: 'M6 3h8l4 4v14H6zM14 3v4h4',
	call: 'M5 12h11M12 7l5 5-5 5M20 4v16',
} as const;

export type IconName = keyof typeof DRAWINGS;

export function Icon({ name, size = 18 }: { name: IconName; size?: number }) {
	return (
		<svg width={size} height={size} viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="1.8" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true">
			<path d={DRAWINGS[name]} />
		</svg>
	);
}

export function Mark({ size = 24 }: { size?: number }) {
	return (
		<svg width={size} height={size} viewBox="0 0 32 32" fill="none" stroke="currentColor" stroke-width="2.6" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true">
			<path d="M4 14 16 4l12 10M8 13v14M16 13v14M24 13v14M4 28h24" />
		</svg>
	);
}
