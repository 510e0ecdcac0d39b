import { useSyncExternalStore } from 'react';
import { profileCopy } from './copy.ts';
import { ThemeSwitch } from '../../../ui/action/ThemeSwitch.tsx';
import { FilterChips } from '../../../ui/form/FilterChips.tsx';
import { Card } from '../../../ui/layout/Card.tsx';
import { Switch } from '../../../ui/form/Switch.tsx';
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
} from '../../../ui/style/theme.ts';
import { formatTimeOfDay, localZoneName } from '../../../ui/time/format-time.ts';
import { useNow } from '../../../ui/time/use-now.ts';

const densities: readonly Density[] = ['compact', 'default', 'touch'];

const zones: readonly TimeZoneChoice[] = ['local', 'utc'];

/** Settings for theme, row height, time zone and single-key shortcuts; stored in this browser. */
export function AppearanceCard() {
  const density = useSyncExternalStore(subscribeToAppearance, chosenDensity);
  const areShortcutsOn = useSyncExternalStore(subscribeToAppearance, areShortcutsWanted);
  return (
    <Card title={profileCopy.appearance} meta={profileCopy.appearanceText}>
      <div className="grid grid-cols-[minmax(6rem,auto)_1fr] items-center gap-x-6 gap-y-4">
        <span className="text-label text-ink">{profileCopy.theme}</span>
        <span>
          <ThemeSwitch />
        </span>
        <span className="text-label text-ink">{profileCopy.density}</span>
        <FilterChips
          label={profileCopy.density}
          value={density}
          chips={densities.map((value) => ({ value, label: profileCopy[value] }))}
          onValueChange={chooseDensity}
        />
        <span className="text-label text-ink">{profileCopy.timeZone}</span>
        <TimeZone />
        <span aria-hidden className="text-label text-ink">
          {profileCopy.shortcuts}
        </span>
        <span className="flex flex-wrap items-center gap-x-3">
          <Switch
            label={profileCopy.shortcuts}
            isLabelHidden
            isLocal
            checked={areShortcutsOn}
            onCheckedChange={chooseShortcuts}
          />
          <span className="text-small text-ink3">{profileCopy.shortcutsText}</span>
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
        label={profileCopy.timeZone}
        value={zone}
        chips={zones.map((value) => ({ value, label: profileCopy[value] }))}
        onValueChange={chooseTimeZone}
      />
      <span className="tabular text-small text-ink3">
        {profileCopy.timeZoneText(localZoneName(nowMs), formatTimeOfDay(nowMs))}
      </span>
    </span>
  );
}
