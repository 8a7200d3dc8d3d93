import type { Options } from 'tsup';

export declare function entriesOf(manifest: unknown, exists?: (path: string) => boolean): Record<string, string>;
export declare function horaePackage(overrides?: Options & { apart?: string[] }): Options;
