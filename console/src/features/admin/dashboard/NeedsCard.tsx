import type { ReactNode } from 'react';
import { Card } from '../../../ui/layout/Card.tsx';
import { dashboardCopy as words } from './copy.ts';

/** Something that an administrator should settle. */
export interface AdminNeed {
  readonly key: string;
  readonly icon: ReactNode;
  /** What it is about, and what is said of it. */
  readonly subject: string;
  readonly text: string;
  readonly detail?: ReactNode;
  readonly action?: ReactNode;
}

/** What needs an administrator, each with what settles it. */
export function NeedsCard({ needs }: { needs: readonly AdminNeed[] }) {
  return (
    <Card
      isFlush
      title={words.needsTitle}
      actions={<span className="tabular text-small text-ink2">{needs.length}</span>}
    >
      <ul id="needs" className="divide-y divide-line">
        {needs.map(({ key, icon, subject, text, detail, action }) => (
          <li key={key} className="flex items-start gap-3 px-4.5 py-2.5">
            <span className="mt-0.5 shrink-0">{icon}</span>
            <div className="min-w-0 flex-1 text-body">
              <b className="font-head wrap-anywhere">{subject}</b> {text}
              {detail !== undefined && <div className="text-small text-ink2">{detail}</div>}
            </div>
            {action !== undefined && <div className="shrink-0">{action}</div>}
          </li>
        ))}
      </ul>
    </Card>
  );
}
