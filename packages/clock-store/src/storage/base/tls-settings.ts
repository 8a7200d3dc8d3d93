import { readFileSync } from 'node:fs';
import { checkServerIdentity, type PeerCertificate } from 'node:tls';
import type { ServerUrl } from './database-url.js';
import { DatabaseUrlError, StorageInputError } from './storage-errors.js';
import type { UrlSettings } from './url-parameters.js';

/** The option `ssl` of `openDatabase`. Certificates and keys are texts in PEM. */
export interface SslOptions {
  /** Which authorities to trust; default: those that Node trusts. */
  readonly ca?: string;
  readonly cert?: string;
  readonly key?: string;
  /** False: encrypted, but the server is not checked. Default: true. */
  readonly rejectUnauthorized?: boolean;
  /** The name in the server's certificate, where it is not the host. */
  readonly servername?: string;
}

/** How a connection is encrypted; undefined: not at all. */
export interface TlsSettings {
  readonly ca?: string;
  readonly cert?: string;
  readonly key?: string;
  readonly isVerified: boolean;
  readonly isHostChecked: boolean;
  readonly servername?: string;
  /** Whether a server that cannot encrypt is accepted. */
  readonly isOptional: boolean;
}

/** The settings of the option, or else of the URL. Throws when a file cannot be read. */
export function tlsSettings(option: boolean | SslOptions | undefined, url: ServerUrl): TlsSettings | undefined {
  if (option === undefined) return fromUrl(url);
  if (option === false) return undefined;
  if (option === true) return { isVerified: true, isHostChecked: true, isOptional: false };
  if (typeof option !== 'object' || option === null) {
    throw new StorageInputError(
      'ssl must be true, false, or an object with ca, cert, key, rejectUnauthorized, servername',
      {
        field: 'ssl',
        value: typeof option,
      },
    );
  }
  const { rejectUnauthorized: isVerified = true, ca, cert, key, servername } = option;
  return { ...present({ ca, cert, key, servername }), isVerified, isHostChecked: isVerified, isOptional: false };
}

function fromUrl({ printable, settings }: ServerUrl): TlsSettings | undefined {
  const { sslMode = 'disable', sslRootCert } = settings;
  if (sslMode === 'disable') return undefined;
  const file = (parameter: keyof UrlSettings) =>
    readPem(printable, parameter, settings[parameter] as string | undefined);
  // "system" is libpq's word for the authorities that the system trusts.
  const ca = sslRootCert === 'system' ? undefined : file('sslRootCert');
  // As with libpq: naming the authority to trust implies checking it.
  const isVerified = sslMode.startsWith('verify') || (sslMode === 'require' && sslRootCert !== undefined);
  return {
    ...present({ ca, cert: file('sslCert'), key: file('sslKey') }),
    isVerified,
    isHostChecked: sslMode === 'verify-full',
    isOptional: sslMode === 'prefer',
  };
}

function readPem(url: string, parameter: string, path: string | undefined): string | undefined {
  if (path === undefined) return undefined;
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    const name = parameter.toLowerCase();
    throw new DatabaseUrlError(
      `${JSON.stringify(url)} cannot be opened: the file ${path} of its parameter ${name} cannot be read: name a file with certificates in PEM`,
      { url, parameter: name },
      { cause },
    );
  }
}

function present<T extends object>(values: T): { [K in keyof T]?: NonNullable<T[K]> } {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as never;
}

/** The settings in the form that PostgreSQL's driver expects. */
export function postgresTls(tls: TlsSettings | undefined) {
  if (tls === undefined) return false;
  const { ca, cert, key, isVerified, isHostChecked, servername } = tls;
  return {
    ...present({ ca, cert, key }),
    rejectUnauthorized: isVerified,
    checkServerIdentity: (host: string, certificate: PeerCertificate) =>
      isHostChecked ? checkServerIdentity(servername ?? host, certificate) : undefined,
  };
}

/** The settings in the form that MySQL's driver expects; it takes the name to check from its host setting. */
export function mysqlTls(tls: TlsSettings | undefined) {
  if (tls === undefined) return undefined;
  const { ca, cert, key, isVerified, isHostChecked } = tls;
  return { ...present({ ca, cert, key }), rejectUnauthorized: isVerified, verifyIdentity: isHostChecked };
}
