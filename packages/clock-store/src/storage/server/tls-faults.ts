import { DatabaseTlsError } from '../base/storage-errors.js';

const NO_TLS = /does not support (ssl|secure) connections?/i;
const TLS_CODE = /^(ERR_TLS|ERR_SSL|CERT_|UNABLE_TO_|SELF_SIGNED|DEPTH_ZERO|HOSTNAME_MISMATCH|HANDSHAKE_(NO_SSL|SSL))/;

/** The typed error when a connection could not be encrypted as it should be; undefined for every other error. */
export function tlsFault(error: Error, codes: readonly string[], url: string): DatabaseTlsError | undefined {
  if (!NO_TLS.test(error.message) && !codes.some((code) => TLS_CODE.test(code))) return undefined;
  const isOffered = !NO_TLS.test(error.message) && !codes.includes('HANDSHAKE_NO_SSL_SUPPORT');
  const remedy = isOffered
    ? `its certificate does not hold (${causeOf(error)}): give its authority (ssl.ca, or sslrootcert in the URL) and connect by the name that is in it`
    : 'the server does not offer encryption: switch it on there, or connect without (sslmode=disable)';
  return new DatabaseTlsError(`${url} cannot be connected to safely: ${remedy}`, { url, isOffered }, { cause: error });
}

function causeOf(error: Error): string {
  return error.cause instanceof Error ? error.cause.message : error.message;
}
