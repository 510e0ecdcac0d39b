import type { Output } from '@corral/contract';
import { Check, TriangleAlert } from 'lucide-react';
import { RelativeTime } from '../../ui/time/RelativeTime.tsx';
import { repositorySettingsCopy } from './copy.ts';

const words = repositorySettingsCopy.store;
type Store = Output<'repositories_GetObjectStore'>;

/** What the check of a store found, in the hub's sentences: what needs a look comes first. */
export function StoreFindings({ findings, checkedAt }: Pick<Store, 'findings' | 'checkedAt'>) {
  const sorted = findings.toSorted((one, other) => Number(one.isFine) - Number(other.isFine));
  return (
    <section className="flex flex-col gap-2 border-t border-line p-4.5">
      <h3 className="text-body font-head">
        {words.findings}
        {checkedAt !== undefined && (
          <span className="font-normal text-ink3">
            , {words.checked} <RelativeTime at={checkedAt} className="text-ink3" />
          </span>
        )}
      </h3>
      {sorted.length === 0 && <p className="text-body text-ink2">{words.notChecked}</p>}
      <ul className="flex flex-col gap-1.5">
        {sorted.map(({ name, isFine, text }) => {
          const Icon = isFine ? Check : TriangleAlert;
          return (
            <li key={name} className="flex items-start gap-2 text-body">
              <Icon
                size={15}
                aria-label={isFine ? words.isFine : words.isNotFine}
                role="img"
                className={`mt-0.5 shrink-0 ${isFine ? 'text-ok' : 'text-warn'}`}
              />
              <span className="min-w-0 wrap-anywhere text-ink2">{text}</span>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
