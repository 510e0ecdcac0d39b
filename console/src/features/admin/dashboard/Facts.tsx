import { ChevronRight } from 'lucide-react';
import { cloneElement, type ReactElement, type ReactNode } from 'react';

/** The title of a card as a link to the list behind it. */
export function ListTitle({
  link,
  children,
}: {
  link: ReactElement<{ children?: ReactNode; className?: string }>;
  children: string;
}) {
  return cloneElement(
    link,
    { className: 'inline-flex items-center gap-1 hover:underline' },
    children,
    <ChevronRight key="icon" size={16} aria-hidden className="text-ink2" />,
  );
}

/** Two columns, 600 and 364 wide, below each other where there is no room; one alone takes the row. */
export function Columns({ first, second }: { first: ReactNode; second: ReactNode }) {
  const hasBoth = isThere(first) && isThere(second);
  if (!isThere(first) && !isThere(second)) return null;
  return (
    <div
      className={`mb-5 grid grid-cols-1 gap-5 ${hasBoth ? 'lg:grid-cols-[minmax(0,600fr)_minmax(0,364fr)]' : ''}`}
    >
      {first}
      {second}
    </div>
  );
}

const isThere = (node: ReactNode): boolean => node !== null && node !== undefined && node !== false;
