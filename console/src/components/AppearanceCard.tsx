import { useSyncExternalStore } from 'react';
import { enAccount } from '../copy/en-account.ts';
import { ThemeSwitch } from '../ui/action/ThemeSwitch.tsx';
import { FilterChips } from '../ui/form/FilterChips.tsx';
import { Card } from '../ui/layout/Card.tsx';
import { Switch } from '../ui/form/Switch.tsx';
import {
  areShortcutsWanted,
  chooseDensity,
  chooseShortcuts,
  chooseTimeZone,
  chosenDensity,
  chosenTimeZone,
  type Density,
  subscribeToAppearance,
  type TimeZoneChoice,
} from '../ui/style/theme.ts';
import { formatTimeOfDay, localZoneName } from '../ui/time/format-time.ts';
import { useNow } from '../ui/time/use-now.ts';

const densities: readonly Density[] = ['compact', 'default', 'touch'];

const zones: readonly TimeZoneChoice[] = ['local', 'utc'];

/** Settings for theme, row height, time zone and single-key shortcuts; stored in this browser. */
export function AppearanceCard() {
  const density = useSyncExternalStore(subscribeToAppearance, chosenDensity);
  const areShortcutsOn = useSyncExternalStore(subscribeToAppearance, areShortcutsWanted);
  return (
    <Card title={enAccount.profile.appearance} meta={enAccount.profile.appearanceText}>
      <div className="grid grid-cols-[minmax(6rem,auto)_1fr] items-center gap-x-6 gap-y-4">
        <span className="text-label text-ink">{enAccount.profile.theme}</span>
        <span>
          <ThemeSwitch />
        </span>
        <span className="text-label text-ink">{enAccount.profile.density}</span>
        <FilterChips
          label={enAccount.profile.density}
          value={density}
          chips={densities.map((value) => ({ value, label: enAccount.profile[value] }))}
          onValueChange={chooseDensity}
        />
        <span className="text-label text-ink">{enAccount.profile.timeZone}</span>
        <TimeZone />
        <span aria-hidden className="text-label text-ink">
          {enAccount.profile.shortcuts}
        </span>
        <span className="flex flex-wrap items-center gap-x-3">
          <Switch
            label={enAccount.profile.shortcuts}
            isLabelHidden
            isLocal
            checked={areShortcutsOn}
            onCheckedChange={chooseShortcuts}
          />
          <span className="text-small text-ink3">{enAccount.profile.shortcutsText}</span>
        </span>
      </div>
    </Card>
  );
}

function TimeZone() {
  const zone = useSyncExternalStore(subscribeToAppearance, chosenTimeZone);
  const nowMs = useNow('minute');
  return (
    <span className="flex flex-col gap-1.5">
      <FilterChips
        label={enAccount.profile.timeZone}
        value={zone}
        chips={zones.map((value) => ({ value, label: enAccount.profile[value] }))}
        onValueChange={chooseTimeZone}
      />
      <span className="tabular text-small text-ink3">
        {enAccount.profile.timeZoneText(localZoneName(nowMs), formatTimeOfDay(nowMs))}
      </span>
    </span>
  );
}
