import type { ReactNode } from 'react';

/** The small text beside the shape that is pointed at, at a place in a frame of this width; it is told to screen readers. */
export function ShapeFloat({
  x,
  y,
  width,
  children,
}: {
  x: number;
  y: number;
  width: number;
  children: ReactNode;
}) {
  const isAtEnd = x > width / 2;
  return (
    <div
      role="status"
      className="pointer-events-none absolute z-20 max-w-64 rounded-control border border-line bg-raised px-3 py-2 text-small whitespace-nowrap text-ink shadow-float print:hidden"
      style={{
        top: y,
        ...(isAtEnd ? { insetInlineEnd: Math.max(0, width - x) } : { insetInlineStart: x }),
      }}
    >
      {children}
    </div>
  );
}
