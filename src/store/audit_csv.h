/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Audit csv: records as lines of RFC 4180 that a spreadsheet may open. A field that begins like a
 * formula (= + - @) gets an apostrophe in front, so that none is one. Control characters are shown as
 * \xNN and hidden ones left out: a record is one line, and speaks to no terminal. Where every octet
 * counts the records' JSON has it.
 */
#ifndef HUSTINGS_STORE_AUDIT_CSV_H
#define HUSTINGS_STORE_AUDIT_CSV_H

#include "store/audit_record.h"

void audit_csv_head(struct text *to); /* the names of the columns */
void audit_csv_line(struct text *to, const struct audit_record *record, int64_t moment, uint64_t row);
void audit_csv_field(struct text *to, struct slice field);

#endif
