interface RootManifest {
  repository: { type: string; url: string };
  bugs: string;
}

export declare function registryFields(rootManifest: RootManifest, folder: string): Record<string, unknown>;
