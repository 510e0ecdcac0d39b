import { createHash } from 'node:crypto';
import type { Page } from '@playwright/test';
import type { Operator } from '../fixtures/operator.ts';
import { newRepository } from '../fixtures/repository.ts';
import { expect, test } from '../fixtures/test.ts';

const rowCount = 1_100;
const atOnce = 16;

/** A list with more rows than the console reads at first, and where one of its last rows is found. */
interface LongList {
  readonly title: string;
  readonly action: string;
  /** Prepares the repository: the path of the page in it, and what creates the row of a number, from 1. */
  readonly begin: (
    operator: Operator,
    repositoryId: `repo_${string}`,
  ) => Promise<{ readonly page: string; readonly add: (number: number) => Promise<unknown> }>;
  readonly filterLabel: string;
  /** What finds the row of a number alone. */
  readonly searchFor: (number: number) => string;
  /** A column, in which rows are in the order of their numbers, and the text of a number there. */
  readonly column: string;
  readonly textOf: (number: number) => string;
}

const digestOf = (number: number): string =>
  `sha256_${createHash('sha256').update(`asset ${number}`).digest('hex')}`;
const nameOf = (number: number): string => `part-${String(number).padStart(4, '0')}`;

const lists: readonly LongList[] = [
  {
    title: 'Packages',
    action: 'repositories_QueryRepositoryPackages',
    begin: async (operator, repositoryId) => ({
      page: 'packages',
      add: (number) => operator.invoke('repositories_CreatePackage', { repositoryId, name: nameOf(number) }),
    }),
    filterLabel: 'Filter packages',
    searchFor: nameOf,
    column: 'Name',
    textOf: nameOf,
  },
  {
    title: 'Assets',
    action: 'repositories_QueryRepositoryAssets',
    begin: async (operator, repositoryId) => ({
      page: 'assets',
      add: (number) =>
        operator.invoke('repositories_CreateAsset', { repositoryId, size: number, digest: digestOf(number) }),
    }),
    filterLabel: 'Filter assets',
    searchFor: (number) => digestOf(number).slice(0, 27),
    column: 'Size',
    textOf: (number) => number.toLocaleString('en-GB'),
  },
  {
    title: 'Versions',
    action: 'repositories_QueryPackageVersions',
    async begin(operator, repositoryId) {
      const created = await operator.invoke('repositories_CreatePackage', { repositoryId, name: 'parts' });
      if (created.result !== 'Created') throw new Error(created.result);
      const { packageId } = created;
      return {
        page: `packages/${packageId}`,
        add: (number) =>
          operator.invoke('repositories_CreatePackageVersion', { packageId, name: nameOf(number) }),
      };
    },
    filterLabel: 'Filter versions',
    searchFor: nameOf,
    column: 'Name',
    textOf: nameOf,
  },
];

async function addRows(add: (number: number) => Promise<unknown>): Promise<void> {
  let last = 0;
  const work = async () => {
    while (last < rowCount) await add((last += 1));
  };
  await Promise.all(Array.from({ length: atOnce }, work));
}

/** What a page asks the hub for, as the list goes on. */
function recordQuestions(page: Page, action: string): { search?: string; order?: string; limit?: number }[] {
  const questions: { search?: string; order?: string; limit?: number }[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith(action)) questions.push(JSON.parse(request.postData() ?? '{}') as object);
  });
  return questions;
}

for (const list of lists)
  test(
    `of 1,100 rows of ${list.title} the hub reads pages, and finds and sorts them beyond those that are shown`,
    { tag: list.title === 'Packages' ? [] : '@deep' },
    async ({ signedIn: page, operator }) => {
      const { repositoryId, path } = await newRepository(operator);
      const { page: at, add } = await list.begin(operator, repositoryId as `repo_${string}`);
      await addRows(add);
      const questions = recordQuestions(page, list.action);
      await page.goto(`${path}/${at}`);
      const table = page.getByRole('table', { name: list.title });
      // The first is the head.
      const rows = table.getByRole('row');
      for (const count of [501, 1_001, 1_101]) {
        await expect(table).toHaveAttribute('aria-rowcount', String(count));
        if (count < 1_101) await page.getByRole('button', { name: 'Load more' }).click();
      }
      await expect(page.getByText('These are all 1,100.')).toBeFocused();

      await page.reload();
      await expect(table).toHaveAttribute('aria-rowcount', '501');
      await page.getByRole('searchbox', { name: list.filterLabel }).fill(list.searchFor(37));
      await expect(rows).toHaveCount(2);
      await expect(rows.nth(1)).toContainText(list.textOf(37));
      expect(questions.at(-1)).toMatchObject({ search: list.searchFor(37) });
      await page.keyboard.press('Escape');

      const head = page.getByRole('columnheader', { name: list.column, exact: true });
      for (const [direction, first, next] of [
        ['ascending', 1, 2],
        ['descending', 1_100, 1_099],
      ] as const) {
        await expect(async () => {
          await head.getByRole('button').click();
          await expect(head).toHaveAttribute('aria-sort', direction, { timeout: 1_000 });
        }).toPass();
        await expect(rows.nth(1)).toContainText(list.textOf(first));
        await expect(rows.nth(2)).toContainText(list.textOf(next));
        await expect(table).toHaveAttribute('aria-rowcount', '501');
      }
      expect(questions.at(-1)?.order).toMatch(/^-/);
      expect(questions.every(({ limit = 0 }) => limit <= 500)).toBe(true);
    },
  );
