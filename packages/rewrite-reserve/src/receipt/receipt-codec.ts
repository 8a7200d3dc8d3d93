import { is32Bytes, isU32 } from '../keys/key-forms.js';
import { RewriteInputError } from '../keys/rewrite-errors.js';
import { ByteWriter } from './byte-writer.js';
import { RECEIPT_VERSION } from './receipt.js';
import type { Receipt, ReceiptDigests, ReceiptEntry } from './receipt-shape.js';

// Layout, numbers with the most significant byte first:
//   'HRRC'  version u32  entry count u32  entries...  plan 32  decisions 32  accepted 32
//   entry: flags u8 (1 accepted, 2 has a rule id)  scopeHash 32  compactRule u32  [ruleId 32]  count u32  blockedBy u32...
const MAGIC = 0x48525243;
const ACCEPTED = 1;
const HAS_RULE_ID = 2;
const SMALLEST_ENTRY = 1 + 32 + 4 + 4;
const DIGEST_NAMES = ['plan', 'decisions', 'accepted'] as const;

/** The bytes of a receipt: one form only, so equal receipts have equal bytes. Throws 'bad-receipt' for anything that is not a receipt. */
export function encodeReceipt(receipt: Receipt): Uint8Array {
  const problem = shapeProblem(receipt);
  if (problem !== undefined) throw badReceipt(problem, receipt);
  const writer = new ByteWriter().u32(MAGIC).u32(receipt.version).u32(receipt.entries.length);
  for (const { scopeHash, compactRule, ruleId, accepted, blockedBy } of receipt.entries) {
    writer.u8((accepted ? ACCEPTED : 0) | (ruleId === undefined ? 0 : HAS_RULE_ID));
    writer.raw(scopeHash).u32(compactRule);
    if (ruleId !== undefined) writer.raw(ruleId);
    writer.u32(blockedBy.length);
    for (const index of blockedBy) writer.u32(index);
  }
  for (const name of DIGEST_NAMES) writer.raw(receipt.digests[name]);
  return writer.written().slice();
}

/** The receipt in `bytes`. Throws 'bad-receipt' unless they are exactly what `encodeReceipt` writes for some receipt. */
export function decodeReceipt(bytes: Uint8Array): Receipt {
  if (!(bytes instanceof Uint8Array)) throw badReceipt('a receipt is read from a Uint8Array', bytes);
  const reader = new ReceiptReader(bytes);
  if (reader.u32() !== MAGIC) throw badReceipt('the bytes do not begin like a receipt', bytes);
  const version = reader.u32();
  const count = reader.u32();
  reader.expect(count * SMALLEST_ENTRY);
  const entries: ReceiptEntry[] = [];
  for (let index = 0; index < count; index++) entries.push(reader.entry());
  const digests: ReceiptDigests = { plan: reader.raw32(), decisions: reader.raw32(), accepted: reader.raw32() };
  if (reader.left() !== 0) throw badReceipt(`${reader.left()} bytes follow the receipt`, bytes);
  const receipt = { version, entries: Object.freeze(entries), digests: Object.freeze(digests) };
  const problem = shapeProblem(receipt);
  if (problem !== undefined) throw badReceipt(problem, bytes);
  return Object.freeze(receipt);
}

/** The reason why a value is not a receipt, or undefined. `verifyReceipt` decides whether it is a true one. */
export function shapeProblem(receipt: Receipt): string | undefined {
  if (receipt?.version !== RECEIPT_VERSION) return `the version is ${String(receipt?.version)}, not ${RECEIPT_VERSION}`;
  if (!Array.isArray(receipt.entries)) return 'there is no list of entries';
  for (const name of DIGEST_NAMES) if (!is32Bytes(receipt.digests?.[name])) return `digests.${name} is not 32 bytes`;
  for (const [index, entry] of receipt.entries.entries()) {
    const problem = entryProblem(entry, index);
    if (problem !== undefined) return `entry ${index}: ${problem}`;
  }
  return undefined;
}

function entryProblem(entry: ReceiptEntry, index: number): string | undefined {
  if (typeof entry !== 'object' || entry === null) return 'not an object';
  if (!is32Bytes(entry.scopeHash)) return 'scopeHash is not 32 bytes';
  if (!isU32(entry.compactRule)) return 'compactRule is not an unsigned 32-bit integer';
  if (entry.ruleId !== undefined && !is32Bytes(entry.ruleId)) return 'ruleId is not 32 bytes';
  if (typeof entry.accepted !== 'boolean') return 'accepted is not a boolean';
  if (!Array.isArray(entry.blockedBy)) return 'blockedBy is not a list';
  for (const [at, blocker] of entry.blockedBy.entries()) {
    if (!isU32(blocker) || blocker >= index) return `blockedBy[${at}] is not the index of an earlier entry`;
    if (at > 0 && blocker <= entry.blockedBy[at - 1]!) return 'blockedBy is not ascending';
  }
  return undefined;
}

class ReceiptReader {
  private at = 0;
  private readonly view: DataView;

  constructor(private readonly bytes: Uint8Array) {
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  left(): number {
    return this.bytes.length - this.at;
  }

  /** Refuses a count that cannot be true before anything is allocated for it. */
  expect(count: number): void {
    if (this.left() < count) throw badReceipt(`it ends after ${this.bytes.length} bytes, too early`, this.bytes);
  }

  u32(): number {
    this.expect(4);
    this.at += 4;
    return this.view.getUint32(this.at - 4);
  }

  raw32(): Uint8Array {
    this.expect(32);
    this.at += 32;
    return new Uint8Array(this.bytes.subarray(this.at - 32, this.at));
  }

  entry(): ReceiptEntry {
    this.expect(SMALLEST_ENTRY);
    const flags = this.bytes[this.at++]!;
    if ((flags & ~(ACCEPTED | HAS_RULE_ID)) !== 0)
      throw badReceipt(`an entry has the unknown flags ${flags}`, this.bytes);
    const identity = { scopeHash: this.raw32(), compactRule: this.u32() };
    const named = (flags & HAS_RULE_ID) === 0 ? identity : { ...identity, ruleId: this.raw32() };
    const count = this.u32();
    this.expect(count * 4);
    const blockedBy = Object.freeze(Array.from({ length: count }, () => this.u32()));
    return Object.freeze({ ...named, accepted: (flags & ACCEPTED) !== 0, blockedBy });
  }
}

function badReceipt(problem: string, value: unknown): RewriteInputError {
  return new RewriteInputError('bad-receipt', `Not a receipt: ${problem}`, { field: 'receipt', value });
}
