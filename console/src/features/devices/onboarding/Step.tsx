import { Check } from 'lucide-react';
import type { ReactNode } from 'react';

const stateClasses = {
  done: 'border-ok bg-ok-wash text-ok',
  now: 'border-denim bg-denim text-on-denim',
  later: 'border-line bg-surface text-ink3',
};

/** A step of a numbered list: its number, or a check when done, connected to the next by a line. */
export function Step({
  number,
  title,
  state,
  isLast = false,
  children,
}: {
  number: number;
  title: string;
  state: keyof typeof stateClasses;
  isLast?: boolean | undefined;
  children?: ReactNode;
}) {
  return (
    <li className="flex gap-3.5" aria-current={state === 'now' ? 'step' : undefined}>
      <div aria-hidden className="flex flex-col items-center gap-1.5">
        <span
          className={`tabular flex size-6.5 shrink-0 items-center justify-center rounded-full border text-label ${stateClasses[state]}`}
        >
          {state === 'done' ? <Check size={14} strokeWidth={2.5} /> : number}
        </span>
        {!isLast && <span className="w-px flex-1 bg-line" />}
      </div>
      <div className={`min-w-0 flex-1 ${isLast ? '' : 'pb-6'}`}>
        <h3 className={`pt-0.5 text-body font-head ${state === 'later' ? 'text-ink3' : 'text-ink'}`}>
          {title}
        </h3>
        {children !== undefined && <div className="pt-2.5">{children}</div>}
      </div>
    </li>
  );
}
