import { canonicalFootprint } from '../footprint/footprint.js';
import type { Footprint } from '../footprint/footprint-sets.js';
import { isPathKey, pathOf } from '../keys/path-keys.js';
import type { AttachmentKey, Id, NodeKey, PathKey, PortKey, ResourceKey } from '../keys/resource-keys.js';
import { Sha256 } from '../keys/sha256.js';
import type { PendingRewrite } from '../reserve/pending-rewrite.js';
import { ByteWriter } from './byte-writer.js';
import type { ReceiptDigests, ReceiptEntry } from './receipt-shape.js';

/**
 * The three digests of a receipt. `plan` covers every candidate in order with its scope and footprint, `decisions` the plan
 * and what was decided with the blockers, `accepted` the accepted rewrites in order.
 */
export function digestsOf(candidates: readonly PendingRewrite[], entries: readonly ReceiptEntry[]): ReceiptDigests {
  const footprints = candidates.map(({ footprint }) => canonicalFootprint(footprint));
  // Sets of adds are covered when there is one in the batch: all other batches keep the digest they have always had.
  const withAdds = footprints.some(({ nAdd, eAdd, aAdd }) => nAdd.length + eAdd.length + aAdd.length > 0);
  const plan = digest(withAdds ? 'plan-with-adds' : 'plan', candidates, (writer, candidate, index) => {
    writeIdentity(writer, candidate);
    writeNamed(writer, candidate.scope);
    writeFootprint(writer, footprints[index]!, withAdds);
  });
  const decisions = digest(
    'decisions',
    entries,
    (writer, { accepted, blockedBy }) => {
      writer.u8(accepted ? 1 : 0).u32(blockedBy.length);
      for (const index of blockedBy) writer.u32(index);
    },
    plan,
  );
  const held = entries.filter(({ accepted }) => accepted);
  return { plan, decisions, accepted: digest('accepted', held, writeIdentity) };
}

/** Every digest begins with its own name, so that no two of them can be taken for each other. */
function digest<Item>(
  name: string,
  items: readonly Item[],
  write: (writer: ByteWriter, item: Item, index: number) => void,
  prefix: Uint8Array = new Uint8Array(0),
): Uint8Array {
  const sha = new Sha256();
  const writer = new ByteWriter().text(`horae.rewrite-reserve.${name}.1`).raw(prefix).u32(items.length);
  for (const [index, item] of items.entries()) {
    sha.update(writer.written());
    writer.reset();
    write(writer, item, index);
  }
  return sha.update(writer.written()).digest();
}

function writeIdentity(writer: ByteWriter, { scopeHash, compactRule, ruleId }: PendingRewrite | ReceiptEntry): void {
  writer.raw(scopeHash).u32(compactRule);
  writer.u8(ruleId === undefined ? 0 : 1);
  if (ruleId !== undefined) writer.raw(ruleId);
}

function writeFootprint(writer: ByteWriter, footprint: Footprint, withAdds: boolean): void {
  const { nRead, nWrite, eRead, eWrite, aRead, aWrite, bIn, bOut, factorMask } = footprint;
  for (const keys of [nRead, nWrite, eRead, eWrite]) writeKeys(writer, keys, writeNamed);
  for (const keys of [aRead, aWrite]) writeKeys(writer, keys, writeAttachment);
  for (const keys of [bIn, bOut]) writeKeys(writer, keys, writePort);
  writer.u64(factorMask);
  if (!withAdds) return;
  for (const keys of [footprint.nAdd, footprint.eAdd]) writeKeys(writer, keys, writeNamed);
  writeKeys(writer, footprint.aAdd, writeAttachment);
}

function writeKeys<Key extends ResourceKey>(
  writer: ByteWriter,
  keys: readonly Key[],
  write: (writer: ByteWriter, key: Key) => void,
): void {
  writer.u32(keys.length);
  for (const key of keys) write(writer, key);
}

function writeNamed(writer: ByteWriter, key: NodeKey): void {
  writeId(writer, key.warp);
  if (isPathKey(key)) writePathKey(writer, key);
  else writeId(writer, key.id as Id);
}

/** Forms 3, 4 and 5 are points, subtrees and ranges; a range states which of its bounds follow. */
function writePathKey(writer: ByteWriter, key: PathKey): void {
  const path = pathOf(key);
  writer.u8(key.path === undefined ? 3 : key.subtree === true ? 4 : 5).u32(path.length);
  for (const segment of path) writeId(writer, segment);
  if (key.path === undefined || key.subtree === true) return;
  writer.u8((key.from === undefined ? 0 : 1) | (key.to === undefined ? 0 : 2));
  if (key.from !== undefined) writeId(writer, key.from);
  if (key.to !== undefined) writeId(writer, key.to);
}

function writeAttachment(writer: ByteWriter, key: AttachmentKey): void {
  writer.u8(key.owner === 'node' ? 0 : 1).u8(key.plane === 'alpha' ? 0 : 1);
  writeNamed(writer, key);
}

function writePort(writer: ByteWriter, { warp, port }: PortKey): void {
  writeId(writer, warp);
  writer.u64(BigInt(port));
}

/** The form comes first: 7, '7' and 32 bytes never look alike. */
function writeId(writer: ByteWriter, id: Id): void {
  if (typeof id === 'number') writer.u8(0).u32(id);
  else if (typeof id === 'string') writer.u8(2).text(id);
  else writer.u8(1).raw(id);
}
