import type { LineCounter } from 'yaml';

/** A place in a text; both count from 1. */
export interface TextPlace {
  readonly line: number;
  readonly column: number;
}

export type Path = readonly PropertyKey[];

/** The places of paths, or of the innermost values around them where the paths themselves do not exist; null without a text. */
export type PlacesOf = (paths: readonly Path[]) => readonly (TextPlace | null)[];

/** A text as a value, and where its parts stand. */
export interface ScenarioText {
  readonly value: unknown;
  readonly placesOf: PlacesOf;
}

/** The deepest nesting of a scenario. */
export const MAX_NESTING = 64;

/** A text that is not a scenario, regardless of the schema. */
export class TextFault extends Error {
  readonly path: Path;
  readonly place: TextPlace | null;
  readonly expected: string;
  readonly received: string;

  constructor(fault: {
    path?: Path;
    place: TextPlace | null;
    expected: string;
    received: string;
  }) {
    super(`expected ${fault.expected}`);
    this.path = fault.path ?? [];
    this.place = fault.place;
    this.expected = fault.expected;
    this.received = fault.received;
  }
}

export function placeAt(lines: LineCounter, offset: number): TextPlace {
  const { line, col } = lines.linePos(offset);
  return { line: Math.max(1, line), column: Math.max(1, col) };
}
