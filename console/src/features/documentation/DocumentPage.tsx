import { Link } from '@tanstack/react-router';
import { marked, type Tokens } from 'marked';
import { useMemo } from 'react';
import { terms } from '../../copy/terms.ts';
import { documentTitles } from '../../parts/document-titles.ts';
import { documentPath } from '../../parts/document-path.ts';
import { useTitleScope } from '../../ui/layout/document-title.ts';
import { documentationCopy as words } from './copy.ts';
import { DocumentSearch } from './DocumentSearch.tsx';
import { documentGroups, type DocumentSlug } from './documents.ts';
import { headingId } from './heading-id.ts';
import { Markdown } from './Markdown.tsx';

/** One document, beside the list of all. `text` is its Markdown; undefined if there is no such document. */
export function DocumentPage({ slug, text }: { slug: string; text: string | undefined }) {
  useTitleScope(terms.sections.documentation);
  const tokens = useMemo(() => marked.lexer(text ?? ''), [text]);
  const headings = tokens.filter(
    (token): token is Tokens.Heading => token.type === 'heading' && token.depth === 2,
  );
  return (
    <div className="mx-auto flex w-full max-w-page gap-10 px-8 pt-5 pb-16 max-lg:flex-col max-lg:gap-5 max-lg:px-6 max-sm:px-3.5">
      <aside className="w-58 shrink-0 max-lg:w-full print:hidden">
        <div className="flex flex-col gap-3 lg:sticky lg:top-20 lg:max-h-[calc(100dvh-6rem)]">
          <DocumentSearch />
          <details className="group lg:hidden">
            <summary className="cursor-pointer rounded-control py-1 text-body font-head text-denim">
              {words.navigation}
            </summary>
            <Navigation slug={slug} headings={headings} />
          </details>
          <div className="min-h-0 overflow-y-auto max-lg:hidden">
            <Navigation slug={slug} headings={headings} />
          </div>
        </div>
      </aside>
      <article key={slug} className="flex min-w-0 flex-1 flex-col gap-3 text-body text-ink2">
        {text === undefined ? <Missing /> : <Markdown tokens={tokens} slug={slug} />}
      </article>
    </div>
  );
}

function Missing() {
  return (
    <>
      <h1 tabIndex={-1} className="text-title text-ink">
        {terms.sections.documentation}
      </h1>
      <p>{words.missing}</p>
      <div className="lg:hidden">
        <Navigation slug={undefined} headings={[]} />
      </div>
    </>
  );
}

function Navigation({ slug, headings }: { slug: string | undefined; headings: readonly Tokens.Heading[] }) {
  return (
    <nav aria-label={words.navigation} className="flex flex-col gap-4 py-1">
      {documentGroups().map((group) => (
        <div key={group.name} className="flex flex-col gap-1">
          <h2 className="px-2 text-label text-ink3">{words.groups[group.name]}</h2>
          <ul className="flex flex-col">
            {group.slugs.map((each) => (
              <li key={each}>
                <DocumentItem slug={each} />
                {each === slug && headings.length > 1 && <Contents slug={each} headings={headings} />}
              </li>
            ))}
          </ul>
        </div>
      ))}
    </nav>
  );
}

function DocumentItem({ slug }: { slug: DocumentSlug }) {
  return (
    <Link
      to={documentPath(slug)}
      activeOptions={{ exact: true, includeHash: false }}
      className="block rounded-control px-2 py-1 text-body text-ink2 hover:bg-sunken hover:text-ink aria-[current=page]:bg-denim-wash aria-[current=page]:font-head aria-[current=page]:text-ink pointer-coarse:py-2.5"
    >
      {documentTitles[slug]}
    </Link>
  );
}

function Contents({ slug, headings }: { slug: string; headings: readonly Tokens.Heading[] }) {
  return (
    <ul aria-label={words.contents} className="mt-1 mb-2 ms-3 flex flex-col border-s border-line">
      {headings.map(({ text }) => (
        <li key={text}>
          <Link
            to={documentPath(slug)}
            hash={headingId(text)}
            activeOptions={{ exact: true, includeHash: true }}
            className="block rounded-control px-2.5 py-1 text-label font-normal text-ink3 hover:text-ink pointer-coarse:py-2"
          >
            {text.replaceAll('`', '')}
          </Link>
        </li>
      ))}
    </ul>
  );
}
