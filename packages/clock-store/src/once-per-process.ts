/**
 * The one value of this name in the process, made by the first caller. A package can be loaded twice, as ESM and as CommonJS;
 * what both copies must agree on (the transaction that is running here, the gate of a file) is kept outside of either. The name
 * ends in a number that grows when the shape of the value changes, so that two versions do not share it.
 *
 * @__NO_SIDE_EFFECTS__ Bundlers drop a call whose value is not used.
 */
export function oncePerProcess<T extends object>(name: `${string}.${number}`, create: () => T): T {
  const shared = globalThis as unknown as Record<symbol, T | undefined>;
  const key = Symbol.for(`horae.${name}`);
  shared[key] ??= create();
  return shared[key];
}
