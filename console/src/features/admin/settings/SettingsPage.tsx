import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useLoadedQuery } from '../../../data/use-loaded-query.ts';
import { SectionHeader } from '../../../parts/SectionHeader.tsx';
import { Page } from '../../../ui/layout/Page.tsx';
import { settingsCopy as words } from './copy.ts';
import { MailTest } from './MailTest.tsx';
import { AuditSealsCard } from './AuditSealsCard.tsx';
import { ProviderTest, useMayChangeProvider } from './ProviderTest.tsx';
import { type SettingGroup, settingGroups, settingsQuery } from './settings.ts';
import { SettingsCard } from './SettingsCard.tsx';

const groups = Object.keys(settingGroups) as SettingGroup[];
/** The groups of settings in the order of the page. */
function indexed(): (readonly [id: string, title: string])[] {
  const titled = groups.map((group) => [group, words.groups[group]] as const);
  return [...titled, ['seals', words.auditSeals.title]];
}

/** The settings of the instance, a card for each section of them, and an index of these. `answer` is the word with which the hub led back from the provider. */
export function SettingsPage({ answer }: { answer: string | undefined }) {
  const mayChangeProvider = useMayChangeProvider();
  const { details = [] } = useLoadedQuery(settingsQuery()).data;
  return (
    <Page>
      <SectionHeader meta={words.text} />
      <div className="flex gap-x-8 gap-y-5 max-lg:flex-col lg:flex-row-reverse lg:justify-end">
        <SettingsIndex />
        <div className="flex w-full max-w-[44rem] min-w-0 flex-col gap-5">
          {groups.map((group) => {
            const keys: readonly string[] = settingGroups[group];
            const settings = details.filter(({ key }) => keys.includes(key));
            return (
              <Section key={group} id={group}>
                <SettingsCard
                  title={words.groups[group]}
                  settings={settings}
                  mayChange={group === 'provider' ? mayChangeProvider : undefined}
                >
                  {group === 'mail' && <MailTest settings={settings} />}
                  {group === 'provider' && <ProviderTest settings={settings} answer={answer} />}
                </SettingsCard>
              </Section>
            );
          })}
          <Section id="seals">
            <AuditSealsCard />
          </Section>
        </div>
      </div>
    </Page>
  );
}

function SettingsIndex() {
  return (
    <nav
      aria-label={words.index}
      className="top-[calc(var(--header-height)+1rem)] shrink-0 lg:sticky lg:w-48 lg:self-start print:hidden"
    >
      <ul className="flex flex-wrap gap-2 lg:flex-col lg:gap-0.5 lg:border-s lg:border-line">
        {indexed().map(([hash, title]) => (
          <li key={hash}>
            <Link
              to="/admin/settings"
              hash={hash}
              activeProps={{}}
              className="inline-flex items-center text-label text-ink2 hover:text-ink hover:underline max-lg:h-9 max-lg:rounded-full max-lg:border max-lg:border-line max-lg:bg-surface max-lg:px-3 lg:flex lg:px-3 lg:py-1.5 pointer-coarse:h-11"
            >
              {title}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** A place that the index leads to, below the header of the console. */
function Section({ id, children }: { id: string | undefined; children: ReactNode }) {
  return (
    <div id={id} className="scroll-mt-[calc(var(--header-height)+1rem)]">
      {children}
    </div>
  );
}
