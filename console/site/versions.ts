import { words } from './copy.ts';

/** Lists the versions of `versions.json` above the site, where there is one, and says whether one is newer. */
export async function offerVersions(): Promise<void> {
  const { root = './', path = '', version = '' } = document.documentElement.dataset;
  const versions = await fetchVersions(`${root}../versions.json`);
  const details = document.querySelector<HTMLDetailsElement>('[data-versions]');
  if (details === null || !versions.includes(version)) return;
  const newestFirst = versions.toSorted(compareVersions).toReversed();
  for (const each of newestFirst) {
    const link = linkTo(`${root}../${each}/index.html`, each);
    if (each === version) link.ariaCurrent = 'true';
    const item = document.createElement('li');
    item.append(link);
    details.querySelector('ul')?.append(item);
    details.addEventListener('toggle', () => void preferPage(link, `${root}../${each}/${path}`), {
      once: true,
    });
  }
  closeElsewhere(details);
  details.hidden = false;
  document.querySelector('[data-own-version]')?.remove();
  const [newest = version] = newestFirst;
  const banner = document.querySelector<HTMLElement>('[data-newer]');
  if (banner === null || compareVersions(newest, version) <= 0) return;
  const link = linkTo(`${root}../${newest}/index.html`, words.toNewer);
  link.className = 'underline';
  banner.append(`${words.newer(newest)} `, link);
  banner.hidden = false;
}

/** What is no version in the list is left out. */
async function fetchVersions(address: string): Promise<readonly string[]> {
  try {
    const answer = await fetch(address, { cache: 'no-cache' });
    const list: unknown = answer.ok ? await answer.json() : [];
    return Array.isArray(list) ? list.filter(isVersion) : [];
  } catch {
    return [];
  }
}

const isVersion = (value: unknown): value is string =>
  typeof value === 'string' && /^\d+\.\d+\.\d+$/u.test(value);

function linkTo(address: string, text: string): HTMLAnchorElement {
  const link = document.createElement('a');
  link.href = address;
  link.textContent = text;
  return link;
}

/** Lets a link to a version lead to the same page of it, where it has that page. */
async function preferPage(link: HTMLAnchorElement, address: string): Promise<void> {
  const isThere = await fetch(address, { method: 'HEAD' }).then(
    ({ ok }) => ok,
    () => false,
  );
  if (isThere) link.href = address;
}

/** Closes the list by Escape, and by a click elsewhere. */
function closeElsewhere(details: HTMLDetailsElement): void {
  details.addEventListener('keydown', ({ key }) => {
    if (key !== 'Escape') return;
    details.open = false;
    details.querySelector('summary')?.focus();
  });
  document.addEventListener('click', ({ target }) => {
    if (target instanceof Node && !details.contains(target)) details.open = false;
  });
}

function compareVersions(one: string, other: string): number {
  return one.localeCompare(other, 'en', { numeric: true });
}
