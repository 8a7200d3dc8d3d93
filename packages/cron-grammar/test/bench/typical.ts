/** What every benchmark of this package works on: twelve expressions of everyday kinds, and instants spread over a year. */
export const EXPRESSIONS = [
  '* * * * *',
  '0 * * * *',
  '0,15,30,45 * * * *',
  '0 0 * * *',
  '0 9 * * 1-5',
  '30 2 * * *',
  '15 3 * * 1-5',
  '0 0 1 * *',
  '0 0 1,15 * 1',
  '0 12 14 2 *',
  '59 23 31 12 *',
  '0 0 29 2 *',
] as const;

export const ZONES = ['UTC', 'America/New_York', 'Europe/Berlin', 'Australia/Lord_Howe'] as const;

/** 64 instants of the year 2024, in an order without pattern. One run() asks each expression once, at the next instants. */
export const INSTANTS: readonly number[] = Array.from(
  { length: 64 },
  (_, index) => Date.UTC(2024, 0, 1) + ((index * 2_654_435_761) % 31_536_000) * 1000 + 500,
);

/** Gives the instants one after the other, for ever. */
export function instantWheel(): () => number {
  let index = 0;
  return () => {
    index = (index + 1) & 63;
    return INSTANTS[index]!;
  };
}
