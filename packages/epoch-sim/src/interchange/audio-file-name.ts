import { InvalidChannel, InvalidEpoch, quote } from './sim-errors.js';

/** The voice of an audio file. */
export type AudioChannel = 'world' | 'pc' | 'sys' | 'ally';
const CHANNELS: readonly string[] = ['world', 'pc', 'sys', 'ally'] satisfies AudioChannel[];

/**
 * The name of the audio file of the hour in which minute `t` of an epoch lies: `epoch07_slot08_pc.ogg`. Numbers have two digits at least;
 * the closing minute of an epoch belongs to its last slot. Throws `InvalidEpoch` when the index or the minute is not a whole number >= 0,
 * `InvalidChannel` for any other channel than `world`, `pc`, `sys` and `ally`.
 */
export function audioFileName(epochIndex: number, t: number, channel: AudioChannel, slots = 24): string {
  checkCount('epochIndex', epochIndex);
  checkCount('t', t);
  if (!CHANNELS.includes(channel)) {
    throw new InvalidChannel(`InvalidChannel: channel is ${quote(channel)}; give one of ${CHANNELS.join(', ')}`, {
      field: 'channel',
      value: channel,
    });
  }
  return `epoch${twoDigits(epochIndex)}_slot${twoDigits(Math.min(Math.floor(t / 60), slots - 1))}_${channel}.ogg`;
}

function checkCount(field: string, value: number): void {
  if (!Number.isInteger(value) || value < 0) {
    throw new InvalidEpoch(`InvalidEpoch: ${field} is ${quote(value)}; give a whole number >= 0`, { field, value });
  }
}

function twoDigits(value: number): string {
  return String(value).padStart(2, '0');
}
