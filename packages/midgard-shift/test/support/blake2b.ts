/** BLAKE2b (RFC 7693) without a key, for digests that Node has not: the ledger's have 32 bytes. Slow, and written from the RFC alone. */
export function blake2b(input: Uint8Array, size: number): Uint8Array {
  const h = IV.slice();
  h[0]! ^= 0x0101_0000n ^ BigInt(size);
  const blocks = Math.max(1, Math.ceil(input.length / 128));
  for (let at = 0; at < blocks; at++) {
    const block = new Uint8Array(128);
    block.set(input.subarray(at * 128, at * 128 + 128));
    const isLast = at === blocks - 1;
    compress(h, block, BigInt(isLast ? input.length : (at + 1) * 128), isLast);
  }
  const out = new DataView(new ArrayBuffer(64));
  for (const [at, word] of h.entries()) out.setBigUint64(at * 8, word, true);
  return new Uint8Array(out.buffer).slice(0, size);
}

const MASK = (1n << 64n) - 1n;
const IV = [
  0x6a09e667f3bcc908n,
  0xbb67ae8584caa73bn,
  0x3c6ef372fe94f82bn,
  0xa54ff53a5f1d36f1n,
  0x510e527fade682d1n,
  0x9b05688c2b3e6c1fn,
  0x1f83d9abfb41bd6bn,
  0x5be0cd19137e2179n,
];
const SIGMA = [
  '0123456789abcdef',
  'ea489fd61c02b753',
  'b8c052fdae367194',
  '7931dcbe265a40f8',
  '905724afe1bc683d',
  '2c6a0b834d75fe19',
  'c51fed4a0763928b',
  'db7ec13950f4862a',
  '6fe9b308c2d714a5',
  'a2847615fb9e3cd0',
].map((row) => [...row].map((digit) => Number.parseInt(digit, 16)));
const COLUMNS = [
  [0, 4, 8, 12],
  [1, 5, 9, 13],
  [2, 6, 10, 14],
  [3, 7, 11, 15],
  [0, 5, 10, 15],
  [1, 6, 11, 12],
  [2, 7, 8, 13],
  [3, 4, 9, 14],
] as const;

function compress(h: bigint[], block: Uint8Array, length: bigint, isLast: boolean): void {
  const view = new DataView(block.buffer);
  const v = [...h, ...IV];
  v[12]! ^= length;
  if (isLast) v[14]! ^= MASK;
  const turn = (word: bigint, by: bigint) => ((word >> by) | (word << (64n - by))) & MASK;
  for (let round = 0; round < 12; round++) {
    const order = SIGMA[round % 10]!;
    for (const [at, [a, b, c, d]] of COLUMNS.entries()) {
      const [x, y] = [2 * at, 2 * at + 1].map((place) => view.getBigUint64(order[place]! * 8, true)) as [
        bigint,
        bigint,
      ];
      v[a] = (v[a]! + v[b]! + x) & MASK;
      v[d] = turn(v[d]! ^ v[a]!, 32n);
      v[c] = (v[c]! + v[d]!) & MASK;
      v[b] = turn(v[b]! ^ v[c]!, 24n);
      v[a] = (v[a]! + v[b]! + y) & MASK;
      v[d] = turn(v[d]! ^ v[a]!, 16n);
      v[c] = (v[c]! + v[d]!) & MASK;
      v[b] = turn(v[b]! ^ v[c]!, 63n);
    }
  }
  for (let at = 0; at < 8; at++) h[at]! ^= v[at]! ^ v[at + 8]!;
}
