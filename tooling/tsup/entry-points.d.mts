interface EntryManifest {
  exports?: Record<string, unknown>;
}

export declare function subpathsOf(manifest: EntryManifest): string[];
export declare function entryName(subpath: string): string;
export declare function subpathsForNode(manifest: EntryManifest): string[];
export declare function nodeEntryName(subpath: string): string;
export declare function entryFields(manifest: EntryManifest): Record<string, unknown>;
