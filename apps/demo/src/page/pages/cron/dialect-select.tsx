import { type CronDialectName, cronDialects } from '../../../wire/cron.js';

const words: Readonly<Record<CronDialectName, string>> = {
  posix: 'POSIX, five fields',
  vixie: 'Crontab, steps and names',
  quartz: 'Quartz, with seconds',
};

/** The choice of the language in which an expression is written. */
export function DialectSelect(props: {
  value: CronDialectName;
  onChange: (dialect: CronDialectName) => void;
  label?: string;
}) {
  return (
    <select
      class="input"
      aria-label={props.label}
      value={props.value}
      onChange={(event) => props.onChange(event.currentTarget.value as CronDialectName)}
    >
      {cronDialects.map((dialect) => (
        <option key={dialect} value={dialect}>
          {words[dialect]}
        </option>
      ))}
    </select>
  );
}
