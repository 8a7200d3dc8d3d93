import type { SendAlert } from '../engine/alerts/send-alert.js';
import type { AlertChannel, AlertMessage } from '../model/alert.js';
import { TimeRingError } from '../model/errors.js';

type Email = Extract<AlertChannel, { kind: 'email' }>;

/** Sends messages by SMTP with nodemailer, which the program must install. */
export function emailSender({ smtp, to, from = 'horae@localhost' }: Email): SendAlert {
  return async (message, { signal }) => {
    const { createTransport } = await loadNodemailer();
    const transport = createTransport(smtp as string);
    const close = () => transport.close();
    signal.addEventListener('abort', close, { once: true });
    try {
      await transport.sendMail({
        from,
        to: typeof to === 'string' ? to : [...to],
        subject: message.text,
        text: textOf(message),
        headers: { 'x-horae-alert': String(message.id) },
      });
    } finally {
      signal.removeEventListener('abort', close);
      close();
    }
  };
}

async function loadNodemailer() {
  try {
    const { default: nodemailer } = await import('nodemailer');
    return nodemailer;
  } catch (cause) {
    throw new TimeRingError(
      'bad-option',
      'A channel of kind email needs nodemailer: npm install nodemailer',
      { field: 'channels' },
      { cause },
    );
  }
}

function textOf({ text, on, count, at, nodeId, job, run }: AlertMessage): string {
  const lines = [
    text,
    '',
    `What: ${on}${count > 1 ? `, ${count} times` : ''}, since ${new Date(at).toISOString()}`,
    ...(job === null ? [] : [`Job: ${job.name} (${job.key ?? job.id})`]),
    ...(run === null ? [] : [`Run: ${run.id}, attempt ${run.attempt}`]),
    ...(run === null || run.message === null ? [] : [`Message: ${run.message}`]),
    `Node: ${nodeId}`,
  ];
  return `${lines.join('\n')}\n`;
}
