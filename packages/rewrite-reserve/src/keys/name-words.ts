/** Words that the 32 bytes of a name or hash take. */
export const NAME_WORDS = 8;

/** Writes 32 bytes as eight words, most significant byte first: comparing the words is comparing the bytes. */
export function writeNameWords(name: Uint8Array, words: Uint32Array, at: number): void {
  for (let word = 0, byte = 0; word < NAME_WORDS; word++, byte += 4) {
    words[at + word] = (name[byte]! << 24) | (name[byte + 1]! << 16) | (name[byte + 2]! << 8) | name[byte + 3]!;
  }
}
