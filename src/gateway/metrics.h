/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Metrics: is it alive, is it ready, how is it doing.
 */
#ifndef HUSTINGS_GATEWAY_METRICS_H
#define HUSTINGS_GATEWAY_METRICS_H

#include "gateway/exchange.h"

void metrics_health(struct exchange *exchange); /* GET /healthz */
void metrics_ready(struct exchange *exchange);  /* GET /readyz */
void metrics_show(struct exchange *exchange);   /* GET /metrics: Prometheus text */

#endif
