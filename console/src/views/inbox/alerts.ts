// SPDX-License-Identifier: Apache-2.0
/**
 * Alerts: desktop notifications of new questions, on wish and in this browser alone. They say who asks for what, never the arguments;
 * a click opens the question.
 */
import { signal } from '@preact/signals';
import type { Decision } from 'hustings-client';
import { standingOf, whenAsked } from '../../stores/decisions';
import { go, to } from '../../stores/route';
import { session } from '../../stores/session';
import { KINDS, storyOf } from './words';

const KEY = 'hustings.alerts';

export type AlertState = 'on' | 'off' | 'refused' | 'none';

function kept(): AlertState {
	if (!('Notification' in globalThis)) return 'none';
	if (Notification.permission === 'denied') return 'refused';
	return Notification.permission === 'granted' && localStorage.getItem(KEY) === 'on' ? 'on' : 'off';
}

export const alerts = signal<AlertState>(kept());

export async function switchAlerts(): Promise<void> {
	const wish = alerts.value === 'on' ? 'off' : 'on';
	if (wish === 'on' && Notification.permission === 'default') await Notification.requestPermission();
	localStorage.setItem(KEY, wish);
	alerts.value = kept();
}

function show(decision: Decision): void {
	if (alerts.value !== 'on' || !session.value || standingOf(decision) === 'own') return;
	try {
		const alert = new Notification(`${KINDS[decision.kind]} waits for you`, { body: storyOf(decision).title, tag: decision.id });
		alert.onclick = () => {
			window.focus();
			go(`${to('inbox')}?id=${encodeURIComponent(decision.id)}`);
			alert.close();
		};
	} catch {
		/* some browsers take notifications from service workers alone */
		alerts.value = 'none';
	}
}

whenAsked(show);
