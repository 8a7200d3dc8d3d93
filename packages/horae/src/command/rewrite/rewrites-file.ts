import { createHash } from 'node:crypto';
import { footprint, type PendingRewrite } from '@horae/rewrite-reserve';
import { z } from 'zod';

const hex32 = z.string().regex(/^[0-9a-fA-F]{64}$/, '64 hex digits (32 bytes)');
const bytes = hex32.transform((text) => new Uint8Array(Buffer.from(text, 'hex')));
const id = z.union([
  z.int().min(0).max(0xffffffff),
  z.string(),
  z.strictObject({ hex: bytes }).transform(({ hex }) => hex),
]);
const nodeKey = z.strictObject({ warp: id, id });
const attachmentKey = z.strictObject({
  owner: z.enum(['node', 'edge']),
  warp: id,
  id,
  plane: z.enum(['alpha', 'beta']),
});
const unsigned = z.union([
  z.int().min(0),
  z
    .string()
    .regex(/^(\d+|0x[0-9a-fA-F]+)$/, 'a decimal or 0x… number')
    .transform((text) => BigInt(text)),
]);
const portKey = z.strictObject({ warp: id, port: unsigned });
const nodes = z.array(nodeKey).optional();
const attachments = z.array(attachmentKey).optional();
const ports = z.array(portKey).optional();

const rewriteSchema = z.strictObject({
  name: z.string().optional(),
  scopeHash: bytes.optional(),
  compactRule: z.int().min(0).max(0xffffffff).default(0),
  ruleId: bytes.optional(),
  scope: nodeKey,
  footprint: z.strictObject({
    nRead: nodes,
    nWrite: nodes,
    eRead: nodes,
    eWrite: nodes,
    aRead: attachments,
    aWrite: attachments,
    bIn: ports,
    bOut: ports,
    factorMask: unsigned.transform((mask) => BigInt(mask)).optional(),
  }),
});

/** A list of rewrites as JSON or YAML, or an object with the list as `rewrites`. */
export const rewritesSchema = z
  .union([z.strictObject({ rewrites: z.array(rewriteSchema) }), z.array(rewriteSchema)])
  .transform((document) => (Array.isArray(document) ? document : document.rewrites));

/** A rewrite, and what to call it. */
export interface NamedRewrite {
  readonly name: string;
  readonly rewrite: PendingRewrite;
}

/** The rewrites of a checked file. One without a hash is hashed by its name, or by its scope. */
export function namedRewrites(list: z.output<typeof rewritesSchema>): NamedRewrite[] {
  return list.map((given, index) => {
    const name = given.name ?? `#${index}`;
    const { scope, compactRule, ruleId } = given;
    const scopeHash =
      given.scopeHash ??
      new Uint8Array(
        createHash('sha256')
          .update(given.name ?? keyText(scope))
          .digest(),
      );
    const rewrite: PendingRewrite = {
      scopeHash,
      compactRule,
      scope,
      phase: 'matched',
      footprint: footprint(given.footprint),
      ...(ruleId === undefined ? {} : { ruleId }),
    };
    return { name, rewrite };
  });
}

/** A key on one line: `board/a1`, `board/port 5`, `board/a1 node alpha`. */
export function keyText(key: object): string {
  const { warp, id, port, owner, plane } = key as Record<string, unknown>;
  const part = (value: unknown) => (value instanceof Uint8Array ? Buffer.from(value).toString('hex') : String(value));
  if (port !== undefined) return `${part(warp)}/port ${port}`;
  return `${part(warp)}/${part(id)}${owner === undefined ? '' : ` ${owner} ${plane}`}`;
}
