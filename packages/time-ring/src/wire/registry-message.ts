import { z } from 'zod';
import { shapeProblem } from './shape-problem.js';

const EXECUTOR = 'EXECUTOR';
const LONGEST = 255;
const MAX_HANDLERS = 10_000;

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
  horae: z
    .object({
      instanceId: z.string().min(1).max(LONGEST).optional(),
      handlers: z.array(z.string().max(LONGEST)).max(MAX_HANDLERS).optional(),
    })
    .optional(),
});

/** The registration of an executor; Horae's executors also send their instance id and their handlers. */
export interface RegistryEntry {
  readonly group: string;
  readonly address: string;
  readonly instanceId?: string;
  readonly handlers?: readonly string[];
}

/** The body of `/api/registry` and `/api/registryRemove`. */
export function registryMessage({ group, address, instanceId, handlers }: RegistryEntry) {
  const message = { registryGroup: EXECUTOR, registryKey: group, registryValue: address };
  return instanceId === undefined ? message : { ...message, horae: { instanceId, handlers } };
}

/** Reads the body of `/api/registry` and `/api/registryRemove`. Returns a string with the reason if it is refused. */
export function parseRegistryMessage(body: unknown): RegistryEntry | string {
  const result = registryShape.safeParse(body);
  if (!result.success) return shapeProblem(result.error);
  const { registryKey, registryValue, horae } = result.data;
  return { group: registryKey, address: registryValue, ...horae };
}

/** Whether a text can be called: an absolute http or https URL without spaces. */
export function isHttpUrl(text: string): boolean {
  // URL tolerates spaces and line feeds; a stored and displayed address must not contain them.
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
