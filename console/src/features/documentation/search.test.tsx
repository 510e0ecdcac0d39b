import { screen, waitFor, within } from '@testing-library/react';
import { beforeAll, expect, test, vi } from 'vitest';
import { renderConsole, signedOut } from '../../../test/render-console.tsx';
import { documentSlugs, readDocument } from './documents.ts';
import { headingId } from './heading-id.ts';
import { loadPassages } from './search-documents.ts';
import { searchPassages } from './search-passages.ts';

// jsdom does not implement scrolling.
beforeAll(() => void (Element.prototype.scrollIntoView = vi.fn()));

test('every passage leads to a heading that its document has', async () => {
  const passages = await loadPassages();
  for (const slug of documentSlugs()) {
    const own = passages.filter((passage) => passage.slug === slug);
    const text = (await readDocument(slug)) ?? '';
    const ids = [...text.matchAll(/^#+ (.*)$/gmu)].map(([, heading = '']) => headingId(heading));
    expect(own.length, slug).toBeGreaterThan(0);
    for (const { hash } of own) if (hash !== '') expect(ids, slug).toContain(hash);
  }
});

test('words are found at their beginnings, in any case and order, and those in headings come first', async () => {
  const passages = await loadPassages();
  const [first] = searchPassages(passages, 'RESTORE back');
  expect([first?.slug, first?.path[0]]).toEqual(['operations/backup', 'Backup and restore']);
  const [setting] = searchPassages(passages, 'corral_public');
  expect(setting?.excerpt.filter(([, isFound]) => isFound).map(([text]) => text)).toContain('CORRAL_PUBLIC');
  expect(searchPassages(passages, 'estore')).toEqual([]);
  expect(searchPassages(passages, 'restore xyzzy')).toEqual([]);
  expect(() => searchPassages(passages, '[(.*+?^$|{}/\\')).not.toThrow();
  expect(searchPassages(passages, '--demo').length).toBeGreaterThan(0);
  for (const { text, path } of passages) expect(`${path.join(' ')} ${text}`).not.toMatch(/\]\(|```|\*\*/u);
});

test('a visitor searches all documents by the keyboard, and Enter opens the passage', async () => {
  const { user, router } = renderConsole('/docs', signedOut);
  await screen.findByText('Corral', { selector: 'h1' });
  await user.keyboard('/');
  const field = screen.getByRole('combobox', { name: 'Search the documents' });
  expect(field).toHaveFocus();
  await user.type(field, 'restore');
  const list = within(await screen.findByRole('listbox'));
  const options = list.getAllByRole('option');
  expect(options[0]).toHaveAttribute('aria-selected', 'true');
  expect(options[0]?.querySelector('mark')).toHaveTextContent(/restore/i);
  await user.keyboard('{ArrowDown}');
  const [, second] = list.getAllByRole('option');
  expect(field).toHaveAttribute('aria-activedescendant', second?.id);
  const target = second?.getAttribute('href') ?? '';
  await user.keyboard('{Enter}');
  await waitFor(() => expect(router.state.location.href).toBe(target));
  expect(field).toHaveValue('');
});

test('a search that finds nothing says so', async () => {
  const { user } = renderConsole('/docs/agent', signedOut);
  await user.type(await screen.findByRole('combobox', { name: 'Search the documents' }), 'xyzzy');
  expect(await screen.findByText('Nothing found in the documents.')).toBeVisible();
});
