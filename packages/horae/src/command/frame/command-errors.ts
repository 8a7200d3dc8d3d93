import { HoraeError } from '@horae/clock-store';

/** The command line is invalid: exit code 2. */
export class UsageError extends HoraeError<{ hint: string }> {
  readonly code = 'wrong-usage';
}

/** An input named on the command line is invalid: exit code 1. */
export class CommandInputError extends HoraeError<{ hint: string; [fact: string]: unknown }> {
  readonly code = 'bad-input';
}
