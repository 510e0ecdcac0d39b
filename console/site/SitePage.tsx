import type { ReactNode } from 'react';
import { documentationCopy } from '../src/features/documentation/copy.ts';
import { SearchField } from '../src/ui/form/SearchField.tsx';
import { Logo } from '../src/ui/picture/Logo.tsx';
import { BreakableName } from '../src/ui/text/BreakableName.tsx';
import { addressOf } from './addresses.ts';
import { words } from './copy.ts';
import type { NavigationGroup } from './site-pages.ts';

/** Which page is rendered. */
export interface Place {
  readonly version: string;
  /** The path of the file from the root of the site. */
  readonly path: string;
  readonly title: string;
}

/** A whole page: head, header with search and version, content, footer. */
export function SitePage({ place, children }: { place: Place; children: ReactNode }) {
  const { version, path, title } = place;
  const root = '../'.repeat(path.split('/').length - 1) || './';
  return (
    <html lang="en" dir="ltr" data-root={root} data-path={path} data-version={version}>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>{title === words.title ? title : `${title} · ${words.title}`}</title>
        <link rel="icon" type="image/svg+xml" href="/assets/favicon.svg" />
        <link
          rel="preload"
          as="font"
          type="font/woff2"
          crossOrigin=""
          href="/assets/atkinson-hyperlegible-next-latin-wght-normal.woff2"
        />
        <link rel="stylesheet" href="/assets/site.css" />
        <script type="module" src="/assets/site.js" />
      </head>
      <body className="flex flex-col">
        <a
          href="#text"
          className="absolute start-2 top-2 z-50 -translate-y-20 rounded-control border border-line bg-raised px-3 py-2 text-label text-denim focus:translate-y-0"
        >
          {words.skip}
        </a>
        <Header version={version} path={path} />
        <main id="text" tabIndex={-1} className="w-full flex-1">
          {children}
        </main>
        <footer className="border-t border-line">
          <p className="mx-auto flex w-full max-w-page flex-wrap gap-x-4 px-8 py-5 text-small text-ink3 max-sm:px-3.5">
            <span>{words.print(version)}</span>
            <a href="/assets/licences.txt" className="text-ink2 underline print:hidden">
              {words.licences}
            </a>
          </p>
        </footer>
      </body>
    </html>
  );
}

function Header({ version, path }: { version: string; path: string }) {
  return (
    <header className="sticky top-0 z-20 border-b border-line bg-surface max-sm:static print:hidden">
      <div className="mx-auto flex min-h-[calc(var(--header-height)-1px)] max-w-page flex-wrap items-center gap-x-4 gap-y-2 px-8 py-2 max-sm:px-3.5">
        <a href="/index.html" className="flex items-center gap-2.5 rounded-control text-ink">
          <Logo className="text-denim" />
          <span className="text-[1.0625rem] font-bold">Corral</span>
        </a>
        <span className="text-label text-ink2" data-own-version>
          {words.forVersion(version)}
        </span>
        <details hidden className="relative text-label text-ink2" data-versions>
          <summary className="rounded-control py-1.5 hover:text-ink pointer-coarse:py-3">
            {words.forVersion(version)}
          </summary>
          <ul className="absolute start-0 top-full z-40 max-h-[70dvh] min-w-32 overflow-y-auto rounded-card border border-line bg-raised p-1 shadow-float [&_a]:flex [&_a]:min-h-8 [&_a]:items-center [&_a]:rounded-control [&_a]:px-2.5 [&_a]:hover:bg-sunken [&_a]:aria-[current]:bg-denim-wash [&_a]:aria-[current]:text-ink pointer-coarse:[&_a]:min-h-11" />
        </details>
        <nav aria-label="Corral" className="flex gap-1 sm:ms-auto">
          {[
            ['tour', 'Tour'],
            ['', words.documents],
            ['api', words.api],
          ].map(([slug = '', label]) => (
            <a
              key={slug}
              href={addressOf(slug)}
              aria-current={path === addressOf(slug).slice(1) ? 'page' : undefined}
              className="rounded-control px-2.5 py-1.5 text-label font-head text-ink2 hover:bg-sunken hover:text-ink aria-[current=page]:bg-sunken aria-[current=page]:text-ink pointer-coarse:py-3"
            >
              {label}
            </a>
          ))}
        </nav>
        <SearchField
          label={documentationCopy.search.label}
          value=""
          onValueChange={() => undefined}
          className="w-80 max-lg:w-full"
          input={{
            role: 'combobox',
            autoComplete: 'off',
            spellCheck: false,
            'aria-autocomplete': 'list',
            'aria-expanded': false,
            'aria-controls': 'found',
          }}
        >
          <div
            data-results
            hidden
            className="absolute end-0 top-full z-40 mt-1 max-h-[min(32rem,70dvh)] w-full overflow-y-auto overscroll-contain rounded-card border border-line bg-raised p-1 shadow-float lg:w-120"
          />
        </SearchField>
      </div>
      <p
        data-newer
        hidden
        className="border-t border-line bg-warn-wash px-8 py-1.5 text-center text-label text-warn max-sm:px-3.5"
      />
    </header>
  );
}

/** The groups of documents, with the contents of the page below its own title. */
export function Navigation({
  groups,
  path,
  headings,
}: {
  groups: readonly NavigationGroup[];
  path: string;
  headings: readonly Heading[];
}) {
  return (
    <nav aria-label={words.documents} className="flex flex-col gap-4 py-1">
      {groups.map(({ name, entries }) => (
        <div key={name} className="flex flex-col gap-1">
          <h2 className="px-2 text-label text-ink3">{name}</h2>
          <ul className="flex flex-col [&>li>a]:block [&>li>a]:rounded-control [&>li>a]:px-2 [&>li>a]:py-1 [&>li>a]:text-body [&>li>a]:text-ink2 [&>li>a]:hover:bg-sunken [&>li>a]:hover:text-ink [&>li>a]:aria-[current=page]:bg-denim-wash [&>li>a]:aria-[current=page]:font-head [&>li>a]:aria-[current=page]:text-ink pointer-coarse:[&>li>a]:py-2.5">
            {entries.map(({ slug, title }) => (
              <li key={slug}>
                <a
                  href={addressOf(slug)}
                  aria-current={addressOf(slug).slice(1) === path ? 'page' : undefined}
                >
                  {title}
                </a>
                {addressOf(slug).slice(1) === path && headings.length > 1 && (
                  <div className="ms-3 mt-1 mb-2 xl:hidden">
                    <Contents headings={headings} />
                  </div>
                )}
              </li>
            ))}
          </ul>
        </div>
      ))}
    </nav>
  );
}

/** A heading of the page. */
export interface Heading {
  readonly id: string;
  readonly text: string;
}

/** Links to the headings of the page. */
export function Contents({ headings }: { headings: readonly Heading[] }) {
  return (
    <ul className="flex flex-col border-s border-line [&_a]:block [&_a]:rounded-control [&_a]:px-2.5 [&_a]:py-1 [&_a]:text-label [&_a]:font-normal [&_a]:wrap-break-word [&_a]:text-ink3 [&_a]:hover:text-ink pointer-coarse:[&_a]:py-2">
      {headings.map(({ id, text }) => (
        <li key={id}>
          <a href={`#${id}`}>
            <BreakableName name={text} />
          </a>
        </li>
      ))}
    </ul>
  );
}
