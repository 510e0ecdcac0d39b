import type { Output } from '@corral/contract';
import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { renderConsole } from '../../../../test/render-console.tsx';
import { packageId, repositoryAnswers, repositoryId } from '../../../../test/repository-answers.ts';

type Differences = Output<'repositories_CompareVersions'>;
type ComparedFile = Differences['files'][number];

const path = `/repositories/${repositoryId}/packages/${packageId}/compare`;
const file = (digest: string, size: number): NonNullable<ComparedFile['to']> => ({
  assetId: `repo_a_${digest}`,
  digest: `sha256_${digest}`,
  size,
  status: 'Available',
});
const one = (filename: string, change: ComparedFile['change'], more: Partial<ComparedFile>) => ({
  filename,
  change,
  hasOtherMetadata: false,
  ...more,
});

async function openWith(differences: Pick<Differences, 'files' | 'totalBytes' | 'bytesToFetch'>) {
  const known = await repositoryAnswers.repositories_CompareVersions!({} as never);
  return renderConsole(path, {
    ...repositoryAnswers,
    repositories_CompareVersions: () => ({ ...known, metadata: [], ...differences }),
  });
}

const names = () =>
  within(screen.getByRole('table', { name: 'Files' }))
    .getAllByRole('row')
    .slice(1)
    .map((row) => within(row).getAllByRole('cell')[0]!.textContent);

test('the picture names the bytes of each kind, and its parts and the chips lead to the files of that kind', async () => {
  const { user, address } = await openWith({
    files: [
      one('changed.img', 'Changed', { from: file('1', 1024), to: file('2', 2048) }),
      one('gone.txt', 'Removed', { from: file('3', 512) }),
      one('new.txt', 'Added', { to: file('4', 256) }),
      one('same.txt', 'Same', { from: file('5', 128), to: file('5', 128) }),
    ],
    totalBytes: 2432,
    bytesToFetch: 2304,
  });
  const bytes = within(await screen.findByRole('list', { name: 'Bytes' }));
  expect(bytes.getAllByRole('link').map((link) => link.getAttribute('aria-label'))).toEqual([
    '128 bytes: Same',
    '2 KiB new for 1 KiB: Changed',
    '256 bytes new: Added',
    '512 bytes gone: Removed',
  ]);
  expect(names()).toEqual(['changed.img', 'gone.txt', 'new.txt']);
  await user.click(bytes.getByRole('link', { name: '512 bytes gone: Removed' }));
  await waitFor(() => expect(names()).toEqual(['gone.txt']));
  expect(address()).toBe(`${path}?show=removed`);
  await user.click(screen.getByRole('button', { name: 'Same 1' }));
  await waitFor(() => expect(names()).toEqual(['same.txt']));
  await user.click(screen.getByTitle('Added: 256 bytes'));
  await waitFor(() => expect(names()).toEqual(['new.txt']));
  expect(screen.getByRole('button', { name: 'Added 1' })).toHaveAttribute('aria-pressed', 'true');
  await user.click(screen.getByRole('button', { name: 'Changes 3' }));
  await waitFor(() => expect(address()).toBe(path));
});

test('versions that are the same say so, and a kind without files too', async () => {
  const { user } = await openWith({
    files: [one('same.txt', 'Same', { from: file('5', 128), to: file('5', 128) })],
    totalBytes: 128,
    bytesToFetch: 0,
  });
  expect(await screen.findByText('Both versions have the same files and metadata.')).toBeVisible();
  expect(screen.queryByRole('table')).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Added 0' }));
  expect(await screen.findByText('There are none of this kind.')).toBeVisible();
});

test('files without bytes have no bar', async () => {
  await openWith({
    files: [one('empty.txt', 'Added', { to: file('0', 0) })],
    totalBytes: 0,
    bytesToFetch: 0,
  });
  expect(await screen.findByText('Nothing to fetch: all bytes are there already.')).toBeVisible();
  expect(names()).toEqual(['empty.txt']);
  expect(screen.queryByRole('list', { name: 'Bytes' })).toBeNull();
});
