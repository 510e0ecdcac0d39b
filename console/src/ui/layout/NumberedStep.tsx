import type { ReactNode } from 'react';

/** A numbered part of a form, with what it is for beside its title. */
export function NumberedStep({
  number,
  title,
  text,
  actions,
  children,
}: {
  number: number;
  title: string;
  text: string;
  actions?: ReactNode;
  children: ReactNode;
}) {
  return (
    <section className="border-t border-line px-4.5 py-5" aria-label={title}>
      <div className="flex min-h-7 items-center gap-3">
        <span
          aria-hidden
          className="tabular flex size-7 shrink-0 items-center justify-center rounded-full bg-denim-wash text-label font-head text-denim"
        >
          {number}
        </span>
        <h2 className="text-section">{title}</h2>
        <span className="own-direction min-w-0 flex-1 text-body text-ink3">{text}</span>
        {actions}
      </div>
      <div className="mt-3 empty:hidden sm:ms-10">{children}</div>
    </section>
  );
}
