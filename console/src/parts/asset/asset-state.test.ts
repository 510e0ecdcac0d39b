import { expect, test } from 'vitest';
import { downloadProblem } from './asset-state.ts';
import { assetCopy as words } from './copy.ts';

test.each([
  ['Available', 'Verified', undefined],
  ['Available', 'Error', undefined],
  ['Available', 'Missing', words.storageText.Missing],
  ['Available', 'Mismatched', words.storageText.Mismatched],
  ['Dangling', 'Unknown', words.notUploaded],
] as const)('what cannot be downloaded says why: %s, %s in the store', (status, stored, problem) => {
  expect(downloadProblem({ status, storage: { status: stored } })).toBe(problem);
});
