import { words } from './copy.ts';

/** Fills the choice of versions from `versions.json` above the site, where there is one, and says whether one is newer. */
export async function offerVersions(): Promise<void> {
  const { root = './', path = '', version = '' } = document.documentElement.dataset;
  const versions = await fetchVersions(`${root}../versions.json`);
  const select = document.querySelector<HTMLSelectElement>('#version');
  if (select === null || !versions.includes(version)) return;
  const newestFirst = versions.toSorted(compareVersions).toReversed();
  for (const each of newestFirst) select.add(new Option(each, each, each === version, each === version));
  select.hidden = false;
  document.querySelector('[data-own-version]')?.remove();
  select.addEventListener('change', () => void openVersion(`${root}../${select.value}/`, path));
  const [newest = version] = newestFirst;
  const banner = document.querySelector<HTMLElement>('[data-newer]');
  if (banner === null || compareVersions(newest, version) <= 0) return;
  const link = document.createElement('a');
  link.href = `${root}../${newest}/index.html`;
  link.className = 'underline';
  link.textContent = words.toNewer;
  banner.append(`${words.newer(newest)} `, link);
  banner.hidden = false;
}

async function fetchVersions(address: string): Promise<readonly string[]> {
  try {
    const answer = await fetch(address, { cache: 'no-cache' });
    return answer.ok ? ((await answer.json()) as string[]) : [];
  } catch {
    return [];
  }
}

/** Opens the same page of another version, or its first page where it has no such page. */
async function openVersion(folder: string, path: string): Promise<void> {
  const { ok } = await fetch(folder + path, { method: 'HEAD' });
  location.assign(folder + (ok ? path : 'index.html'));
}

function compareVersions(one: string, other: string): number {
  return one.localeCompare(other, 'en', { numeric: true });
}
