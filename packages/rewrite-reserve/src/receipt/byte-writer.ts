/** Bytes written one value after the other, numbers with the most significant byte first. */
export class ByteWriter {
  private bytes = new Uint8Array(256);
  private view = new DataView(this.bytes.buffer);
  private length = 0;

  u8(value: number): this {
    const at = this.room(1);
    this.bytes[at] = value;
    return this;
  }

  u32(value: number): this {
    const at = this.room(4);
    this.view.setUint32(at, value);
    return this;
  }

  u64(value: bigint): this {
    const at = this.room(8);
    this.view.setBigUint64(at, value);
    return this;
  }

  raw(value: Uint8Array): this {
    const at = this.room(value.length);
    this.bytes.set(value, at);
    return this;
  }

  /** A text as its length and its UTF-16 units: exact for every string, lone surrogates included. */
  text(value: string): this {
    this.u32(value.length);
    const start = this.room(value.length * 2);
    for (let at = 0; at < value.length; at++) this.view.setUint16(start + at * 2, value.charCodeAt(at));
    return this;
  }

  /** The bytes written so far; valid until the next write. */
  written(): Uint8Array {
    return this.bytes.subarray(0, this.length);
  }

  /** Starts again from nothing. */
  reset(): void {
    this.length = 0;
  }

  /** Where the next `count` bytes go. May replace `bytes` and `view`: call it before using them. */
  private room(count: number): number {
    const at = this.length;
    this.length += count;
    if (this.length > this.bytes.length) {
      const larger = new Uint8Array(Math.max(this.length, this.bytes.length * 2));
      larger.set(this.bytes);
      this.bytes = larger;
      this.view = new DataView(larger.buffer);
    }
    return at;
  }
}
