// The ring of sixty slots by itself, without a scheduler around it.
export { createRing, type Ring } from './wheel/ring.js';
export type { RingEntry } from './wheel/ring-entry.js';
