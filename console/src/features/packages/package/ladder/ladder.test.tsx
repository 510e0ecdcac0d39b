import type { AnswerTable } from '@corral/client';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { renderConsole } from '../../../../../test/render-console.tsx';
import {
  earlierVersionId,
  packageId,
  repository,
  repositoryAnswers,
  repositoryId,
  rungs,
  version,
  versionId,
  versions,
} from '../../../../../test/repository-answers.ts';
import { ladderRows } from './ladder-rows.ts';

const packagePath = `/repositories/${repositoryId}/packages/${packageId}`;
const [newest, older] = rungs as [(typeof rungs)[number], (typeof rungs)[number]];

/** The answers for a tag that points at the older version, and what is changed. */
function answersWithCalls() {
  const calls: [string, unknown][] = [];
  const record = (name: string) => (input: unknown) => (calls.push([name, input]), {});
  const answers: AnswerTable = {
    ...repositoryAnswers,
    repositories_ResolvePackageVersionByPath: () => ({
      result: 'Found',
      repositoryId,
      packageId,
      versionId: earlierVersionId,
    }),
    repositories_GetPackageVersionDetails: (input) =>
      input.versionId === versionId ? version : { ...version, ...versions[1]! },
    repositories_TagPackageVersion: record('tag'),
    repositories_UntagPackageVersion: record('untag'),
  };
  return { answers, calls };
}

const ladder = async () => within(await screen.findByRole('list', { name: 'Where the tags point' }));
const rungOf = (id: string) => document.querySelector(`[data-rung="${id}"]`)!;

test('a rung has its version, tags, files and bytes, and leads to what the next older one has to fetch', async () => {
  renderConsole(packagePath, repositoryAnswers);
  const list = await ladder();
  const [first, second] = list.getAllByRole('listitem').map((item) => within(item));
  expect(first!.getAllByRole('link', { name: '1.4.0' })[0]).toHaveAttribute(
    'href',
    `${packagePath}/versions/${versionId}`,
  );
  expect(first!.getByRole('button', { name: 'latest, tag' })).toBeVisible();
  expect(first!.getByRole('button', { name: 'v1.4.0 (locked), tag' })).toBeVisible();
  expect(first!.getByText('2 files, 12 MiB')).toBeVisible();
  expect(
    first!.getByRole('link', { name: '1 file changed, 2.1 MiB new: compare with 1.3.2' }),
  ).toHaveAttribute('href', `${packagePath}/compare?from=${earlierVersionId}&to=${versionId}`);
  expect(second!.getByRole('button', { name: 'stable, tag' })).toBeVisible();
  expect(second!.queryByText(/changed/)).toBeNull();
});

test('a package without versions has no ladder', async () => {
  renderConsole(packagePath, {
    ...repositoryAnswers,
    repositories_QueryPackageVersions: () => ({ versions: [] }),
    repositories_GetPackageLadder: () => ({ rungs: [] }),
  });
  expect(await screen.findByText('No versions')).toBeVisible();
  expect(screen.queryByText('Where the tags point')).toBeNull();
});

const listed = Array.from({ length: 40 }, (_, index) => ({
  ...versions[0]!,
  versionId: `pkg_v_${String(index).padStart(22, 'a')}` as typeof versionId,
  name: `1.0.${40 - index}`,
  tags: [],
}));
const rungAt = (index: number, olderCount: number) => ({
  ...newest,
  ...listed[index]!,
  olderCount,
});

test('what lies between two rungs is folded, and one version alone is not', () => {
  const rows = ladderRows([rungAt(0, 1), rungAt(2, 30), rungAt(33, 6)], listed);
  const shown = rows.map((row) =>
    row.kind === 'rung' ? row.version.name : [row.count, row.versions.length],
  );
  expect(shown).toEqual(['1.0.40', '1.0.39', '1.0.38', [30, 20], '1.0.7', [6, 6]]);
  expect(ladderRows([{ ...rungAt(0, 3), versionId: 'pkg_v_old' as typeof versionId }], listed)).toMatchObject(
    [{ kind: 'rung' }, { kind: 'fold', count: 3, versions: [] }],
  );
});

test('a fold opens to the newest of its versions, and says how many more the table has', async () => {
  const { user } = renderConsole(packagePath, {
    ...repositoryAnswers,
    repositories_QueryPackageVersions: () => ({ versions: listed }),
    repositories_GetPackageLadder: () => ({ rungs: [rungAt(0, 38), rungAt(39, 0)] }),
  });
  const list = await ladder();
  expect(list.queryByRole('link', { name: '1.0.39' })).toBeNull();
  await user.click(list.getByRole('button', { name: '38 versions' }));
  expect(list.getAllByRole('link', { name: '1.0.39' })[0]).toBeVisible();
  expect(list.queryByRole('link', { name: '1.0.19' })).toBeNull();
  expect(list.getByText('18 more versions are in the table below')).toBeVisible();
});

test('of many tags those that move come first, and the others show on request', async () => {
  const tags = Array.from({ length: 40 }, (_, index) => ({ tag: `t${index}`, locked: index < 20 }));
  const { user } = renderConsole(packagePath, {
    ...repositoryAnswers,
    repositories_GetPackageLadder: () => ({ rungs: [{ ...newest, tags }, older] }),
  });
  const list = await ladder();
  expect(list.getByRole('button', { name: 't20, tag' })).toBeVisible();
  expect(list.queryByRole('button', { name: /^t0/ })).toBeNull();
  await user.click(list.getByRole('button', { name: '32 more' }));
  expect(list.getByRole('button', { name: 't0 (locked), tag' })).toBeVisible();
});

test('the menu of a tag moves it to a version that is chosen, after what changes', async () => {
  const { answers, calls } = answersWithCalls();
  const { user } = renderConsole(packagePath, answers);
  await user.click((await ladder()).getByRole('button', { name: 'stable, tag' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Move to…' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Move the tag “stable”' }));
  expect(dialog.getByRole('combobox', { name: 'Version' })).toHaveTextContent('1.4.0');
  await user.click(dialog.getByRole('button', { name: 'Show What Changes' }));
  const question = within(await screen.findByRole('alertdialog'));
  expect(question.getByText('The tag stable moves from 1.3.2 to 1.4.0.')).toBeVisible();
  expect(question.getByText('1 file changes; a device that has 1.3.2 fetches 12 MiB at most.')).toBeVisible();
  await user.click(question.getByRole('button', { name: 'Move Tag' }));
  const input = { versionId, tags: [{ tag: 'stable', locked: false, reassign: true }] };
  await waitFor(() => expect(calls).toEqual([['tag', input]]));
});

test('a tag is removed after a question, and set again by Undo', async () => {
  const { answers, calls } = answersWithCalls();
  const { user } = renderConsole(packagePath, answers);
  await user.click((await ladder()).getByRole('button', { name: 'stable, tag' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Remove…' }));
  const question = within(await screen.findByRole('alertdialog', { name: 'Remove the tag “stable”' }));
  expect(question.getByText(/^The tag stable no longer points at 1\.3\.2/)).toBeVisible();
  await user.click(question.getByRole('button', { name: 'Remove Tag' }));
  const input = { versionId: earlierVersionId, tags: [{ tag: 'stable' }] };
  await waitFor(() => expect(calls).toEqual([['untag', input]]));
  await user.click(await screen.findByRole('button', { name: 'Undo' }));
  await waitFor(() => expect(calls[1]).toEqual(['tag', input]));
});

test('the menu of a locked tag says why it stays', async () => {
  const { user } = renderConsole(packagePath, repositoryAnswers);
  await user.click((await ladder()).getByRole('button', { name: 'v1.4.0 (locked), tag' }));
  const menu = within(await screen.findByRole('menu'));
  expect(menu.getByText('A locked tag can neither be moved nor removed.')).toBeVisible();
  expect(menu.getAllByRole('menuitem').map(({ textContent }) => textContent)).toEqual(['Tag history']);
});

async function drag(name: string, ...over: readonly string[]): Promise<void> {
  const plate = (await ladder()).getByRole('button', { name });
  fireEvent.pointerDown(plate, { button: 0, pointerType: 'mouse', clientX: 10, clientY: 10 });
  for (const [index, id] of over.entries())
    fireEvent.pointerMove(rungOf(id), { clientX: 10, clientY: 40 + index });
}

test('a dragged tag shows where it would land, and asks what changes when it is dropped there', async () => {
  const { answers, calls } = answersWithCalls();
  const { user } = renderConsole(packagePath, answers);
  await drag('stable, tag', versionId);
  // The plate, what follows the pointer, the landing place, and the cell of the table.
  expect(screen.getAllByText('stable')).toHaveLength(4);
  fireEvent.pointerUp(rungOf(versionId));
  const question = within(await screen.findByRole('alertdialog', { name: 'Move the tag “stable”' }));
  expect(question.getByText('The tag stable moves from 1.3.2 to 1.4.0.')).toBeVisible();
  expect(calls).toEqual([]);
  await user.click(question.getByRole('button', { name: 'Move Tag' }));
  await waitFor(() => expect(calls).toHaveLength(1));
});

test('a drag that ends at its own version, elsewhere or by Escape moves nothing, and neither does one of a locked tag', async () => {
  const asked: unknown[] = [];
  const { answers } = answersWithCalls();
  renderConsole(packagePath, {
    ...answers,
    repositories_QueryRepositoryProjects: () => (asked.push(1), { projects: [] }),
  });
  await drag('stable, tag', versionId, earlierVersionId);
  expect(screen.getAllByText('stable')).toHaveLength(3);
  fireEvent.pointerUp(rungOf(earlierVersionId));
  await drag('stable, tag', versionId);
  fireEvent.pointerMove(document.body);
  fireEvent.pointerUp(document.body);
  await drag('stable, tag', versionId);
  fireEvent.keyDown(document.body, { key: 'Escape' });
  expect(screen.getAllByText('stable')).toHaveLength(2);
  fireEvent.pointerUp(rungOf(versionId));
  await drag('v1.4.0 (locked), tag', earlierVersionId);
  expect(screen.getAllByText('v1.4.0')).toHaveLength(2);
  fireEvent.pointerUp(rungOf(earlierVersionId));
  expect(asked).toEqual([]);
  expect(screen.queryByRole('menu')).toBeNull();
});

test('who may only read sees the tags, and no way to move them', async () => {
  renderConsole(packagePath, {
    ...repositoryAnswers,
    repositories_GetRepositoryDetails: () => ({ ...repository, isOwner: false, canWrite: false }),
  });
  const list = await ladder();
  expect(list.getByText('stable')).toBeVisible();
  expect(list.queryByRole('button', { name: /, tag$/ })).toBeNull();
  expect(screen.queryByText(/^Drag a tag/)).toBeNull();
  fireEvent.pointerDown(list.getByText('stable'), { button: 0, pointerType: 'mouse' });
  fireEvent.pointerMove(rungOf(versionId), { clientX: 50, clientY: 50 });
  expect(screen.getAllByText('stable')).toHaveLength(2);
});
