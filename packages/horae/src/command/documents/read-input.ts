import { readFile, stat } from 'node:fs/promises';
import { CommandInputError } from '../frame/command-errors.js';

const MAX_BYTES = 64 * 1024 * 1024;

/** The text of a file, or of standard input when the name is `-`. At most 64 MB. */
export async function readInput(name: string): Promise<string> {
  if (name === '-') return readStandardInput();
  try {
    const { size } = await stat(name);
    if (size > MAX_BYTES) throw tooLarge(name);
    return await readFile(name, 'utf8');
  } catch (error) {
    throw asInputError(name, error);
  }
}

async function readStandardInput(): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of process.stdin) {
    length += (chunk as Buffer).length;
    if (length > MAX_BYTES) throw tooLarge('standard input');
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function tooLarge(name: string): CommandInputError {
  return new CommandInputError(`${name} is larger than 64 MB`, { hint: 'split it', path: name });
}

function asInputError(path: string, error: unknown): unknown {
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT') {
    const hint = 'check the path; "-" reads standard input';
    return new CommandInputError(`there is no file ${path}`, { hint, path });
  }
  if (code === 'EISDIR') return new CommandInputError(`${path} is a folder`, { hint: 'name a file in it', path });
  if (code === 'EACCES') {
    return new CommandInputError(`${path} may not be read`, { hint: 'look at its permissions', path });
  }
  return error;
}
