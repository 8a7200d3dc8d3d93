import { createHash } from 'node:crypto';
import { footprint, type PendingRewrite, RewriteInputError } from '@horae/rewrite-reserve';
import { z } from 'zod';
import { closestTo } from '../frame/closest-name.js';
import { CommandInputError } from '../frame/command-errors.js';

const hex32 = z.string().regex(/^[0-9a-fA-F]{64}$/, '64 hex digits (32 bytes)');
const bytes = hex32.transform((text) => new Uint8Array(Buffer.from(text, 'hex')));
const id = z.union([
  z.int().min(0).max(0xffffffff),
  z.string(),
  z.strictObject({ hex: bytes }).transform(({ hex }) => hex),
]);
const segment = z.union([z.int().min(0).max(0xffffffff), z.string()]);
const path = z.array(segment).min(1).max(64);
const pointKey = z.strictObject({ warp: id, id: z.union([id, path]) });
const subtreeKey = z.strictObject({ warp: id, path, subtree: z.literal(true) });
const rangeKey = z.strictObject({ warp: id, path, from: segment.optional(), to: segment.optional() });
const nodeKey = z.union([pointKey, subtreeKey, rangeKey]);
const attached = { owner: z.enum(['node', 'edge']), plane: z.enum(['alpha', 'beta']) };
const attachmentKey = z.union([pointKey.extend(attached), subtreeKey.extend(attached), rangeKey.extend(attached)]);
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

const footprintSets = {
  nRead: nodes,
  nAdd: nodes,
  nWrite: nodes,
  eRead: nodes,
  eAdd: nodes,
  eWrite: nodes,
  aRead: attachments,
  aAdd: attachments,
  aWrite: attachments,
  bIn: ports,
  bOut: ports,
  factorMask: unsigned.transform((mask) => BigInt(mask)).optional(),
};

const rewriteSchema = z.strictObject({
  name: z.string().optional(),
  scopeHash: bytes.optional(),
  compactRule: z.int().min(0).max(0xffffffff).default(0),
  ruleId: bytes.optional(),
  scope: pointKey,
  footprint: z.looseObject(footprintSets).superRefine((given, context) => {
    for (const name of Object.keys(given)) {
      if (Object.hasOwn(footprintSets, name)) continue;
      const nearest = closestTo(name, Object.keys(footprintSets));
      const message =
        nearest === undefined ? `a set: ${Object.keys(footprintSets).join(', ')}` : `the set "${nearest}"`;
      context.addIssue({ code: 'custom', path: [name], message });
    }
  }),
});

/** A list of rewrites as JSON or YAML, or an object with the list as `rewrites`. */
export const rewritesSchema = z
  .union([z.strictObject({ rewrites: z.array(rewriteSchema) }), z.array(rewriteSchema)])
  .transform((document) => (Array.isArray(document) ? document : document.rewrites));

/** A rewrite and its name. */
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
      footprint: refusedByName(name, () => footprint(given.footprint)),
      ...(ruleId === undefined ? {} : { ruleId }),
    };
    return { name, rewrite };
  });
}

/** Names the rewrite in errors of the package that the file's schema does not catch: an empty range, a write in another warp. */
export function refusedByName<T>(name: string, use: () => T): T {
  try {
    return use();
  } catch (error) {
    if (!(error instanceof RewriteInputError)) throw error;
    throw new CommandInputError(`rewrite "${name}": ${error.message}`, {
      hint: '"horae rewrite plan --help" shows what a file should look like',
      rewrite: name,
      field: error.details.field,
    });
  }
}

/** A key on one line: `board/a1`, `board/port 5`, `board/a1 node alpha`, `wiki/doc/4/**`, `wiki/doc/[4..9)`. */
export function keyText(key: object): string {
  const { warp, id, path: root, subtree, from, to, port, owner, plane } = key as Record<string, unknown>;
  const part = (value: unknown) => {
    if (Array.isArray(value)) return value.join('/');
    return value instanceof Uint8Array ? Buffer.from(value).toString('hex') : String(value);
  };
  if (port !== undefined) return `${part(warp)}/port ${port}`;
  const reach = subtree === true ? '**' : `[${from ?? ''}..${to ?? ''})`;
  const name = root === undefined ? part(id) : `${part(root)}/${reach}`;
  return `${part(warp)}/${name}${owner === undefined ? '' : ` ${owner} ${plane}`}`;
}
