/** A text that is neither YAML nor JSON, or exceeds the limits of either; carries the place and the reason. */
export class MalformedDocument extends Error {
  constructor(
    readonly line: number | null,
    readonly expected: string,
    readonly received: string,
  ) {
    super(received);
  }
}
