import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { renderConsole } from '../../../test/render-console.tsx';
import { repository, repositoryAnswers, repositoryId } from '../../../test/repository-answers.ts';

test('the usage says how what is stored has grown and how much was served, and when the quota is reached if it goes on like this', async () => {
  const mebibyte = 1_048_576;
  const storedBytes = Array.from({ length: 120 }, (_, step) => (step < 19 ? null : step * mebibyte));
  renderConsole(`/repositories/${repositoryId}/settings`, {
    ...repositoryAnswers,
    repositories_GetRepositoryDetails: () => ({
      ...repository,
      usedBytes: 119 * mebibyte,
      maxBytes: 287 * mebibyte,
    }),
    repositories_QueryStoredBytes: () => ({
      from: '2026-10-30T00:00:00Z',
      stepSeconds: 21_600,
      storedBytes,
      servedBytes: storedBytes.map((_, step) => (step < 80 ? null : 10 * mebibyte)),
    }),
  });
  expect(await screen.findByRole('img', { name: 'grew by 100 MiB in 25 days' })).toBeVisible();
  expect(screen.getByText('full in about 6 weeks if it goes on like this')).toBeVisible();
  expect(screen.getByRole('img', { name: '400 MiB by the hub in 10 days' })).toBeVisible();
});

test.each([
  [[null, null, 0, 0], 'nothing by the hub in a day'],
  [[null, null, null, null], 'not counted yet'],
])('a repository of which %j was served says so in words alone', async (servedBytes, text) => {
  renderConsole(`/repositories/${repositoryId}/settings`, {
    ...repositoryAnswers,
    repositories_GetRepositoryDetails: () => repository,
    repositories_QueryStoredBytes: () => ({
      from: '2026-10-30T00:00:00Z',
      stepSeconds: 21_600,
      storedBytes: servedBytes.map(() => null),
      servedBytes,
    }),
  });
  expect(await screen.findByText(text)).toBeVisible();
  expect(screen.queryByRole('img', { name: text })).toBeNull();
});
