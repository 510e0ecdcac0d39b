// What the pages of the site do with a script: copy, search, and a choice of versions. They can be read without it.
import './site.css';
import { startCopying } from './copying.ts';
import { startSearch } from './searching.ts';
import { offerVersions } from './versions.ts';

document.documentElement.dataset['script'] = '';
startCopying();
startSearch();
void offerVersions();
