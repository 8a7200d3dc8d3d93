import type { FlowWords } from '../en/flow-words.js';

export const flowWords: FlowWords = {
  about: 'Läufe, die einer nach dem anderen starten.',
  exactName: 'Name, ganz',
  empty: 'Kein Ablauf passt.',
  steps: 'Schritte',
  step: 'Schritt',
  after: 'Nach',
  began: 'Begonnen',
  cancelled: 'Der Ablauf ist abgebrochen.',
  drawing: (name) => `Schritte von ${name}`,
  states: {
    running: 'läuft',
    succeeded: 'erfolgreich',
    failed: 'fehlgeschlagen',
    killed: 'abgebrochen',
    waiting: 'wartet',
  },
};
