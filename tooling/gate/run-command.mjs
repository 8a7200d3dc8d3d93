import { spawn } from 'node:child_process';

/**
 * Runs a command to its end. With `onLine` its output goes there line by line, else straight to the terminal. Gives the exit
 * code and the last lines of what it printed.
 */
export function runCommand(command, args, { cwd, env, onLine } = {}) {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd,
      env: { ...process.env, ...env },
      stdio: onLine ? ['ignore', 'pipe', 'pipe'] : 'inherit',
      // npx is a .cmd file on Windows, which only a shell starts.
      shell: process.platform === 'win32',
    });
    const tail = [];
    const take = (line) => {
      tail.push(line);
      if (tail.length > 400) tail.shift();
      onLine(line);
    };
    if (onLine) for (const stream of [child.stdout, child.stderr]) eachLine(stream, take);
    child.on('error', (error) => resolve({ code: 127, output: `${error.message}\n` }));
    child.on('close', (code, signal) => resolve({ code: code ?? signalCode(signal), output: tail.join('\n') }));
  });
}

function signalCode(signal) {
  return signal === 'SIGINT' ? 130 : 1;
}

function eachLine(stream, take) {
  let rest = '';
  stream.setEncoding('utf8');
  stream.on('data', (chunk) => {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop();
    for (const line of lines) take(line);
  });
  stream.on('end', () => rest !== '' && take(rest));
}
