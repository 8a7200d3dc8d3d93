export { type BenchDefinition, type Contender, defineBench, type Wanted } from './bench.js';
export { type PublishedBench, renderPage } from './page.js';
