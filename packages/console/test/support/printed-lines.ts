/** A log that keeps what people are told. */
export function printedLines() {
  const lines: string[] = [];
  const log = {
    debug() {},
    warn() {},
    error() {},
    info: (_facts: object, message: string) => void lines.push(message),
  };
  /** The line with the address for the first admin. */
  const invitationLine = async () => {
    const isIt = (line: string) => line.includes('invitation=');
    while (!lines.some(isIt)) await new Promise((resolve) => setImmediate(resolve));
    return lines.find(isIt)!;
  };
  return { lines, log, invitationLine };
}
