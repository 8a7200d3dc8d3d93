import { expect, test } from 'vitest';
import { HoraeError, InvariantError, invariant, isHoraeError } from './errors.js';

class SampleError extends HoraeError<{ field: string }> {
  readonly code = 'sample';
}

test('an error carries its code, its name, frozen details and its cause', () => {
  const cause = new Error('below');
  const error = new SampleError('text', { field: 'x' }, { cause });
  expect(error).toBeInstanceOf(Error);
  expect(error).toMatchObject({ name: 'SampleError', code: 'sample', message: 'text', details: { field: 'x' }, cause });
  expect(Object.isFrozen(error.details)).toBe(true);
});

test('details are a copy: changing what was handed in changes nothing', () => {
  const details = { field: 'x' };
  const error = new SampleError('text', details);
  details.field = 'y';
  expect(error.details.field).toBe('x');
});

test('isHoraeError knows the errors of another copy of the package by their marker', () => {
  const foreign = Object.assign(new Error('text'), { [Symbol.for('horae.error')]: true, code: 'sample' });
  expect(isHoraeError(foreign)).toBe(true);
  expect(isHoraeError(new SampleError('text', { field: 'x' }))).toBe(true);
});

test.each([undefined, null, 'text', {}, new Error('plain')])('isHoraeError is false for %s', (value) => {
  expect(isHoraeError(value)).toBe(false);
});

test('the marker does not show when an error is printed or spread', () => {
  expect(Object.getOwnPropertySymbols({ ...new SampleError('text', { field: 'x' }) })).toEqual([]);
});

test('invariant passes what holds and throws for what does not', () => {
  expect(() => invariant(1, 'one is true')).not.toThrow();
  expect(() => invariant(0, 'zero is not')).toThrow(InvariantError);
  expect(() => invariant(null, 'null is not')).toThrow('Invariant broken: null is not');
});
