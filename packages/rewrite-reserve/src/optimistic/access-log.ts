import { keysIntersect } from '../footprint/collision.js';
import { isPathKey } from '../keys/path-keys.js';
import type {
  AttachmentKey,
  Category,
  Id,
  NodeKey,
  PathKey,
  PortKey,
  ResourceKey,
  Segment,
} from '../keys/resource-keys.js';

/** One key of one category. */
export interface Access {
  readonly category: Category;
  readonly key: ResourceKey;
}

/** The keys that a run has read, or changed, so that the two can be compared. */
export class AccessLog {
  private readonly points = new Map<string, Access>();
  /** Subtrees and ranges, which equal texts do not find. */
  private readonly wide: Access[] = [];

  note(text: string, access: Access): void {
    if (isWide(access.key)) this.wide.push(access);
    else if (!this.points.has(text)) this.points.set(text, access);
  }

  /** Whether this very point is in the log. */
  has(text: string): boolean {
    return this.points.has(text);
  }

  /** Whether something is in both logs. */
  meets(other: AccessLog): boolean {
    const [small, large] = this.points.size < other.points.size ? [this, other] : [other, this];
    for (const text of small.points.keys()) if (large.points.has(text)) return true;
    return this.wide.some((access) => other.reaches(access)) || other.wide.some((access) => this.reaches(access));
  }

  /** Whether something in the log has a resource in common with a key. */
  reaches({ category, key }: Access): boolean {
    const touches = (access: Access) => access.category === category && keysIntersect(category, access.key, key);
    if (this.wide.some(touches)) return true;
    for (const access of isPathKey(key) ? this.points.values() : []) if (touches(access)) return true;
    return false;
  }
}

/** Whether a key is more than one point. */
function isWide(key: ResourceKey): boolean {
  return (key as NodeKey).path !== undefined;
}

/** A text that is equal exactly for equal keys of one category. */
export function accessText({ category, key }: Access): string {
  if (category === 'port') return `port ${idText(key.warp)} ${(key as PortKey).port}`;
  const { owner, plane } = key as Partial<AttachmentKey>;
  const kind = category === 'attachment' ? `${owner} ${plane}` : category;
  if (!isPathKey(key)) return `${kind} ${idText(key.warp)} ${idText((key as NodeKey).id as Id)}`;
  return `${kind} ${idText(key.warp)} ${pathText(key)}`;
}

function pathText({ id, path, subtree, from, to }: PathKey): string {
  const segments = (path ?? id!).map(idText).join();
  const bound = (segment: Segment | undefined) => (segment === undefined ? '' : idText(segment));
  return `[${segments}] ${path === undefined ? 'point' : (subtree ?? false) ? 'subtree' : `${bound(from)}..${bound(to)}`}`;
}

/** The length goes before a text, so that no text can look like two. */
function idText(id: Id): string {
  if (typeof id === 'number') return `${id}`;
  return typeof id === 'string' ? `"${id.length}:${id}` : `x${id.join('.')}`;
}
