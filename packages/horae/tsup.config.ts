import { horaePackage } from '@horae-tooling/tsup';

export default horaePackage();
