import type { AnswerTable } from '@corral/client';
import { ActionError } from '@corral/contract';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { held, renderConsole } from '../../../test/render-console.tsx';
import {
  asset,
  assetId,
  earlierVersionId,
  file,
  packageId,
  repository,
  repositoryAnswers,
  repositoryId,
  tagMoves,
  version,
  versionId,
  versions,
} from '../../../test/repository-answers.ts';
import { rowsPerPage } from '../../parts/list-limits.ts';

const packagePath = `/repositories/${repositoryId}/packages/${packageId}`;
const oldVersionId = 'pkg_v_5KqW2x9RvHy8cBq1sw7Fg2';
const versionPath = `${packagePath}/versions/${versionId}`;

afterEach(() => void vi.unstubAllGlobals());

/** A tab that the console opens, and where it was sent. */
function stubTab() {
  const tab = { opener: 'page' as unknown, location: { replace: vi.fn() }, close: vi.fn() };
  vi.stubGlobal(
    'open',
    vi.fn(() => tab),
  );
  return tab;
}

test('the commands above the packages have the repository filled in, and are open while there are none', async () => {
  renderConsole(`/repositories/${repositoryId}/packages`, {
    ...repositoryAnswers,
    repositories_GetRepositoryDetails: () => ({ ...repository, name: 'my crane', packageCount: 0 }),
    repositories_QueryRepositoryPackages: () => ({ packages: [] }),
  });
  expect(await screen.findByText('Packages can currently only be managed through the CLI.')).toBeVisible();
  expect(screen.getByText('Creating them and publishing versions works here, too.')).toBeVisible();
  expect(screen.getByText("corral packages create 'my crane/my-package'")).toBeVisible();
  expect(screen.getByText(/repository = "my crane"/)).toBeVisible();
});

test('a locked tag says in the list that it is locked', async () => {
  renderConsole(packagePath, repositoryAnswers);
  const table = within(await screen.findByRole('table', { name: 'Versions' }));
  expect(table.getByText('v1.4.0')).toHaveTextContent('v1.4.0 (locked)');
  expect(table.getByText('stable')).not.toHaveTextContent('locked');
});

test('a download opens a blank tab in the click, and sends it to the URL when the hub has issued it', async () => {
  const tab = stubTab();
  const issued = held<{ url: string; size: number; digest: string; expiresAt: string }>();
  const inputs: unknown[] = [];
  const { user } = renderConsole(versionPath, {
    ...repositoryAnswers,
    repositories_IssueAssetDownloadUrl: (input) => (inputs.push(input), issued.promise),
  });
  await user.click(await screen.findByRole('button', { name: 'Download crane.img' }));
  expect(window.open).toHaveBeenCalledWith('about:blank', '_blank');
  expect(tab.opener).toBeNull();
  expect(inputs).toEqual([{ assetId, filename: 'crane.img' }]);
  const url = 'https://hub.example/r/assets/1?sig=2';
  issued.resolve({ url, size: 1, digest: file.digest, expiresAt: '2026-11-22T10:00:00Z' });
  await waitFor(() => expect(tab.location.replace).toHaveBeenCalledWith(url));
});

test('a refused download closes the tab and says why', async () => {
  const tab = stubTab();
  const { user } = renderConsole(versionPath, {
    ...repositoryAnswers,
    repositories_IssueAssetDownloadUrl: () => {
      throw new ActionError('Invalid', 'The store cannot be reached.');
    },
  });
  await user.click(await screen.findByRole('button', { name: 'Download crane.img' }));
  expect((await screen.findAllByText('The store cannot be reached.'))[0]).toBeVisible();
  expect(tab.close).toHaveBeenCalled();
});

test('a file whose bytes were not uploaded shows so and cannot be downloaded', async () => {
  renderConsole(versionPath, {
    ...repositoryAnswers,
    repositories_GetPackageVersionDetails: () => ({
      ...version,
      assets: [{ ...file, status: 'Dangling' }],
    }),
  });
  expect(await screen.findByText('Not uploaded')).toBeVisible();
  const download = screen.getByRole('button', { name: 'Download crane.img' });
  expect(download).toHaveAttribute('aria-disabled', 'true');
  expect(download).toHaveAccessibleDescription('Its bytes were not uploaded yet.');
});

test('View opens the asset in the URL: what the store said, who uses it, how to verify it', async () => {
  const { user, address } = renderConsole(versionPath, {
    ...repositoryAnswers,
    repositories_GetAssetDetails: () => ({
      ...asset,
      storage: { status: 'Mismatched', checkedAt: '2026-11-20T10:00:00Z', detail: 'Other bytes at 4096.' },
    }),
  });
  await user.click(await screen.findByRole('button', { name: 'View crane.img' }));
  const drawer = within(await screen.findByRole('dialog', { name: 'crane.img' }));
  expect(address()).toBe(`${versionPath}?file=crane.img`);
  expect((await drawer.findAllByText(/^The store has other bytes than these/))[0]).toBeVisible();
  expect(drawer.getByText('Other bytes at 4096.')).toBeVisible();
  expect(drawer.getByText('12,582,912 bytes (12 MiB)')).toBeVisible();
  expect(await drawer.findByRole('link', { name: 'crane-firmware 1.4.0' })).toHaveAttribute(
    'href',
    versionPath,
  );
  expect(drawer.getByText(/sha256sum/)).toHaveTextContent(
    `echo "${'5f'.repeat(32)} "crane.img | sha256sum --check`,
  );
  expect(drawer.getByRole('button', { name: 'Remove File' })).toHaveAccessibleDescription(
    'The locked tag v1.4.0 points at this version: its files stay as they are.',
  );
  await user.keyboard('{Escape}');
  await waitFor(() => expect(address()).toBe(versionPath));
});

test('an upload that the hub gave up is called failed, and nothing says that it is tried again', async () => {
  const detail = 'The hub tried to finish this upload several times and gave up. The store is overloaded.';
  const givenUp = { status: 'Dangling', storage: { status: 'Error', detail } } as const;
  renderConsole(`${versionPath}?file=crane.img`, {
    ...repositoryAnswers,
    repositories_GetAssetDetails: () => ({ ...asset, ...givenUp }),
    repositories_GetPackageVersionDetails: () => ({ ...version, assets: [{ ...file, ...givenUp }] }),
  });
  const drawer = within(await screen.findByRole('dialog', { name: 'crane.img' }));
  expect(await drawer.findAllByText('Upload failed')).toHaveLength(2);
  expect(drawer.getByText(/^What was uploaded could not be verified/)).toBeVisible();
  expect(drawer.getByText(detail)).toBeVisible();
  expect(screen.queryByText(/It is tried again/)).toBeNull();
});

test('an asset that files use cannot be deleted', async () => {
  renderConsole(`/repositories/${repositoryId}/assets?asset=${assetId}`, repositoryAnswers);
  const drawer = within(await screen.findByRole('dialog', { name: 'Asset' }));
  expect(await drawer.findByRole('button', { name: 'Delete' })).toHaveAccessibleDescription(
    '2 files use it. Remove it there first.',
  );
});

test('a file is removed from a version after a question with the tags that point there and what becomes of its bytes', async () => {
  const calls: unknown[] = [];
  const { user, address } = renderConsole(`${versionPath}?file=crane.img`, {
    ...repositoryAnswers,
    repositories_GetPackageVersionDetails: () => ({ ...version, tags: [{ tag: 'latest', locked: false }] }),
    repositories_RemovePackageVersionAsset: (input) => (calls.push(input), {}),
  });
  const drawer = within(await screen.findByRole('dialog', { name: 'crane.img' }));
  await user.click(await drawer.findByRole('button', { name: 'Remove File' }));
  const prompt = within(await screen.findByRole('alertdialog', { name: 'Remove the file crane.img' }));
  expect(
    prompt.getByText(
      'Version 1.4.0 no longer has it. latest points at this version: devices that follow it do not get the file any more. 1 other file has the same bytes and stays.',
    ),
  ).toBeVisible();
  await user.click(prompt.getByRole('button', { name: 'Remove File' }));
  await waitFor(() => expect(calls).toEqual([{ versionId, filename: 'crane.img' }]));
  await waitFor(() => expect(address()).toBe(versionPath));
});

test('an asset that nothing uses is deleted after a prompt', async () => {
  const calls: unknown[] = [];
  const { user, address } = renderConsole(`/repositories/${repositoryId}/assets?asset=${assetId}`, {
    ...repositoryAnswers,
    repositories_GetAssetDetails: () => ({ ...asset, referenceCount: 0 }),
    repositories_QueryAssetReferences: () => ({ references: [] }),
    repositories_DeleteAsset: (input) => (calls.push(input), {}),
  });
  const drawer = within(await screen.findByRole('dialog', { name: 'Asset' }));
  expect(await drawer.findByText(/^No package or version uses this asset/)).toBeVisible();
  await user.click(await drawer.findByRole('button', { name: 'Delete' }));
  const prompt = within(await screen.findByRole('alertdialog'));
  await user.click(prompt.getByRole('button', { name: 'Delete' }));
  await waitFor(() => expect(calls).toEqual([{ assetId }]));
  await waitFor(() => expect(address()).toBe(`/repositories/${repositoryId}/assets`));
});

test('each move of a tag shows from where to where, who did it, and links to the log entry', async () => {
  renderConsole(`${packagePath}/tags`, repositoryAnswers);
  const list = within(await screen.findByRole('list', { name: 'Tag history' }));
  expect(list.getByText('moved')).toBeVisible();
  expect(list.getByRole('link', { name: '1.3.2' })).toHaveAttribute(
    'href',
    `${packagePath}/versions/${earlierVersionId}`,
  );
  expect(list.getByRole('link', { name: '1.4.0' })).toHaveAttribute('href', versionPath);
  expect(await list.findByText('Mara Keller')).toBeVisible();
  expect(list.getByRole('link', { name: 'Log entry: latest moved' })).toHaveAttribute(
    'href',
    `/repositories/${repositoryId}/log?entry=audit_ev_20261101-1000-aaaaaaaa`,
  );
});

test('the known moves of a tag stay when more cannot be loaded, which can be tried again', async () => {
  const moves = Array.from({ length: rowsPerPage }, (_, index) => ({
    ...tagMoves[0]!,
    eventId: `audit_ev_${index}` as const,
  }));
  let isBroken = true;
  renderConsole(`${packagePath}/tags`, {
    ...repositoryAnswers,
    repositories_QueryTagHistory: ({ limit = 0 }) => {
      if (limit <= rowsPerPage) return { moves };
      if (isBroken) throw new ActionError('Forbidden', 'The log cannot be read.');
      return { moves: [...moves, { ...tagMoves[0]!, eventId: 'audit_ev_last' }] };
    },
  });
  const list = await screen.findByRole('list', { name: 'Tag history' });
  const count = () => list.children.length;
  // Cheaply, since roles and users take long among so many rows.
  fireEvent.click(screen.getByText('Load more'));
  const retry = await screen.findByText('Retry');
  expect(count()).toBe(rowsPerPage);
  isBroken = false;
  fireEvent.click(retry);
  await waitFor(() => expect(count()).toBe(rowsPerPage + 1));
  expect(screen.queryByText('Load more')).toBeNull();
});

test('without a choice the newest version is compared with the one before; equal files show on request', async () => {
  const calls: unknown[] = [];
  const { user, address } = renderConsole(`${packagePath}/compare`, {
    ...repositoryAnswers,
    repositories_CompareVersions: (input) => (
      calls.push(input),
      repositoryAnswers.repositories_CompareVersions!(input)
    ),
  });
  const files = () => within(screen.getByRole('table', { name: 'Files' }));
  expect(await screen.findByText('12 MiB to fetch of 12 MiB in all.')).toBeVisible();
  expect(calls).toEqual([{ fromVersionId: earlierVersionId, toVersionId: versionId }]);
  expect(screen.queryByText(/Only the newest/)).toBeNull();
  expect(files().getByText('Changed')).toBeVisible();
  expect(files().queryByText('notes.txt')).toBeNull();
  await user.click(screen.getByRole('button', { name: 'All files 2' }));
  expect(await files().findByText('notes.txt')).toBeVisible();
  await waitFor(() => expect(address()).toBe(`${packagePath}/compare?show=all`));
  expect(within(screen.getByRole('table', { name: 'Metadata' })).getByText('0f3c9a1')).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Swap the versions' }));
  await waitFor(() =>
    expect(calls).toContainEqual({ fromVersionId: versionId, toVersionId: earlierVersionId }),
  );
});

test('integers that no number can hold have all digits in metadata and where versions are compared', async () => {
  const [from, to] = [1764252000123456788n, 1764252000123456789n] as never[];
  const answers: AnswerTable = {
    ...repositoryAnswers,
    repositories_GetPackageVersionDetails: () => ({ ...version, metadata: { builtAt: { ns: to! } } }),
    repositories_CompareVersions: async (input) => ({
      ...(await repositoryAnswers.repositories_CompareVersions!(input)),
      metadata: [{ key: 'builtAt', from, to: { ns: to! } }],
    }),
  };
  const { router } = renderConsole(versionPath, answers);
  expect(await screen.findByText('{ "ns": 1764252000123456789 }')).toBeVisible();
  router.history.push(`${packagePath}/compare`);
  const metadata = within(await screen.findByRole('table', { name: 'Metadata' }));
  expect(metadata.getByText('1764252000123456788')).toBeVisible();
  expect(metadata.getByText('{ "ns": 1764252000123456789 }')).toBeVisible();
});

/** The newest versions of a package that has more, none of them tagged, and one beyond them. */
const manyVersions: AnswerTable = {
  ...repositoryAnswers,
  repositories_QueryPackageVersions: () => ({
    versions: versions.map((listed) => ({ ...listed, tags: [] })),
    next: 'more',
  }),
  repositories_GetPackageVersionDetails: (input) => {
    if (input.versionId !== oldVersionId) throw new ActionError('Invalid', 'Version not found.');
    return { ...version, versionId: oldVersionId, name: '0.9.0', tags: [{ tag: 'latest', locked: true }] };
  },
};

test('a version beyond the newest ones is compared with the newest one, and has its name', async () => {
  const calls: unknown[] = [];
  const answers: AnswerTable = {
    ...manyVersions,
    repositories_CompareVersions: (input) => (
      calls.push(input),
      repositoryAnswers.repositories_CompareVersions!(input)
    ),
  };
  const { user, address } = renderConsole(`${packagePath}/compare?to=${oldVersionId}`, answers);
  await waitFor(() => expect(screen.getByRole('combobox', { name: 'From' })).toHaveValue('0.9.0'));
  expect(screen.getByRole('combobox', { name: 'To' })).toHaveValue('1.4.0');
  expect(screen.getByText(/^Only the newest 2 versions are offered/)).toBeVisible();
  expect(calls).toEqual([{ fromVersionId: oldVersionId, toVersionId: versionId }]);
  await user.click(screen.getByRole('button', { name: 'Swap the versions' }));
  await waitFor(() => expect(address()).toContain(`from=${versionId}`));
  await waitFor(() => expect(screen.getByRole('combobox', { name: 'From' })).toHaveValue('1.4.0'));
  expect(screen.getByRole('combobox', { name: 'To' })).toHaveValue('0.9.0');
});

test('a package or a version of another repository is not found', async () => {
  const other = 'repo_8KqW2x9RvHy8cBq1sw7Fd4';
  renderConsole(`/repositories/${other}/packages/${packageId}`, repositoryAnswers);
  expect(await screen.findByRole('heading', { level: 1, name: 'Page not Found' })).toBeVisible();
});

test('a long list is read in pages, and filtered and sorted by the hub', async () => {
  const read: { search?: string | undefined; order?: string | undefined; limit?: number | undefined }[] = [];
  const many = Array.from({ length: 1200 }, (_, index) => ({
    ...versions[0]!,
    versionId: `pkg_v_${index}` as const,
    name: `1.0.${index}`,
    tags: [],
  }));
  const { user } = renderConsole(packagePath, {
    ...repositoryAnswers,
    repositories_QueryPackageVersions: ({ limit = 0, search = '', order, after = '0' }) => {
      read.push({ search, order, limit });
      const found = many.filter(({ name }) => name.includes(search));
      const sorted = order === '-name' ? found.toReversed() : found;
      const end = Number(after) + limit;
      return {
        versions: sorted.slice(Number(after), end),
        ...(end < sorted.length ? { next: String(end) } : {}),
      };
    },
  });
  await user.click(await screen.findByRole('button', { name: 'Load more' }));
  await waitFor(() =>
    expect(screen.getByRole('table', { name: 'Versions' })).toHaveAttribute('aria-rowcount', '1001'),
  );
  await user.type(screen.getByRole('searchbox', { name: 'Filter versions' }), '1.0.1199');
  expect(await screen.findByRole('link', { name: /1\.0\.1199/ })).toBeVisible();
  // On a slow machine a part of the name is searched for, too, while it is typed.
  await waitFor(() => expect(read.at(-1)).toMatchObject({ search: '1.0.1199' }));
  await user.clear(screen.getByRole('searchbox', { name: 'Filter versions' }));
  await user.click(screen.getByRole('button', { name: 'Name' }));
  await user.click(screen.getByRole('button', { name: 'Name' }));
  await waitFor(() => expect(read.at(-1)).toMatchObject({ search: '', order: '-name' }));
  expect(await screen.findByRole('link', { name: /1\.0\.1199/ })).toBeVisible();
  expect(read.every(({ limit }) => limit === 500)).toBe(true);
});
