import type { EpochResult, ScheduleEvent } from '../interchange/interchange.js';

/** The longest name that a line shows whole. */
const MAX_NAME = 40;

/** An epoch as lines of text: its events with clock times, rejections, ignored interrupts, and the carry-over. */
export function formatTimeline(result: EpochResult): string {
  const { epoch, schedule_events, rejections, ignored_interrupts, carry_over } = result;
  const lines = [`epoch ${epoch.index}  ${epoch.start_at} to ${epoch.end_at}`];
  for (const event of schedule_events) lines.push(`${clock(event.at)}  ${event.type.padEnd(17)}  ${describe(event)}`);
  for (const { message, t } of rejections) lines.push(`rejected${t === null ? '' : ` at minute ${t}`}  ${message}`);
  for (const { target, reason, t } of ignored_interrupts)
    lines.push(`ignored interrupt${t === null ? '' : ` at minute ${t}`}  ${shorten(target)}: ${reason}`);
  for (const { id, remaining } of carry_over.running) lines.push(`runs on  ${shorten(id)}, ${remaining} min left`);
  for (const { id, waited_min } of carry_over.waiting) lines.push(`waits on  ${shorten(id)}, ${waited_min} min so far`);
  for (const { id, d_rem } of carry_over.suspended) lines.push(`suspended  ${shorten(id)}, ${d_rem} min left`);
  for (const { id } of carry_over.held ?? []) lines.push(`held  ${shorten(id)}`);
  for (const { lock } of carry_over.down ?? []) lines.push(`down  ${shorten(lock)}`);
  if (carry_over.future.length > 0) lines.push(`later  ${carry_over.future.length} actions`);
  return `${lines.join('\n')}\n`;
}

function clock(at: string): string {
  return at.slice(11, 16);
}

function describe({ type, action_id, meta }: ScheduleEvent): string {
  const id = shorten(action_id);
  if (type === 'start') {
    const again = meta.attempt === 1 ? '' : `, attempt ${meta.attempt}`;
    const waited = meta.waited_min === 0 ? '' : `, waited ${meta.waited_min}`;
    return `${id}  for ${meta.d_eff} min${again}${waited}`;
  }
  if (type === 'interrupt') return `${id}  ${meta.d_rem} min left${meta.reason === null ? '' : ` (${meta.reason})`}`;
  if (type === 'cancel')
    return `${id}  (${shorten(String(meta.reason))})${meta.d_rem === undefined ? '' : `, ${meta.d_rem} min left`}`;
  return id;
}

/** Control characters would let a name write over the terminal. */
function shorten(name: string): string {
  const short = name.length > MAX_NAME ? `${name.slice(0, MAX_NAME - 1)}…` : name;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to keep from the terminal
  return short.replace(/[\u0000-\u001f\u007f-\u009f]/g, '\ufffd');
}
