import type { ReactNode } from 'react';
import { Sparkline } from '../../ui/picture/Sparkline.tsx';

/** A line of what was the case over time, with what it says in words beside it; without values, only the words. */
export function LineWithText({
  values,
  text,
  children,
}: {
  values: readonly number[];
  text: string;
  children?: ReactNode;
}) {
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
      {values.length > 1 && (
        <span className="w-40">
          <Sparkline values={values} label={text} />
        </span>
      )}
      <span className="tabular flex flex-col">
        <span>{text}</span>
        {children}
      </span>
    </div>
  );
}
