import { checkedEdition, type Edition } from '../state/edition.js';
import type { ProtocolParameters } from '../state/protocol-parameters.js';
import { edition2025 } from './2025/edition.js';
import { edition202605 } from './2026-05/edition.js';
import type { EditionRules } from './edition-rules.js';

const editions: Readonly<Record<Edition, EditionRules>> = { '2025': edition2025, '2026-05': edition202605 };

/** The edition that checked parameters name. */
export function editionOf({ edition }: ProtocolParameters): EditionRules {
  return edition === undefined ? edition2025 : editions[edition];
}

/** The edition of a codec's options; refuses one that does not exist. */
export function editionNamed(field: string, edition: Edition | undefined): EditionRules {
  return editions[checkedEdition(field, edition)];
}
