import { spawnSync } from 'node:child_process';

/** The first one on the path may be another Python than the one that the system's packages are for. */
export const INTERPRETERS = ['python3', '/usr/bin/python3'];
const MAX_OUTPUT_BYTES = 64 * 2 ** 20;
const MAX_MS = 300_000;

/** What a Python program prints; null when it fails or there is no such interpreter. */
export function runPython(interpreter: string, program: string, option: string | null, input: string): string | null {
  const { status, stdout } = spawnSync(interpreter, option === null ? [program] : [program, option], {
    input,
    encoding: 'utf8',
    maxBuffer: MAX_OUTPUT_BYTES,
    timeout: MAX_MS,
  });
  return status === 0 ? stdout.trim() : null;
}

/** The name and version of the SimPy that a program finds, and a Python that has it; null where there is none. */
export function findSimPy(program: string): { name: string; interpreter: string } | null {
  for (const interpreter of INTERPRETERS) {
    const name = runPython(interpreter, program, '--version', '');
    if (name !== null) return { name, interpreter };
  }
  return null;
}
