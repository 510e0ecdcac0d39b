import { ActionError } from '@corral/contract';
import { notFound } from '@tanstack/react-router';
import { expect, test, vi } from 'vitest';
import { reportCaughtError } from './report-caught-error.ts';
import { documentCopy } from './shell/document-copy.ts';

test.each([
  ['a bug', new Error('x is not a function'), true],
  ['a refusal of the hub', new ActionError('Forbidden', 'Only an owner may do this.'), false],
  ['a page that does not exist', notFound(), false],
  ['code that could not be loaded', new TypeError(documentCopy.pageNotLoaded), false],
])('%s is logged: %s', (_name, error, isLogged) => {
  const log = vi.spyOn(console, 'error').mockImplementation(() => {});
  reportCaughtError(error);
  expect(log).toHaveBeenCalledTimes(isLogged ? 1 : 0);
  log.mockClear();
});
