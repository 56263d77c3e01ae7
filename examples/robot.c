/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Robot: sits in a room and can be moved about on a plane. A move takes time, tells how far it got,
 * and stops when whoever asked for it cancels.
 *
 *     robot URL TOPIC [--id ID] [--speed UNITS_PER_SECOND]
 *
 * Outside this tree: cc robot.c $(pkg-config --cflags --libs hustings) -lm
 *
 * It shows a program with a loop of its own (poll) in which the room is one descriptor among
 * others. A token is taken from $HUSTINGS_TOKEN.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE 1
#endif

#include <hustings.h>

#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define TICK 50 /* ms between two steps of a move */
#define FARTHEST 1e6

struct robot {
	double x, y;
	double speed;
	double to_x, to_y;                /* of the move under way */
	double whole;                     /* its length */
	struct hustings_request *request; /* who asked for it; NULL: it stands */
	int is_over;
	int failed;
};

static volatile sig_atomic_t is_stopped;

static double now(void) {
	struct timespec at;
	clock_gettime(CLOCK_MONOTONIC, &at);
	return (double)at.tv_sec + (double)at.tv_nsec / 1e9;
}

/* ---- Moving ---- */

static void print_place(const struct robot *robot, char *json, size_t size) {
	snprintf(json, size, "{\"x\":%.3f,\"y\":%.3f,\"moving\":%s}", robot->x, robot->y,
		robot->request ? "true" : "false");
}

static void arrive(struct robot *robot) {
	char json[160];
	struct hustings_request *request = robot->request;
	robot->request = NULL;
	print_place(robot, json, sizeof json);
	hustings_answer_json(request, json);
}

static void step(struct robot *robot, double seconds) {
	double left_x = robot->to_x - robot->x, left_y = robot->to_y - robot->y;
	double left = hypot(left_x, left_y), way = robot->speed * seconds;
	if (way >= left) {
		robot->x = robot->to_x;
		robot->y = robot->to_y;
		arrive(robot);
		return;
	}
	robot->x += left_x / left * way;
	robot->y += left_y / left * way;
	hustings_report(robot->request, robot->whole - (left - way), robot->whole, NULL);
}

/* ---- The tools ---- */

static int coordinate(struct hustings_json arguments, const char *name, double *number) {
	struct hustings_json value;
	return hustings_json_find(arguments, name, &value) && hustings_json_number(value, number) &&
		fabs(*number) <= FARTHEST;
}

static void move(void *context, struct hustings_request *request, struct hustings_json arguments) {
	struct robot *robot = context;
	double x, y;
	if (!coordinate(arguments, "x", &x) || !coordinate(arguments, "y", &y)) {
		hustings_answer_failure(request, "x and y are due, numbers within %.0f", FARTHEST);
		return;
	}
	if (robot->request) {
		hustings_answer_failure(request, "a move of %s's is under way", hustings_request_from(robot->request));
		return;
	}
	robot->to_x = x;
	robot->to_y = y;
	robot->whole = hypot(x - robot->x, y - robot->y);
	robot->request = request; /* answered when it has arrived */
}

static void stop_moving(void *context, struct hustings_request *request) {
	struct robot *robot = context;
	if (robot->request != request) return;
	robot->request = NULL;
	hustings_answer_text(request, "stopped");
}

static void where(void *context, struct hustings_request *request,
	struct hustings_json arguments) {
	char json[160];
	(void)arguments;
	print_place(context, json, sizeof json);
	hustings_answer_json(request, json);
}

static int offer(struct hustings *hustings, struct robot *robot, struct hustings_error *error) {
	struct hustings_tool moving = {
		.name = "move",
		.description = "Goes to a place on the plane, in a straight line, and answers when it is there.",
		.schema = "{\"type\":\"object\",\"properties\":{\"x\":{\"type\":\"number\"},"
			  "\"y\":{\"type\":\"number\"}},\"required\":[\"x\",\"y\"]}",
		.effect = HUSTINGS_EFFECT_ADDITIVE,
		.run = move,
		.cancelled = stop_moving,
		.context = robot,
	};
	struct hustings_tool looking = {
		.name = "where",
		.description = "Tells where the robot is, and whether it moves.",
		.effect = HUSTINGS_EFFECT_NONE,
		.run = where,
		.context = robot,
	};
	return hustings_offer(hustings, &moving, error) && hustings_offer(hustings, &looking, error);
}

/* ---- The room ---- */

static void joined(void *context, struct hustings_room *room, bool again) {
	(void)context;
	fprintf(stderr, "%s as %s\n", again ? "back" : "joined", hustings_id(room));
}

static void ended(void *context, struct hustings_room *room, const struct hustings_error *why) {
	struct robot *robot = context;
	(void)room;
	fprintf(stderr, "robot: %s\n", why->text);
	robot->failed = robot->is_over = 1;
}

static const struct hustings_room_events events = {.joined = joined, .ended = ended};

/* ---- The loop ---- */

static void stop(int number) {
	(void)number;
	is_stopped = 1;
}

static int wait_for(const struct hustings *hustings, const struct robot *robot) {
	struct pollfd ready = {.fd = hustings_descriptor(hustings), .events = POLLIN};
	int patience = hustings_patience(hustings), longest = robot->request ? TICK : 1000;
	if (patience < 0 || patience > longest) patience = longest;
	return poll(&ready, 1, patience);
}

static void live(struct hustings *hustings, struct robot *robot) {
	double before = now();
	while (!robot->is_over && !is_stopped) {
		(void)wait_for(hustings, robot);
		double at = now();
		int is_moving = robot->request != NULL;
		if (is_moving && (at - before) * 1000 >= TICK) {
			step(robot, at - before);
			before = at;
		}
		hustings_step(hustings, 0);
		if (!is_moving) before = at; /* a move begins now, not when the last one ended */
	}
}

static int run(struct robot *robot, struct hustings_room_options *options) {
	struct hustings_error error;
	struct hustings *hustings = hustings_open("robot", "1.0", &error);
	struct hustings_room *room = NULL;
	if (hustings && offer(hustings, robot, &error))
		room = hustings_join(hustings, options, &events, robot, &error);
	if (room) {
		signal(SIGINT, stop);
		signal(SIGTERM, stop);
		live(hustings, robot);
	} else {
		fprintf(stderr, "robot: %s\n", error.text);
		robot->failed = 1;
	}
	hustings_close(hustings);
	return robot->failed;
}

static int usage(void) {
	fprintf(stderr, "usage: robot URL TOPIC [--id ID] [--speed UNITS_PER_SECOND]\n");
	return 2;
}

int main(int argc, char **argv) {
	struct robot robot = {.speed = 10};
	struct hustings_room_options options = {.name = "Robot", .kind = HUSTINGS_KIND_ROBOT};
	for (int i = 1; i < argc; i++) {
		if (strcmp(argv[i], "--id") == 0 && i + 1 < argc) options.id = argv[++i];
		else if (strcmp(argv[i], "--speed") == 0 && i + 1 < argc) robot.speed = atof(argv[++i]);
		else if (argv[i][0] == '-') return usage();
		else if (!options.url) options.url = argv[i];
		else if (!options.topic) options.topic = argv[i];
		else return usage();
	}
	if (!options.topic || !(robot.speed > 0)) return usage();
	return run(&robot, &options);
}
