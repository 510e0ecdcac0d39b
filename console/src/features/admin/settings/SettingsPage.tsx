import { useLoadedQuery } from '../../../data/use-loaded-query.ts';
import { SectionHeader } from '../../../parts/SectionHeader.tsx';
import { Page } from '../../../ui/layout/Page.tsx';
import { settingsCopy as words } from './copy.ts';
import { MailTest } from './MailTest.tsx';
import { AuditSealsCard } from './AuditSealsCard.tsx';
import { type SettingGroup, settingGroups, settingsQuery } from './settings.ts';
import { SettingsCard } from './SettingsCard.tsx';

const groups = Object.keys(settingGroups) as SettingGroup[];

/** The settings of the instance, a card for each section of them. */
export function SettingsPage() {
  const { details = [] } = useLoadedQuery(settingsQuery()).data;
  return (
    <Page>
      <SectionHeader meta={words.text} />
      <div className="flex max-w-[44rem] flex-col gap-5">
        {groups.map((group) => {
          const keys: readonly string[] = settingGroups[group];
          const settings = details.filter(({ key }) => keys.includes(key));
          return (
            <SettingsCard key={group} title={words.groups[group]} settings={settings}>
              {group === 'mail' && <MailTest settings={settings} />}
            </SettingsCard>
          );
        })}
        <AuditSealsCard />
      </div>
    </Page>
  );
}
