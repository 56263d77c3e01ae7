/* SPDX-License-Identifier: Apache-2.0 */
#include "net/address_guard.h"

#include <sys/un.h>

#include "check.h"

static bool is_public(const char *text) {
	struct sockaddr_storage address;
	assert_true(address_guard_read(slice_of(text), &address));
	return address_guard_is_public((const struct sockaddr *)&address);
}

static void addresses_of_the_internet_are_public(void **state) {
	(void)state;
	static const char *const open[] = {
		"1.1.1.1",
		"8.8.8.8",
		"9.255.255.255",
		"11.0.0.0",
		"100.63.255.255",
		"100.128.0.0",
		"126.255.255.255",
		"128.0.0.0",
		"169.253.255.255",
		"169.255.0.0",
		"172.15.255.255",
		"172.32.0.0",
		"192.167.255.255",
		"192.169.0.0",
		"198.17.255.255",
		"198.20.0.0",
		"223.255.255.255",
		"2600::1",
		"2a00:1450:4001::200e",
		"2001:200::1",
		"::ffff:8.8.8.8",
		"[2606:4700::1111]",
		"64:ff9b::808:808",
	};
	for (size_t i = 0; i < COUNT_OF(open); i++)
		if (!is_public(open[i])) fail_msg("%s is taken for a private one", open[i]);
}

static void all_others_are_not(void **state) {
	(void)state;
	static const char *const closed[] = {
		"0.0.0.0",
		"0.1.2.3",
		"10.0.0.1",
		"10.255.255.255",
		"100.64.0.1",
		"100.127.255.255",
		"127.0.0.1",
		"127.255.255.255",
		"169.254.169.254",
		"172.16.0.1",
		"172.31.255.255",
		"192.0.0.1",
		"192.0.2.1",
		"192.88.99.1",
		"192.168.0.1",
		"198.18.0.1",
		"198.19.255.255",
		"198.51.100.1",
		"203.0.113.1",
		"224.0.0.1",
		"239.1.1.1",
		"240.0.0.1",
		"255.255.255.255",
		"::",
		"::1",
		"::7f00:1",
		"::ffff:127.0.0.1",
		"::ffff:10.0.0.1",
		"::ffff:169.254.169.254",
		"64:ff9b::7f00:1",
		"64:ff9b::a9fe:a9fe",
		"64:ff9b:1::1",
		"100::1",
		"2001::1",
		"2001:1ff::1",
		"2001:db8::1",
		"2002:7f00:1::",
		"3fff::1",
		"4000::1",
		"fc00::1",
		"fd12::1",
		"fe80::1",
		"febf::1",
		"fec0::1",
		"ff02::1",
		"[::1]",
	};
	for (size_t i = 0; i < COUNT_OF(closed); i++)
		if (is_public(closed[i])) fail_msg("%s is taken for a public one", closed[i]);

	struct sockaddr_un other = {.sun_family = AF_UNIX};
	assert_false(address_guard_is_public((const struct sockaddr *)&other));
}

static void a_name_is_no_address(void **state) {
	(void)state;
	static const char *const names[] = {
		"",
		"localhost",
		"1.2.3",
		"1.2.3.4.5",
		"0x7f.1",
		"[]",
		"[::1",
		"example.org",
		"1111:2222:3333:4444:5555:6666:7777:8888:9999:aaaa:bbbb",
	};
	struct sockaddr_storage address;
	for (size_t i = 0; i < COUNT_OF(names); i++)
		assert_false(address_guard_read(slice_of(names[i]), &address));
}

static void addresses_are_written_as_people_do(void **state) {
	(void)state;
	static const char *const texts[] = {"10.0.0.1", "2600::1"};
	for (size_t i = 0; i < COUNT_OF(texts); i++) {
		struct sockaddr_storage address;
		char text[ADDRESS_GUARD_TEXT];
		assert_true(address_guard_read(slice_of(texts[i]), &address));
		address_guard_write((const struct sockaddr *)&address, text);
		assert_string_equal(text, texts[i]);
	}
	char text[ADDRESS_GUARD_TEXT];
	address_guard_write(&(struct sockaddr){.sa_family = AF_UNIX}, text);
	assert_string_equal(text, "?");
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(addresses_of_the_internet_are_public),
		cmocka_unit_test(all_others_are_not),
		cmocka_unit_test(a_name_is_no_address),
		cmocka_unit_test(addresses_are_written_as_people_do),
	};
	return cmocka_run_group_tests_name("address_guard", tests, NULL, NULL);
}
