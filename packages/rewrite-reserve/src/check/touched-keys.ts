import type { UseMode } from '../footprint/footprint-uses.js';
import { KeyReader } from '../keys/key-forms.js';
import type { AttachmentKey, Category, EdgeKey, NodeKey, PortKey, ResourceKey } from '../keys/resource-keys.js';
import { checkedCategory } from './world.js';

/** The keys that a run has touched, as the sets of a footprint. A port that is read goes to `bIn`, a written one to `bOut`. */
export class TouchedKeys {
  readonly sets = {
    nRead: [] as NodeKey[],
    nAdd: [] as NodeKey[],
    nWrite: [] as NodeKey[],
    eRead: [] as EdgeKey[],
    eAdd: [] as EdgeKey[],
    eWrite: [] as EdgeKey[],
    aRead: [] as AttachmentKey[],
    aAdd: [] as AttachmentKey[],
    aWrite: [] as AttachmentKey[],
    bIn: [] as PortKey[],
    bOut: [] as PortKey[],
  };
  private readonly reader = new KeyReader();

  /** Notes a use and returns the key, copied: the caller may reuse its buffers for the next access. */
  note(mode: UseMode, category: Category, key: ResourceKey): ResourceKey {
    const own = this.reader.read(checkedCategory(category), key, 'key');
    (this.sets[SET_OF[category][mode]] as ResourceKey[]).push(own);
    return own;
  }
}

const SET_OF = {
  node: { read: 'nRead', add: 'nAdd', write: 'nWrite' },
  edge: { read: 'eRead', add: 'eAdd', write: 'eWrite' },
  attachment: { read: 'aRead', add: 'aAdd', write: 'aWrite' },
  port: { read: 'bIn', add: 'bOut', write: 'bOut' },
} as const;
