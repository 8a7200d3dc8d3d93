import { appendFileSync } from 'node:fs';

/** Module hooks that write down the address of everything that is loaded. */
export async function load(url, context, nextLoad) {
  appendFileSync(process.env.LOADED_LIST, `${url}\n`);
  return nextLoad(url, context);
}
