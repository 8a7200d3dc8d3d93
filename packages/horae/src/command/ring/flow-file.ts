import { z } from 'zod';
import { checkedText } from '../documents/checked-document.js';
import { readInput } from '../documents/read-input.js';

const fileShape = z.strictObject({
  name: z.string().min(1).max(255),
  steps: z.record(
    z.string(),
    z.strictObject({
      job: z.union([z.string().min(1), z.number().int().min(1)]),
      params: z.json().optional(),
      after: z.array(z.string()).optional(),
      when: z.enum(['succeeded', 'failed', 'over']).optional(),
    }),
  ),
});

/** The flow in a file, YAML or JSON; `-` is standard input. */
export async function readFlowFile(path: string): Promise<z.output<typeof fileShape>> {
  return checkedText(await readInput(path), fileShape, path);
}
