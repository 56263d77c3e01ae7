// SPDX-License-Identifier: Apache-2.0
/** Table: rows of one kind under labelled columns; where there is little room each row is a card that says its labels itself. */
import './table.css';
import type { ComponentChildren } from 'preact';

export interface Column<T> {
	label: string;
	cell: (row: T) => ComponentChildren;
	/** Figures stand on the right, with digits of one width. */
	isFigure?: boolean;
	/** Buttons: their column has a label for readers alone, and they stand on the right. */
	isActions?: boolean;
	/** The card's headline: no label before it. */
	isTitle?: boolean;
}

function classOf<T>(column: Column<T>): string | undefined {
	return column.isFigure ? 'is-figure' : column.isActions ? 'is-actions' : column.isTitle ? 'is-title' : undefined;
}

/** Roles are said, since a table that is shown as cards would lose those it has by itself. */
export function Table<T>({ label, columns, rows, keyOf }: { label: string; columns: readonly Column<T>[]; rows: readonly T[]; keyOf: (row: T) => string }) {
	return (
		<div class="table-frame">
			<div class="table-box">
				<table class="table has-cards" role="table" aria-label={label}>
					<thead role="rowgroup">
						<tr role="row">
							{columns.map((column) => (
								<th key={column.label} role="columnheader" scope="col" class={classOf(column)}>
									{column.isActions ? <span class="only-read">{column.label}</span> : column.label}
								</th>
							))}
						</tr>
					</thead>
					<tbody role="rowgroup">
						{rows.map((row) => (
							<tr key={keyOf(row)} role="row">
								{columns.map((column) => (
									<td key={column.label} role="cell" class={classOf(column)}>
										{!column.isActions && !column.isTitle && <span class="table-label" aria-hidden="true">{column.label}</span>}
										<div class="table-value">{column.cell(row)}</div>
									</td>
								))}
							</tr>
						))}
					</tbody>
				</table>
			</div>
		</div>
	);
}
