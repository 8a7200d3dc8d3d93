export { type ConsoleAuth, ConsoleOptionError, type ConsoleOptions, type OidcAuth } from './access/console-options.js';
export { type Console, createConsole, type NodeRequestLike } from './create-console.js';
export type { Role } from './wire/accounts.js';
