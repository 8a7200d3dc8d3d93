import { HoraeError } from '@horae/clock-store';

/** The command line cannot be understood: exit code 2. */
export class UsageError extends HoraeError<{ hint: string }> {
  readonly code = 'wrong-usage';
}

/** What the command line names cannot be used: exit code 1. */
export class CommandInputError extends HoraeError<{ hint: string; [fact: string]: unknown }> {
  readonly code = 'bad-input';
}
