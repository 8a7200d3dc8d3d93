/** A text that is neither YAML nor JSON, or more than is read of either; says where and why. */
export class MalformedDocument extends Error {
  constructor(
    readonly line: number | null,
    readonly expected: string,
    readonly received: string,
  ) {
    super(received);
  }
}
