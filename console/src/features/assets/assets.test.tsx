import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { renderConsole } from '../../../test/render-console.tsx';
import { asset, repositoryAnswers, repositoryId } from '../../../test/repository-answers.ts';

test('an asset shows which files it is', async () => {
  const filenames = ['boot.img', 'rescue.img'];
  renderConsole(`/repositories/${repositoryId}/assets`, {
    ...repositoryAnswers,
    repositories_QueryRepositoryAssets: () => ({ assets: [{ ...asset, filenames }] }),
  });
  const table = within(await screen.findByRole('table', { name: 'Assets' }));
  expect(await table.findByText('boot.img, rescue.img')).toBeVisible();
});
