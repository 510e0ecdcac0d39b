import type { ReactNode } from 'react';
import { DoubleRule } from '../../ui/picture/DoubleRule.tsx';
import { useAnnouncedHeading } from './use-announced-heading.ts';

const toneClasses = {
  ok: 'bg-ok-wash text-ok',
  info: 'bg-denim-wash text-denim',
  warn: 'bg-warn-wash text-warn',
  danger: 'bg-danger-wash text-danger',
};

/** The outcome of a process: title, explanation and next actions. Takes the focus when it is mounted. */
export function OutcomeScreen({
  tone,
  icon,
  title,
  titleEnd,
  children,
  actions,
}: {
  tone: keyof typeof toneClasses;
  icon: ReactNode;
  title: string;
  /** The rest of the title, in smaller letters below it. */
  titleEnd?: string | undefined;
  children: ReactNode;
  actions: ReactNode;
}) {
  const heading = useAnnouncedHeading();
  return (
    <div className="mt-10 flex flex-col gap-5">
      <span
        className={`bordered-when-forced flex size-12 items-center justify-center rounded-full ${toneClasses[tone]}`}
      >
        {icon}
      </span>
      <h1 ref={heading} tabIndex={-1} className="text-display wrap-anywhere">
        {title}
        {titleEnd !== undefined && (
          <>
            {' '}
            <span className="mt-1.5 block text-section text-ink2">{titleEnd}</span>
          </>
        )}
      </h1>
      <DoubleRule />
      <div className="flex flex-col gap-3 text-body text-ink2">{children}</div>
      <div className="flex flex-wrap items-center gap-3">{actions}</div>
    </div>
  );
}
