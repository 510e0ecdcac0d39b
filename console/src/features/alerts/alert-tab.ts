import type { ReactNode } from 'react';
import type { AlertPlace } from '../../parts/alerts/alerts.ts';

/** What each tab of the page of alerts shows beside its list. */
export interface AlertTabProps {
  readonly place: AlertPlace;
  readonly tabs: ReactNode;
  /** The sentence below the title. */
  readonly meta: string;
}
