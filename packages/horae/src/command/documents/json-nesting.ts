/** The deepest nesting of a document: what reads and checks one deeper calls itself once per level. */
export const MAX_NESTING = 64;

/** Whether lists and maps of a JSON text stand inside each other more than 64 deep. */
export function isNestedTooDeeply(json: string): boolean {
  let depth = 0;
  let isInText = false;
  for (let at = 0; at < json.length; at++) {
    const sign = json[at];
    if (isInText) {
      if (sign === '\\') at += 1;
      else if (sign === '"') isInText = false;
    } else if (sign === '"') isInText = true;
    else if (sign === '[' || sign === '{') {
      depth += 1;
      if (depth > MAX_NESTING) return true;
    } else if (sign === ']' || sign === '}') depth -= 1;
  }
  return false;
}
