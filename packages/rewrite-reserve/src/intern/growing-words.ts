/** A copy of `words` with room for at least `needed` entries; doubling keeps the cost per added entry constant. */
export function grown(words: Uint32Array, needed: number): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(Math.max(needed, words.length * 2));
  larger.set(words);
  return larger;
}
