/** The 97.5 % quantile of Student's t: half the width of a 95 % interval in standard errors. */
export function studentQuantile(degrees: number): number {
  let [low, high] = [0, 1_000];
  for (let i = 0; i < 200 && high - low > 1e-12 * high; i++) {
    const middle = (low + high) / 2;
    if (upperTail(middle, degrees) > 0.025) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

function upperTail(t: number, degrees: number): number {
  return incompleteBeta(degrees / (degrees + t * t), degrees / 2, 0.5) / 2;
}

/** The regularised incomplete beta function by its continued fraction (Lentz). */
function incompleteBeta(x: number, a: number, b: number): number {
  if (x <= 0 || x >= 1) return x <= 0 ? 0 : 1;
  if (x > (a + 1) / (a + b + 2)) return 1 - incompleteBeta(1 - x, b, a);
  const front = Math.exp(a * Math.log(x) + b * Math.log(1 - x) + logGamma(a + b) - logGamma(a) - logGamma(b)) / a;
  let [c, d, value] = [1, 0, 1];
  for (let i = 0; i <= 300; i++) {
    const m = Math.floor(i / 2);
    let term = 1;
    if (i > 0 && i % 2 === 0) term = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m));
    else if (i > 0) term = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / (1 + term * d || 1e-300);
    c = 1 + term / c || 1e-300;
    value *= c * d;
    if (Math.abs(1 - c * d) < 1e-14) break;
  }
  return front * (value - 1);
}

/** Lanczos' approximation. */
function logGamma(z: number): number {
  const g = [
    0.99999999999980993, 676.5203681218851, -1259.1392167224028, 771.32342877765313, -176.61502916214059,
    12.507343278686905, -0.13857109526572012, 9.9843695780195716e-6, 1.5056327351493116e-7,
  ];
  if (z < 0.5) return Math.log(Math.PI / Math.sin(Math.PI * z)) - logGamma(1 - z);
  const x = z - 1;
  const t = x + 7.5;
  const sum = g.reduce((total, coefficient, i) => (i === 0 ? coefficient : total + coefficient / (x + i)), 0);
  return 0.5 * Math.log(2 * Math.PI) + (x + 0.5) * Math.log(t) - t + Math.log(sum);
}
