import { nearestName } from '../footprint/nearest-name.js';
import { RewriteArgumentError } from '../keys/rewrite-errors.js';

/** Throws for options that are not an object, and for an unknown name: a misspelt constraint would order nothing. */
export function checkOptions(options: unknown, known: readonly string[]): void {
  if (typeof options !== 'object' || options === null || Array.isArray(options))
    throw new RewriteArgumentError('options must be an object', { field: 'options', value: options });
  for (const [field, value] of Object.entries(options)) {
    if (known.includes(field)) continue;
    const nearest = nearestName(field, known);
    const text = `There is no option ${JSON.stringify(field.slice(0, 64))}; did you mean ${nearest}? Known: ${known.join(', ')}`;
    throw new RewriteArgumentError(text, { field, value, nearest });
  }
}
