export { type SqlTaskStoreOptions, sqlTaskStore } from './sql-task-store.js';
