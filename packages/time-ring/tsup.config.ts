import { horaePackage } from '@horae-tooling/tsup';

/** The engine has a file of its own, so that `index` only re-exports and bundlers leave out what a program does not use. */
export default horaePackage({ apart: ['start-time-ring'] });
