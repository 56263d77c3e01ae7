/* SPDX-License-Identifier: Apache-2.0 */
/* Bench target: the address behind a URL, and connections to it. */
#include "cli/bench_target.h"

#include "wire/http1.h"

#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

static bool resolve(struct bench_target *target, unsigned port, struct fault *why) {
	struct addrinfo hints = {.ai_socktype = SOCK_STREAM}, *found = NULL;
	char service[16];
	snprintf(service, sizeof service, "%u", port);
	int error = getaddrinfo(target->host, service, &hints, &found);
	if (error) return fault_set(why, FAULT_NOT_FOUND, "--url: %s: %s", target->host, gai_strerror(error));
	memcpy(&target->address, found->ai_addr, found->ai_addrlen);
	target->address_size = found->ai_addrlen;
	freeaddrinfo(found);
	return true;
}

bool bench_target_read(struct bench_target *target, const char *url, const char *path,
	struct fault *why) {
	struct slice rest = slice_of(url), authority, host;
	unsigned port;
	if (slice_starts_with(rest, "ws://")) rest = slice_of(url + 5);
	else if (slice_starts_with(rest, "http://")) rest = slice_of(url + 7);
	else return fault_set(why, FAULT_BAD_INPUT,
		"--url: '%.100s' is no ws://HOST:PORT or http://HOST:PORT (TLS is not measured)", url);
	const char *slash = memchr(rest.bytes, '/', rest.length);
	authority = slash ? slice_make(rest.bytes, (size_t)(slash - rest.bytes)) : rest;
	if (slash && slash[1]) path = slash;
	if (!http1_authority(authority, &host, &port) || host.length >= sizeof target->host ||
		strlen(path) >= sizeof target->path)
		return fault_set(why, FAULT_BAD_INPUT, "--url: '%.100s' is no ws://HOST:PORT or http://HOST:PORT", url);
	snprintf(target->host, sizeof target->host, "%.*s", SLICE_ARGS(host));
	snprintf(target->path, sizeof target->path, "%s", path);
	return resolve(target, port ? port : 80, why);
}

void bench_target_authority(const struct bench_target *target, char *authority, size_t size) {
	bool is_six = strchr(target->host, ':') != NULL;
	unsigned port = ntohs(((const struct sockaddr_in *)&target->address)->sin_port);
	snprintf(authority, size, "%s%s%s:%u", is_six ? "[" : "", target->host, is_six ? "]" : "", port);
}

int bench_target_connect(const struct bench_target *target, struct fault *why) {
	int yes = 1, descriptor = socket(target->address.ss_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (descriptor < 0) {
		fault_errno(why, errno, "no socket");
		return -1;
	}
	if (connect(descriptor, (const struct sockaddr *)&target->address, target->address_size) != 0) {
		fault_errno(why, errno, "cannot connect");
		close(descriptor);
		return -1;
	}
	setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
	fcntl(descriptor, F_SETFL, O_NONBLOCK);
	return descriptor;
}

void bench_target_raise_descriptors(void) {
	struct rlimit limit;
	if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
	limit.rlim_cur = limit.rlim_max;
	setrlimit(RLIMIT_NOFILE, &limit);
}
