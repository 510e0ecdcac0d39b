import { marked, type Tokens } from 'marked';
import type { ReactNode } from 'react';
import { headingId } from '../src/features/documentation/heading-id.ts';
import { Markdown } from '../src/features/documentation/Markdown.tsx';
import { words } from './copy.ts';
import { Contents, Navigation, type Place, SitePage } from './SitePage.tsx';
import type { NavigationGroup } from './site-pages.ts';

/** A document between the list of all and, on wide screens, its contents. `children` follow its text. */
export function ArticlePage({
  place,
  groups,
  slug,
  markdown,
  children,
}: {
  place: Place;
  groups: readonly NavigationGroup[];
  slug: string;
  markdown: string;
  children?: ReactNode;
}) {
  const tokens = marked.lexer(markdown);
  const headings = tokens
    .filter((token): token is Tokens.Heading => token.type === 'heading' && token.depth === 2)
    // All actions on a page of the API begin with the same word.
    .map(({ text }) => ({ id: headingId(text), text: text.replaceAll('`', '').replace(/^[a-z]+_/u, '') }));
  const navigation = <Navigation groups={groups} path={place.path} headings={headings} />;
  return (
    <SitePage place={place}>
      <div className="mx-auto flex w-full max-w-page gap-10 px-8 pt-5 pb-16 max-lg:flex-col max-lg:gap-5 max-sm:px-3.5">
        <aside aria-label={words.documents} className="w-58 shrink-0 max-lg:w-full print:hidden">
          <details className="lg:hidden">
            <summary className="cursor-pointer rounded-control py-1 text-body font-head text-denim pointer-coarse:py-3">
              {words.documents}
            </summary>
            {navigation}
          </details>
          <div className="sticky top-20 max-h-[calc(100dvh-6rem)] overflow-y-auto max-lg:hidden">
            {navigation}
          </div>
        </aside>
        <article className="flex min-w-0 flex-1 flex-col gap-3 text-body text-ink2">
          <Markdown tokens={tokens} slug={slug} />
          {children}
        </article>
        {headings.length > 1 && (
          <aside aria-label={words.contents} className="w-52 shrink-0 max-xl:hidden print:hidden">
            <div className="sticky top-20 flex max-h-[calc(100dvh-6rem)] flex-col gap-1 overflow-y-auto">
              <h2 className="px-2.5 text-label text-ink3">{words.contents}</h2>
              <Contents headings={headings} />
            </div>
          </aside>
        )}
      </div>
    </SitePage>
  );
}
