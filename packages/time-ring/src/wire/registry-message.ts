import { z } from 'zod';
import { shapeProblem } from './shape-problem.js';

const EXECUTOR = 'EXECUTOR';
const LONGEST = 255;

const registryShape = z.object({
  registryGroup: z.literal(EXECUTOR),
  registryKey: z
    .string()
    .max(LONGEST)
    .refine((key) => key.trim() !== '', 'must not be empty')
    .refine((key) => !hasControlCharacter(key), 'must not have control characters'),
  registryValue: z
    .string()
    .max(LONGEST)
    .refine(isHttpUrl, 'must be an http or https URL such as http://10.0.0.7:9999/'),
});

/** The body of `/api/registry` and `/api/registryRemove`. */
export function registryMessage({ group, address }: { group: string; address: string }) {
  return { registryGroup: EXECUTOR, registryKey: group, registryValue: address };
}

/** Reads the body of `/api/registry` and `/api/registryRemove`. A text is the reason why it is refused. */
export function parseRegistryMessage(body: unknown): { group: string; address: string } | string {
  const result = registryShape.safeParse(body);
  if (!result.success) return shapeProblem(result.error);
  return { group: result.data.registryKey, address: result.data.registryValue };
}

/** Whether calls can be made to this text: an absolute http or https URL without spaces in it. */
export function isHttpUrl(text: string): boolean {
  // URL forgives spaces and line feeds; what is stored and shown must not have them.
  if (!/^https?:\/\//i.test(text) || /\s/.test(text) || hasControlCharacter(text)) return false;
  return URL.canParse(text);
}

function hasControlCharacter(text: string): boolean {
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit < 0x20 || unit === 0x7f) return true;
  }
  return false;
}
