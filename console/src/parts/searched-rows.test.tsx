import { ActionError, type CallInput } from '@corral/contract';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { renderConsole } from '../../test/render-console.tsx';
import { asset, repository, repositoryAnswers, repositoryId } from '../../test/repository-answers.ts';
import { moreLiveRows } from './more-live-rows.ts';
import { maxRows, rowsPerPage } from './list-limits.ts';

type Input = CallInput<'repositories_QueryRepositoryPackages'>;

/** A hub with 100,000 packages, of which a text finds one. */
function catalogue() {
  const asked: Input[] = [];
  const answers = {
    ...repositoryAnswers,
    repositories_GetRepositoryDetails: () => ({ ...repository, packageCount: 100_000 }),
    repositories_QueryRepositoryPackages: (input: Input) => {
      asked.push(input);
      const { search, order, limit = rowsPerPage, after = '0' } = input;
      const from = Number(after);
      const names = Array.from({ length: limit }, (_, index) => `crane-${from + index}`);
      const found = search === undefined ? names : ['found'];
      return {
        ...(search === undefined ? { next: String(from + limit) } : {}),
        packages: (order === '-kind' ? found.map((name) => `${name} by kind`) : found).map((name, index) => ({
          packageId: `pkg_${from + index}` as const,
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

test('a search that fails shows why in place of the packages, of which none was found by it, and can be tried again', async () => {
  const { answers } = catalogue();
  let isFull = true;
  const { user } = renderConsole(`${address}?q=gate`, {
    ...answers,
    repositories_QueryRepositoryPackages: (input) => {
      if (isFull && input.search !== undefined) throw new ActionError('NotReady', 'The store is full.');
      return answers.repositories_QueryRepositoryPackages(input);
    },
  });
  expect(await screen.findByRole('alert')).toHaveTextContent('The store is full.');
  expect(screen.queryByRole('link', { name: /crane-0/ })).toBeNull();
  expect(screen.queryByRole('button', { name: 'Load more' })).toBeNull();
  expect(screen.getByRole('searchbox')).toHaveValue('gate');
  isFull = false;
  await user.click(screen.getByRole('button', { name: 'Retry' }));
  expect(await screen.findByRole('link', { name: /^View\s*found$/ })).toBeVisible();
});

test.each(['newest', '-published'])('a long list of packages is sorted by %s in the hub', async (sort) => {
  const { asked, answers } = catalogue();
  renderConsole(`${address}?sort=${sort}`, answers);
  await waitFor(() => expect(asked.at(-1)).toEqual({ repositoryId, limit: rowsPerPage, order: sort }));
});

test('a long list of assets is sorted by the number of files in the hub', async () => {
  const asked: CallInput<'repositories_QueryRepositoryAssets'>[] = [];
  renderConsole(`/repositories/${repositoryId}/assets?sort=uses`, {
    ...repositoryAnswers,
    repositories_QueryRepositoryAssets: (input) => {
      asked.push(input);
      return {
        next: 'more',
        assets: Array.from({ length: 600 }, (_, at) => ({ ...asset, assetId: `repo_a_${at}` as const })),
      };
    },
  });
  await waitFor(() => expect(asked.at(-1)).toEqual({ repositoryId, limit: rowsPerPage, order: 'uses' }));
});

test('more of a long list is read from where the page before ends', async () => {
  const { asked, answers } = catalogue();
  const { user } = renderConsole(address, answers);
  const table = await screen.findByRole('table', { name: 'Packages' });
  await user.click(await screen.findByRole('button', { name: 'Load more' }));
  await waitFor(() => expect(table).toHaveAttribute('aria-rowcount', String(2 * rowsPerPage + 1)));
  expect(asked.at(-1)).toEqual({ repositoryId, limit: rowsPerPage, after: String(rowsPerPage) });
});

test('a list of more rows than are shown says how to see the others', () => {
  const pages = { loadMore: () => {}, isPlaceholder: false, isLoadingMore: false, error: null };
  expect(moreLiveRows(pages, maxRows - 1).load).toBe(pages.loadMore);
  expect(moreLiveRows(pages, maxRows)).toMatchObject({
    load: undefined,
    end: 'These are the first 10,000. A filter finds the others; the command line lists all of them.',
  });
});
