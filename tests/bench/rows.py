# SPDX-License-Identifier: Apache-2.0
"""A row is one figure: its value, its bound, how far the repetitions spread."""

import statistics


def plain_row(key, what, values, unit, bound, judged=statistics.median):
    middle = judged(values)
    return {'row': key, 'what': what, 'value': round(middle, 2), 'unit': unit, 'bound': bound,
            'held': None if bound is None else middle <= bound, 'least': round(min(values), 2), 'most': round(max(values), 2),
            'repetitions': len(values)}


def show(rows):
    for row in rows:
        verdict = {True: 'held', False: 'MISSED', None: ''}[row['held']]
        bound = '' if row['bound'] is None else f'<= {row["bound"]:g}'
        spread = f'({row["least"]:g} to {row["most"]:g}, {row["repetitions"]})'
        cost = f'{row["nanoseconds"]:,} ns' if 'nanoseconds' in row else ''
        print(f'{row["what"]:66} {row["value"]:8.2f} {row["unit"]:6} {bound:8} {verdict:6} '
              f'{spread:26} {cost}'.rstrip())
