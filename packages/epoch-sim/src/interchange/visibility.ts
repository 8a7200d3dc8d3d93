import type { ActionDef, ActionInstance } from './interchange.js';

/** The player's character and its allies. */
export interface Onlookers {
  readonly pc: string | undefined;
  readonly allies: ReadonlySet<string>;
}

/** Whether the PC sees the events of an action: its own, `pc` and `public` ones, those addressed to it, and its allies'. */
export function isVisible(instance: ActionInstance, def: ActionDef, { pc, allies }: Onlookers): boolean {
  if (pc !== undefined && instance.actor === pc) return true;
  const scope = instance.scope ?? def.scope;
  if (scope === 'pc' || scope === 'public') return true;
  const addressed = instance.visibility_to ?? def.visibility_to;
  if (addressed !== undefined && isAddressed(addressed, pc)) return true;
  const alliesOnly = scope === 'allies_only' || (instance.allies_only ?? def.allies_only) === true;
  return alliesOnly && allies.has(instance.actor);
}

function isAddressed(addressed: string | readonly string[], pc: string | undefined): boolean {
  const names: readonly string[] = Array.isArray(addressed) ? addressed : [addressed as string];
  return names.includes('pc') || (pc !== undefined && names.includes(pc));
}
