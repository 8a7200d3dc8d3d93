import type { AboutView } from '../../wire/accounts.js';
import { createStore } from '../words/store.js';
import { ask } from './api.js';

/** The server's description; null until it has arrived. */
export const about = createStore<AboutView | null>(null);

export async function loadAbout(): Promise<void> {
  about.set(await ask<AboutView>('console/about'));
}
