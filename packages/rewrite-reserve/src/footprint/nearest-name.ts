const LONGEST = 64;

/** The name that takes the fewest single-letter changes to get to from `wrong`, whatever its case; ties go to the first. */
export function nearestName(wrong: string, names: readonly string[]): string {
  const text = wrong.slice(0, LONGEST).toLowerCase();
  let best = { name: names[0]!, distance: Number.POSITIVE_INFINITY };
  for (const name of names) {
    const distance = editDistance(text, name.toLowerCase());
    if (distance < best.distance) best = { name, distance };
  }
  return best.name;
}

function editDistance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, i) => i);
  for (let i = 1; i <= from.length; i++) {
    const next = [i];
    for (let j = 1; j <= to.length; j++) {
      const swap = row[j - 1]! + (from[i - 1] === to[j - 1] ? 0 : 1);
      next.push(Math.min(swap, row[j]! + 1, next[j - 1]! + 1));
    }
    row = next;
  }
  return row[to.length]!;
}
