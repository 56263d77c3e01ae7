/* SPDX-License-Identifier: Apache-2.0 */
/* Bench run: beginning, measuring, printing. */
#include "cli/bench_run.h"

#include "base/clock.h"

bool bench_run_open(struct bench_run *run, const struct command_form *form,
	const struct bench_number *numbers, int argc, char **argv, int *status) {
	uint64_t process;
	*run = (struct bench_run){.report.title = form->name, .peers.epoll = -1};
	if (!command_read(&run->line, form, argc, argv, status)) return false;
	*status = COMMAND_USAGE;
	if (!command_value(&run->line, "url") && !run->line.rest_count) {
		command_misuse(form, "--url is missing: which gateway? Like --url %s://127.0.0.1:7410",
			form->has_rest ? "http" : "ws");
		return false;
	}
	if (!command_number(&run->line, "pid", 1, INT32_MAX, 0, &process)) return false;
	run->process = (unsigned)process;
	for (; numbers->name; numbers++) {
		if (!command_number(&run->line, numbers->name, numbers->least, numbers->most, numbers->otherwise,
			    numbers->value))
			return false;
	}
	return true;
}

void bench_run_close(struct bench_run *run) {
	bench_peers_close(&run->peers);
	command_finish(&run->line);
}

bool bench_run_begin(struct bench_run *run, struct fault *why) {
	run->began_us = clock_monotonic_us();
	return !run->process || bench_usage_read(run->process, &run->before, why);
}

bool bench_run_end(struct bench_run *run, uint64_t count, const char *what, struct fault *why) {
	struct bench_usage now;
	double seconds = (double)(clock_monotonic_us() - run->began_us) / 1e6;
	bench_report_add(&run->report, what, (double)count, "");
	bench_report_add(&run->report, "seconds", seconds, "");
	if (seconds > 0) bench_report_add(&run->report, "rate", (double)count / seconds, "per_s");
	if (!run->process) return true;
	if (!bench_usage_read(run->process, &now, why)) return false;
	double cpu_ns = (double)(now.cpu_ns - run->before.cpu_ns);
	bench_report_add(&run->report, "server_cpu", cpu_ns / 1e6, "ms");
	if (count) bench_report_add(&run->report, "server_cpu_each", cpu_ns / (double)count, "ns");
	bench_report_add(&run->report, "server_cpu_exact", now.is_exact, "");
	bench_report_add(&run->report, "server_resident", (double)now.resident, "octets");
	return true;
}

int bench_run_print(struct bench_run *run) {
	AUTO_TEXT struct text text = {0};
	text_init(&text, 0);
	bench_report_write(&run->report, command_has(&run->line, "json"), &text);
	return command_print(text_slice(&text)) ? COMMAND_FINE : COMMAND_FAILED;
}

void bench_envelope(const struct bench_run *run, struct text *to, uint64_t number, size_t filler) {
	static const char letters[] = "all work and no play makes a dull room; ";
	text_clear(to);
	text_printf(to, "{\"protocol\":\"mcpx/v0.1\","
			"\"id\":\"bench-id-%s-%llu\",\"kind\":\"chat\",\"payload\":{\"text\":\"",
		run->peers.run, (unsigned long long)number);
	for (size_t left = filler; left > 0;) {
		size_t part = left < sizeof letters - 1 ? left : sizeof letters - 1;
		text_add(to, slice_make(letters, part));
		left -= part;
	}
	text_add_cstr(to, "\"}}");
}

bool bench_number_of(struct slice text, uint64_t *number) {
	static const char mark[] = "\"bench-id-";
	const char *at = memmem(text.bytes, text.length, mark, sizeof mark - 1);
	const char *end = text.bytes + text.length;
	if (!at || end - at < (ptrdiff_t)sizeof mark + 10) return false;
	at += sizeof mark - 1 + 9; /* eight digits of the run and a dash */
	const char *first = at;
	uint64_t value = 0;
	for (; at < end && *at >= '0' && *at <= '9' && at - first < 19; at++)
		value = value * 10 + (uint64_t)(*at - '0');
	*number = value;
	return at > first && at < end && *at == '"';
}
