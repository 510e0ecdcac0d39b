// What the pages of the site do with a script: copy, search, and a choice of versions. They can be read without it.
import './site.css';
import { startCopying } from './copying.ts';
import { startSearch } from './searching.ts';
import { offerVersions } from './versions.ts';

document.documentElement.dataset['script'] = '';
showOwnEntry();
startCopying();
startSearch();
void offerVersions();

/** Scrolls the list of documents to the one that is open. */
function showOwnEntry(): void {
  const entry = document.querySelector<HTMLElement>('aside > div [aria-current=page]');
  const list = entry?.closest('.overflow-y-auto');
  if (entry !== null && list) list.scrollTop = entry.offsetTop - list.clientHeight / 2;
}
