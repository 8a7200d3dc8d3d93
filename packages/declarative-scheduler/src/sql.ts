export { type SqlTaskStoreOptions, sqlTaskStore } from './store/sql-task-store.js';
