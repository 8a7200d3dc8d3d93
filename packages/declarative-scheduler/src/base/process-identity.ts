import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import type { Claimant, Holder } from '../store/lease.js';

/** This process as a claimant of leases. */
export function thisProcess(owner: string): Claimant {
  return { owner, host: hostname(), pid: process.pid, machine: machineKey(), processStart: processStart(process.pid) };
}

/** Whether the holder's process number means a process that can be seen from here. */
export function isThisMachine(holder: Holder): boolean {
  return holder.machine === machineKey();
}

/** Whether the holder was a process of this machine that no longer exists. False when that cannot be known from here. */
export function isKnownDead(holder: Holder): boolean {
  if (!isThisMachine(holder)) return false;
  if (!exists(holder.pid)) return true;
  const started = processStart(holder.pid);
  return started !== '' && holder.processStart !== '' && started !== holder.processStart;
}

/** Process numbers mean the same processes only within one boot and one process namespace: containers share host names. */
function machineKey(): string {
  const boot = attempt(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim());
  const namespace = attempt(() => readlinkSync('/proc/self/ns/pid'));
  return `${hostname()} ${boot} ${namespace}`.slice(0, 190);
}

/** When a process started, in the kernel's own count; empty on systems without `/proc`. */
function processStart(pid: number): string {
  const stat = attempt(() => readFileSync(`/proc/${pid}/stat`, 'utf8'));
  // The name of the program stands in parentheses and may contain anything; the start is the 20th field after it.
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
}

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // A process of another user answers with EPERM.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function attempt(read: () => string): string {
  try {
    return read();
  } catch {
    return '';
  }
}
