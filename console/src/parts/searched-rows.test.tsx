import type { CallInput } from '@corral/contract';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { renderConsole } from '../../test/render-console.tsx';
import { asset, repository, repositoryAnswers, repositoryId } from '../../test/repository-answers.ts';
import { maxRows, rowsPerPage } from './paged-rows.ts';

type Input = CallInput<'repositories_QueryRepositoryPackages'>;

/** A hub with 100,000 packages, of which a text finds one. */
function catalogue() {
  const asked: Input[] = [];
  const answers = {
    ...repositoryAnswers,
    repositories_GetRepositoryDetails: () => ({ ...repository, packageCount: 100_000 }),
    repositories_QueryRepositoryPackages: (input: Input) => {
      asked.push(input);
      const { search, order, limit = rowsPerPage } = input;
      const names = Array.from({ length: Math.min(limit, 600) }, (_, index) => `crane-${index}`);
      const found = search === undefined ? names : ['found'];
      return {
        packages: (order === '-kind' ? found.map((name) => `${name} by kind`) : found).map((name, index) => ({
          packageId: `pkg_${index}` as const,
          name,
          versionCount: 1,
          createdAt: '2026-10-02T10:00:00Z',
        })),
      };
    },
  };
  return { asked, answers };
}

const address = `/repositories/${repositoryId}/packages`;

test('a long list is searched and sorted by the hub, with filter and sort in the URL', async () => {
  const { asked, answers } = catalogue();
  const { user, address: at } = renderConsole(address, answers);
  const table = within(await screen.findByRole('table', { name: 'Packages' }));
  fireEvent.change(screen.getByRole('searchbox'), { target: { value: ' gate ' } });
  // Shown as the hub found it: nothing is left to filter here.
  expect(await table.findByRole('link', { name: /^View\s*found$/ })).toBeVisible();
  await user.click(table.getByRole('button', { name: 'Kind' }));
  await waitFor(() =>
    expect(asked.at(-1)).toEqual({ repositoryId, limit: rowsPerPage, search: 'gate', order: 'kind' }),
  );
  await user.click(table.getByRole('button', { name: 'Kind' }));
  expect(await table.findByRole('link', { name: /by kind$/ })).toBeVisible();
  expect(at()).toContain('sort=-kind');
  expect(asked.some(({ limit }) => limit === maxRows)).toBe(false);
});

test.each(['newest', '-published'])('a long list of packages is sorted by %s in the hub', async (sort) => {
  const { asked, answers } = catalogue();
  renderConsole(`${address}?sort=${sort}`, answers);
  await waitFor(() => expect(asked.at(-1)).toEqual({ repositoryId, limit: rowsPerPage, order: sort }));
});

test('a long list is read and sorted here by what the hub does not sort by', async () => {
  const asked: CallInput<'repositories_QueryRepositoryAssets'>[] = [];
  renderConsole(`/repositories/${repositoryId}/assets?sort=uses`, {
    ...repositoryAnswers,
    repositories_QueryRepositoryAssets: (input) => {
      asked.push(input);
      return {
        assets: Array.from({ length: 600 }, (_, at) => ({ ...asset, assetId: `repo_a_${at}` as const })),
      };
    },
  });
  await waitFor(() => expect(asked.at(-1)).toEqual({ repositoryId, limit: maxRows }));
});
