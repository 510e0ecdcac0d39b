import type { Page } from '@playwright/test';
import { newRepository, publish } from '../fixtures/repository.ts';
import { expect, test } from '../fixtures/test.ts';

const table = (page: Page, name: string) => page.getByRole('table', { name });

test('two versions compare by files, sizes, digests and metadata', async ({ signedIn: page, operator }) => {
  const repository = await newRepository(operator);
  await publish(operator, repository, {
    package: 'gate',
    name: '1.0.0',
    files: { 'gate.img': 'one', 'same.txt': 'same', 'old.txt': 'old' },
    metadata: { commit: 'aaa' },
  });
  const second = await publish(operator, repository, {
    package: 'gate',
    name: '1.1.0',
    files: { 'gate.img': 'two!', 'same.txt': 'same', 'new.txt': 'new one' },
    metadata: { commit: 'bbb' },
  });
  await page.goto(second.packagePath);
  await page.getByRole('link', { name: 'Compare versions' }).click();
  await expect(page.getByText('11 bytes to fetch of 15 bytes in all.')).toBeVisible();
  const files = table(page, 'Files');
  for (const [name, change] of [
    ['gate.img', 'Changed'],
    ['old.txt', 'Removed'],
    ['new.txt', 'Added'],
  ] as const)
    await expect(files.getByRole('row').filter({ hasText: name })).toContainText(change);
  await expect(files.getByText('same.txt')).toBeHidden();
  await expect(table(page, 'Metadata').getByRole('row').filter({ hasText: 'commit' })).toContainText(
    'aaabbb',
  );
  await page.getByRole('link', { name: '7 bytes new: Added' }).click();
  await expect(page).toHaveURL(/show=added/);
  await expect(files.getByRole('row')).toHaveCount(2);
  await page.getByRole('button', { name: 'Same 1' }).click();
  await expect(files.getByText('same.txt')).toBeVisible();
});
