/* SPDX-License-Identifier: Apache-2.0 */
/* The runs as a processor without SSE2 takes them, held to what the octets themselves say. */
#define SCAN_RUN_PORTABLE
#include "check.h"

#include "wire/scan_run.h"

typedef const char *run(const char *at, const char *end);

static bool stops_plain(unsigned char octet) {
	return octet < 0x20 || octet == '"' || octet == '\\' || octet >= 0x80;
}

static bool stops_flat(unsigned char octet) {
	return octet == '"' || octet == '{' || octet == '}' || octet == '[' || octet == ']';
}

static bool stops_ascii(unsigned char octet) { return octet >= 0x80; }

static bool stops_blanks(unsigned char octet) {
	return octet != ' ' && octet != '\t' && octet != '\n' && octet != '\r';
}

static void check_run(run *does, bool (*stops)(unsigned char octet), char filler) {
	char octets[40];
	for (unsigned octet = 0; octet < 256; octet++) {
		for (size_t at = 0; at < sizeof(octets); at++) {
			memset(octets, filler, sizeof(octets));
			octets[at] = (char)octet;
			const char *end = octets + sizeof(octets);
			const char *due = stops((unsigned char)octet) ? octets + at : end;
			assert_ptr_equal(does(octets, end), due);
			assert_ptr_equal(does(octets, octets + at), octets + at);
		}
	}
}

static void a_run_ends_at_the_first_octet_that_stops_it(void **state) {
	(void)state;
	check_run(scan_run_plain, stops_plain, 'x');
	check_run(scan_run_flat, stops_flat, 'x');
	check_run(scan_run_ascii, stops_ascii, 'x');
	check_run(scan_run_blanks, stops_blanks, ' ');
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_run_ends_at_the_first_octet_that_stops_it),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
