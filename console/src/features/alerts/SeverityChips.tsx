import { alertSeverities } from '../../parts/alerts/alerts.ts';
import { severityCopy } from '../../parts/alerts/severity-copy.ts';
import { useUrlSearch } from '../../parts/use-url-search.ts';
import { OptionalChips } from '../../ui/form/OptionalChips.tsx';
import type { AlertsSearch } from './alerts-search.ts';
import { alertPageCopy as words } from './copy.ts';

/** The severities as filters. */
export function SeverityChips() {
  const [{ severity }, change] = useUrlSearch<AlertsSearch>();
  return (
    <OptionalChips
      label={words.severity}
      value={severity}
      onValueChange={(severity) => change({ severity })}
      all={words.anySeverity}
      chips={alertSeverities.map((value) => ({ value, label: severityCopy[value] }))}
    />
  );
}
