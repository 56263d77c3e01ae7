// SPDX-License-Identifier: Apache-2.0
/**
 * Records: the trail as one list, the newest first: a page of what is stored, older pages as they are asked for, and what happens now on top of it.
 * Bounded: RECORDS_MOST are kept, HELD_MOST while it is paused. It ends with the view, and when the session does.
 */
import type { AuditRecord, HustingsError, Watch } from 'hustings-client';
import { asking, gateway, whenOut } from '../../stores/session';
import { asked, type Filter } from './filter';
import { textOf } from './sentence';

export const RECORDS_MOST = 2000;
const HELD_MOST = 1000;
const PAGE = 100;
const EMPTY_PAGES = 8; /* in a row, without anything that fits: then somebody has to ask */
const SHOW_MS = 250;

export interface Row {
	key: string;
	record: AuditRecord;
}

export interface Trail {
	rows: readonly Row[];
	/** What came while it was paused. */
	held: number;
	missed: number;
	state: 'live' | 'waiting' | 'ended';
	isPaused: boolean;
	isLoading: boolean;
	isOver: boolean;
	isFull: boolean;
	/** Several pages had nothing that fits: more is loaded when it is wished. */
	isTired: boolean;
	error: Error | undefined;
}

export const BEGINNING: Trail = {
	rows: [],
	held: 0,
	missed: 0,
	state: 'waiting',
	isPaused: false,
	isLoading: true,
	isOver: false,
	isFull: false,
	isTired: false,
	error: undefined,
};

/** What is stored has a number, what is told live has not yet: they are the same without it. */
function identityOf(record: AuditRecord): string {
	const { row: _, ...rest } = record;
	return JSON.stringify(Object.entries(rest).sort(([one], [other]) => (one < other ? -1 : 1)));
}

export class Records {
	#trail: Trail;
	#before: number | null | undefined;
	#fresh: Row[] = [];
	#first = new Set<string>(); /* of the first page: what is live may be in it already */
	#watch: Watch | undefined;
	#timer: ReturnType<typeof setTimeout> | undefined;
	#numbers = 0;
	#emptyPages = 0;
	#isClosed = false;
	#isBusy = false;
	readonly #text: string;

	/** `stale`: what is shown until the first page is there, so that nothing jumps. */
	constructor(
		readonly filter: Filter,
		readonly show: (trail: Trail) => void,
		stale: readonly Row[] = [],
	) {
		this.#trail = { ...BEGINNING, rows: stale };
		this.#text = filter.text?.toLowerCase() ?? '';
		whenOpen.add(this);
		this.#follow();
		void this.older();
	}

	#tell(change: Partial<Trail>): void {
		if (this.#isClosed) return;
		this.#trail = { ...this.#trail, ...change };
		this.show(this.#trail);
	}

	#fits(record: AuditRecord): boolean {
		return this.#text === '' || textOf(record).includes(this.#text);
	}

	/** From now on; what was before comes by pages. */
	#follow(): void {
		const { since: _, ...filter } = asked(this.filter);
		this.#watch = gateway.followAudit(filter, {
			record: (record) => this.#heard(record),
			missed: (count) => this.#tell({ missed: this.#trail.missed + count }),
			state: (state, why) => this.#moved(state, why),
		});
	}

	#moved(state: 'live' | 'waiting' | 'ended', why: HustingsError | undefined): void {
		if (why?.status === 401) void asking(Promise.reject(why)).catch(() => {});
		this.#tell({ state, ...(state === 'ended' && why ? { error: why } : {}) });
	}

	#heard(record: AuditRecord): void {
		if (!this.#fits(record) || this.#first.has(identityOf(record))) return;
		this.#fresh.unshift({ key: `live-${(this.#numbers += 1)}`, record });
		if (this.#fresh.length > HELD_MOST) this.#fresh.length = HELD_MOST;
		this.#timer ??= setTimeout(() => {
			this.#timer = undefined;
			this.#showFresh();
		}, SHOW_MS);
	}

	#showFresh(): void {
		if (this.#before === undefined) return; /* the first page comes first */
		if (this.#trail.isPaused) {
			this.#tell({ held: this.#fresh.length });
			return;
		}
		const rows = [...this.#fresh, ...this.#trail.rows];
		this.#fresh = [];
		this.#tell({ rows: rows.slice(0, RECORDS_MOST), held: 0, isFull: rows.length >= RECORDS_MOST });
	}

	pause(isPaused: boolean): void {
		this.#tell({ isPaused });
		if (!isPaused) this.#showFresh();
	}

	/** The next page; `isWished`: by a person, who may ask on and on. */
	async older(isWished = false): Promise<void> {
		if (isWished) this.#emptyPages = 0;
		if (this.#isBusy || this.#before === null || this.#trail.isFull || (this.#trail.isTired && !isWished)) return;
		this.#isBusy = true;
		this.#tell({ isLoading: true, isTired: false, error: undefined });
		try {
			const page = await asking(gateway.audit({ ...asked(this.filter), limit: PAGE, ...(this.#before === undefined ? {} : { before: this.#before }) }));
			this.#add(page.records, page.nextBefore);
		} catch (error) {
			this.#tell({
				isLoading: false,
				error: error as Error,
				...(this.#before === undefined ? { rows: [] } : {}),
			}); /* what was shown before fits another filter */
		}
		this.#isBusy = false;
	}

	#add(records: AuditRecord[], next: number | null): void {
		const isFirst = this.#before === undefined;
		const found = records.filter((record) => this.#fits(record)).map((record) => ({ key: `row-${record.row}`, record }));
		if (isFirst) this.#first = new Set(records.map(identityOf));
		const rows = isFirst ? found : [...this.#trail.rows, ...found];
		this.#before = next;
		this.#emptyPages = found.length > 0 ? 0 : this.#emptyPages + 1;
		this.#tell({
			rows: rows.slice(0, RECORDS_MOST),
			isLoading: false,
			isOver: next === null,
			isFull: rows.length >= RECORDS_MOST,
			isTired: this.#emptyPages >= EMPTY_PAGES,
		});
		if (!isFirst) return;
		this.#fresh = this.#fresh.filter((row) => !this.#first.has(identityOf(row.record)));
		if (this.#fresh.length > 0) this.#showFresh();
	}

	close(): void {
		this.#isClosed = true;
		this.#watch?.close();
		clearTimeout(this.#timer);
		whenOpen.delete(this);
	}
}

const whenOpen = new Set<Records>();

whenOut(() => {
	for (const one of [...whenOpen]) one.close();
});
