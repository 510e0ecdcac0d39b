import { ActionError, type Id, type Output } from '@corral/contract';
import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { held, renderConsole } from '../../../test/render-console.tsx';
import {
  asset,
  assetId,
  packageId,
  repositoryAnswers,
  repositoryId,
} from '../../../test/repository-answers.ts';

type References = Output<'repositories_QueryAssetReferences'>;

const referenceCount = 12;
const references = Array.from({ length: referenceCount }, (_, index) => ({
  packageId: packageId as Id<'package'>,
  packageName: 'crane-firmware',
  versionId: `pkg_v_${index}` as const,
  versionName: `1.0.${index}`,
  filename: 'crane.img',
  addedAt: '2026-11-01T10:00:00Z',
}));

test('the known files that use an asset stay while more are loaded, and when that fails, which can be tried again', async () => {
  let rest = held<References>();
  const { user } = renderConsole(`/repositories/${repositoryId}/assets?asset=${assetId}`, {
    ...repositoryAnswers,
    repositories_GetAssetDetails: () => ({ ...asset, referenceCount }),
    repositories_QueryAssetReferences: ({ limit = 0 }) =>
      limit <= 10 ? { references: references.slice(0, limit) } : rest.promise,
  });
  const drawer = within(await screen.findByRole('dialog', { name: 'Asset' }));
  const links = () => drawer.queryAllByRole('link', { name: /^crane-firmware 1\.0/ });
  const more = await drawer.findByRole('button', { name: 'Load more' });
  expect(links()).toHaveLength(10);
  await user.click(more);
  expect(more).toHaveAttribute('aria-busy', 'true');
  expect(links()).toHaveLength(10);
  rest.reject(new ActionError('Forbidden', 'Only members may read this.'));
  const retry = await drawer.findByRole('button', { name: 'Retry' });
  expect(links()).toHaveLength(10);
  rest = held();
  rest.resolve({ references });
  await user.click(retry);
  await waitFor(() => expect(links()).toHaveLength(referenceCount));
  expect(drawer.queryByRole('button', { name: 'Load more' })).toBeNull();
});

test('an asset whose uses cannot be read says so, and can be tried again', async () => {
  let isBroken = true;
  const { user } = renderConsole(`/repositories/${repositoryId}/assets?asset=${assetId}`, {
    ...repositoryAnswers,
    repositories_QueryAssetReferences: () => {
      if (isBroken) throw new ActionError('Forbidden', 'Only members may read this.');
      return { references: references.slice(0, 2) };
    },
  });
  const drawer = within(await screen.findByRole('dialog', { name: 'Asset' }));
  const retry = await drawer.findByRole('button', { name: 'Retry' });
  isBroken = false;
  await user.click(retry);
  expect(await drawer.findByRole('link', { name: 'crane-firmware 1.0.1' })).toBeVisible();
});
