import { HoraeError } from '@horae/clock-store';
import type { ChainUtxo } from '../provider/chain-provider.js';
import { nameOf } from './references.js';

/** The wallet does not hold enough for a transaction. */
export class WalletTooPoorError extends HoraeError<{ neededLovelace: string; foundLovelace: string }> {
  readonly code = 'wallet-too-poor';
}

/** Those without tokens first, the largest first, so that few are needed and no tokens are moved about. */
export function byUse(left: ChainUtxo, right: ChainUtxo): number {
  const tokens = Object.keys(left.assets).length - Object.keys(right.assets).length;
  if (tokens !== 0) return tokens;
  if (left.lovelace !== right.lovelace) return left.lovelace > right.lovelace ? -1 : 1;
  return nameOf(left) < nameOf(right) ? -1 : 1;
}

/** As many of the ordered `coins` as hold `needed` lovelace together, `most` at most; throws `WalletTooPoorError` when they do not. */
export function selectCoins(coins: readonly ChainUtxo[], needed: bigint, what: string, most = 50): ChainUtxo[] {
  const selected: ChainUtxo[] = [];
  let found = 0n;
  for (const coin of coins) {
    if (found >= needed || selected.length >= most) break;
    selected.push(coin);
    found += coin.lovelace;
  }
  if (found >= needed) return selected;
  const message = `The wallet needs ${needed} lovelace for ${what} and has ${found} in ${selected.length} usable outputs`;
  throw new WalletTooPoorError(message, { neededLovelace: String(needed), foundLovelace: String(found) });
}

/** All tokens of some outputs together. */
export function tokensIn(utxos: readonly ChainUtxo[]): Record<string, bigint> {
  const sums: Record<string, bigint> = {};
  for (const { assets } of utxos)
    for (const [unit, quantity] of Object.entries(assets)) sums[unit] = (sums[unit] ?? 0n) + quantity;
  return sums;
}

export const lovelaceIn = (utxos: readonly ChainUtxo[]): bigint =>
  utxos.reduce((sum, { lovelace }) => sum + lovelace, 0n);
