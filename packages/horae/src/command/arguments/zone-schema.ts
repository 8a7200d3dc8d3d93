import { resolveZone } from '@horae/clock-store';
import { z } from 'zod';

/** The IANA name of a time zone. */
export const zoneSchema = z.string().superRefine((name, context) => {
  try {
    resolveZone(name);
  } catch {
    context.addIssue({ code: 'custom', message: 'an IANA time zone, such as Europe/Berlin' });
  }
});
