import { useEffect, useState } from 'preact/hooks';

/** The address of the page: `#/runs?state=failed` is the path `runs` with a query. */
export interface Address {
  readonly path: string;
  readonly query: URLSearchParams;
}

function current(): Address {
  const [path = '', query = ''] = location.hash.replace(/^#\/?/, '').split('?');
  return { path, query: new URLSearchParams(query) };
}

const addressText = ({ path, query }: Address) => `${path}?${query.toString()}`;

export function useAddress(): Address {
  const [address, setAddress] = useState(current);
  useEffect(() => {
    const follow = () => setAddress(current());
    addEventListener('hashchange', follow);
    // It may have changed between the first drawing and now.
    if (addressText(current()) !== addressText(address)) follow();
    return () => removeEventListener('hashchange', follow);
  }, []);
  return address;
}

/** The address of a page with a query; what is empty is left out. */
export function addressOf(path: string, query: Readonly<Record<string, string | null | undefined>> = {}): string {
  const given = Object.entries(query).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && entry[1] !== null && entry[1] !== '',
  );
  const search = new URLSearchParams(given).toString();
  return `#/${path}${search === '' ? '' : `?${search}`}`;
}

export function go(path: string, query: Readonly<Record<string, string | null | undefined>> = {}): void {
  location.hash = addressOf(path, query);
}

/** Changes the query without a step to go back to: filters are one place. */
export function replaceQuery(path: string, query: Readonly<Record<string, string | null | undefined>>): void {
  history.replaceState(null, '', addressOf(path, query));
  dispatchEvent(new Event('hashchange'));
}
