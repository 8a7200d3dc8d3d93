import { isName, NAME_RULES } from './names.js';
import { DatabaseUrlError } from './storage-errors.js';

/** libpq's names for the kinds of encryption. */
export const sslModes = ['disable', 'prefer', 'require', 'verify-ca', 'verify-full'] as const;
export type SslMode = (typeof sslModes)[number];

/** Which servers a connection may be made to: every one that answers, or only one that takes writes. */
export const sessionTargets = ['any', 'read-write'] as const;
export type SessionTarget = (typeof sessionTargets)[number];

/** The settings that the query of a server's URL may hold besides the address. */
export interface UrlSettings {
  readonly sslMode?: SslMode;
  /** Files with certificates, in PEM. */
  readonly sslRootCert?: string;
  readonly sslCert?: string;
  readonly sslKey?: string;
  readonly poolSize?: number;
  readonly statementTimeoutMs?: number;
  readonly connectTimeoutMs?: number;
  readonly applicationName?: string;
  readonly schema?: string;
  readonly tablePrefix?: string;
  readonly sessionTarget?: SessionTarget;
}

/** Parameters that replace another part of the URL. */
interface GivenParts {
  user?: string;
  password?: string;
  host?: string;
  port?: string;
}

type Read = (value: string) => { parts?: GivenParts; settings?: UrlSettings } | string;

const MODES = sslModes.join(', ');
const whole = (name: 'poolSize' | 'statementTimeoutMs' | 'connectTimeoutMs'): Read => {
  return (value) =>
    /^[1-9]\d{0,8}$/.test(value) ? { settings: { [name]: Number(value) } } : 'a whole number from 1 on';
};
const text = (name: 'sslRootCert' | 'sslCert' | 'sslKey' | 'applicationName'): Read => {
  return (value) => (value === '' ? 'some text' : { settings: { [name]: value } });
};

const named = (name: 'schema' | 'tablePrefix'): Read => {
  return (value) => (isName(name, value) ? { settings: { [name]: value } } : NAME_RULES[name]);
};

const both: Readonly<Record<string, Read>> = {
  sslmode: (value) =>
    (sslModes as readonly string[]).includes(value) ? { settings: { sslMode: value as SslMode } } : `one of ${MODES}`,
  ssl: (value) => {
    if (value !== 'true' && value !== 'false') return 'true or false';
    return { settings: { sslMode: value === 'true' ? 'verify-full' : 'disable' } };
  },
  sslrootcert: text('sslRootCert'),
  sslcert: text('sslCert'),
  sslkey: text('sslKey'),
  poolSize: whole('poolSize'),
  statementTimeoutMs: whole('statementTimeoutMs'),
  connectTimeoutMs: whole('connectTimeoutMs'),
  tablePrefix: named('tablePrefix'),
};

const known: Readonly<Record<'postgres' | 'mysql', Readonly<Record<string, Read>>>> = {
  mysql: both,
  postgres: {
    ...both,
    application_name: text('applicationName'),
    schema: named('schema'),
    target_session_attrs: (value) =>
      (sessionTargets as readonly string[]).includes(value)
        ? { settings: { sessionTarget: value as SessionTarget } }
        : `one of ${sessionTargets.join(', ')}`,
    user: (user) => ({ parts: { user } }),
    password: (password) => ({ parts: { password } }),
    host: (host) => ({ parts: { host } }),
    port: (port) => (/^\d{1,5}(,\d{1,5})*$/.test(port) ? { parts: { port } } : 'a port'),
  },
};

/**
 * Reads the query of a server's URL; `address` is what comes before it, fit to be shown. An unknown parameter is refused: one that requests
 * encryption in another spelling must not be ignored. Values are shown only of known parameters that hold no secret.
 */
export function readParameters(
  address: string,
  dialect: 'postgres' | 'mysql',
  query: string,
): { readonly given: GivenParts; readonly settings: UrlSettings; readonly shown: string } {
  const readers = known[dialect];
  const shown: string[] = [];
  const soFar = () => (shown.length === 0 ? '' : `?${shown.join('&')}`);
  const seen = new Set<string>();
  let given: GivenParts = {};
  let settings: UrlSettings = {};
  for (const [name, value] of new URLSearchParams(query)) {
    // Of two that contradict each other one would be dropped silently, possibly the one that requests encryption.
    const meaning = name === 'ssl' ? 'sslmode' : name;
    if (seen.has(meaning)) throw refusal(address + soFar(), `its parameter ${meaning} is given twice: keep one`, name);
    seen.add(meaning);
    const read = Object.hasOwn(readers, name) ? readers[name]!(value) : null;
    if (read === null) throw refusal(address + soFar(), unknownParameter(name, Object.keys(readers)), name);
    if (typeof read === 'string') throw refusal(address + soFar(), `its parameter ${name} must be ${read}`, name);
    shown.push(`${name}=${name === 'password' ? '***' : value}`);
    given = { ...given, ...read.parts };
    settings = { ...settings, ...read.settings };
  }
  return { given, settings, shown: soFar() };
}

function unknownParameter(name: string, names: readonly string[]): string {
  const isAboutTls = /ssl|tls|secure/i.test(name);
  const remedy = isAboutTls ? `use sslmode=${sslModes.join('|')}` : `use ${names.join(', ')}`;
  return `its parameter ${JSON.stringify(name)} is not known: ${remedy}`;
}

function refusal(url: string, problem: string, parameter: string): DatabaseUrlError {
  return new DatabaseUrlError(`${JSON.stringify(url)} cannot be opened: ${problem}`, { url, parameter });
}
