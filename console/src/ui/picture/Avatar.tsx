import { initials } from './initials.ts';

/** A user's initials. Hidden from screen readers: the name is beside it. */
export function Avatar({ name, size = 26 }: { name: string; size?: number | undefined }) {
  return (
    <span
      aria-hidden
      className="bordered-when-forced inline-flex shrink-0 items-center justify-center rounded-full bg-denim font-bold text-on-denim select-none"
      style={{ width: size, height: size, fontSize: Math.max(10, size * 0.42) }}
    >
      {initials(name)}
    </span>
  );
}
