import type { CronFault } from './cron-fault.js';

/** How much of a long text is shown on each side of the fault. */
const AROUND = 60;

/**
 * The faulty text, a line with carets under the fault, the reason, and the suggestion if there is one. Control characters and
 * unusual spaces are shown as `·` so that the carets stay in place; of a long text only the part around the fault is shown.
 */
export function formatCronError(error: { readonly details: CronFault }): string {
  const { expression, field, reason, column, length, suggestion } = error.details;
  const fault = column - 1;
  const start = fault > AROUND ? fault - AROUND : 0;
  const end = Math.min(expression.length, fault + AROUND);
  const before = start > 0 ? '…' : '';
  const shown =
    before +
    expression.slice(start, end).replace(/[^\x21-\x7e \u00a1-\u1fff\u3001-\ud7ff]/g, '·') +
    (end < expression.length ? '…' : '');
  const carets = '^'.repeat(Math.max(1, Math.min(length, end - fault)));
  const lines = [shown, `${' '.repeat(before.length + fault - start)}${carets} ${field} field ${reason}`];
  if (suggestion !== undefined) lines.push(`Did you mean: ${suggestion}`);
  return lines.join('\n');
}
