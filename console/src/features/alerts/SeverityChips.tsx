import { alertSeverities } from '../../parts/alerts/alerts.ts';
import { severityCopy } from '../../parts/alerts/severity-copy.ts';
import { useUrlSearch } from '../../parts/use-url-search.ts';
import { FilterChips } from '../../ui/form/FilterChips.tsx';
import type { AlertsSearch } from './alerts-search.ts';
import { alertPageCopy as words } from './copy.ts';

/** The severities as filters. */
export function SeverityChips() {
  const [{ severity }, change] = useUrlSearch<AlertsSearch>();
  return (
    <FilterChips
      label={words.severity}
      value={severity ?? 'all'}
      onValueChange={(next) => change({ severity: next === 'all' ? undefined : next })}
      chips={[
        { value: 'all' as const, label: words.anySeverity },
        ...alertSeverities.map((value) => ({ value, label: severityCopy[value] })),
      ]}
    />
  );
}
