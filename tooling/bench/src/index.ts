export { type BenchDefinition, type Contender, defineBench, type Wanted } from './bench.js';
