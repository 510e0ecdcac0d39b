import type { ReactNode } from 'react';

/** Explains an empty list and what to do next. `children` is the command or form for that. */
export function EmptyState({
  title,
  text,
  icon,
  action,
  children,
  level = 2,
}: {
  title: ReactNode;
  text?: ReactNode;
  icon?: ReactNode;
  action?: ReactNode;
  children?: ReactNode;
  level?: 2 | 3 | undefined;
}) {
  const Heading = `h${level}` as const;
  return (
    <div className="mx-auto flex max-w-[32rem] flex-col items-center gap-3 px-6 py-12 text-center">
      {icon !== undefined && (
        <div className="flex size-11 items-center justify-center rounded-full bg-sunken text-ink3">
          {icon}
        </div>
      )}
      <div>
        <Heading className="text-section">{title}</Heading>
        {text !== undefined && <p className="mt-1 text-body text-ink2">{text}</p>}
      </div>
      {action}
      {children !== undefined && <div className="w-full text-start">{children}</div>}
    </div>
  );
}
