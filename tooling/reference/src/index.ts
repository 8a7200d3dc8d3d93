export { entryPoints } from './entry-points.js';
export { optionsWithoutSentence, optionTables, renderOptions } from './option-tables.js';
export { readSources, withoutSentence } from './read-sources.js';
