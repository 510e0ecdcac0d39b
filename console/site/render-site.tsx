import { renderToStaticMarkup } from 'react-dom/server';
import type { ReactElement } from 'react';
import { documentationCopy } from '../src/features/documentation/copy.ts';
import { documentGroups, readDocument } from '../src/features/documentation/documents.ts';
import { loadPassages, passagesOf } from '../src/features/documentation/search-documents.ts';
import type { Passage } from '../src/features/documentation/search-passages.ts';
import { documentTitles } from '../src/parts/document-titles.ts';
import { CardLink } from '../src/ui/layout/CardLink.tsx';
import { addressOf, withRelativeAddresses } from './addresses.ts';
import { ArticlePage } from './ArticlePage.tsx';
import { words } from './copy.ts';
import { HomePage } from './HomePage.tsx';
import type { ApiReference, NavigationGroup } from './site-pages.ts';

/** The files of the site that are texts, by their paths: its pages, and `search.json`. */
export async function renderSite(version: string, api: ApiReference): Promise<Map<string, string>> {
  const files = new Map<string, string>();
  const groups = navigationGroups(api);
  const add = (path: string, page: ReactElement) =>
    files.set(path, withRelativeAddresses(path, `<!doctype html>${renderToStaticMarkup(page)}\n`));
  const addArticle = (slug: string, title: string, markdown: string, more?: ReactElement) => {
    const path = addressOf(slug).slice(1);
    const parts = { place: { version, path, title }, groups, slug, markdown };
    add(path, <ArticlePage {...parts}>{more}</ArticlePage>);
  };
  const from = groups.find(({ name }) => name === documentationCopy.groups.comingFrom);
  add('index.html', <HomePage version={version} from={from ?? { name: '', entries: [] }} />);
  for (const { slugs } of documentGroups())
    for (const slug of slugs) addArticle(slug, documentTitles[slug], (await readDocument(slug)) ?? '');
  addArticle('api', words.apiTitle, api.overview, <Domains api={api} />);
  for (const { domain, title, markdown } of api.pages) addArticle(`api/${domain}`, title, markdown);
  files.set('search.json', JSON.stringify(await sitePassages(api)));
  return files;
}

function Domains({ api }: { api: ApiReference }) {
  return (
    <div className="grid gap-3 sm:grid-cols-2 xl:grid-cols-3 [&_article]:min-h-0">
      {api.pages.map(({ domain, title, about }) => (
        <CardLink key={domain} render={<a href={addressOf(`api/${domain}`)} />} title={title} meta={about} />
      ))}
    </div>
  );
}

function navigationGroups(api: ApiReference): NavigationGroup[] {
  const documents = documentGroups().map(({ name, slugs }) => ({
    name: documentationCopy.groups[name],
    entries: slugs.map((slug) => ({ slug, title: documentTitles[slug] })),
  }));
  const pages = api.pages.map(({ domain, title }) => ({ slug: `api/${domain}`, title }));
  return [
    ...documents,
    { name: words.apiGroup, entries: [{ slug: 'api', title: words.apiTitle }, ...pages] },
  ];
}

/** What the search finds; the examples of the API and the types of its fields would be in each other's way. */
async function sitePassages(api: ApiReference): Promise<Passage[]> {
  const withoutBlocks = (markdown: string) => markdown.replaceAll(/^```[^]*?^```$/gmu, '');
  const withNamesOnly = (markdown: string) =>
    withoutBlocks(markdown).replaceAll(/^(\| `[^`]+`).*$/gmu, '$1 |');
  return [
    ...(await loadPassages()),
    ...passagesOf('api', words.apiTitle, withoutBlocks(api.overview)),
    ...api.pages.flatMap(({ domain, title, markdown }) =>
      passagesOf(`api/${domain}`, title, withNamesOnly(markdown)),
    ),
  ];
}
