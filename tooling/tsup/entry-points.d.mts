interface EntryManifest {
  exports?: Record<string, unknown>;
}

export interface EntryPoint {
  import: { types: string; default: string };
  require: { types: string; default: string };
}

export declare function subpathsOf(manifest: EntryManifest): string[];
export declare function entryName(subpath: string): string;
export declare function entryPoint(name: string): EntryPoint;
export declare function entryFields(manifest: EntryManifest): Record<string, unknown>;
