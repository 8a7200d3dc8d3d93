import { TimeRingError } from '../../model/errors.js';

/** The size of parameters as they are stored: UTF-8 of their JSON. */
export function paramsBytes(params: unknown): number {
  return params === undefined ? 0 : Buffer.byteLength(JSON.stringify(params));
}

/** Refuses parameters that are larger than the ring accepts. */
export function checkParams(params: unknown, maxParamsBytes: number): void {
  const bytes = paramsBytes(params);
  if (bytes <= maxParamsBytes) return;
  const remedy = 'store the data elsewhere and pass its key, or raise maxParamsBytes';
  throw new TimeRingError(
    'params-too-large',
    `params are ${bytes} bytes of JSON, more than the ${maxParamsBytes} of maxParamsBytes: ${remedy}`,
    { field: 'params', value: bytes, limit: maxParamsBytes },
  );
}
