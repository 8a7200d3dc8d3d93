// Written out instead of taken from Node: receipts are made and checked synchronously, in browsers too, where the platform
// only offers an asynchronous digest. One implementation everywhere is also one set of bytes everywhere.

/** First 32 bits of the fractional parts of the cube roots of the first 64 primes. */
const ROUND_WORDS = fractionsOfRoots(64, 1 / 3);
/** The same of the square roots of the first eight primes. */
const FIRST_STATE = fractionsOfRoots(8, 1 / 2);

/** SHA-256 over bytes that come in pieces. */
export class Sha256 {
  private readonly state = Int32Array.from(FIRST_STATE);
  private readonly schedule = new Int32Array(64);
  private readonly block = new Uint8Array(64);
  private filled = 0;
  private length = 0;

  update(bytes: Uint8Array): this {
    this.length += bytes.length;
    for (let at = 0; at < bytes.length; ) {
      const taken = Math.min(64 - this.filled, bytes.length - at);
      this.block.set(bytes.subarray(at, at + taken), this.filled);
      this.filled += taken;
      at += taken;
      if (this.filled === 64) this.mixBlock();
    }
    return this;
  }

  /** The 32 bytes of the digest. The object cannot be used afterwards. */
  digest(): Uint8Array {
    const bits = this.length * 8;
    this.block[this.filled++] = 0x80;
    this.block.fill(0, this.filled);
    if (this.filled > 56) {
      this.mixBlock();
      this.block.fill(0);
    }
    const view = new DataView(this.block.buffer);
    view.setUint32(56, Math.floor(bits / 2 ** 32));
    view.setUint32(60, bits >>> 0);
    this.mixBlock();
    const digest = new Uint8Array(32);
    const out = new DataView(digest.buffer);
    for (const [at, word] of this.state.entries()) out.setInt32(at * 4, word);
    return digest;
  }

  private mixBlock(): void {
    this.filled = 0;
    const { schedule: w, state } = this;
    this.expand();
    let [a, b, c, d, e, f, g, h] = state as unknown as [number, number, number, number, number, number, number, number];
    for (let round = 0; round < 64; round++) {
      const s1 = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25);
      const first = (h + s1 + ((e & f) ^ (~e & g)) + ROUND_WORDS[round]! + w[round]!) | 0;
      const s0 = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22);
      const second = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
      h = g;
      g = f;
      f = e;
      e = (d + first) | 0;
      d = c;
      c = b;
      b = a;
      a = (first + second) | 0;
    }
    state[0] = state[0]! + a;
    state[1] = state[1]! + b;
    state[2] = state[2]! + c;
    state[3] = state[3]! + d;
    state[4] = state[4]! + e;
    state[5] = state[5]! + f;
    state[6] = state[6]! + g;
    state[7] = state[7]! + h;
  }

  private expand(): void {
    const { schedule: w, block } = this;
    for (let at = 0, byte = 0; at < 16; at++, byte += 4) {
      w[at] = (block[byte]! << 24) | (block[byte + 1]! << 16) | (block[byte + 2]! << 8) | block[byte + 3]!;
    }
    for (let at = 16; at < 64; at++) {
      const two = w[at - 2]!;
      const fifteen = w[at - 15]!;
      const s1 = rotate(two, 17) ^ rotate(two, 19) ^ (two >>> 10);
      const s0 = rotate(fifteen, 7) ^ rotate(fifteen, 18) ^ (fifteen >>> 3);
      w[at] = (s1 + w[at - 7]! + s0 + w[at - 16]!) | 0;
    }
  }
}

function rotate(word: number, bits: number): number {
  return (word >>> bits) | (word << (32 - bits));
}

function fractionsOfRoots(count: number, power: number): Int32Array {
  const words = new Int32Array(count);
  for (let candidate = 2, found = 0; found < count; candidate++) {
    let prime = true;
    for (let divisor = 2; divisor * divisor <= candidate; divisor++) if (candidate % divisor === 0) prime = false;
    if (!prime) continue;
    const root = candidate ** power;
    words[found++] = Math.floor((root - Math.floor(root)) * 2 ** 32);
  }
  return words;
}
