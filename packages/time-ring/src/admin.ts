export { createRingAdmin, type RingAdmin, type RingRoute } from './admin/ring-admin.js';
