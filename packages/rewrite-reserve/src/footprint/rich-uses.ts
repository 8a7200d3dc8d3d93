/**
 * What an interner has made of the uses of a footprint with adds or paths. The tight loop over codes knows reads and writes of single
 * resources and stays as fast as it is; everything else goes by this.
 */
export class RichUses {
  /** The serial number of the interner that `compiled` is from; 0 for none. */
  owner = 0;
  compiled: unknown = undefined;
}
