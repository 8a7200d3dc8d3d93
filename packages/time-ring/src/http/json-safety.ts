const DEEPEST = 64;

/** Why a parsed JSON value is unsafe to pass on: nesting that would exhaust a stack, or a key that changes prototypes. */
export function jsonProblem(value: unknown): { path: string; message: string } | null {
  const open: { value: unknown; path: string; depth: number }[] = [{ value, path: '', depth: 0 }];
  while (open.length > 0) {
    const { value: current, path, depth } = open.pop()!;
    if (typeof current !== 'object' || current === null) continue;
    if (depth >= DEEPEST) return { path: excerpt(path), message: `is nested deeper than ${DEEPEST} levels` };
    for (const [key, inner] of Object.entries(current)) {
      const innerPath = path === '' ? key : `${path}.${key}`;
      if (key === '__proto__') return { path: excerpt(innerPath), message: 'is a forbidden key' };
      if (typeof inner === 'object' && inner !== null) open.push({ value: inner, path: innerPath, depth: depth + 1 });
    }
  }
  return null;
}

function excerpt(path: string): string {
  return path.length > 100 ? `${path.slice(0, 100)}…` : path;
}
