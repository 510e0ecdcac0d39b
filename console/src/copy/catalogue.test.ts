import { expect, test } from 'vitest';
import { catalogue, translate } from './catalogue.ts';

const english = catalogue('fence', {
  title: 'Fence',
  posts: (n: number) => `${n} posts`,
  gate: { open: 'Open', shut: 'Shut' },
});

test('a text is read in the current language, and in English where the translation lacks it', () => {
  expect([english.title, english.posts(8), english.gate.shut]).toEqual(['Fence', '8 posts', 'Shut']);
  translate({ fence: { title: 'Zaun', posts: (n: number) => `${n} Pfosten`, gate: { shut: 'Zu' } } });
  expect([english.title, english.posts(8), english.gate.shut]).toEqual(['Zaun', '8 Pfosten', 'Zu']);
  expect(english.gate.open).toBe('Open');
});

test('no module reads a text while it is loaded', async () => {
  const read: string[] = [];
  const recorder = (path: string): object =>
    new Proxy(
      {},
      {
        get: (_, name: string) => {
          read.push(`${path}.${name}`);
          return undefined;
        },
      },
    );
  translate(new Proxy({}, { get: (_, name: string) => recorder(name) }));
  const modules = import.meta.glob(['../**/*.{ts,tsx}', '!../**/*.test.*', '!../main.tsx']);
  const early: string[] = [];
  for (const [path, load] of Object.entries(modules)) {
    await load();
    for (const text of read.splice(0)) early.push(`${path}: ${text}`);
  }
  expect(early).toEqual([]);
});
