import { CodeBlock } from '../src/ui/text/CodeBlock.tsx';
import { buttonClass } from '../src/ui/action/button-class.ts';
import { CardLink } from '../src/ui/layout/CardLink.tsx';
import dark from '../../docs/pictures/devices-dark.png?url';
import light from '../../docs/pictures/devices.png?url';
import { addressOf } from './addresses.ts';
import { words } from './copy.ts';
import { SitePage } from './SitePage.tsx';
import type { NavigationGroup } from './site-pages.ts';

/** The first page: what Corral is, how it is installed, what it looks like, and what to read next. */
export function HomePage({ version, from }: { version: string; from: NavigationGroup }) {
  return (
    <SitePage place={{ version, path: 'index.html', title: words.title }}>
      <div className="mx-auto flex w-full max-w-page flex-col gap-14 px-8 pt-12 pb-20 max-lg:pt-8 max-sm:gap-10 max-sm:px-3.5">
        <div className="grid items-center gap-x-12 gap-y-8 lg:grid-cols-[5fr_7fr]">
          <div className="flex min-w-0 flex-col gap-5">
            <h1 className="text-count max-sm:text-display text-balance text-ink">{words.home.title}</h1>
            <p className="max-w-[60ch] text-answer text-ink2">{words.home.text}</p>
            <p className="flex flex-wrap gap-2">
              <a href={addressOf('tour')} className={buttonClass('primary', 'large')}>
                {words.home.tour}
              </a>
              <a href={addressOf('install')} className={buttonClass('secondary', 'large')}>
                {words.home.more}
              </a>
            </p>
          </div>
          <picture>
            <source media="(prefers-color-scheme: dark)" srcSet={dark} />
            <img
              src={light}
              alt={words.home.picture}
              width={1280}
              height={670}
              className="h-auto w-full rounded-card border border-line shadow-float"
            />
          </picture>
        </div>
        <Install version={version} />
        <section aria-labelledby="next" className="flex flex-col gap-4">
          <h2 id="next" className="text-title text-ink">
            {words.home.next}
          </h2>
          <div className="grid gap-4 sm:grid-cols-2 xl:grid-cols-3 [&_article]:min-h-0">
            {words.home.cards.map(([slug, title, text]) => (
              <CardLink key={slug} render={<a href={addressOf(slug)} />} title={title} meta={text} />
            ))}
          </div>
        </section>
        <section aria-labelledby="from" className="flex flex-col gap-3">
          <h2 id="from" className="text-title text-ink">
            {words.home.from}
          </h2>
          <ul className="flex flex-wrap gap-2">
            {from.entries.map(({ slug, title }) => (
              <li key={slug}>
                <a href={addressOf(slug)} className={buttonClass('secondary', 'medium')}>
                  {title}
                </a>
              </li>
            ))}
          </ul>
        </section>
      </div>
    </SitePage>
  );
}

function Install({ version }: { version: string }) {
  return (
    <section aria-labelledby="install" className="flex flex-col gap-4">
      <h2 id="install" className="text-title text-ink">
        {words.home.install}
      </h2>
      <dl className="flex flex-col gap-3">
        {words.home.ways.map(({ name, about, slug, code }) => (
          <div key={name} className="grid items-center gap-x-12 gap-y-1 lg:grid-cols-[5fr_7fr]">
            <dt className="text-body text-ink3">
              <b className="font-head text-ink">{name}</b> {about}.{' '}
              <a
                href={addressOf(slug)}
                className="whitespace-nowrap text-denim underline"
                aria-label={`${words.home.details}: ${name}`}
              >
                {words.home.details}
              </a>
            </dt>
            <dd className="min-w-0">
              <CodeBlock code={code(version)} what={`${name} command`} />
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
