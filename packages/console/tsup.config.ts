import { horaePackage } from '@horae-tooling/tsup';
import { build } from 'vite';

/** The server's part by tsup, the page by vite into `dist/page`: whoever installs the package builds nothing. */
export default horaePackage({
  onSuccess: async () => void (await build({ root: 'src/page', logLevel: 'warn' })),
});
