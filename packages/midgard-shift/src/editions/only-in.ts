import { checkedEdition, type Edition } from '../state/edition.js';
import { refuse } from '../state/midgard-input-error.js';

/** Refuses options that name another edition than the one a datum exists in; `instead` is what to call there. */
export function onlyIn(edition: Edition, options: { readonly edition?: Edition }, instead: string): void {
  if (options.edition === undefined || checkedEdition('options.edition', options.edition) === edition) return;
  refuse('options.edition', `'${edition}', the only edition with this datum; call ${instead}`, options.edition);
}
