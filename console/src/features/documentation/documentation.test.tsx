import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { renderConsole, signedOut } from '../../../test/render-console.tsx';
import { documentTitles } from '../../parts/document-titles.ts';
import { documentSlugs, readDocument, resolveLink } from './documents.ts';
import { headingId } from './heading-id.ts';

test('every document has a title, and every title a document', () => {
  expect(documentSlugs().toSorted()).toEqual(Object.keys(documentTitles).toSorted());
});

test('links between documents lead to pages and headings that exist', async () => {
  for (const slug of documentSlugs()) {
    const text = (await readDocument(slug)) ?? '';
    for (const [, target = ''] of text.matchAll(/\]\(([^)\s]+)\)/gu)) {
      const link = resolveLink(slug, target);
      if (link?.kind !== 'document' || link.hash === '') continue;
      const linked = (await readDocument(link.slug)) ?? '';
      const headings = [...linked.matchAll(/^#+ (.*)$/gmu)].map(([, heading = '']) => headingId(heading));
      expect(headings, `${target} in ${slug}`).toContain(link.hash);
    }
  }
});

test('a visitor reads documents without signing in, and follows their links', async () => {
  const { user, router } = renderConsole('/docs/operations', signedOut);
  expect(await screen.findByText('Operations', { selector: 'h1' })).toBeVisible();
  expect(document.title).toBe('Operations · Documentation · Corral');
  expect(screen.getByText('unit', { selector: 'a' })).toHaveAttribute('download', 'corral-hub.service');
  const [link] = screen.getAllByText('Backup and restore', { selector: 'td a' });
  if (link === undefined) throw new Error('There is no link.');
  await user.click(link);
  expect(await screen.findByText('Backup and restore', { selector: 'h1' })).toBeVisible();
  expect(router.state.location.pathname).toBe('/docs/operations/backup');
  const list = within(screen.getAllByRole('navigation', { name: 'Documents' })[0] ?? document.body);
  expect(list.getByText('Backup and restore')).toHaveAttribute('aria-current', 'page');
});

test('links between documents are named by titles, not by files', async () => {
  for (const slug of documentSlugs())
    for (const [, name = '', target = ''] of ((await readDocument(slug)) ?? '').matchAll(
      /\[([^\]]+)\]\(([^)\s]+)\)/gu,
    ))
      if (resolveLink(slug, target)?.kind === 'document') expect(name, slug).not.toMatch(/\.md$/u);
});

test('a table without headings has no row for them', async () => {
  renderConsole('/docs/software-repositories', signedOut);
  const table = (await screen.findByText('repository', { selector: 'td' })).closest('table');
  expect(table?.querySelector('thead')).toHaveClass('hidden');
});

test('the settings are a table, with every code in it as it is written', async () => {
  renderConsole('/docs/configuration', signedOut);
  const isKey = (_text: string, element: Element | null) => element?.textContent === 'CORRAL_PUBLIC_URL';
  const code = await screen.findByText(isKey, { selector: 'td code' });
  expect(code).toBeVisible();
});

test('an unknown document shows the list of all', async () => {
  renderConsole('/docs/nothing', signedOut);
  expect(await screen.findByText('There is no such document. The list has all of them.')).toBeVisible();
});

test('/docs is the first document', async () => {
  renderConsole('/docs', signedOut);
  expect(await screen.findByText('Corral', { selector: 'h1' })).toBeVisible();
});
