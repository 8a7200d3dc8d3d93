// As many nanoseconds of honest work as the rule says: steps of about one nanosecond each on the cell of the scope.
export default function work({ scope, compactRule }, shared) {
  const cells = new Int32Array(shared);
  let value = cells[scope.id];
  for (let step = 0; step < compactRule; step++) value = (Math.imul(value, 1_103_515_245) + 12_345) | 0;
  cells[scope.id] = value;
  return value;
}
