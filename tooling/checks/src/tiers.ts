/** Where each package stands; imports go to lower tiers only. */
export const tiers: Readonly<Record<string, number>> = {
  '@horae/clock-store': 0,
  '@horae/cron-grammar': 1,
  '@horae/rewrite-reserve': 1,
  '@horae/epoch-sim': 2,
  '@horae/midgard-shift': 1,
  '@horae/declarative-scheduler': 2,
  '@horae/time-ring': 2,
  // Between the engines and the umbrella, whose command shows it.
  '@horae/console': 2.5,
  horae: 3,
  '@horae/demo': 4,
};

/** The workspace package that an import specifier names, without its subpath; undefined for anything else. */
export function workspacePackageOf(specifier: string): string | undefined {
  return Object.keys(tiers).find((name) => specifier === name || specifier.startsWith(`${name}/`));
}
