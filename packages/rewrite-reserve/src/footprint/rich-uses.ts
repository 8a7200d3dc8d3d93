/**
 * The uses of a footprint with adds or paths, as compiled by an interner. The tight loop over codes handles reads and writes of single
 * resources only and stays fast; everything else uses this.
 */
export class RichUses {
  /** The serial number of the interner that `compiled` is from; 0 for none. */
  owner = 0;
  compiled: unknown = undefined;
}
